"""The profile of a table: its time as a ratio to `pyarrow.csv.read_csv` of the same table, and part by part.

Run as `python benchmarks/profile.py [rows] [columns of the wide table]`.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tables import typical
from riskapp.engine.coded import CODES, MISSING, VALUES, VALUES_SCHEMA, CodedTable, codes_schema, describe, values_path
from riskapp.engine.profile import profile
from riskapp.engine.profile.measure import measure_column
from riskapp.engine.profile.pairs import measure_pairs
from riskapp.engine.profile.progress import Progress
from riskapp.engine.profile.source import Source
from riskapp.engine.profile.suggest import suggestions
from riskapp.engine.reporting import silent

Answer = TypeVar("Answer")
WIDE_ROWS = 4_000


def main(rows: int = 1_000_000, wide: int = 2_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = typical(rows)
        csv.write_csv(made, f"{folder}/table.csv")
        table = code(made, Path(folder, "tall"))
        reading, _ = _timed(lambda: csv.read_csv(f"{folder}/table.csv"))
        whole = _report_gaps(table)
        print(f"profile, {rows:,} rows x {len(table.names)} columns")
        print(f"  pyarrow.csv.read_csv            {reading:8.2f} s")
        print(f"  profile                         {whole[0]:8.2f} s   {whole[0] / reading:5.1f} x read_csv")
        print(f"  longest time between reports    {whole[1]:8.2f} s")
        _parts(table)
        _wide(Path(folder, "wide"), wide)
    print(f"  peak memory of this process     {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


def code(made: pa.Table, folder: Path) -> CodedTable:
    """A table in memory as a coded table."""
    (folder / VALUES).mkdir(parents=True)
    columns = [_code(folder, position, column) for position, column in enumerate(made.columns)]
    arrays = [pa.array(codes) for codes, _ in columns]
    pq.write_table(pa.table(arrays, schema=codes_schema(len(arrays))), folder / CODES)
    missing = [int((codes == 0).sum()) for codes, _ in columns]
    distinct = [different for _, different in columns]
    describe(folder, rows=made.num_rows, names=made.column_names, distinct=distinct, missing=missing, reading={})
    return CodedTable.open(folder)


def _code(folder: Path, position: int, column: pa.ChunkedArray) -> tuple[np.ndarray, int]:
    text = column.cast(pa.string())
    text = pc.if_else(pc.is_in(text, pa.array(MISSING)), None, text)
    coded = text.combine_chunks().dictionary_encode()
    values = pa.concat_arrays([pa.nulls(1, pa.string()), coded.dictionary])
    pq.write_table(pa.table([values], schema=VALUES_SCHEMA), values_path(folder, position))
    codes = pc.add(pc.fill_null(coded.indices, -1), 1).cast(pa.int32())
    return codes.to_numpy(), len(coded.dictionary)


def _report_gaps(table: CodedTable) -> tuple[float, float]:
    """The time of a whole profile, and the longest time without a report."""
    moments = [time.perf_counter()]
    seconds, _ = _timed(lambda: profile(table, report=lambda *_: moments.append(time.perf_counter())))
    return seconds, max(np.diff(moments))


def _parts(table: CodedTable) -> None:
    progress = Progress(silent)
    with Source(table, progress.tick) as source:
        names = list(enumerate(table.names))
        columns, facts = _timed(lambda: [measure_column(table, source, at, name, progress) for at, name in names])
        told, _ = _timed(lambda: [suggestions(each) for each in facts])
        figures = [each.measured for each in facts]
        pairs, counted = _timed(lambda: measure_pairs(source, figures, progress, 0, 1))
    print(f"  of it columns and types         {columns:8.2f} s")
    print(f"  of it suggestions               {told:8.2f} s")
    print(f"  of it pairs                     {pairs:8.2f} s   {counted.counted} counted, {counted.known} known")


def _wide(folder: Path, columns: int) -> None:
    table = code(_many_columns(columns), folder)
    before = time.process_time()
    seconds, found = _timed(lambda: profile(table))
    busy = time.process_time() - before
    print(f"profile, {WIDE_ROWS:,} rows x {columns:,} columns")
    print(f"  profile                         {seconds:8.2f} s   {busy:.2f} s of the processor")
    print(f"  pairs counted                   {found.pairs.counted:8,}     of {found.pairs.all:,}")


def _many_columns(columns: int) -> pa.Table:
    draw = np.random.default_rng(0)
    kinds: Sequence[Callable[[int], pa.Array]] = (
        lambda many: pa.array(draw.integers(0, many, WIDE_ROWS)).cast(pa.string()),
        lambda many: pa.array(draw.integers(0, many, WIDE_ROWS) / 8).cast(pa.string()),
        lambda many: pa.array([f"group {number}" for number in draw.integers(0, many, WIDE_ROWS)]),
        lambda many: pa.array([f"20{number % 90 + 10}-0{number % 9 + 1}-11" for number in range(WIDE_ROWS)]),
    )
    return pa.table({f"v{at}": kinds[at % 4]((3, 50, 900, 10**6)[at // 4 % 4]) for at in range(columns)})


def _timed(call: Callable[[], Answer]) -> tuple[float, Answer]:
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
