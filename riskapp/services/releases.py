"""Releases: built by a worker from an approved proposal, measured again, served while they are open, shredded."""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from riskapp import bridge, policies, storage
from riskapp.core.errors import Hidden, Refused, RiskappError
from riskapp.models import (
    Actor,
    Download,
    DownloadLink,
    FrozenAssessment,
    Membership,
    Project,
    Proposal,
    Release,
    ReleaseState,
    Role,
    Run,
    RunState,
    TermsAccepted,
    User,
)
from riskapp.services import audit, floods, freezing, notices, runs, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import move

LINK_MINUTES = 15
USUAL_TERMS = (
    "You use these data only for the purpose that the release was approved for. You do not try to find out who a "
    "record is about. You do not pass the data on. You tell us at once if somebody was recognised, if the data were "
    "lost, or if others could have had them."
)


def begin(proposal: Proposal, *, by: Actor) -> Release:
    """The release of an approved proposal, queued to be built."""
    release = Release.objects.create(project=proposal.project, proposal=proposal, expires_on=proposal.expires_on)
    audit.record("release building", by=by, on=release, proposal=str(proposal.pk))
    _queue(release, by=by)
    return release


def build_again(release: Release, *, by: Actor) -> None:
    """Try once more what has failed; the decision stands."""
    policies.check("propose", cast(User, by.user), release.project)
    with audit.writing():
        move(release, ReleaseState.BUILDING, by=by, fault=None)
        _queue(release, by=by)


def _queue(release: Release, *, by: Actor) -> None:
    frozen = FrozenAssessment.objects.get(pk=release.proposal.evidence["assessment"])
    parameters = {"release": str(release.pk), "uses": freezing.uses(frozen)}
    runs.start("build", by=by, project=release.project, parameters=parameters, key=release.pk.hex)


# The work


def _release(run: Run) -> Release:
    return Release.objects.select_related("proposal__run", "project").get(pk=run.parameters["release"])


def claimed(run: Run, by: Actor) -> None:
    """Nothing else changes when a worker takes the run."""


def compute(run: Run, report: runs.Report) -> bridge.BuiltRelease:
    release = _release(run)
    found = warnings.of(release.proposal)
    return bridge.build_release(
        release, found.figures["warnings"] if found.figures else [], into=_place(run), report=report
    )


def _place(run: Run) -> Path:
    """The claim is part of the name, so that two workers never write into one file."""
    return storage.release_place(run.project_id, cast(Any, run.claim))


def succeeded(run: Run, result: bridge.BuiltRelease, by: Actor) -> None:
    release = _release(run)
    Run.objects.filter(pk=run.pk).update(timings=result.seconds)
    folder = storage.release_place(release.project_id, result.folder)
    storage.keep_footprint(folder / bridge.FOOTPRINT, release.project_id, release.pk)
    move(
        release,
        ReleaseState.READY,
        by=by,
        folder=result.folder,
        name=result.name,
        size=result.size,
        sha256=result.sha256,
        manifest_sha256=result.manifest_sha256,
        report_sha256=result.report_sha256,
        digest=result.digest,
        figures=result.figures,
        attacks=result.attacks,
        analyses=result.analyses,
        fault=None,
        ready_at=timezone.now(),
        details={"sha256": result.sha256, "manifest": result.manifest_sha256, "size": result.size},
    )
    notices.tell(run, RunState.SUCCEEDED)


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    move(_release(run), ReleaseState.FAILED, by=by, fault=fault, details={"code": fault["code"]})
    notices.tell(run, RunState.FAILED)


def let_go(run: Run, by: Actor) -> None:
    """A cancelled building has failed until somebody starts it again; one that waits for another worker goes on."""
    if run.state == RunState.CANCELLED:
        told = runs.fault("cancelled", "The building was cancelled.", "Build it again when you are ready.")
        move(_release(run), ReleaseState.FAILED, by=by, fault=told, details={"code": "cancelled"})


# The end of a release


def revoke(release: Release, reason: str, *, by: Actor) -> None:
    """Nobody can download it any more."""
    policies.check("decide", cast(User, by.user), release.project)
    if not reason.strip():
        raise Unfit("Say why it is revoked. Recipients see the reason.")
    _revoke(release, reason, by=by)


def _revoke(release: Release, reason: str, *, by: Actor) -> None:
    move(release, ReleaseState.REVOKED, by=by, ended_at=timezone.now(), why_ended=reason)


def expire(release: Release, *, by: Actor) -> None:
    move(release, ReleaseState.EXPIRED, by=by, ended_at=timezone.now(), why_ended="Its time is over.")


def purge(release: Release, *, by: Actor) -> None:
    """Shred the file. The decision, the manifest's hash and the figures stay."""
    policies.check_owns(cast(User, by.user), release.project)
    shred(release, by=by)


def shred(release: Release, *, by: Actor) -> None:
    folder = release.folder
    with audit.writing():
        move(release, ReleaseState.PURGED, by=by, folder=None, details={"sha256": release.sha256})
        if folder:
            transaction.on_commit(lambda: storage.shred(storage.release_place(release.project_id, folder)))


# Terms


def terms(project: Project) -> str:
    return project.terms.strip() or USUAL_TERMS


def _wording(project: Project) -> str:
    return hashlib.sha256(terms(project).encode()).hexdigest()


def has_accepted(user: User, project: Project) -> bool:
    return TermsAccepted.objects.filter(project=project, user=user, sha256=_wording(project)).exists()


def accept_terms(project: Project, *, by: Actor) -> None:
    """Somebody accepts the terms in their present wording."""
    user = cast(User, by.user)
    policies.check("download", user, project)
    with audit.writing():
        _, fresh = TermsAccepted.objects.get_or_create(project=project, user=user, sha256=_wording(project))
        if fresh:
            audit.record("terms accepted", by=by, on=project, sha256=_wording(project))


# Downloads


class Withheld(RiskappError):
    """The file is not the one that was approved; nobody gets it."""


class Served(NamedTuple):
    """An open file whose bytes were found to be the approved ones, and its name."""

    file: BinaryIO
    name: str
    size: int


def check_sees(user: User, release: Release) -> Membership:
    """Recipients see what is meant for them once it is ready; the others every release of their project."""
    place = policies.check("visit", user, release.project)
    if place.role == Role.RECIPIENT:
        meant = release.ready_at is not None and release.proposal.recipients.filter(pk=user.pk).exists()
        if not meant:
            raise Hidden
    return place


def check_download(user: User, release: Release) -> None:
    """Whether somebody may fetch the file now."""
    policies.check("download", user, release.project)
    place = check_sees(user, release)
    if not release.is_open:
        raise Refused(f"This release is {_why_closed(release)}.")
    if place.role == Role.RECIPIENT and not has_accepted(user, release.project):
        raise Refused("Accept the terms first.")


def _why_closed(release: Release) -> str:
    return "expired" if release.state == ReleaseState.READY else str(release.get_state_display())


def link(release: Release, *, by: Actor) -> str:
    """A right to fetch the file once within a quarter of an hour, as a token that only the caller ever sees."""
    user = cast(User, by.user)
    with _refusals_noted(release, by=by):
        check_download(user, release)
    token = secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(minutes=LINK_MINUTES)
    with audit.writing():
        DownloadLink.objects.create(token_hash=_hash(token), release=release, user=user, expires_at=expires_at)
        audit.record("download link made", by=by, on=release)
    return token


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def fetch(token: str, project: Project, *, by: Actor) -> Served:
    """The file that a token gives a right to. The right is used up and the download recorded before a byte is sent."""
    found = DownloadLink.objects.select_related("release__project", "release__proposal", "user")
    right = found.filter(token_hash=_hash(token), release__project=project).first()
    if right is None:
        raise Hidden
    with _refusals_noted(right.release, by=by):
        return _fetched(right, by=by)


def _fetched(right: DownloadLink, *, by: Actor) -> Served:
    release, user = right.release, cast(User, by.user)
    if right.user != user:
        raise Hidden("The link is somebody else's.")
    check_download(user, release)
    served = _checked(release, by=by)
    with audit.writing():
        now = timezone.now()
        open_right = DownloadLink.objects.filter(pk=right.pk, used_at=None, expires_at__gt=now)
        if not open_right.update(used_at=now):
            served.file.close()
            raise Refused("This link is used or its time is over. Ask for a new one on the release's page.")
        Download.objects.create(release=release, user=user)
        audit.record("release downloaded", by=by, on=release, sha256=release.sha256)
    return served


@contextmanager
def _refusals_noted(release: Release, *, by: Actor) -> Iterator[None]:
    """Who tries to get a release in vain stands in the audit trail, with the reason."""
    try:
        yield
    except (Hidden, Refused, Withheld) as trouble:
        with audit.writing():
            audit.record(REFUSED, by=by, on=release, reason=str(trouble) or "It is not for them.")
        trouble.audited = True
        raise


REFUSED = "download refused"


def note_visitor(project: UUID, *, by: Actor, release_id: UUID | None = None, token: str = "") -> None:
    """Somebody who is not signed in, or not any more, tried to get a release that there is."""
    asked = {"pk": release_id} if release_id else {"links__token_hash": _hash(token)}
    release = Release.objects.filter(project_id=project, **asked).first()
    if release is None:
        return
    with audit.writing():
        if floods.room(by.address, REFUSED) > 0:
            audit.record(REFUSED, by=by, on=release, reason="They were not signed in.")


PARTS = {"manifest": "manifest.json", "report": "report.html", "codebook": "codebook.html", "codes": "codebook.json"}


def part(release: Release, name: str, *, by: Actor) -> Path:
    """What lies beside the file: for recipients while it is open, for the others until it is shredded."""
    place = check_sees(cast(User, by.user), release)
    if place.role == Role.RECIPIENT and not release.is_open:
        raise Refused(f"This release is {_why_closed(release)}.")
    if name not in PARTS or release.folder is None:
        raise Hidden
    path = storage.release_place(release.project_id, release.folder) / PARTS[name]
    if not path.is_file():
        raise Hidden
    return path


def _checked(release: Release, *, by: Actor) -> Served:
    """The file is hashed and served through one and the same handle, so it cannot be exchanged in between."""
    place = storage.release_place(release.project_id, cast(Any, release.folder)) / release.name
    try:
        file = place.open("rb")
    except FileNotFoundError:
        return _withhold(release, "the file is not in the store", by=by)
    found = hashlib.file_digest(file, "sha256").hexdigest()
    if not hmac.compare_digest(found, release.sha256):
        file.close()
        return _withhold(release, "its bytes are not those that were approved", by=by)
    size = file.tell()
    file.seek(0)
    return Served(file, release.name, size)


def _withhold(release: Release, why: str, *, by: Actor) -> Served:
    _revoke(release, f"Withheld by the server: {why}.", by=by)
    raise Withheld(
        f"This release was withheld and revoked: {why}. Tell an officer of the project; it can be proposed anew."
    )
