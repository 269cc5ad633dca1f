"""The released file written a part at a time, so that a table of any length needs little memory."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.value_list import TEXT, Texts, side_by_side, texts
from riskapp.engine.outgoing.as_csv import quoted
from riskapp.engine.releasing.columns import CATEGORY, LABEL, FileColumn, Sheet


def write_csv(sheet: Sheet, path: Path) -> None:
    """Write the sheet as CSV: UTF-8, commas, `\\n` at the end of every line.

    Raises
    ------
    BadSetting
        If a cell is an empty text and yet not missing: in CSV nobody could tell.
    """
    for column in sheet.columns:
        _refuse_empty_text(sheet, column)
    # A line with nothing in it would be no row.
    empty = '""' if len(sheet.columns) == 1 else ""
    cells = [quoted(column.values).fill_null(empty) for column in sheet.columns]
    with path.open("wb") as file:
        names = quoted(texts([column.name for column in sheet.columns]))
        file.write(",".join(names.to_pylist()).encode() + b"\n")
        for rows in sheet.parts():
            columns = zip(sheet.columns, cells, strict=True)
            file.write("".join(_lines([some.take(pa.array(one.numbers(rows))) for one, some in columns])).encode())


def _lines(columns: list[Texts]) -> list[str]:
    lines: list[str] = side_by_side(pc.binary_join_element_wise(*columns, pa.scalar(",", TEXT)), "\n").to_pylist()
    return lines


def _refuse_empty_text(sheet: Sheet, column: FileColumn) -> None:
    empty = np.flatnonzero(pc.fill_null(pc.equal(column.values, ""), False).to_numpy(zero_copy_only=False))
    if len(empty) and any(np.isin(column.numbers(rows), empty).any() for rows in sheet.parts()):
        told = f"Column {column.name} has empty cells that are not missing, which CSV cannot tell apart."
        raise BadSetting("--to", f'{told} Name a .parquet file, or list "" in dataset.missing.')


def write_parquet(sheet: Sheet, path: Path) -> None:
    """Write the sheet as Parquet: numbers and dates in their types, labels as categories, missing cells null."""
    schema = pa.schema([pa.field(column.name, _type(column)) for column in sheet.columns])
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for rows in sheet.parts():
            arrays = [_array(column, rows) for column in sheet.columns]
            file.write_batch(pa.record_batch(arrays, schema=schema))


def _type(column: FileColumn) -> pa.DataType:
    if column.part == LABEL and column.kind == CATEGORY:
        return pa.dictionary(pa.int32(), pa.string())
    return column.cells.type


def _array(column: FileColumn, rows: slice) -> pa.Array:
    found = column.cells.take(pa.array(column.numbers(rows)))
    return found.dictionary_encode() if pa.types.is_dictionary(_type(column)) else found


WRITERS: Mapping[str, Callable[[Sheet, Path], None]] = {".csv": write_csv, ".parquet": write_parquet}
