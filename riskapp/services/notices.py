"""Notices: people hear in the page, and by mail where it is set up, what has ended and what is there for them."""

from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from riskapp.models import Notice, Release, Run, RunState, User
from riskapp.services import mail


def tell(run: Run, state: RunState) -> None:
    """Tell whoever started the run how it ended. The letter goes when the end is certain."""
    Notice.objects.create(user_id=run.started_by_id, run=run, state=state)
    transaction.on_commit(lambda: _write(run, state))


def _write(run: Run, state: RunState) -> None:
    user = run.started_by
    if user.is_active:
        about = {"name": user.name, "project": run.project.name, "state": state.label}
        mail.send("release-built" if run.kind == "build" else "run-ended", user.email, **about)


def tell_recipients(release: Release, run: Run) -> None:
    """Tell those whom a release is meant for that they can fetch it."""
    for user in release.proposal.recipients.filter(is_active=True):
        Notice.objects.create(user=user, run=run, state=RunState.SUCCEEDED)
        _write_to_recipient(user, release, "release-open")


def tell_revoked(release: Release) -> None:
    """Tell them that they cannot any more; the reason stands on its page."""
    for user in release.proposal.recipients.filter(is_active=True):
        _write_to_recipient(user, release, "release-revoked")


def _write_to_recipient(user: User, release: Release, template: str) -> None:
    letter = partial(mail.send, template, user.email, name=user.name, project=release.project.name)
    transaction.on_commit(letter)


def of(user: User) -> QuerySet[Notice]:
    """Somebody's notices of runs in projects that they are still in, the newest first."""
    theirs = Notice.objects.filter(user=user, run__project__memberships__user=user)
    return theirs.select_related("run__project").order_by("-at")


def waiting(user: User) -> bool:
    """Whether a run of theirs is under way."""
    return Run.objects.filter(started_by=user, kind="assess", state__in=[RunState.QUEUED, RunState.RUNNING]).exists()


def unseen(user: User) -> int:
    return Notice.objects.filter(user=user, seen_at=None).count()


def seen(user: User) -> None:
    """Somebody has looked at their notices."""
    Notice.objects.filter(user=user, seen_at=None).update(seen_at=timezone.now())


def seen_run(user: User, run: Run) -> None:
    """Somebody has looked at the run that a notice is about."""
    Notice.objects.filter(user=user, run=run, seen_at=None).update(seen_at=timezone.now())
