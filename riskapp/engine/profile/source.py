"""Where the numbers come from: codes column by column from one open file, a bounded number of columns kept."""

from collections import OrderedDict
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow.parquet as pq

from riskapp.engine.coded import CODES, CodedTable, Codes
from riskapp.engine.profile.counting import Tick

# 64 columns of a million rows, three of twenty million.
BYTES_KEPT = 256 * 2**20
ROWS_AT_ONCE = 1 << 20


class Source:
    """The codes of a table's columns; the file is opened once, and the columns used last are kept."""

    def __init__(self, table: CodedTable, tick: Tick, bytes_kept: int = BYTES_KEPT) -> None:
        self._rows, self._tick = table.rows, tick
        self._file = pq.ParquetFile(table.folder / CODES, memory_map=True)
        self._kept: OrderedDict[int, Codes] = OrderedDict()
        # A pair needs two columns at once, however large they are.
        self._most = max(2, bytes_kept // max(4 * table.rows, 1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def codes(self, column: int) -> Codes:
        """The codes of one column, kept for the next time."""
        if column not in self._kept:
            self._kept[column] = self._read(column)
        self._kept.move_to_end(column)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[column]

    def _read(self, column: int) -> Codes:
        codes = np.empty(self._rows, dtype=np.int32)
        start = 0
        # For one column, handing the work to another thread costs more than it saves.
        for batch in self._file.iter_batches(ROWS_AT_ONCE, columns=[str(column)], use_threads=False):
            codes[start : start + len(batch)] = batch.column(0).to_numpy()
            start += len(batch)
            self._tick()
        return codes
