"""From a stored file to a coded table: unpack, look, read, code; everything or nothing."""

import os
import shutil
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from riskapp.engine.coded import describe
from riskapp.engine.reading import kinds
from riskapp.engine.reading.coding import Coder
from riskapp.engine.reading.excel import ExcelSource
from riskapp.engine.reading.faults import fault
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.parquet import ParquetSource
from riskapp.engine.reading.progress import Progress
from riskapp.engine.reading.source import Source
from riskapp.engine.reading.text import OtherEncoding, TextSource
from riskapp.engine.reading.unpack import ungzip, unzip
from riskapp.engine.reading.wishes import Reading, Wishes
from riskapp.engine.reporting import Report, silent

UNPACKED_AT, READ_AT, DONE_AT = 0.2, 0.95, 1.0
DEFAULT = Limits()


def read(
    path: Path, name: str, wishes: Wishes, into: Path, *, limits: Limits = DEFAULT, report: Report = silent
) -> Reading:
    """Read a stored file into a coded table and return how it was read.

    `path` holds the bytes, `name` is what the file was called when it was uploaded (only its ending counts), `into` is
    the folder to make; it must not exist, and after any failure it does not. All work is done in a folder beside it,
    which is renamed at the very end. `report(done, total, words)` is called in bytes of the stored file; what it raises
    stops the reading. Raises Unreadable where the file is bad.
    """
    if into.exists():
        raise FileExistsError(into.name)
    progress = Progress(path.stat().st_size, report, limits.report_seconds)
    scratch = Path(tempfile.mkdtemp(prefix=f".{into.name}.", dir=into.parent))
    try:
        reading = _read(path, name, wishes, scratch, limits, progress)
        progress.finish()
        os.rename(scratch / "table", into)
        return reading
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _read(path: Path, name: str, wishes: Wishes, scratch: Path, limits: Limits, progress: Progress) -> Reading:
    kind = kinds.by_name(name)
    kinds.check(path, kind.compression if kind.compression != "none" else kind.format or "")
    plain, form = _unpacked(path, kind, scratch / "unpacked", limits, progress)
    progress.phase(READ_AT, "Reading the rows")
    try:
        return _code(_source(plain, form, wishes, limits, progress), kind.compression, scratch, limits, progress)
    except OtherEncoding as other:
        shutil.rmtree(scratch / "table", ignore_errors=True)
        source = TextSource(plain, form, wishes, limits, progress.at, other.guess)
        return _code(source, kind.compression, scratch, limits, progress)


def _unpacked(path: Path, kind: kinds.Kind, to: Path, limits: Limits, progress: Progress) -> tuple[Path, str]:
    """The plain file and its format; what was packed must again be what its name says."""
    if kind.compression == "none":
        return path, kind.format or ""
    progress.phase(UNPACKED_AT, "Unpacking the file")
    if kind.compression == "gz":
        ungzip(path, to, limits, progress.at)
        form = kind.format or ""
    else:
        form = unzip(path, to, limits, progress.at)
    kinds.check(to, form)
    return to, form


def _source(path: Path, form: str, wishes: Wishes, limits: Limits, progress: Progress) -> Source:
    if form in ("csv", "tsv"):
        return TextSource(path, form, wishes, limits, progress.at)
    if form == "parquet":
        return ParquetSource(path, wishes, limits)
    return ExcelSource(path, form, wishes, limits, progress.at)


def _code(source: Source, compression: str, scratch: Path, limits: Limits, progress: Progress) -> Reading:
    folder = scratch / "table"
    reading = replace(source.reading, compression=compression)
    with (
        Coder(folder, len(source.names), reading.missing, limits, progress) as coder,
        closing(source.batches()) as batches,
    ):
        for batch in batches:
            coder.take(batch, source.fraction())
        coder.end_rows()
        if not coder.rows:
            raise fault("header-only")
        progress.phase(DONE_AT, "Writing the value lists")
        distinct = coder.finish()
        describe(
            folder,
            rows=coder.rows,
            names=source.names,
            distinct=distinct,
            missing=coder.missing_cells,
            reading=reading.as_json(),
            left_out=source.left_out,
        )
    return reading
