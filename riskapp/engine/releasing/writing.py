"""The released file written a part at a time, so that a table of any length needs little memory."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.engine.outgoing.as_csv import Cells, write_cells
from riskapp.engine.outgoing.stacked import Formed
from riskapp.engine.releasing.columns import CATEGORY, LABEL, FileColumn, Sheet


def write_csv(sheet: Sheet, path: Path) -> None:
    """Write the sheet as CSV: UTF-8, commas, `\\n` at the end of every line.

    Raises
    ------
    BadSetting
        If a cell is an empty text and yet not missing: in CSV nobody could tell.
    """
    columns = [Cells(column.name, column.labels, column.numbers, column.as_text) for column in sheet.columns]
    write_cells(columns, list(sheet.parts()), path)


def write_parquet(sheet: Sheet, path: Path) -> None:
    """Write the sheet as Parquet: numbers and dates in their types, labels as categories, missing cells null."""
    columns = [(column, Formed(column.labels, column.as_cells)) for column in sheet.columns]
    schema = pa.schema([pa.field(column.name, _type(column, cells)) for column, cells in columns])
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for rows in sheet.parts():
            arrays = [_array(column, cells, rows) for column, cells in columns]
            file.write_batch(pa.record_batch(arrays, schema=schema))


def _is_category(column: FileColumn) -> bool:
    return column.part == LABEL and column.kind == CATEGORY


def _type(column: FileColumn, cells: Formed) -> pa.DataType:
    return pa.dictionary(pa.int32(), pa.string()) if _is_category(column) else cells.type


def _array(column: FileColumn, cells: Formed, rows: slice) -> pa.Array:
    found = cells.take(column.numbers(rows))
    return found.dictionary_encode() if _is_category(column) else found


WRITERS: Mapping[str, Callable[[Sheet, Path], None]] = {".csv": write_csv, ".parquet": write_parquet}
