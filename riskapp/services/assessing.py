"""Assessment runs: the search for rules, on a set-up frozen when the run was started."""

from pathlib import Path
from typing import Any, cast

from django.db import transaction

from riskapp import policies, storage
from riskapp.bridge import assessing as bridge
from riskapp.engine.reporting import Report
from riskapp.models import Actor, FrozenAssessment, Outcome, Project, Run, RunState, Setup, User
from riskapp.services import audit, freezing, notices, runs


def start(setup: Setup, *, by: Actor, name: str = "") -> Run:
    """Freeze the set-up and queue its assessment."""
    policies.check("run", cast(User, by.user), setup.project)
    with audit.writing():
        plan = {"search": setup.search, "risk": setup.risk, "utility": setup.utility}
        return _start(setup.project, freezing.freeze(setup), name, plan, by=by)


def repeat(run: Run, *, by: Actor) -> Run:
    """The same assessment once more, on the same files."""
    policies.check("run", cast(User, by.user), run.project)
    with audit.writing():
        return _start(run.project, frozen(run), str(run.parameters.get("name", "")), plan(run), by=by)


def plan(run: Run) -> dict[str, Any]:
    """Which rules a run considered and what was asked of them, as the officer put it."""
    told = frozen(run).document["assessment"]
    kept: dict[str, Any] = {section: dict(told.get(section, {})) for section in ("search", "risk", "utility")}
    kept["search"].pop("limits", None)
    return run.parameters.get("plan") or kept


def _start(project: Project, kept: FrozenAssessment, name: str, plan: dict[str, Any], *, by: Actor) -> Run:
    parameters = {"assessment": kept.sha256, "uses": freezing.uses(kept), "name": name, "plan": plan}
    return runs.start("assess", by=by, project=project, parameters=parameters)


def frozen(run: Run) -> FrozenAssessment:
    """What the run works on."""
    return FrozenAssessment.objects.get(pk=run.parameters["assessment"])


# The work


def claimed(run: Run, by: Actor) -> None:
    """Nothing else changes when a worker takes the run."""


def compute(run: Run, report: Report) -> bridge.Assessed:
    document = frozen(run).document
    return bridge.assess(document, run.project_id, into=_place(run), keep=_keeping(run), report=report)


def _place(run: Run) -> Path:
    """The claim is part of the name: a worker that was given up for dead cannot write where its successor writes."""
    return storage.outcome_place(run.project_id, cast(Any, run.claim))


def _keeping(run: Run) -> Path:
    return storage.keeping_place(run.project_id, run.pk)


def succeeded(run: Run, result: bridge.Assessed, by: Actor) -> None:
    Run.objects.filter(pk=run.pk).update(timings=result.summary["seconds"])
    Outcome.objects.create(
        run=run, project_id=run.project_id, folder=result.folder, sha256=result.sha256, summary=result.summary
    )
    notices.tell(run, RunState.SUCCEEDED)
    _forget_parts(run)


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    notices.tell(run, RunState.FAILED)
    _forget_parts(run)


def let_go(run: Run, by: Actor) -> None:
    """A cancelled run needs its finished parts no more; one that waits for another worker does."""
    if run.state == RunState.CANCELLED:
        _forget_parts(run)


def _forget_parts(run: Run) -> None:
    transaction.on_commit(lambda: storage.shred(_keeping(run)))
