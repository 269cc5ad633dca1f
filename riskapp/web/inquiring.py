"""Questions that pages about attackers have answered: what is known of each, or what must be said first."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages

from riskapp.bridge.documents import NotReady
from riskapp.models import Attacker, AttackerKind, Project
from riskapp.services import attackers, inquiries
from riskapp.services.inquiries import Inquiry, Question
from riskapp.web.pages import Request


def looked_up(project: Project, question: Callable[[], Question], kind: str) -> Inquiry:
    """What is known of a question, or what must be said before it can be asked."""
    try:
        return inquiries.of(project, question())
    except NotReady as trouble:
        return Inquiry(kind, obstacle=str(trouble))


def asked(request: Request, project: Project, question: Callable[[], Question], kind: str, draft: str = "") -> Inquiry:
    """Have a question answered, or hear what must be said first."""
    try:
        return inquiries.ask(project, question(), by=request.actor, draft=draft)
    except NotReady as trouble:
        return Inquiry(kind, obstacle=str(trouble))


def about_matching(attacker: Attacker) -> Question:
    """Which attributes the columns of the attacker's table hold."""
    return inquiries.about_matching(attacker.setup, attacker.upload, f"the attacker “{attacker.name}”")


def suggestions_for(project: Project, attacker: Attacker) -> Inquiry:
    """What is suggested for the columns of the attacker's table; nothing where they hold none."""
    if attacker.kind == AttackerKind.ITSELF:
        return Inquiry(inquiries.MATCHING)
    return looked_up(project, lambda: about_matching(attacker), inquiries.MATCHING)


def tell_unmatched(request: Request, suggested: Mapping[str, Any]) -> None:
    """Which columns were left unmatched when everything that is suggested was taken over, and what to do."""
    if left := attackers.left_unmatched(suggested):
        names = " and ".join(f"“{name}”" for name in left)
        told = "Its values are" if len(left) == 1 else "Their values are"
        told = f"{told} written otherwise than those in the dataset, so nobody would be met."
        messages.warning(request, f"Left unmatched: {names}. {told} Have both files written alike, and upload again.")


def could_also_know(project: Project, attacker: Attacker) -> list[dict[str, str]]:
    """The columns that the attacker does not know yet, and might."""
    return inquiries.could_also_know(attacker, suggestions_for(project, attacker).figures)


def count_what_is_shown(request: Request, project: Project, attacker: Attacker) -> None:
    """Have counted what the attacker's page is going to show."""
    if attacker.kind != AttackerKind.ITSELF and not attacker.match:
        asked(request, project, lambda: about_matching(attacker), inquiries.MATCHING)
    else:
        asked(request, project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)
