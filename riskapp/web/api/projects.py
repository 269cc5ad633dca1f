"""Projects, and who asks."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import policies, selectors
from riskapp.models import Membership, Role
from riskapp.services import projects, samples
from riskapp.web.api.door import Asked, needs
from riskapp.web.api.shapes import Me, NewProject, ProjectOut

router = Router()


@router.get("/me", response=Me, url_name="me", **needs("read"))
def me(request: Asked) -> dict[str, Any]:
    """Whose token this is, and what it may do."""
    token = request.auth
    told = {"token": token.name, "scopes": token.scopes, "expires_at": token.expires_at}
    return {"email": request.user.email, "name": request.user.name, **told}


@router.get("/projects", response=list[ProjectOut], url_name="projects", **needs("read"))
def list_projects(request: Asked) -> list[dict[str, Any]]:
    """The projects in which you have a place, newest first."""
    return [_told(place) for place in selectors.projects_of(request.user)]


@router.post("/projects", response={201: ProjectOut}, url_name="project-new", **needs("upload"))
def create_project(request: Asked, wanted: NewProject) -> Status[dict[str, Any]]:
    """A new project; you become its owner."""
    project = projects.create(by=request.actor, name=wanted.name, purpose=wanted.purpose, role=Role(wanted.role))
    return Status(201, _told(policies.check("visit", request.user, project)))


@router.post(
    "/projects/sample", response={200: ProjectOut, 201: ProjectOut}, url_name="project-sample", **needs("upload")
)
def load_sample(request: Asked) -> Status[dict[str, Any]]:
    """A project of invented people, set up and assessed by the worker as soon as its files are read; 200 if you have
    it already."""
    policies.check_create_projects(request.user)
    known = samples.of(request.user)
    project = known or samples.load(by=request.actor)
    return Status(200 if known else 201, _told(policies.check("visit", request.user, project)))


@router.get("/projects/{uuid:project_id}", response=ProjectOut, url_name="project", **needs("read"))
def show_project(request: Asked, project_id: UUID) -> dict[str, Any]:
    """One project."""
    return _told(policies.check("visit", request.user, selectors.project(project_id)))


def _told(place: Membership) -> dict[str, Any]:
    project = place.project
    told = {name: getattr(project, name) for name in ("id", "name", "purpose", "sample", "created_at")}
    return told | {"role": place.role, "owner": place.owner}
