"""One rule from all sides, the verdict on it, and several rules side by side."""

from typing import Any
from uuid import UUID

from ninja import Query, Router, Status

from riskapp import policies, selectors
from riskapp.bridge import outcomes, ruling
from riskapp.bridge.documents import NotReady
from riskapp.models import Outcome
from riskapp.services import looks
from riskapp.services import rules as asking
from riskapp.services.setups import Unfit
from riskapp.web import comparing
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.results import ended
from riskapp.web.api.shapes import Json
from riskapp.web.api.shapes_asked import CompareOut, InquiryOut, RecordIn, RecordOf

router = Router()
OF_RUN = "/projects/{uuid:project_id}/runs/{uuid:run_id}"
OF_RULE = OF_RUN + "/rule"
NOBODY_HOLDS = "Nobody holds an earlier release of this project."


@router.get(f"{OF_RULE}/verdict", response=Json, url_name="rule-verdict", **needs("read"))
def show_verdict(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Json:
    """For each release class whether the rule keeps its limits, and the cheapest repair.

    People are counted where the rule's details are known."""
    outcome, found = _rule(request, project_id, run_id, rule)
    return ruling.verdict(outcome, found["id"], asking.detail(outcome, rule).known().figures)


@router.get(f"{OF_RULE}/neighbours", response=Json, url_name="rule-neighbours", **needs("read"))
def show_neighbours(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Json:
    """Why not better: the rules one step away in each column, and what each would cost.

    Of a rule with different levels for different records, the next rules on the frontier."""
    outcome, found = _rule(request, project_id, run_id, rule)
    return ruling.neighbours(outcome, found)


@router.get(f"{OF_RULE}/detail", response=InquiryOut, url_name="rule-detail", **needs("read"))
def show_detail(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> dict[str, Any]:
    """Everything behind a rule's page: losses, groups, utility by column, who is worst off."""
    outcome, _ = _rule(request, project_id, run_id, rule)
    return telling.inquiry(asking.detail(outcome, rule).known())


@router.post(f"{OF_RULE}/detail", response={202: InquiryOut}, url_name="rule-detail", **needs("run"))
def ask_detail(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Status[dict[str, Any]]:
    """Have it found out."""
    outcome, _ = _rule(request, project_id, run_id, rule, "run")
    return _asked(request, asking.detail(outcome, rule))


@router.get(f"{OF_RULE}/stability", response=InquiryOut, url_name="rule-stability", **needs("read"))
def show_stability(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> dict[str, Any]:
    """How often the rule stays the choice when the weights are redrawn between half and twice."""
    outcome, found = _rule(request, project_id, run_id, rule)
    return telling.inquiry(asking.stability(outcome, found).known())


@router.post(f"{OF_RULE}/stability", response={202: InquiryOut}, url_name="rule-stability", **needs("run"))
def ask_stability(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Status[dict[str, Any]]:
    """Have the weights redrawn."""
    outcome, found = _rule(request, project_id, run_id, rule, "run")
    return _asked(request, asking.stability(outcome, found))


@router.get(f"{OF_RULE}/together", response=InquiryOut, url_name="rule-together", **needs("read"))
def show_together(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> dict[str, Any]:
    """Whom the rule would single out together with what each recipient holds of the project already."""
    outcome, found = _rule(request, project_id, run_id, rule)
    question = asking.together(outcome, found)
    return telling.inquiry(question.known()) | ({} if question.asked["earlier"] else {"obstacle": NOBODY_HOLDS})


@router.post(f"{OF_RULE}/together", response={202: InquiryOut}, url_name="rule-together", **needs("run"))
def ask_together(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Status[dict[str, Any]]:
    """Have them counted."""
    outcome, found = _rule(request, project_id, run_id, rule, "run")
    question = asking.together(outcome, found)
    if not question.asked["earlier"]:
        raise NotReady(NOBODY_HOLDS)
    return _asked(request, question)


@router.post(f"{OF_RULE}/attacker", response={202: InquiryOut}, url_name="rule-attacker", **needs("run"))
def ask_attacker(request: Asked, project_id: UUID, run_id: UUID, rule: str, wanted: RecordOf) -> Status[dict[str, Any]]:
    """How many entries of an attacker's table may be the person of one record. Send it again to look it up."""
    outcome, _ = _rule(request, project_id, run_id, rule, "run")
    return _asked(request, asking.attacker(outcome, rule, wanted.record, _attacker(outcome, wanted)))


@router.get(
    "/projects/{uuid:project_id}/runs/{uuid:run_id}/compare", response=CompareOut, url_name="compare", **needs("read")
)
def compare_rules(request: Asked, project_id: UUID, run_id: UUID, rule: Query[list[str]]) -> dict[str, Any]:
    """Up to four rules side by side, with what differs marked."""
    outcome = ended(selectors.assess_run(project_for(request, project_id, "see_runs"), run_id))
    wanted = list(dict.fromkeys(rule))
    if len(wanted) > comparing.MOST:
        raise Unfit(f"At most {comparing.MOST} rules are compared.")
    known = outcomes.rules(outcome, wanted)
    if len(known) < len(wanted):
        raise policies.Hidden
    rows = comparing.rows([known[name] for name in wanted], outcome.summary)
    return {"rules": wanted, "rows": [telling.compared(one) for one in rows]}


# Values of people


@router.post(f"{OF_RULE}/sample", response=list[Json], url_name="rule-sample", **needs("values"))
def look_at_sample(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> list[Json]:
    """Some records before and after. The look is audited before they are sent."""
    outcome, _ = _rule(request, project_id, run_id, rule, "see_values")
    return looks.sample(outcome, rule, by=request.actor)


@router.post(f"{OF_RULE}/subgroups", response=list[Json], url_name="rule-subgroups", **needs("values"))
def look_at_subgroups(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> list[Json]:
    """The subgroups to which least detail is left, by the values that they had. The look is audited first."""
    outcome, _ = _rule(request, project_id, run_id, rule, "see_values")
    return looks.subgroups(outcome, rule, by=request.actor)


@router.post(f"{OF_RULE}/record", response=Json, url_name="rule-record", **needs("values"))
def look_at_record(request: Asked, project_id: UUID, run_id: UUID, rule: str, wanted: RecordIn) -> Json:
    """One record before and after. The look is audited before it is sent."""
    outcome, _ = _rule(request, project_id, run_id, rule, "see_values")
    return looks.one_record(outcome, rule, wanted.record, by=request.actor)


@router.post(f"{OF_RULE}/entries", response=list[Json], url_name="rule-entries", **needs("values"))
def look_at_entries(request: Asked, project_id: UUID, run_id: UUID, rule: str, wanted: RecordOf) -> list[Json]:
    """The entries of an attacker's table that may be a record's person. The look is audited before they are sent."""
    outcome, _ = _rule(request, project_id, run_id, rule, "see_values")
    return looks.entries(outcome, rule, wanted.record, _attacker(outcome, wanted), by=request.actor)


def _rule(
    request: Asked, project_id: UUID, run_id: UUID, rule: str, ability: str = "see_runs"
) -> tuple[Outcome, dict[str, Any]]:
    outcome = ended(selectors.assess_run(project_for(request, project_id, ability), run_id))
    found = outcomes.rules(outcome, [rule])
    if rule not in found:
        raise policies.Hidden
    return outcome, found[rule]


def _asked(request: Asked, question: asking.Question) -> Status[dict[str, Any]]:
    question.ask(by=request.actor)
    return Status(202, telling.inquiry(question.known()))


def _attacker(outcome: Outcome, wanted: RecordOf) -> str:
    if wanted.attacker not in outcome.summary["about"]["dictionaries"]:
        raise Unfit("Choose one of the attackers of this run.")
    return wanted.attacker
