"""What a worker finds out about attackers: how their tables match, whom they cover, what more knowledge would give.

A question is asked by POST and looked up by GET; the same question is computed once.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import policies, selectors
from riskapp.bridge.documents import NotReady
from riskapp.models import Attacker, AttackerKind, Attribute
from riskapp.services import attackers, inquiries
from riskapp.services.inquiries import Inquiry, Question
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes import AttackerOut, Json, Seen
from riskapp.web.api.shapes_asked import InquiryOut, LikenessIn, LikenessLook, MoreOut, WhatIf

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}/attackers"
OF_ATTACKER = OF_PROJECT + "/{int:attacker_id}"


def looked_up(question: Callable[[], Question], project: Any, kind: str) -> dict[str, Any]:
    """What is known, or what must be said before it can be asked."""
    try:
        return telling.inquiry(inquiries.of(project, question()))
    except NotReady as trouble:
        return telling.inquiry(Inquiry(kind, obstacle=str(trouble)))


def asked(request: Asked, project: Any, question: Question) -> Status[dict[str, Any]]:
    return Status(202, telling.inquiry(inquiries.ask(project, question, by=request.actor)))


@router.get(f"{OF_PROJECT}/bounds", response=InquiryOut, url_name="attacker-bounds", **needs("read"))
def show_bounds(request: Asked, project_id: UUID) -> dict[str, Any]:
    """Whether the figures of one attacker bound those of another."""
    setup = selectors.setup_of(project_for(request, project_id, "see_runs"))
    return looked_up(lambda: inquiries.about_bounds(setup), setup.project, inquiries.COMPARE)


@router.post(f"{OF_PROJECT}/bounds", response={202: InquiryOut}, url_name="attacker-bounds", **needs("run"))
def ask_bounds(request: Asked, project_id: UUID) -> Status[dict[str, Any]]:
    """Have the attackers compared."""
    setup = selectors.setup_of(project_for(request, project_id, "run"))
    return asked(request, setup.project, inquiries.about_bounds(setup))


@router.get(f"{OF_ATTACKER}/matching", response=InquiryOut, url_name="attacker-matching", **needs("read"))
def show_matching(request: Asked, project_id: UUID, attacker_id: int) -> dict[str, Any]:
    """Which attributes the columns of the attacker's table seem to hold, by name and content."""
    attacker = selectors.attacker(project_for(request, project_id, "see_runs"), attacker_id)
    return looked_up(lambda: _matching(attacker), attacker.setup.project, inquiries.MATCHING)


@router.post(f"{OF_ATTACKER}/matching", response={202: InquiryOut}, url_name="attacker-matching", **needs("run"))
def ask_matching(request: Asked, project_id: UUID, attacker_id: int) -> Status[dict[str, Any]]:
    """Have the columns of the attacker's table looked at."""
    attacker = selectors.attacker(project_for(request, project_id, "run"), attacker_id)
    return asked(request, attacker.setup.project, _matching(attacker))


@router.post(f"{OF_ATTACKER}/matching/accept", response=AttackerOut, url_name="attacker-accept", **needs("describe"))
def accept_matching(request: Asked, project_id: UUID, attacker_id: int, wanted: Seen) -> dict[str, Any]:
    """Take over every suggestion, once there are some."""
    attacker = selectors.attacker(project_for(request, project_id, "describe"), attacker_id)
    suggested = _suggested(attacker)
    if suggested is None:
        raise Overtaken("The suggestions are not there yet. Have the columns looked at first.")
    with seeing(attacker, wanted.version):
        attackers.accept(attacker, wanted.version, suggested, by=request.actor)
    return telling.attacker(attacker)


@router.get(f"{OF_ATTACKER}/coverage", response=InquiryOut, url_name="attacker-coverage", **needs("read"))
def show_coverage(request: Asked, project_id: UUID, attacker_id: int) -> dict[str, Any]:
    """How many records fit how many people of the attacker's table."""
    attacker = selectors.attacker(project_for(request, project_id, "see_runs"), attacker_id)
    return looked_up(lambda: inquiries.about_coverage(attacker), attacker.setup.project, inquiries.COVERAGE)


@router.post(f"{OF_ATTACKER}/coverage", response={202: InquiryOut}, url_name="attacker-coverage", **needs("run"))
def ask_coverage(request: Asked, project_id: UUID, attacker_id: int) -> Status[dict[str, Any]]:
    """Have them counted."""
    attacker = selectors.attacker(project_for(request, project_id, "run"), attacker_id)
    return asked(request, attacker.setup.project, inquiries.about_coverage(attacker))


# Likeness


@router.post(f"{OF_ATTACKER}/likeness", response={202: InquiryOut}, url_name="attacker-likeness", **needs("run"))
def ask_likeness(request: Asked, project_id: UUID, attacker_id: int, wanted: LikenessIn) -> Status[dict[str, Any]]:
    """How many values of a column would be matched by likeness, for every threshold. Send it again to look it up."""
    attacker = selectors.attacker(project_for(request, project_id, "run"), attacker_id)
    attribute = _attribute(attacker, wanted.attribute)
    question = inquiries.about_likeness(attacker, wanted.column, attribute, wanted.level)
    return asked(request, attacker.setup.project, question)


@router.post(f"{OF_ATTACKER}/likeness/examples", response=Json, url_name="attacker-examples", **needs("values"))
def look_at_likeness(request: Asked, project_id: UUID, attacker_id: int, wanted: LikenessLook) -> dict[str, Any]:
    """Values that a threshold just matches and just does not. The look is audited before they are sent."""
    attacker = selectors.attacker(project_for(request, project_id, "see_values"), attacker_id)
    attribute = _attribute(attacker, wanted.attribute)
    said = (wanted.column, attribute, wanted.level, str(wanted.threshold))
    return attackers.look_at_likeness(attacker, *said, by=request.actor)


def _attribute(attacker: Attacker, column: str) -> Attribute:
    found = attacker.setup.attributes.filter(column=column).first()
    if found is None or not found.released:
        raise Unfit("Name a column of the dataset that is released.")
    return found


# What if


@router.get(f"{OF_ATTACKER}/what-if", response=list[MoreOut], url_name="attacker-what-if", **needs("read"))
def list_more(request: Asked, project_id: UUID, attacker_id: int) -> list[dict[str, str]]:
    """The columns that the attacker does not know yet and could."""
    return _more(selectors.attacker(project_for(request, project_id, "see_runs"), attacker_id))


@router.post(f"{OF_ATTACKER}/what-if", response={202: InquiryOut}, url_name="attacker-what-if", **needs("run"))
def ask_what_if(request: Asked, project_id: UUID, attacker_id: int, wanted: WhatIf) -> Status[dict[str, Any]]:
    """What the attacker would find who also knew one of these columns. Send it again to look it up."""
    attacker = selectors.attacker(project_for(request, project_id, "run"), attacker_id)
    more = [one.dict() for one in wanted.more]
    if any(one not in _more(attacker) for one in more):
        raise Unfit("The attacker knows one of these columns already, or could not know it. Send some that are listed.")
    return asked(request, attacker.setup.project, inquiries.about_more(attacker, more))


def _more(attacker: Attacker) -> list[dict[str, str]]:
    return inquiries.could_also_know(attacker, _suggested(attacker))


def _matching(attacker: Attacker) -> Question:
    if attacker.kind == AttackerKind.ITSELF:
        raise NotReady("This attacker holds no table: say what they know.")
    return inquiries.about_matching(attacker.setup, attacker.upload, f"the attacker “{attacker.name}”")


def _suggested(attacker: Attacker) -> dict[str, Any] | None:
    try:
        return inquiries.of(attacker.setup.project, _matching(attacker)).figures
    except NotReady:
        return None


# Linkage data are looked at in the same way


@router.post(
    "/projects/{uuid:project_id}/setup/linkage/matching/{uuid:upload_id}",
    response={202: InquiryOut},
    url_name="linkage-matching",
    **needs("run"),
)
def ask_linkage_matching(request: Asked, project_id: UUID, upload_id: UUID) -> Status[dict[str, Any]]:
    """Which attributes the columns of a table without names seem to hold. Send it again to look it up."""
    project = project_for(request, project_id, "run")
    setup, upload = selectors.setup_of(project), selectors.upload(project, upload_id)
    if upload.pk == setup.dataset_id:
        raise policies.Hidden
    return asked(request, project, inquiries.about_matching(setup, upload, "the linkage data"))
