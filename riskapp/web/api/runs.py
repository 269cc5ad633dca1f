"""Runs: rehearsed, started, polled, cancelled, repeated."""

from typing import Any
from uuid import UUID

from ninja import Query, Router, Status

from riskapp import selectors
from riskapp.models import Setup
from riskapp.services import assessing, rehearsing, runs
from riskapp.services.setups import Unfit
from riskapp.web import comparing, comparing_runs
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.results import ended
from riskapp.web.api.shapes import NewRun, RehearsalOut, RunOut
from riskapp.web.api.shapes_asked import CompareRunsOut

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}"
OF_RUN = OF_PROJECT + "/runs/{uuid:run_id}"


@router.get(f"{OF_PROJECT}/rehearsal", response=RehearsalOut, url_name="rehearsal", **needs("read"))
def show_rehearsal(request: Asked, project_id: UUID) -> dict[str, Any]:
    """What is known about the set-up as it is now."""
    return _rehearsal(selectors.setup_of(project_for(request, project_id, "see_runs")))


@router.post(f"{OF_PROJECT}/rehearsal", response={202: RehearsalOut}, url_name="rehearsal", **needs("run"))
def rehearse(request: Asked, project_id: UUID) -> Status[dict[str, Any]]:
    """Have the set-up checked as it is now: whether it can be assessed, how attackers meet records, and the cost."""
    setup = selectors.setup_of(project_for(request, project_id, "run"))
    rehearsing.ask(setup, by=request.actor)
    return Status(202, _rehearsal(setup))


def _rehearsal(setup: Setup) -> dict[str, Any]:
    known = rehearsing.of(setup)
    return {"figures": known.figures, "run": telling.run(known.run), "obstacle": known.obstacle}


@router.get(f"{OF_PROJECT}/runs", response=list[RunOut], url_name="runs", **needs("read"))
def list_runs(request: Asked, project_id: UUID) -> list[dict[str, Any] | None]:
    """The assessments of a project, newest first."""
    project = project_for(request, project_id, "see_runs")
    return [telling.run(run) for run in selectors.assess_runs_of(project)]


@router.post(f"{OF_PROJECT}/runs", response={202: RunOut}, url_name="runs", **needs("run"))
def start_run(request: Asked, project_id: UUID, wanted: NewRun) -> Status[dict[str, Any] | None]:
    """Freeze the set-up and assess it. It must have been rehearsed as it is."""
    setup = selectors.setup_of(project_for(request, project_id, "run"))
    return Status(202, telling.run(assessing.start(setup, by=request.actor, name=wanted.name)))


@router.get(f"{OF_PROJECT}/runs/compare", response=CompareRunsOut, url_name="runs-compare", **needs("read"))
def compare_runs(request: Asked, project_id: UUID, run: Query[list[UUID]]) -> dict[str, Any]:
    """Up to four ended runs side by side: what each came to, and every parameter in which they differ."""
    project, wanted = project_for(request, project_id, "see_runs"), list(dict.fromkeys(run))
    if len(wanted) > comparing.MOST:
        raise Unfit(f"At most {comparing.MOST} runs are compared.")
    found = [ended(selectors.assess_run(project, one)).run for one in wanted]
    told = [comparing_runs.ended(one) for one in found]
    named = [{"id": one.pk, "name": one.parameters.get("name", "")} for one in found]
    return {"runs": named, "rows": [telling.compared(row) for row in comparing_runs.rows(told)]}


@router.get(OF_RUN, response=RunOut, url_name="run", **needs("read"))
def show_run(request: Asked, project_id: UUID, run_id: UUID) -> dict[str, Any] | None:
    """How far a run is: poll it until its state is succeeded, failed or cancelled."""
    return telling.run(selectors.assess_run(project_for(request, project_id, "see_runs"), run_id))


@router.post(f"{OF_RUN}/cancel", response=RunOut, url_name="run-cancel", **needs("run"))
def cancel_run(request: Asked, project_id: UUID, run_id: UUID) -> dict[str, Any] | None:
    """End a run that is waiting or under way."""
    run = selectors.run(project_for(request, project_id, "run"), run_id)
    runs.cancel(run, by=request.actor)
    return telling.run(run)


@router.post(f"{OF_RUN}/repeat", response={202: RunOut}, url_name="run-repeat", **needs("run"))
def repeat_run(request: Asked, project_id: UUID, run_id: UUID) -> Status[dict[str, Any] | None]:
    """The same assessment once more, on the same files."""
    run = selectors.assess_run(project_for(request, project_id, "run"), run_id)
    return Status(202, telling.run(assessing.repeat(run, by=request.actor)))
