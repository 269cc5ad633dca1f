"""Parquet as a source: every cell as the text that a CSV file would show."""

from collections.abc import Generator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.engine.coded import MISSING
from riskapp.engine.reading import header
from riskapp.engine.reading.faults import counted, fault, size
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.source import Columns
from riskapp.engine.reading.wishes import Reading, Wishes

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
BATCH_ROWS = 1 << 16
TRAILING_ZEROS = r"(\.\d*?)0+(Z?)$"
BARE_POINT = r"\.(Z?)$"


class ParquetSource:
    """A Parquet file as batches of text columns."""

    def __init__(self, path: Path, wishes: Wishes, limits: Limits) -> None:
        self._path = path
        _check_ends(path)
        self._schema = self._open_schema()
        self._check(limits)
        self._seen = 0
        self.left_out = 0
        self.reading = Reading(
            format="parquet",
            header=wishes.header or "names",
            missing=MISSING if wishes.missing is None else wishes.missing,
            reasons={"header": "Chosen by hand." if wishes.header else "The file carries the names itself."},
        )
        self.names = header.names(self._schema.names, self.reading.header, limits)

    def _open_schema(self) -> pa.Schema:
        try:
            with pq.ParquetFile(self._path) as file:
                self._rows: int = file.metadata.num_rows
                return file.schema_arrow
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _refused(error) from None

    def _check(self, limits: Limits) -> None:
        if not self._schema.names:
            raise fault("no-columns")
        if len(self._schema.names) <= limits.max_columns:
            for position, kind in enumerate(self._schema.types, 1):
                _check_type(kind, position)
        # A cell is at least one byte of text, however well the file packs it.
        if self._rows * len(self._schema.names) > limits.max_unpacked_bytes:
            raise fault("too-big", limit=size(limits.max_unpacked_bytes))

    def fraction(self) -> float:
        """How much of the file has been read."""
        return self._seen / max(self._rows, 1)

    def batches(self) -> Generator[Columns]:
        """The rows of the file, as text."""
        # Repeated texts stay a list and positions, or a small file could unfold to any size in memory.
        texts = [field.name for field in self._schema if _is_text(field.type)]
        try:
            with pq.ParquetFile(self._path, read_dictionary=texts) as file:
                for batch in file.iter_batches(BATCH_ROWS):
                    self._seen += batch.num_rows
                    yield [as_text(column) for column in batch.columns]
        except (pa.ArrowException, OSError) as error:
            raise _refused(error) from None


def _check_ends(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(4)
        file.seek(max(path.stat().st_size - 4, 0))
        end = file.read(4)
    if ENCRYPTED in (start, end):
        raise fault("parquet-encrypted")
    if end != MAGIC or path.stat().st_size < 12:
        raise fault("parquet-corrupt")


def _refused(error: Exception) -> Exception:
    # The library has no class of its own for encryption; its text decides here and goes no further.
    words = str(error).lower()
    return fault("parquet-encrypted" if "encrypt" in words or "decrypt" in words else "parquet-corrupt")


def _check_type(kind: pa.DataType, position: int) -> None:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_nested(kind):
        raise fault("parquet-nested", first=counted(position))
    if not (_is_text(kind) or any(test(kind) for test in PLAIN)):
        raise fault("parquet-type", first=counted(position))


PLAIN = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_boolean,
    pa.types.is_date,
    pa.types.is_time,
    pa.types.is_timestamp,
    pa.types.is_null,
)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def as_text(cells: pa.Array) -> pa.Array:
    """Cells of any plain type as text, or as a list of texts with positions; a null becomes the empty text."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return _listed(cells)
    if pa.types.is_null(kind):
        return pa.array([""] * len(cells), pa.string())
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return _iso(cells.cast(pa.string())).fill_null("")
    if pa.types.is_date64(kind):
        cells = cells.cast(pa.date32())
    if pa.types.is_float16(kind):
        cells = cells.cast(pa.float32())
    return cells.cast(pa.string()).fill_null("")


def _iso(texts: pa.Array) -> pa.Array:
    """ISO 8601 from Arrow's way of writing times: a T between, no zeros at the end of the fraction."""
    joined = pc.replace_substring(texts, " ", "T", max_replacements=1)
    trimmed = pc.replace_substring_regex(joined, TRAILING_ZEROS, r"\1\2")
    return pc.replace_substring_regex(trimmed, BARE_POINT, r"\1")


def _listed(cells: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same cells with each text once in the list, whatever the file's own list was like."""
    texts = as_text(cells.dictionary) if not _is_text(cells.dictionary.type) else cells.dictionary.cast(pa.string())
    once = pa.concat_arrays([texts.fill_null(""), pa.array([""])]).dictionary_encode()
    positions = once.indices.take(cells.indices.cast(pa.int64()).fill_null(len(texts)))
    return pa.DictionaryArray.from_arrays(positions, once.dictionary)
