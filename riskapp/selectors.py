"""Reads that span tables."""

from uuid import UUID

from django.db.models import Count, Q, QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import AuditEvent, Invitation, Membership, Project, Run, Upload, UploadState, User


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


def uploads_of(project: Project) -> list[Upload]:
    """The uploads of a project, newest first, each with its last run as `last_run`."""
    uploads = list(project.uploads.select_related("uploaded_by").defer("profile", "reading", "wishes"))
    runs: dict[UUID, Run] = {}
    for run in Run.objects.filter(upload__in=uploads).order_by("created_at"):
        if run.upload_id:
            runs[run.upload_id] = run
    for upload in uploads:
        upload.last_run = runs.get(upload.pk)  # type: ignore[attr-defined]
    return uploads


def upload(project: Project, upload_id: UUID) -> Upload:
    found = project.uploads.select_related("project", "uploaded_by").filter(pk=upload_id).first()
    if found is None:
        raise Hidden
    return found


def last_run(upload: Upload) -> Run | None:
    return upload.runs.order_by("-created_at").select_related("project", "started_by").first()


def run(project: Project, run_id: UUID) -> Run:
    found = project.runs.select_related("project", "upload").filter(pk=run_id).first()
    if found is None:
        raise Hidden
    return found


def same_bytes(upload: Upload) -> Upload | None:
    """An earlier upload of the same bytes in the same project."""
    same = Upload.objects.filter(project_id=upload.project_id, sha256=upload.sha256)
    return same.filter(uploaded_at__lt=upload.uploaded_at).exclude(state=UploadState.PURGED).first()


def events_of(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project_id=project.pk).order_by("-number")


def site_events() -> QuerySet[AuditEvent]:
    """Events that belong to no project: accounts, invitations, sign-ins."""
    return AuditEvent.objects.filter(project_id=None).order_by("-number")
