"""Downloads of a release: for whom it is, on which terms, by a right that is used up before a byte is sent."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import cast
from uuid import UUID

from django.utils import timezone

from riskapp import policies
from riskapp.core.errors import Hidden, Refused, RiskappError
from riskapp.models import (
    Actor,
    Download,
    DownloadLink,
    Membership,
    Project,
    Release,
    ReleaseState,
    Role,
    TermsAccepted,
    User,
)
from riskapp.services import audit, floods, untouched
from riskapp.services.setups import Unfit
from riskapp.services.untouched import Served, Withheld

LINK_MINUTES = 15
REFUSED = "download refused"
USUAL_TERMS = (
    "You use these data only for the purpose that the release was approved for. You do not try to find out who a "
    "record is about. You do not pass the data on. You tell us at once if somebody was recognised, if the data were "
    "lost, or if others could have had them."
)


# Terms


def terms(project: Project) -> str:
    return project.terms.strip() or USUAL_TERMS


def wording(project: Project) -> str:
    """The hash of the terms as they are now."""
    return hashlib.sha256(terms(project).encode()).hexdigest()


def has_accepted(user: User, project: Project) -> bool:
    return TermsAccepted.objects.filter(project=project, user=user, sha256=wording(project)).exists()


def accept_terms(project: Project, *, by: Actor, read: str = "") -> None:
    """Somebody accepts the terms in their present wording: on a page, where that is the one they have `read`."""
    user = cast(User, by.user)
    policies.check("download", user, project)
    if read and read != wording(project):
        raise Unfit("The terms have changed since you opened this page. Read them as they are now.")
    with audit.writing():
        _, fresh = TermsAccepted.objects.get_or_create(project=project, user=user, sha256=wording(project))
        if fresh:
            audit.record("terms accepted", by=by, on=project, sha256=wording(project))


# For whom


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


# The right to fetch


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
    served = untouched.released(release, by=by)
    try:
        with audit.writing():
            # Hashing takes a while, in which somebody may have revoked it, or taken their place from who asks.
            release.refresh_from_db()
            check_download(user, release)
            _use_up(right)
            Download.objects.create(release=release, user=user)
            audit.record("release downloaded", by=by, on=release, sha256=release.sha256)
    except BaseException:
        served.file.close()
        raise
    return served


def _use_up(right: DownloadLink) -> None:
    now = timezone.now()
    if not DownloadLink.objects.filter(pk=right.pk, used_at=None, expires_at__gt=now).update(used_at=now):
        raise Refused("This link is used or its time is over. Ask for a new one on the release's page.")


# Refusals


@contextmanager
def _refusals_noted(release: Release, *, by: Actor) -> Iterator[None]:
    """Who tries to get a release in vain stands in the audit trail, with the reason."""
    try:
        yield
    except (Hidden, Refused, Withheld) as trouble:
        _note_refusal(release, trouble, by=by)
        raise


def _note_refusal(release: Release, trouble: RiskappError, *, by: Actor) -> None:
    with audit.writing():
        audit.record(REFUSED, by=by, on=release, reason=str(trouble) or "It is not for them.")
    trouble.audited = True


def note_visitor(project: UUID, *, by: Actor, release_id: UUID | None = None, token: str = "") -> None:
    """Somebody who is not signed in, or not any more, tried to get a release that there is."""
    asked = {"pk": release_id} if release_id else {"links__token_hash": _hash(token)}
    release = Release.objects.filter(project_id=project, **asked).first()
    if release is None:
        return
    with audit.writing():
        if floods.room(by.address, REFUSED) > 0:
            audit.record(REFUSED, by=by, on=release, reason="They were not signed in.")


# What lies beside the file


def part(release: Release, name: str, *, by: Actor) -> Served:
    """What lies beside the file, as sealed: for recipients while it is open, for the others until it is shredded."""
    try:
        _check_part(cast(User, by.user), release, name)
        served = untouched.beside(release, name, by=by)
        try:
            _record_part(release, name, by=by)
        except BaseException:
            served.file.close()
            raise
    except (Refused, Withheld) as trouble:
        _note_refusal(release, trouble, by=by)
        raise
    return served


def _check_part(user: User, release: Release, name: str) -> None:
    """As with the file: recipients accept the terms before, and labels of the data are for whoever may have those."""
    place = check_sees(user, release)
    ended = place.role == Role.RECIPIENT and not release.is_open
    if ended or name not in untouched.PARTS or release.folder is None:
        raise Hidden
    if name in untouched.SEALED_BY_MANIFEST:
        policies.check("download", user, release.project)
    if place.role == Role.RECIPIENT and not has_accepted(user, release.project):
        raise Refused("Accept the terms first.")


def _record_part(release: Release, name: str, *, by: Actor) -> None:
    with audit.writing():
        release.refresh_from_db()  # hashing takes a while, in which it may have ended
        _check_part(cast(User, by.user), release, name)
        audit.record("release part fetched", by=by, on=release, part=name)
