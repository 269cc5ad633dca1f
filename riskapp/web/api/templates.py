"""Templates: set-ups of the organisation, saved, and used on another file after what drifted was told."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.models import Project
from riskapp.services import drifting, templates
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes_asked import AppliedOut, ApplyIn, DriftOut, NewTemplate, TemplateOut, TemplateWhole

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}/templates"
OF_TEMPLATE = OF_PROJECT + "/{uuid:template_id}"


@router.get(OF_PROJECT, response=list[TemplateOut], url_name="templates", **needs("read"))
def list_templates(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """The organisation's templates, the last version of each first."""
    project_for(request, project_id, "see_runs")
    return [telling.template(one) for one in selectors.templates().defer("document")]


@router.post(OF_PROJECT, response={201: TemplateOut}, url_name="templates", **needs("describe"))
def save_template(request: Asked, project_id: UUID, wanted: NewTemplate) -> Status[dict[str, Any]]:
    """Keep the set-up of the project as the next version of the template of that name."""
    setup = selectors.setup_of(project_for(request, project_id, "describe"))
    return Status(201, telling.template(templates.save(setup, wanted.name, wanted.about, by=request.actor)))


@router.get(OF_TEMPLATE, response=TemplateWhole, url_name="template", **needs("read"))
def show_template(request: Asked, project_id: UUID, template_id: UUID) -> dict[str, Any]:
    """One version of a template, with all that it holds."""
    project_for(request, project_id, "see_runs")
    one = selectors.template(template_id)
    return telling.template(one) | {"document": one.document}


@router.get(f"{OF_TEMPLATE}/drift/{{uuid:upload_id}}", response=DriftOut, url_name="template-drift", **needs("read"))
def show_drift(request: Asked, project_id: UUID, template_id: UUID, upload_id: UUID) -> dict[str, Any]:
    """What is different in a file of this project from the one that the template was made for."""
    return telling.drift(drifting.of(*_compared(project_for(request, project_id, "see_runs"), template_id, upload_id)))


@router.post(
    f"{OF_TEMPLATE}/drift/{{uuid:upload_id}}", response={202: DriftOut}, url_name="template-drift", **needs("run")
)
def ask_drift(request: Asked, project_id: UUID, template_id: UUID, upload_id: UUID) -> Status[dict[str, Any]]:
    """Have the file compared."""
    project, question = _compared(project_for(request, project_id, "run"), template_id, upload_id)
    drifting.ask(selectors.setup_of(project), question, by=request.actor)
    return Status(202, telling.drift(drifting.of(project, question)))


@router.post(f"{OF_TEMPLATE}/apply", response=AppliedOut, url_name="template-apply", **needs("describe"))
def apply_template(request: Asked, project_id: UUID, template_id: UUID, wanted: ApplyIn) -> dict[str, Any]:
    """Make the template the set-up of the project, with the file as its dataset, after it has been compared."""
    project = project_for(request, project_id, "describe")
    setup, upload = selectors.setup_of(project), selectors.upload(project, wanted.upload)
    with seeing(setup, wanted.version):
        done = templates.apply(
            setup,
            selectors.template(template_id),
            upload,
            wanted.renamed,
            set(wanted.as_suggested),
            wanted.version,
            by=request.actor,
        )
    return {"without_file": done.without_file, "to_confirm": done.to_confirm, "left_out": done.left_out}


def _compared(project: Project, template_id: UUID, upload_id: UUID) -> tuple[Project, drifting.Question]:
    upload = selectors.upload(project, upload_id)
    return project, drifting.from_template(selectors.template(template_id), upload)
