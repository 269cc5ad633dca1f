"""What is sent and received about proposals and releases."""

from datetime import date, datetime
from typing import Literal
from uuid import UUID

from ninja import Field, Schema

from riskapp.web.api.shapes import Fault, Json, RunOut, Strict

# Proposals


class AnalysisIn(Strict):
    name: str = Field(min_length=1, max_length=80)
    kind: Literal["counts", "mean", "regression"]
    columns: list[str] = Field([], description="to count by, to group by (none or one), or to explain by")
    of: str = Field("", description="the column whose mean is taken or that is explained")


class FileIn(Strict):
    format: Literal["csv", "parquet"] = "csv"
    keep_order: bool = Field(False, description="rows stay in their order; else they are shuffled by a seed")
    defuse: bool = Field(True, description="cells that a spreadsheet would take for a formula are made harmless")
    details: bool = Field(False, description="from, to and level beside each label")
    analyses: list[AnalysisIn] = Field([], description="at most five, done before and after")


class NewProposal(Strict):
    rule: str = Field(max_length=300)
    purpose: str = Field(min_length=1, max_length=4000)
    recipient: str = Field(min_length=1, max_length=200)
    reason: str = Field(min_length=1, max_length=4000)
    expires_on: date
    data_until: date | None = Field(None, description="the last day that the data are about; else that of the upload")
    recipients: list[str] = Field([], description="e-mail addresses of recipients of the project who may download it")
    legal_basis: str = Field("", max_length=300)
    dpia: str = Field("", max_length=300)
    exception: str = Field("", max_length=4000, description="needed where the rule breaks a limit of its class")
    file: FileIn = Field(default_factory=FileIn.model_construct)
    again: UUID | None = Field(None, description="the rejected or withdrawn proposal that this one replaces")


class Reason(Strict):
    reason: str = Field(min_length=1, max_length=4000)


class Decision(Reason):
    approves: bool
    seen: str = Field(
        default="",
        max_length=64,
        description="the proposal's `basis` that you read: an approval needs it, and is refused if it has changed",
    )


class Answer(Strict):
    warning: str = Field(min_length=1, max_length=60, description="the key of the warning")
    text: str = Field(min_length=1, max_length=4000)


class Answers(Strict):
    warnings: list[str] = Field(min_length=1, max_length=1000, description="the keys of the warnings")
    text: str = Field(min_length=1, max_length=4000)
    seen: str = Field(
        default="",
        max_length=60,
        description="as the proposal told it: refused if the warnings or their answers have changed since",
    )


class Comment(Strict):
    text: str = Field(min_length=1, max_length=4000)


class Advice(Strict):
    of: str = Field(min_length=1, max_length=150, description="who advises")
    text: str = Field(min_length=1, max_length=4000)


class Followed(Strict):
    followed: bool
    why: str = Field(min_length=1, max_length=4000)


class ProposalOut(Schema):
    id: UUID
    run: UUID
    rule: str
    state: str
    turn: str = Field(description="which side must act now")
    purpose: str
    recipient: str
    reason: str
    expires_on: date
    data_until: date | None
    legal_basis: str
    dpia: str
    exception: str
    file: Json
    votes_needed: int
    proposed_by: str
    proposed_at: datetime
    decided_at: datetime | None
    replaces: UUID | None
    release: UUID | None


class VoteOut(Schema):
    by: str
    approves: bool
    reason: str
    at: datetime


class RemarkOut(Schema):
    id: int
    kind: str
    text: str
    by: str
    at: datetime
    warning: str
    of: str
    followed: bool | None
    why: str


class WholeProposalOut(ProposalOut):
    evidence: Json
    evidence_sha256: str
    warnings: list[Json] | None = Field(description="each with key, title, words and advice; null until computed")
    details: Json | None = Field(description="k, l, t and the losses, measured with the warnings; null until then")
    warnings_run: RunOut | None
    seen: str = Field(description="stands for the warnings and answers as they are; an answer to several can name it")
    votes: list[VoteOut] = Field(description="while it is open only your own")
    remarks: list[RemarkOut]
    basis: str = Field(description="the hash of warnings, details, answers and advice as they are now")


# Releases


class ReleaseOut(Schema):
    id: UUID
    proposal: UUID
    recipient: str
    state: str
    turn: str
    open: bool = Field(description="whether it may be downloaded today")
    name: str
    size: int | None
    sha256: str
    manifest_sha256: str
    digest: str = Field(description="of the manifest: what verify_release --digest takes")
    expires_on: date
    ready_at: datetime | None
    ended_at: datetime | None
    why_ended: str
    downloads: int | None = Field(description="null for recipients")
    fault: Fault | None


class WholeReleaseOut(ReleaseOut):
    figures: Json | None = Field(description="measured from the file; null for recipients, who have the report")
    attacks: Json | None
    analyses: list[Json] | None


class TermsOut(Schema):
    terms: str
    accepted: bool


class RegisteredOut(Schema):
    release: UUID
    project: str
    recipient: str
    purpose: str
    rule: str
    people: int
    expected_found: float
    singled_out: int | None = Field(description="by the release, and by it with what its recipient held before")
    would_be_singled_out: int | None
    state: str
    released_at: datetime
    expires_on: date
    downloads: int
    sha256: str
    digest: str
