"""Assessments carried into a project."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.bridge import bundles
from riskapp.services import carrying
from riskapp.services.setups import Unfit
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes_asked import TakeOver

router = Router()


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
