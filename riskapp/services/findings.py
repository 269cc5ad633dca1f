"""Findings: short runs that answer one question about a set-up or a rule. The same question is computed once."""

import hashlib
import json
from typing import Any, cast

from riskapp import bridge, policies
from riskapp.engine.reporting import Report
from riskapp.models import Actor, Finding, Project, Run, RunState, User
from riskapp.services import audit, runs
from riskapp.services.states import Overtaken

SUPERSEDED = runs.fault("superseded", "A newer question took its place.", "Ask again if this one is still wanted.")


def key(parameters: dict[str, Any]) -> str:
    """The hash by which a question is known."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()


def answer(project: Project, kind: str, parameters: dict[str, Any]) -> Finding | None:
    """What was found; None if nobody has asked, or the answer is not there yet."""
    return Finding.objects.filter(project=project, kind=kind, key=key(parameters)).first()


def known(project: Project, kind: str, parameters: dict[str, Any]) -> tuple[dict[str, Any] | None, Run | None]:
    """The figures that were found, and the last run that was to find them.

    The run is read first: one that has ended left its answer before. If the answer were looked for first, a run that
    ends in between would seem to have left none.
    """
    run = project.runs.filter(kind=kind, key=key(parameters)).order_by("-created_at").first()
    found = answer(project, kind, parameters)
    return (None if found is None else found.figures), run


def ask(
    project: Project, kind: str, parameters: dict[str, Any], uses: list[str], *, by: Actor, draft: str = ""
) -> None:
    """Have a question answered, unless it is or is about to be.

    A question that comes from a form which is not saved names what it is a draft of. Of such drafts only the newest of
    each person is computed: what they asked before is superseded.
    """
    policies.check("run", cast(User, by.user), project)
    if draft:
        _supersede(project, kind, draft, key(parameters), by=by)
    if answer(project, kind, parameters) is None:
        try:
            asked = {"question": parameters, "uses": uses} | ({"draft": draft} if draft else {})
            runs.start(kind, by=by, project=project, parameters=asked, key=key(parameters))
        except Overtaken:
            pass  # somebody else asked the same a moment ago


def _supersede(project: Project, kind: str, draft: str, newest: str, *, by: Actor) -> None:
    unfinished = project.runs.filter(kind=kind, state__in=[RunState.QUEUED, RunState.RUNNING], started_by=by.user)
    for run in unfinished.filter(parameters__draft=draft).exclude(key=newest):
        runs.unless_overtaken(runs.stop, run, by=by, why=SUPERSEDED)


# The work


def claimed(run: Run, by: Actor) -> None:
    """Nothing else changes when a worker takes the run."""


def compute(run: Run, report: Report) -> dict[str, Any]:
    return bridge.found(run.kind, run.parameters["question"], run.project_id, report)


def succeeded(run: Run, result: dict[str, Any], by: Actor) -> None:
    with audit.writing():
        Finding.objects.update_or_create(
            project_id=run.project_id, kind=run.kind, key=run.key, defaults={"figures": result}
        )


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    """The run itself carries the fault."""


def let_go(run: Run, by: Actor) -> None:
    """Nothing else changes when the run is cancelled or waits again."""
