"""From batches of text to codes and value lists on disk, a window of rows at a time.

While one window is being coded, a few columns at once, the next one is already being parsed.
"""

import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.engine.coded import CODES, VALUES, Codes, codes_schema, values_path
from riskapp.engine.reading.column import Column
from riskapp.engine.reading.faults import counted, fault
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.progress import Progress
from riskapp.engine.reading.source import Columns
from riskapp.engine.reading.spill import Store

# Codes are small numbers: their high bytes are zero, and lie together when the bytes are split.
CODES_LAYOUT = {
    "compression": "lz4",
    "use_dictionary": False,
    "column_encoding": "BYTE_STREAM_SPLIT",
    "write_statistics": False,
}
WINDOW_ROWS = 1 << 23
PROVISIONAL = "provisional.parquet"
SPARE_PARTS = 4
MOST_PARTS = 4_096


def _nobody(fraction: float) -> None:
    """Tell nobody."""


class Coder:
    """Takes batches, writes `codes.parquet` and the value lists into a folder."""

    def __init__(self, folder: Path, columns: int, missing: Sequence[str], limits: Limits, progress: Progress) -> None:
        self._folder, self._limits, self._progress = folder, limits, progress
        (folder / VALUES).mkdir(parents=True)
        self._schema = codes_schema(columns)
        self._columns = [Column(missing) for _ in range(columns)]
        self._writer = pq.ParquetWriter(folder / CODES, self._schema, **CODES_LAYOUT)
        self._pool = ThreadPoolExecutor(limits.threads)
        self._store: Store | None = None
        self._batches: list[Columns] = []
        self._bytes = self._batch_rows = 0
        self._coding: list[Future[Codes]] = []
        self._windows = 0
        self._fraction = 0.0
        self._last = self._schema.empty_table()
        self.rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._writer.close()
        if self._store is not None:
            self._store.__exit__()

    @property
    def missing_cells(self) -> list[int]:
        """How many cells of each column are missing."""
        return [column.missing_cells for column in self._columns]

    def take(self, columns: Columns, fraction: float) -> None:
        """Take a batch; `fraction` says how much of the file has been read with it."""
        if not len(columns[0]):
            return
        self._batches.append(columns)
        self._batch_rows += len(columns[0])
        self._bytes += sum(column.nbytes for column in columns)
        self._fraction = fraction
        if self.rows + self._batch_rows > self._limits.max_rows:
            raise fault("too-many-rows", limit=counted(self._limits.max_rows))
        limit = self._limits.window_bytes if self.rows else self._limits.first_window_bytes
        if self._bytes >= limit or self._batch_rows >= WINDOW_ROWS:
            self._start_window()
        self._progress.at(fraction)

    def _start_window(self) -> None:
        codes = self._coded()
        window = [pa.chunked_array(chunks) for chunks in zip(*self._batches, strict=True)]
        self._coding = [
            self._pool.submit(column.code, cells) for column, cells in zip(self._columns, window, strict=True)
        ]
        self.rows += self._batch_rows
        self._batches, self._bytes, self._batch_rows = [], 0, 0
        self._write(codes)  # while the next window is already being coded

    def _coded(self) -> pa.Table:
        """Wait for the window that is being coded, and put value lists on disk that grew too long."""
        if not self._coding:
            return self._schema.empty_table()
        self._patiently(self._coding, self._fraction)
        codes = pa.table([future.result() for future in self._coding], schema=self._schema)
        self._coding = []
        self._windows += 1
        self._spill()
        return codes

    def _patiently(self, futures: Collection[Future[Any]], fraction: float) -> None:
        """Wait for work in the pool and go on reporting; an error in it is raised here."""
        while wait(futures, timeout=self._limits.report_seconds or 0.05).not_done:
            self._progress.at(fraction)
        for future in futures:
            future.result()

    def _write(self, codes: pa.Table) -> None:
        if codes.num_rows:
            self._writer.write_table(codes, row_group_size=codes.num_rows)

    def _spill(self) -> None:
        total = sum(column.value_bytes for column in self._columns)
        for column in sorted(self._columns, key=lambda column: -column.value_bytes):
            if column.value_bytes <= self._limits.column_bytes and total <= self._limits.values_bytes:
                return
            total -= column.value_bytes
            self._store = self._store or Store(self._folder / "spill")
            expected = SPARE_PARTS * column.value_bytes / max(self._fraction, 0.001)
            parts = min(2 + int(expected / max(self._limits.part_bytes, 1)), MOST_PARTS)
            self._patiently([self._pool.submit(column.spill, self._store, parts, self._windows)], self._fraction)

    def end_rows(self) -> None:
        """Code what is left; no more batches will come."""
        if self._batches:
            self._start_window()
        self._last = self._coded()

    def finish(self) -> list[int]:
        """Write the value lists, make the codes final, and return how many values each column has."""
        short = {at: self._pool.submit(self._finish_column, at) for at in self._positions(spilled=False)}
        self._write(self._last)
        self._writer.close()
        # Long lists one after the other: each needs memory, and only this thread may report.
        long = {at: self._finish_column(at, self._progress.at) for at in self._positions(spilled=True)}
        self._patiently(short.values(), 0.5)
        if self._store is not None:
            self._make_final()
            self._store.remove()
        return [long[at] if at in long else short[at].result() for at in range(len(self._columns))]

    def _positions(self, *, spilled: bool) -> list[int]:
        return [at for at, column in enumerate(self._columns) if column.is_spilled == spilled]

    def _finish_column(self, position: int, tell: Callable[[float], None] = _nobody) -> int:
        def at(fraction: float) -> None:
            tell(0.5 * (position + fraction) / len(self._columns))

        return self._columns[position].finish(values_path(self._folder, position), at)

    def _make_final(self) -> None:
        os.rename(self._folder / CODES, self._folder / PROVISIONAL)
        with (
            pq.ParquetFile(self._folder / PROVISIONAL) as provisional,
            pq.ParquetWriter(self._folder / CODES, self._schema, **CODES_LAYOUT) as writer,
        ):
            for window in range(provisional.num_row_groups):
                table = self._final(provisional.read_row_group(window), window)
                writer.write_table(table, row_group_size=max(table.num_rows, 1))
                self._progress.at(0.5 + 0.5 * (window + 1) / provisional.num_row_groups)
        (self._folder / PROVISIONAL).unlink()

    def _final(self, provisional: pa.Table, window: int) -> pa.Table:
        arrays = [
            column.final(codes.to_numpy(), window) if column.is_spilled else codes
            for column, codes in zip(self._columns, provisional.columns, strict=True)
        ]
        return pa.table(arrays, schema=self._schema)
