"""Reads that span tables."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import AuditEvent, Invitation, Membership, Project, Run, RunState, Upload, UploadState, User


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
    """The uploads of a project, newest first, each with its last run as `last_run`.

    Runs are read before what they change: a run seen as over must not stand beside an upload from before its end.
    """
    runs = {run.upload_id: run for run in project.runs.order_by("created_at")}
    uploads = list(project.uploads.select_related("uploaded_by").defer("profile", "reading", "wishes"))
    for upload in uploads:
        upload.last_run = runs.get(upload.pk)  # type: ignore[attr-defined]
    return uploads


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


def events_of(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project_id=project.pk).order_by("-number")


def site_events() -> QuerySet[AuditEvent]:
    """Events that belong to no project: accounts, invitations, sign-ins."""
    return AuditEvent.objects.filter(project_id=None).order_by("-number")


# What events are about

REFUSALS = [
    *("refused", "turned away", "locked out"),
    *("sign-in failed", "password confirmation failed", "second factor failed"),
]
EVENT_KINDS = {
    "values": Q(action="values seen"),
    "people": Q(subject_kind__in=["user", "invitation"]) | Q(action="password reset asked for"),
    "files": Q(subject_kind__in=["upload", "run"]),
    "refusals": Q(action__in=REFUSALS),
}


def of_kind(events: QuerySet[AuditEvent], kind: str) -> QuerySet[AuditEvent]:
    """The events of one kind; of no kind that we know: all of them."""
    return events.filter(EVENT_KINDS.get(kind, Q()))


@dataclass(frozen=True)
class Subject:
    """What an event was done to, by the name it has today; `upload` or `person` where there is a page about it."""

    name: str
    upload: UUID | None = None
    person: UUID | None = None


def with_subjects(events: Iterable[AuditEvent]) -> list[AuditEvent]:
    """The events, each with its Subject or None as `subject`; one query for each kind of subject."""
    listed = list(events)
    wanted: dict[str, set[UUID]] = {kind: set() for kind in SUBJECTS}
    for event in listed:
        if event.subject_kind in wanted:
            wanted[event.subject_kind] |= _ids(event.subject_id)
    found = {(kind, str(key)): subject for kind, ids in wanted.items() if ids for key, subject in SUBJECTS[kind](ids)}
    for event in listed:
        event.subject = found.get((event.subject_kind, event.subject_id))  # type: ignore[attr-defined]
    return listed


def _ids(text: str) -> set[UUID]:
    """An id that somebody has tampered with must not keep the page from being shown."""
    try:
        return {UUID(text)}
    except ValueError:
        return set()


Named = Iterator[tuple[UUID, Subject]]


def _users(ids: set[UUID]) -> Named:
    for user in User.objects.filter(pk__in=ids):
        yield user.pk, Subject(f"{user.name} ({user.email})", person=user.pk)


def _invitations(ids: set[UUID]) -> Named:
    for invitation in Invitation.objects.filter(pk__in=ids):
        yield invitation.pk, Subject(invitation.email or "the first administrator")


def _projects(ids: set[UUID]) -> Named:
    for found in Project.objects.filter(pk__in=ids):
        yield found.pk, Subject(found.name)


def _uploads(ids: set[UUID]) -> Named:
    for found in Upload.objects.filter(pk__in=ids).only("name", "state"):
        yield found.pk, _as_subject(found)


def _runs(ids: set[UUID]) -> Named:
    """A run is known by the upload that it reads."""
    runs = Run.objects.filter(pk__in=ids, upload__isnull=False).select_related("upload")
    for found in runs.only("upload__name", "upload__state"):
        if found.upload:
            yield found.pk, _as_subject(found.upload)


def _as_subject(found: Upload) -> Subject:
    return Subject(found.name, upload=None if found.state == UploadState.PURGED else found.pk)


SUBJECTS: dict[str, Callable[[set[UUID]], Named]] = {
    "user": _users,
    "invitation": _invitations,
    "project": _projects,
    "upload": _uploads,
    "run": _runs,
}
