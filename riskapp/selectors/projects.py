"""Projects, their members, uploads and runs."""

from uuid import UUID

from django.db.models import Count, Q, QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import Invitation, Membership, Project, Run, RunState, Upload, UploadState, User


def projects_of(user: User) -> QuerySet[Membership]:
    """Somebody's places in projects, with how many uploads each project has."""
    kept = Count("project__uploads", filter=~Q(project__uploads__state=UploadState.PURGED))
    places = Membership.objects.filter(user=user).select_related("project")
    return places.annotate(upload_count=kept).order_by("-project__created_at")


def project(project_id: UUID) -> Project:
    """A project; a missing one is told like one that belongs to strangers."""
    found = Project.objects.filter(pk=project_id).first()
    if found is None:
        raise Hidden
    return found


def members_of(project: Project) -> QuerySet[Membership]:
    return project.memberships.select_related("user").order_by("-owner", "since")


def open_invitations(project: Project) -> list[Invitation]:
    waiting = project.invitations.filter(accepted_at=None, withdrawn_at=None).select_related("invited_by")
    return [invitation for invitation in waiting.order_by("-created_at") if invitation.is_open]


def uploads_of(project: Project, uploads: QuerySet[Upload] | None = None) -> list[Upload]:
    """The uploads of a project, or those of them that are given, newest first, each with its last run as `last_run`.

    Runs are read before what they change: a run seen as over must not stand beside an upload from before its end.
    """
    runs = {run.upload_id: run for run in project.runs.filter(upload__isnull=False).order_by("created_at")}
    wanted = project.uploads.all() if uploads is None else uploads
    listed = list(wanted.select_related("uploaded_by").defer("profile", "reading", "wishes"))
    for upload in listed:
        upload.last_run = runs.get(upload.pk)  # type: ignore[attr-defined]
    return listed


def upload(project: Project, upload_id: UUID) -> Upload:
    """An upload with its last run as `last_run`, read before it for the same reason as above."""
    run = project.runs.filter(upload_id=upload_id).order_by("-created_at").first()
    found = project.uploads.select_related("project", "uploaded_by").filter(pk=upload_id).first()
    if found is None:
        raise Hidden
    found.last_run = run  # type: ignore[attr-defined]
    return found


def last_good_run(upload: Upload) -> Run | None:
    """The run that last read the upload with success."""
    return upload.runs.filter(state=RunState.SUCCEEDED).order_by("-created_at").first()


def run(project: Project, run_id: UUID) -> Run:
    found = project.runs.select_related("project", "upload").filter(pk=run_id).first()
    if found is None:
        raise Hidden
    return found


def same_bytes(upload: Upload) -> Upload | None:
    """Another upload of the same bytes in the same project, which are stored once for both."""
    same = Upload.objects.filter(project_id=upload.project_id, sha256=upload.sha256).exclude(pk=upload.pk)
    return same.exclude(state=UploadState.PURGED).order_by("uploaded_at").first()
