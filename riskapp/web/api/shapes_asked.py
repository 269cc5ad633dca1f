"""What is sent and received about questions that a worker answers, hierarchies, templates and rules."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from ninja import Field, Schema

from riskapp.web.api.shapes import Json, RunOut, Seen, Strict

# Questions


class InquiryOut(Schema):
    """What is known of a question: figures, or the run that finds them or failed to, or what must be said first."""

    figures: Json | None
    run: RunOut | None
    obstacle: str


class LikenessIn(Strict):
    column: str = Field(description="of the attacker's table")
    attribute: str = Field(description="the column of the dataset that it is matched to")
    level: str = Field("0", description="of the attribute's hierarchy")


class LikenessLook(LikenessIn):
    threshold: float = Field(ge=0, le=1)


class MoreOut(Schema):
    column: str
    attribute: str
    level: str
    likeness: str


class More(Strict):
    column: str
    attribute: str
    level: str = "0"
    likeness: str = Field("", description="how alike spellings must be; empty where they must be the same")


class WhatIf(Strict):
    more: list[More] = Field(min_length=1, max_length=20, description="as they are listed")


class LinkageIn(Seen):
    upload: UUID
    match: dict[str, str] = Field(min_length=1, description="column → `attribute` or `attribute@level`")
    adds: dict[str, float | Literal["inf"]] = Field(
        default_factory=dict, description="column that would be learnt → its weight"
    )


# Hierarchies and templates


class Spec(Strict):
    hierarchy: Json | None = Field(
        description="as in an assessment file, or {rows: [[leaf, …, top], …]}; null for nothing between value and *"
    )


class Homes(Spec):
    homes: dict[str, str | None] | Literal["likeliest", "alone"] = Field(
        description="value → group of level 1, or null to stand by itself; or what every value without a place gets"
    )


class LevelOut(Schema):
    number: int
    name: str
    groups: int
    smallest: int
    alone: int
    alone_share: float


class UncoveredOut(Schema):
    values: int
    records: int
    share: float


class PreviewOut(Schema):
    """Counts of a hierarchy over its column, level by level; no value is in it."""

    records: int
    missing: int
    uncovered: UncoveredOut
    levels: list[LevelOut]


class Neighbours(Strict):
    by: int = Field(2, ge=2, le=100, description="so many neighbours are merged at every level")
    order: list[str] | None = Field(
        None, description="the values from least to most; null for the column's own order, or the natural one"
    )


class NeighboursOut(Schema):
    hierarchy: Json = Field(description="written out, not saved: send it as the column's hierarchy to keep it")
    without_place: int = Field(description="so many values are not in the order and come last")


class HousedOut(Schema):
    hierarchy: Json = Field(description="written out, not saved: send it as the column's hierarchy to keep it")
    left: list[Json] = Field(description="the values that still have no place")


class ShelvedOut(Schema):
    id: UUID
    name: str
    about: str
    made_by: str
    made_at: datetime


class ShelvedWhole(ShelvedOut):
    hierarchy: Json | None


class ShelvedName(Strict):
    name: str = Field(min_length=1, max_length=150)
    about: str = Field("", max_length=300)


class NewShelved(ShelvedName, Spec):
    open_to_all: bool = Field(False, description="that everybody who works in a project may read the values it lists")


class TemplateOut(Schema):
    id: UUID
    name: str
    version: int
    about: str
    made_by: str
    made_at: datetime


class TemplateWhole(TemplateOut):
    document: Json


class NewTemplate(Strict):
    name: str = Field(min_length=1, max_length=150)
    about: str = Field("", max_length=300)


class DriftOut(Schema):
    """What is different in a file, or the run that finds it out."""

    facts: list[Json] | None
    stops: int = Field(description="how many of them stop a run until they are mended")
    run: RunOut | None


class ApplyIn(Seen):
    upload: UUID
    renamed: dict[str, str] = Field(default_factory=dict, description="missing column → what it is called now")
    as_suggested: list[str] = Field(default_factory=list, description="new columns that take the suggested part")


class AppliedOut(Schema):
    without_file: list[str] = Field(description="attackers for whom no file is here")
    to_confirm: int = Field(description="columns that differ from the template's")
    left_out: list[str] = Field(description="of the project's linkage data and people's own weights what does not fit")


# Rules


class CellOut(Schema):
    value: Any
    best: bool


class RowOut(Schema):
    name: str
    part: str
    differs: bool
    cells: list[CellOut]


class CompareOut(Schema):
    rules: list[str]
    rows: list[RowOut]


class TakeOver(Seen):
    assessment: Json = Field(description="an assessment file")
    files: dict[str, str] = Field(default_factory=dict, description="the small files that it names")
    tables: dict[str, UUID] = Field(description="each table that it names → the upload in its place")
    reason: str = Field("", max_length=300, description="why columns are released that look like identifiers")


class ComparedRun(Schema):
    id: UUID
    name: str


class CompareRunsOut(Schema):
    runs: list[ComparedRun]
    rows: list[RowOut]


class DifferenceOut(Schema):
    part: str = Field(description="Column, Attacker, or empty where it is about the set-up")
    name: str
    what: str


class RunSetupOut(Schema):
    version: int = Field(description="of the set-up as it is")
    changes: list[DifferenceOut]
    needing_reason: list[str] = Field(description="columns that would be released and look like identifiers")


class AsInRun(Seen):
    reason: str = Field("", max_length=300, description="why columns are released that look like identifiers")


class RecordIn(Strict):
    record: int = Field(ge=1, description="1 for the first row below the header")


class RecordOf(RecordIn):
    attacker: str = Field(max_length=60)
