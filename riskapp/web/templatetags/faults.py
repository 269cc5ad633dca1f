"""Why a run failed, as a notice."""

from typing import Any

from django import template

from riskapp.models import Run
from riskapp.web import fault_words

register = template.Library()


@register.inclusion_tag("components/fault.html", takes_context=True)
def fault(context: dict[str, Any], run: Run, title: str, kind: str = "bad") -> dict[str, Any]:
    """A notice about a run that failed: what is wrong, and links to where it can be mended."""
    return {"told": fault_words.told(run, context["project"], title), "kind": kind}


@register.simple_tag(takes_context=True)
def fault_line(context: dict[str, Any], run: Run) -> str:
    """The same in a line."""
    told = fault_words.told(run, context["project"], "")
    return " ".join(part for part in (told.title and f"{told.title}.", told.words) if part)
