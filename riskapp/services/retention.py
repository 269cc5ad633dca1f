"""Retention: what has served its time is closed or shredded on schedule; decisions and hashes stay."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from riskapp.models import (
    Actor,
    Attacker,
    DownloadLink,
    Project,
    Proposal,
    Release,
    ReleaseState,
    Upload,
    UploadState,
    today,
)
from riskapp.models.project import MOST_DAYS_KEPT
from riskapp.models.proposal import ProposalState
from riskapp.services import releases, uploads
from riskapp.services.states import Overtaken

log = logging.getLogger(__name__)
BEAT = Actor(None, label="beat")


def tend() -> None:
    """Expire releases, shred what a project keeps no longer, and forget links that cannot be used."""
    _each(releases.expire, Release.objects.filter(state=ReleaseState.READY, expires_on__lt=today()))
    for project in Project.objects.filter(~Q(keep_uploads_days=None) | ~Q(keep_releases_days=None)):
        _each(uploads.shred, outlived_uploads(project))
        _each(releases.shred, outlived_releases(project))
    _each(uploads.shred, registers_to_delete())
    DownloadLink.objects.filter(expires_at__lt=timezone.now() - timedelta(days=1)).delete()


def outlived_uploads(project: Project) -> list[Upload]:
    """Uploads older than the project keeps them, unless a proposal or a building still rests on them."""
    if project.keep_uploads_days is None:
        return []
    before = _ago(project.keep_uploads_days)
    old = project.uploads.filter(uploaded_at__lt=before).exclude(state__in=[UploadState.PURGED, UploadState.READING])
    needed = _needed(project)
    return [upload for upload in old if str(upload.pk) not in needed]


def outlived_releases(project: Project) -> Iterable[Release]:
    """Files of ended releases that are older than the project keeps them."""
    if project.keep_releases_days is None:
        return []
    before = _ago(project.keep_releases_days)
    ended = [ReleaseState.REVOKED, ReleaseState.EXPIRED]
    return project.releases.filter(state__in=ended, ended_at__lt=before)


def _ago(days: int) -> datetime:
    """So many days ago; more than a form takes may have been kept before it had a limit, and no calendar has them."""
    return timezone.now() - timedelta(days=min(days, MOST_DAYS_KEPT))


def registers_to_delete() -> list[Upload]:
    """Registers whose delete-after date, given when they were made somebody's dictionary, is over."""
    due = Attacker.objects.filter(delete_after__lt=today(), upload__isnull=False)
    rows = due.exclude(upload__state__in=[UploadState.PURGED, UploadState.READING]).select_related("upload__project")
    found = {row.upload_id: row.upload for row in rows if row.upload}
    return [upload for upload in found.values() if str(upload.pk) not in _needed(upload.project)]


def _needed(project: Project) -> set[str]:
    """The uploads that an undecided proposal or a release under construction still needs, until its last day."""
    waiting = [ProposalState.PENDING, ProposalState.HALF_DECIDED]
    building = Q(state=ProposalState.APPROVED, release__state__in=[ReleaseState.BUILDING, ReleaseState.FAILED])
    proposals = Proposal.objects.filter(Q(state__in=waiting) | building, project=project, expires_on__gte=today())
    uses = proposals.values_list(F("run__parameters__uses"), flat=True)
    return {upload for one in uses for upload in one or []}


def _each(act: Callable[..., None], things: Iterable[Any]) -> None:
    """A fault with one must not keep the others from being looked at."""
    for thing in list(things):
        try:
            act(thing, by=BEAT)
        except Overtaken:
            log.info("%s was changed by somebody else", thing)
        except Exception as trouble:
            log.error("%s cannot be tended: %s", thing, type(trouble).__name__)
