"""What is said about columns, in words."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from riskapp.models import Attribute, ColumnRole
from riskapp.web.templatetags.words import count

register = template.Library()

SHORT = {
    ColumnRole.IDENTIFIER: "identifier",
    ColumnRole.GENERALISED: "released with a hierarchy",
    ColumnRole.KEPT: "released unchanged",
    ColumnRole.DROPPED: "dropped",
}
ENDS = {"left": "from the left", "right": "from the right"}


@register.filter
def role_words(role: str) -> str:
    """A role within a sentence."""
    return SHORT.get(ColumnRole(role), role) if role in ColumnRole.values else role


@register.filter
def key(attribute: Attribute) -> SafeString:
    """The id of a column as it stands in ids of elements."""
    return format_html("{}", str(attribute.pk))


@register.filter
@cache
def role_options(chosen: str) -> SafeString:
    """The options of a list of roles; a table of hundreds of columns has hundreds of such lists."""
    one = '<option value="{}"{}>{}</option>'
    return format_html_join("", one, ((role, selected(role, chosen), words) for role, words in ColumnRole.choices))


def selected(role: str, chosen: str) -> SafeString:
    return SafeString(" selected" if role == chosen else "")


@register.filter
def hierarchy_words(spec: Mapping[str, Any] | None) -> str:
    """A hierarchy in a line, without any of its labels."""
    if spec is None:
        return "shown, or hidden altogether"
    if "dates" in spec:
        return f"dates: day, {', '.join(spec['dates'])}"
    if "intervals" in spec:
        widths = spec["intervals"].get("widths", [])
        return f"intervals of {', '.join(map(str, widths))}"
    if "mask" in spec:
        return f"signs hidden {ENDS.get(spec.get('from', 'right'), '')}".strip()
    if "rows" in spec:
        rows = spec["rows"]
        steps = len(rows[0]) - 1 if rows else 0
        return f"a tree of {count(len(rows))} values in {steps} step{'' if steps == 1 else 's'}"
    return "groups" if "groups" in spec else "its own"


@register.simple_tag
def people_told(rows: int | None, identifier: Any, by: bool = True) -> str:
    """How many people the rows are about: by the identifier, each row without one being a person of its own."""
    told = f"{count(rows or 0)} row{'' if rows == 1 else 's'}"
    if identifier is None:
        return f"{told}, each taken for a person of its own"
    people = identifier.people
    about = f"{told} about {count(people)} {'person' if people == 1 else 'people'}"
    return f"{about}, by {identifier.column}" if by else about


@register.simple_tag
def rows_each(rows: int | None, identifier: Attribute | None) -> str:
    """How many rows a person has on average; nothing where everybody has one.

    >>> rows_each(5, Attribute(suggestion={"distinct": 1, "missing": 1})), rows_each(2, None)
    ('2.5', '')
    """
    if identifier is None or not 0 < identifier.people < (rows or 0):
        return ""
    each = (rows or 0) / identifier.people
    return "A little more than 1" if each < 1.05 else f"{each:.1f}".removesuffix(".0")
