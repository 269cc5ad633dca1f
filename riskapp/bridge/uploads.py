"""Uploads: reading them into coded tables, and looking into those."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from riskapp import storage
from riskapp.core.errors import RiskappError
from riskapp.engine import profile as profiles
from riskapp.engine import reading as readings
from riskapp.engine.coded import CodedTable
from riskapp.engine.reporting import Report
from riskapp.models import Upload

ENCODINGS = readings.ENCODINGS
MENDED_BY = readings.MENDED_BY
ENDINGS = tuple(f".{ending}" for ending in readings.ENDINGS)
PACKED = tuple(f".{ending}" for ending in readings.PACKED)


STEPS, READING_SHARE = 1000, 700


def _in_megabytes(report: Report) -> Report:
    """A report of bytes that also says them."""

    def told(done: int, total: int, words: str) -> None:
        report(done, total, f"{words}: {done / 1e6:,.0f} of {total / 1e6:,.0f} MB" if total >= 1e6 else words)

    return told


def _stretch(report: Report, start: int, end: int) -> Report:
    """A report whose whole is a part of a larger one."""

    def told(done: int, total: int, words: str) -> None:
        report(start + (end - start) * done // max(total, 1), STEPS, words)

    return told


@dataclass(frozen=True)
class ReadUpload:
    """What a reading found."""

    table: UUID
    rows: int
    columns: int
    reading: dict[str, Any]
    profile: dict[str, Any]
    seconds: dict[str, float]


def check_wishes(wishes: dict[str, Any]) -> None:
    """Raise if these wishes could not be followed."""
    try:
        readings.Wishes.from_json(wishes)
    except ValueError as trouble:
        raise RiskappError(str(trouble)) from trouble


def read_upload(source: Path, name: str, wishes: dict[str, Any], *, into: Path, report: Report) -> ReadUpload:
    """Read a stored file into a coded table in the folder `into`, named by an id, and profile it."""
    limits = readings.Limits(max_unpacked_bytes=settings.MAX_UNPACKED_BYTES)
    began = time.perf_counter()
    wished, telling = readings.Wishes.from_json(wishes), _in_megabytes(_stretch(report, 0, READING_SHARE))
    reading = readings.read(source, name, wished, into, limits=limits, report=telling)
    table, read_after = CodedTable.open(into), time.perf_counter()
    try:
        found = profiles.profile(table, report=_stretch(report, READING_SHARE, STEPS))
    except BaseException:
        storage.shred(into)
        raise
    seconds = {"reading": read_after - began, "profile": time.perf_counter() - read_after}
    told = reading.as_json() | {"left_out": table.left_out}
    return ReadUpload(UUID(into.name), table.rows, len(table.names), told, found.as_json(), seconds)


def seen_values(upload: Upload, column: int, most: int = 20) -> list[tuple[str | None, int]]:
    """The most frequent values of a column with their counts. Values of people: only behind an audited click."""
    return profiles.top_values(coded_table(upload), column, most)


def coded_table(upload: Upload) -> CodedTable:
    """The coded table of an upload that was read."""
    assert upload.table is not None
    return CodedTable.open(storage.table_place(upload.project_id, upload.table))
