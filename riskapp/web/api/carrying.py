"""Whole set-ups put in place: an assessment carried into a project, or that of an earlier run."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.bridge import bundles
from riskapp.services import carrying, copying, replacing
from riskapp.services.setups import Unfit
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes_asked import AsInRun, RunSetupOut, TakeOver
from riskapp.web.setup_words import differences

router = Router()
OF_RUN = "/projects/{uuid:project_id}/runs/{uuid:run_id}/setup"


@router.put(
    "/projects/{uuid:project_id}/setup/assessment",
    response={204: None},
    url_name="assessment-import",
    **needs("describe"),
)
def take_over(request: Asked, project_id: UUID, wanted: TakeOver) -> Status[None]:
    """Put an assessment in place of the set-up: all of it, or nothing."""
    project = project_for(request, project_id, "describe")
    setup, bundle = selectors.setup_of(project), bundles.given(wanted.assessment, wanted.files)
    missing = sorted(set(bundle.tables()) - set(wanted.tables))
    if missing:
        raise Unfit(f"Say which upload stands for: {', '.join(missing)}.")
    chosen: Any = {name: selectors.upload(project, wanted.tables[name]) for name in bundle.tables()}
    with seeing(setup, wanted.version):
        carrying.take_over(setup, wanted.version, bundle, chosen, by=request.actor, reason=wanted.reason)
    return Status(204, None)


@router.get(OF_RUN, response=RunSetupOut, url_name="run-setup", **needs("read"))
def show_as_in_run(request: Asked, project_id: UUID, run_id: UUID) -> dict[str, Any]:
    """What would be different if the project were set up as in this run."""
    project = project_for(request, project_id, "see_runs")
    setup, found = selectors.setup_of(project), carrying.as_in(selectors.assess_run(project, run_id))
    names = {str(upload.pk): upload.name for upload in selectors.ready_uploads(project)}
    changes = differences(copying.copied(setup), replacing.document(setup, found), names)
    return {"version": setup.version, "changes": changes, "needing_reason": replacing.needing_reason(setup, found)}


@router.post(OF_RUN, response={204: None}, url_name="run-setup", **needs("describe"))
def set_up_as_in_run(request: Asked, project_id: UUID, run_id: UUID, wanted: AsInRun) -> Status[None]:
    """Put the set-up that this run was made from in place of the one there is: all of it, or nothing."""
    project = project_for(request, project_id, "describe")
    setup, run = selectors.setup_of(project), selectors.assess_run(project, run_id)
    with seeing(setup, wanted.version):
        carrying.set_up_as_in(run, setup, wanted.version, by=request.actor, reason=wanted.reason)
    return Status(204, None)
