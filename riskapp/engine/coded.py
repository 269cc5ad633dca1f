"""The coded table: a table kept as whole numbers, with one list of values beside each column.

On disk it is a folder. `table.json` says what is in it. `codes.parquet` has one int32 column per column of the file,
named by position; code 0 means missing, code i is position i of the value list. `values/<position>.parquet` is that
list: position 0 is null, all others are distinct. So `values(i)` taken at `codes(i)` is column i again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

FORMAT = 1
ABOUT = "table.json"
CODES = "codes.parquet"
VALUES = "values"
MISSING = ("", "NA")

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A coded table on disk: what it holds is known at once, codes and values are fetched when asked for."""

    folder: Path
    rows: int
    names: list[str]
    distinct: list[int]
    missing: list[int]
    reading: Mapping[str, Any] = field(default_factory=dict)
    left_out: int = 0

    @classmethod
    def open(cls, folder: Path) -> "CodedTable":
        """The table in a folder; a folder written by another version of the format is an error."""
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if about["format"] != FORMAT:
            raise ValueError(f"The coded table has format {about['format']}, this version reads {FORMAT}.")
        columns = about["columns"]
        return cls(
            folder=folder,
            rows=about["rows"],
            names=[column["name"] for column in columns],
            distinct=[column["distinct"] for column in columns],
            missing=[column["missing"] for column in columns],
            reading=about["reading"],
            left_out=about["left_out"],
        )

    def codes(self, column: int) -> Codes:
        """One whole number per row: 0 where the cell is missing, else the position in `values(column)`."""
        with pq.ParquetFile(self.folder / CODES, metadata=self._codes_about) as file:
            codes: Codes = file.read(columns=[str(column)]).column(0).to_numpy()
        return codes

    @cached_property
    def _codes_about(self) -> pq.FileMetaData:
        """What the file of codes says about itself; with many columns it is slow to read."""
        return pq.read_metadata(self.folder / CODES)

    def values(self, column: int) -> pa.LargeStringArray:
        """The column's value list: null first, then every distinct value once."""
        with pq.ParquetFile(values_path(self.folder, column)) as file:
            return _joined(file.read().column(0))


def _joined(chunks: pa.ChunkedArray) -> pa.LargeStringArray:
    return pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in chunks.chunks])


def values_path(folder: Path, column: int) -> Path:
    """Where a column's value list lies."""
    return folder / VALUES / f"{column}.parquet"


def codes_schema(columns: int) -> pa.Schema:
    """The schema of `codes.parquet`: int32 columns named by position, none of them null."""
    return pa.schema([pa.field(str(position), pa.int32(), nullable=False) for position in range(columns)])


VALUES_SCHEMA = pa.schema([pa.field("value", pa.string())])


def describe(
    folder: Path,
    *,
    rows: int,
    names: Sequence[str],
    distinct: Sequence[int],
    missing: Sequence[int],
    reading: Mapping[str, Any],
    left_out: int = 0,
) -> None:
    """Write `table.json`, the last file of a coded table: a folder without it is not one."""
    columns = [
        {"name": name, "distinct": different, "missing": empty}
        for name, different, empty in zip(names, distinct, missing, strict=True)
    ]
    about = {"format": FORMAT, "rows": rows, "columns": columns, "reading": dict(reading), "left_out": left_out}
    (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")


def write(
    folder: Path,
    names: Sequence[str],
    columns: Sequence[Sequence[str | None]],
    *,
    missing: Sequence[str] = MISSING,
    reading: Mapping[str, Any] | None = None,
) -> CodedTable:
    """Write a small table that is already in memory and open it: one sequence of cells per column.

    The plain way to the format, cell by cell; files of any size go through `engine.reading`.
    """
    coded = [_code(cells, {None, *missing}) for cells in columns]
    (folder / VALUES).mkdir(parents=True)
    for position, (_, values) in enumerate(coded):
        pq.write_table(pa.table([pa.array(values, pa.string())], schema=VALUES_SCHEMA), values_path(folder, position))
    arrays = [pa.array(codes, pa.int32()) for codes, _ in coded]
    pq.write_table(pa.table(arrays, schema=codes_schema(len(arrays))), folder / CODES)
    describe(
        folder,
        rows=len(columns[0]) if columns else 0,
        names=names,
        distinct=[len(values) - 1 for _, values in coded],
        missing=[codes.count(0) for codes, _ in coded],
        reading=reading or {"missing": list(missing)},
    )
    return CodedTable.open(folder)


def _code(cells: Sequence[str | None], missing: set[str | None]) -> tuple[list[int], list[str | None]]:
    known: dict[str | None, int] = dict.fromkeys(missing, 0)
    values: list[str | None] = [None]
    codes = []
    for cell in cells:
        if cell not in known:
            known[cell] = len(values)
            values.append(cell)
        codes.append(known[cell])
    return codes, values
