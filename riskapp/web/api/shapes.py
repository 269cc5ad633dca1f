"""What is sent and received."""

import re
from datetime import date, datetime
from typing import Any, Literal, Self
from uuid import UUID

from ninja import Field, Schema
from pydantic import ConfigDict, model_validator

Json = dict[str, Any]
UNKEPT = re.compile("[\0\ud800-\udfff]")
"""The sign NUL, and halves of signs: JSON can write both."""


class Strict(Schema):
    """What programs send: a key that is not known is an error, not a wish that is silently ignored."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _can_be_kept(cls, told: Any) -> Any:
        """No database keeps a text with a NUL or with half of a sign in it."""
        if _is_unkept(getattr(told, "_obj", told)):
            raise ValueError("A text has the sign NUL or half of a sign in it, which nothing can keep.")
        return told


def _is_unkept(told: Any) -> bool:
    if isinstance(told, dict):
        return any(_is_unkept(key) or _is_unkept(inner) for key, inner in told.items())
    if isinstance(told, list):
        return any(map(_is_unkept, told))
    return isinstance(told, str) and UNKEPT.search(told) is not None


class Seen(Strict):
    version: int = Field(description="the version that you saw; if it is another by now, nothing is changed")


# Projects and uploads


class NewProject(Strict):
    name: str = Field(min_length=1, max_length=150)
    purpose: str = ""
    role: Literal["steward", "officer"] = "officer"


class ProjectOut(Schema):
    id: UUID
    name: str
    purpose: str
    sample: bool
    role: str = Field(description="your own place in it")
    owner: bool
    created_at: datetime


class Me(Schema):
    email: str
    name: str
    token: str
    scopes: list[str]
    expires_at: datetime


class Fault(Schema):
    code: str
    message: str
    advice: str = ""
    line: int | None = None


class RunOut(Schema):
    id: UUID
    kind: str
    name: str = ""
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    percent: int
    words: str = Field(description="what is being done right now")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    fault: Fault | None
    assessment: str | None = Field(None, description="the SHA-256 of what it works on")


class UploadOut(Schema):
    id: UUID
    name: str
    size: int
    sha256: str
    state: Literal["received", "reading", "ready", "rejected", "purged"]
    rows: int | None
    columns: int | None
    uploaded_at: datetime
    fault: Fault | None
    run: RunOut | None = Field(None, description="the last reading of it")


class Wishes(Strict):
    """How a file is to be read, where you know better than the machine; what is left out is found out."""

    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    header: Literal["names", "none", "repair"] | None = None
    ragged: Literal["refuse", "leave-out"] | None = None
    missing: list[str] | None = None


class Value(Schema):
    value: str | None
    times: int


# The set-up


class ShareAbove(Strict):
    chance: float = Field(ge=0, le=1)
    share: float = Field(ge=0, le=1)


class Limits(Strict):
    """What a rule must keep to; what is left out is no limit."""

    largest_chance: float | None = Field(None, ge=0, le=1)
    smallest_group: int | None = Field(None, ge=1)
    share_above: ShareAbove | None = None
    inference: float | None = Field(None, ge=0, le=1)


class ReleaseClassIn(Seen):
    release_class: Literal["public", "contract", "safe"]
    limits: Limits | None = Field(None, description="the project's own; without them those of the class hold")


class UploadChoice(Seen):
    upload: UUID | None = Field(description="the id of an upload that was read")


class DatasetIn(UploadChoice):
    renamed: dict[str, str] = Field(default_factory=dict, description="missing column → what it is called now")


class UndoIn(Strict):
    event: int = Field(description="the number that the set-up tells under `undo`")


class HarmIn(Seen):
    sensitivity: Json = Field(description="the section `sensitivity` of an assessment file")
    risk_weight: str = Field("", description="a column with the weight of each record in the mean risk")


class PlanIn(Seen):
    search: Json = Field(description="the section `search`; `least_share` asks for a share of the detail")
    risk: Json = Field(default_factory=dict, description="the section `risk`")
    utility: Json = Field(default_factory=dict, description="the section `utility`")


class StepOut(Schema):
    key: str
    name: str
    done: bool


class UndoOut(Schema):
    """The last template or dataset, and what takes it back."""

    event: int
    action: str
    at: datetime


class SetupOut(Schema):
    version: int
    dataset: UUID | None
    leave_out: UUID | None
    release_class: str
    limits: Json = Field(description="that hold: the project's own, or those of its class")
    own_limits: bool
    risk_weight: str
    sensitivity: Json
    risk: Json
    utility: Json
    search: Json
    linkage: Json | None
    undo: UndoOut | None = Field(
        description="the last replacement of the whole set-up, where one can go back behind it"
    )
    steps: list[StepOut]


class RehearsalOut(Schema):
    """Whether the set-up can be assessed as it is: figures, or the run that finds them, or what is in the way."""

    figures: Json | None
    run: RunOut | None
    obstacle: str


# Columns and attackers


class AttributeOut(Schema):
    id: int
    version: int
    column: str
    role: str
    knowable: bool
    hurts: bool
    hierarchy: Json | None
    weight: float | str
    weights: Json
    fall: str
    personal: Json | str | None
    order: list[str] | None
    keep_reason: str
    confirmed: bool
    suggested: Json = Field(description="role, ticks and kind of hierarchy that the machine suggests, and why")


class AttributeIn(Seen):
    """What is left out stays as it is."""

    role: Literal["identifier", "generalised", "kept", "dropped"] | None = None
    knowable: bool | None = None
    hurts: bool | None = None
    hierarchy: Json | None = Field(None, description="as in an assessment file, or {rows: [[leaf, …, top], …]}")
    weight: float | Literal["inf"] | None = None
    weights: Json | None = None
    fall: Literal["", "step", "harmonic"] | None = None
    personal: Json | str | None = None
    order: list[str] | None = None
    keep_reason: str | None = Field(None, max_length=300)


class SeenAttribute(Seen):
    id: int


class ManyAttributes(Strict):
    """What is left out stays as it is."""

    columns: list[SeenAttribute] = Field(min_length=1, description="each once, with the version that you saw")
    role: Literal["generalised", "kept", "dropped"] | None = None
    knowable: bool | None = None
    hurts: bool | None = None
    keep_reason: str | None = Field(None, max_length=300, description="kept where a column needs one")

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len({one.id for one in self.columns}) < len(self.columns):
            raise ValueError("A column is named twice.")
        return self


class AttackerFields(Strict):
    upload: UUID | None = Field(None, description="the register or table of counts that they hold")
    knows: list[str] = Field(default_factory=list, description="for `self`: the columns known; empty for all")
    match: dict[str, str] = Field(default_factory=dict, description="column → `attribute` or `attribute@level`")
    identity: str = ""
    count: str = ""
    prior: float = Field(1.0, ge=0)
    fuzzy: dict[str, float] = Field(default_factory=dict)
    source: str = Field("", max_length=300)
    licence: str = Field("", max_length=300)
    as_of: date | None = Field(None, description="the day that their table is from; else that of its upload counts")
    delete_after: date | None = None


class NewAttacker(AttackerFields):
    name: str = Field(min_length=1, max_length=60)
    kind: Literal["self", "register", "counts"]


class AttackerIn(AttackerFields, Seen):
    """What is left out stays as it is."""

    name: str | None = Field(None, min_length=1, max_length=60)


class AttackerOut(Schema):
    id: int
    version: int
    name: str
    kind: str
    upload: UUID | None
    knows: list[str]
    match: dict[str, str]
    identity: str
    count: str
    prior: float
    fuzzy: dict[str, float]
    source: str
    licence: str
    as_of: date | None
    delete_after: date | None


# Runs and results


class NewRun(Strict):
    name: str = Field("", max_length=100)


class FrontierOut(Schema):
    rules: int = Field(description="how many were measured")
    frontier: list[Json] = Field(description="those on the frontier, as RESULT.json lists them")


class AssessmentOut(Schema):
    """An assessment as a run had it: the assessment file, the small files that it names, and its tables."""

    sha256: str
    assessment: Json
    files: dict[str, str]
    tables: Json
    lists: Json
