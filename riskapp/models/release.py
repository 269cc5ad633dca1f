"""Releases: the file that leaves the house, who may have it, and who took it."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.calendar import today
from riskapp.models.ordered import OrderedJSONField
from riskapp.models.project import Project
from riskapp.models.proposal import Proposal


class ReleaseState(models.TextChoices):
    BUILDING = "building", "being built and measured"
    READY = "ready", "ready"
    FAILED = "failed", "failed"
    REVOKED = "revoked", "revoked"
    EXPIRED = "expired", "expired"
    PURGED = "purged", "shredded"


RELEASE_MOVES = {
    ReleaseState.BUILDING: {ReleaseState.READY, ReleaseState.FAILED},
    ReleaseState.READY: {ReleaseState.REVOKED, ReleaseState.EXPIRED},
    ReleaseState.FAILED: {ReleaseState.BUILDING, ReleaseState.PURGED},
    ReleaseState.REVOKED: {ReleaseState.PURGED},
    ReleaseState.EXPIRED: {ReleaseState.PURGED},
    ReleaseState.PURGED: set(),
}
RELEASE_TURN = {
    ReleaseState.BUILDING: "The worker builds the file and measures it again.",
    ReleaseState.READY: "The recipient may download it until it expires.",
    ReleaseState.FAILED: "A steward or officer must look at what went wrong, and build or propose it again.",
    ReleaseState.REVOKED: "An owner may shred the file; the decision stays.",
    ReleaseState.EXPIRED: "An owner may shred the file; the decision stays.",
    ReleaseState.PURGED: "Nobody: the file is gone, the decision and its hashes stay.",
}
GIVEN_UP = "Nobody: it was given up, and nothing has left the house. The rule can be proposed again."


class Release(models.Model):
    """An approved proposal made into a file.

    `figures` were measured from the file itself, `attacks` tried on it, `analyses` done before and after. `digest` is
    the manifest's own, by which somebody who was told it can check a manifest. `people`, `expected_found`,
    `singled_out` and `would_be_singled_out` are what the register says of those figures, so that it need not open them
    for every release.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    proposal = models.OneToOneField(Proposal, on_delete=models.PROTECT, related_name="release")
    state = models.CharField(max_length=10, choices=ReleaseState, default=ReleaseState.BUILDING)
    folder = models.UUIDField(null=True, unique=True)
    name = models.CharField(max_length=255, blank=True)
    size = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    report_sha256 = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    figures: Any = OrderedJSONField(null=True)
    attacks: Any = OrderedJSONField(null=True)
    analyses: Any = OrderedJSONField(default=list)
    people = models.BigIntegerField(null=True)
    expected_found = models.FloatField(null=True)
    singled_out = models.BigIntegerField(null=True)
    would_be_singled_out = models.BigIntegerField(null=True)
    fault: Any = models.JSONField(null=True)
    expires_on = models.DateField()
    made_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    why_ended = models.TextField(blank=True)

    class Meta:
        ordering = ["-made_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=ReleaseState.values), name="a_known_release_state")
        ]

    def __str__(self) -> str:
        return f"release {self.id}"

    @property
    def turn(self) -> str:
        if self.state == ReleaseState.PURGED and self.ready_at is None:
            return GIVEN_UP
        over = self.state == ReleaseState.READY and not self.is_open
        return RELEASE_TURN[ReleaseState.EXPIRED if over else ReleaseState(self.state)]

    @property
    def is_open(self) -> bool:
        """Whether it may be downloaded today; the beat moves it to EXPIRED a little later."""
        return self.state == ReleaseState.READY and self.expires_on >= today()


class TermsAccepted(models.Model):
    """Somebody accepted the project's terms, in the wording that has this hash."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user", "sha256"], name="terms_accepted_once")]

    def __str__(self) -> str:
        return f"terms of {self.project_id}"


class DownloadLink(models.Model):
    """A right to fetch one release's file once, for one person and a short time. Only its hash is kept."""

    token_hash = models.CharField(max_length=64, primary_key=True)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="links")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link to {self.release_id}"

    @property
    def project_id(self) -> Any:
        return self.release.project_id


class Download(models.Model):
    """Somebody fetched a release's file."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="downloads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"download of {self.release_id}"
