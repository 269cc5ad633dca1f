"""Proposals: a rule put forward for release with its frozen evidence, and what others say to it."""

import secrets
import unicodedata
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.ordered import OrderedJSONField
from riskapp.models.project import Project
from riskapp.models.run import Run


class ProposalState(models.TextChoices):
    PENDING = "pending", "waiting for a decision"
    HALF_DECIDED = "half-decided", "one of two officers has decided"
    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"
    WITHDRAWN = "withdrawn", "withdrawn"


OPEN = [ProposalState.PENDING, ProposalState.HALF_DECIDED]
_ENDS = {ProposalState.REJECTED, ProposalState.WITHDRAWN}
PROPOSAL_MOVES = {
    ProposalState.PENDING: {ProposalState.HALF_DECIDED, ProposalState.APPROVED, *_ENDS},
    ProposalState.HALF_DECIDED: {ProposalState.APPROVED, *_ENDS},
    ProposalState.APPROVED: set(),
    ProposalState.REJECTED: set(),
    ProposalState.WITHDRAWN: set(),
}

# Whose turn it is: every state has one side that must act, or nobody. Of what is approved the release says it.
PROPOSAL_TURN = {
    ProposalState.PENDING: "An officer who did not propose it must decide.",
    ProposalState.HALF_DECIDED: "A second officer must decide.",
    ProposalState.REJECTED: "The proposer may propose again.",
    ProposalState.WITHDRAWN: "The proposer may propose again.",
}


def new_seed() -> str:
    """A seed that nobody can guess: who knows it can put the rows of a file back in the order of the dataset."""
    return secrets.token_hex(16)


def spelled(recipient: str) -> str:
    """A recipient's name whatever its capitals, its spaces and the form of its letters: by it releases are gathered.

    >>> spelled(" University  of X ") == spelled("university of x") == spelled("Ｕniversity\u00a0of X")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", recipient).casefold().split())


class Proposal(models.Model):
    """A rule of a finished run, proposed for release.

    `evidence` is what the decision rests on, frozen when it was proposed and named by its hash: the rule's figures,
    the limits, and the hashes of the assessment, of every file and of the seed. `options` says how the file is written.
    `warned` is what was warned of when it was approved, and beside which earlier releases.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="proposals")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="proposals")
    rule = models.CharField(max_length=300)
    purpose = models.TextField()
    recipient = models.CharField(max_length=200)
    recipients = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", blank=True)
    reason = models.TextField()
    expires_on = models.DateField()
    data_until = models.DateField(null=True)
    legal_basis = models.CharField(max_length=300, blank=True)
    dpia = models.CharField(max_length=300, blank=True)
    options: Any = OrderedJSONField(default=dict)
    evidence: Any = OrderedJSONField()
    evidence_sha256 = models.CharField(max_length=64)
    seed = models.CharField(max_length=32, default=new_seed)
    warned: Any = OrderedJSONField(null=True)
    exception = models.TextField(blank=True)
    votes_needed = models.IntegerField(default=1)
    state = models.CharField(max_length=13, choices=ProposalState, default=ProposalState.PENDING)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)
    replaces = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="replaced_by")

    class Meta:
        ordering = ["-proposed_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=ProposalState.values), name="a_known_proposal_state"),
            models.CheckConstraint(condition=models.Q(votes_needed__in=[1, 2]), name="one_or_two_votes"),
            models.UniqueConstraint(
                fields=["run", "rule"],
                condition=models.Q(state__in=OPEN),
                name="one_open_proposal_per_rule",
            ),
        ]

    def __str__(self) -> str:
        return f"proposal {self.id}"

    @property
    def is_open(self) -> bool:
        return bool(PROPOSAL_MOVES[ProposalState(self.state)])

    @property
    def can_be_proposed_again(self) -> bool:
        """Whether it came to nothing: it was not approved, or its file was not built or has ended."""
        approved = self.state == ProposalState.APPROVED
        return self.state in _ENDS or (approved and self.release.state not in ("building", "ready"))

    @property
    def turn(self) -> str:
        if self.state == ProposalState.APPROVED:
            ended = self.release.state in ("revoked", "expired")
            return f"{self.release.turn}{f' Its release is {self.release.state}.' if ended else ''}"
        return PROPOSAL_TURN[ProposalState(self.state)]


class Vote(models.Model):
    """One officer's decision. With two votes needed, neither sees the other's before both are cast."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="votes")
    officer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    approves = models.BooleanField()
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["proposal", "officer"], name="one_vote_per_officer")]

    def __str__(self) -> str:
        return f"vote on {self.proposal_id}"

    @property
    def project_id(self) -> Any:
        return self.proposal.project_id


class Remark(models.Model):
    """What somebody said about a proposal: a comment, the answer to a warning, or advice.

    Advice is given by somebody who advises and does not decide; whoever decides says whether it was followed, and why.
    """

    class Kind(models.TextChoices):
        COMMENT = "comment", "Comment"
        ANSWER = "answer", "Answer to a warning"
        ADVICE = "advice", "Advice"

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="remarks")
    kind = models.CharField(max_length=7, choices=Kind)
    warning = models.CharField(max_length=60, blank=True)
    text = models.TextField()
    of = models.CharField(max_length=150, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    followed = models.BooleanField(null=True)
    why = models.TextField(blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return f"{self.kind} on {self.proposal_id}"

    @property
    def project_id(self) -> Any:
        return self.proposal.project_id
