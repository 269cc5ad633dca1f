"""Events of the audit trail, and what they are about."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from riskapp.models import (
    ApiToken,
    AuditEvent,
    Invitation,
    Membership,
    Project,
    Proposal,
    Release,
    Run,
    Upload,
    UploadState,
    User,
)
from riskapp.selectors.register import KEEPERS
from riskapp.selectors.words import holds


def events_of(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project_id=project.pk).order_by("-number")


def audited_projects(user: User) -> QuerySet[Project]:
    """The projects whose trail somebody reads, by name."""
    own = Membership.objects.filter(user=user, role__in=KEEPERS).values("project")
    return Project.objects.filter(pk__in=own).order_by("name")


def events_for(user: User) -> QuerySet[AuditEvent]:
    """The events of all projects whose trail somebody reads."""
    return AuditEvent.objects.filter(project_id__in=audited_projects(user).values("pk")).order_by("-number")


def site_events() -> QuerySet[AuditEvent]:
    """Events that belong to no project: accounts, invitations, sign-ins."""
    return AuditEvent.objects.filter(project_id=None).order_by("-number")


# What events are about

REFUSALS = [
    *("refused", "turned away", "locked out", "download refused"),
    *("sign-in failed", "password confirmation failed", "second factor failed"),
]
EVENT_KINDS = {
    "values": Q(
        action__in=[
            "values seen",
            "records seen",
            "sample seen",
            "subgroups seen",
            "record seen",
            "entries seen",
            "matches seen",
        ]
    ),
    "people": Q(subject_kind__in=["user", "invitation", "apitoken"]) | Q(action="password reset asked for"),
    "files": Q(subject_kind__in=["upload", "run"]),
    "decisions": Q(subject_kind__in=["proposal", "release"]),
    "refusals": Q(action__in=REFUSALS),
}


def of_kind(events: QuerySet[AuditEvent], kind: str) -> QuerySet[AuditEvent]:
    """The events of one kind; of no kind that we know: all of them."""
    return events.filter(EVENT_KINDS.get(kind, Q()))


@dataclass(frozen=True)
class Wanted:
    """Which events are wanted: of one kind, by one person, from one day to another, about one project."""

    kind: str = ""
    who: str = ""
    since: date | None = None
    until: date | None = None
    project: UUID | None = None

    def of(self, events: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
        found = of_kind(events, self.kind)
        if self.who:
            found = found.filter(holds("actor", self.who))
        if self.since:
            found = found.filter(at__gte=_beginning(self.since))
        if self.until:
            found = found.filter(at__lt=_beginning(self.until + timedelta(days=1)))
        return found.filter(project_id=self.project) if self.project else found


def _beginning(day: date) -> datetime:
    """The first moment of a day in the reader's zone."""
    return timezone.make_aware(datetime.combine(day, time.min))


@dataclass(frozen=True)
class Subject:
    """What an event was done to, by the name it has today; one of the ids where there is a page about it."""

    name: str
    upload: UUID | None = None
    person: UUID | None = None
    proposal: UUID | None = None
    release: UUID | None = None


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


def _tokens(ids: set[UUID]) -> Named:
    for token in ApiToken.objects.filter(pk__in=ids):
        yield token.pk, Subject(token.name)


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


def _proposals(ids: set[UUID]) -> Named:
    for found in Proposal.objects.filter(pk__in=ids).only("recipient", "project_id"):
        yield found.pk, Subject(f"a rule for {found.recipient}", proposal=found.pk)


def _releases(ids: set[UUID]) -> Named:
    for found in Release.objects.filter(pk__in=ids).select_related("proposal").only("proposal__recipient"):
        yield found.pk, Subject(f"the release for {found.proposal.recipient}", release=found.pk)


SUBJECTS: dict[str, Callable[[set[UUID]], Named]] = {
    "user": _users,
    "invitation": _invitations,
    "apitoken": _tokens,
    "project": _projects,
    "upload": _uploads,
    "run": _runs,
    "proposal": _proposals,
    "release": _releases,
}
