"""One column being coded: its value list in memory, or on disk once it grew too long."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.engine.coded import VALUES_SCHEMA, Codes
from riskapp.engine.reading.spill import SpilledColumn, Store


class Column:
    """Gives every cell its code, window by window; the codes of a spilled column are final only after `finish`."""

    def __init__(self, missing: Sequence[str]) -> None:
        self._missing = pa.array(missing, pa.string())
        self._known: list[pa.Array] = []
        self._count = 0
        self.value_bytes = 0
        self.missing_cells = 0
        self._spilled: SpilledColumn | None = None
        self._spilled_from = 0
        self._places: Codes = np.zeros(0, np.int32)

    @property
    def is_spilled(self) -> bool:
        """Whether the value list is on disk."""
        return self._spilled is not None

    def code(self, cells: pa.ChunkedArray) -> Codes:
        """The codes of a window of cells."""
        encoded = cells.unify_dictionaries() if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
        values = encoded.chunk(0).dictionary
        is_missing = pc.is_in(values, value_set=self._missing).to_numpy(zero_copy_only=False)
        to = np.zeros(len(values), np.int32)
        to[~is_missing] = self._learn(values.filter(pa.array(~is_missing)) if is_missing.any() else values)
        codes: Codes = to[np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks])]
        self.missing_cells += int(len(codes) - np.count_nonzero(codes))
        return codes

    def _learn(self, values: pa.Array) -> Codes:
        if self._spilled is not None:
            return self._spilled.add(values)
        if not self._known:
            return self._append(values)
        found = pc.index_in(values, value_set=pa.chunked_array(self._known)).fill_null(-1).to_numpy()
        codes: Codes = found + np.int32(1)
        if (new := codes == 0).any():
            codes[new] = self._append(values.filter(pa.array(new)))
        return codes

    def _append(self, values: pa.Array) -> Codes:
        self._known.append(values)
        self.value_bytes += values.nbytes
        self._count += len(values)
        return np.arange(self._count - len(values) + 1, self._count + 1, dtype=np.int32)

    def spill(self, store: Store, parts: int, window: int) -> None:
        """Put the value list on disk; from this window on every window has a list of its own."""
        self._spilled, self._spilled_from = SpilledColumn(store, parts), window
        known = pa.concat_arrays(self._known) if self._known else pa.array([], pa.string())
        self._places = np.concatenate([np.zeros(1, np.int32), self._spilled.add(known)])
        self._known, self.value_bytes = [], 0

    def finish(self, path: Path, at: Callable[[float], None]) -> int:
        """Write the value list and return how many values there are, missing not counted."""
        with pq.ParquetWriter(path, VALUES_SCHEMA, compression="lz4", use_dictionary=False) as writer:

            def write(values: pa.Array) -> None:
                writer.write_table(pa.table([values.cast(pa.string())], schema=VALUES_SCHEMA))

            if self._spilled is not None:
                write(pa.nulls(1, pa.string()))
                return self._spilled.join(write, at)
            write(pa.concat_arrays([pa.nulls(1, pa.string()), *self._known]))
        return self._count

    def final(self, codes: Codes, window: int) -> Codes:
        """The final codes of a window of a spilled column, after `finish`."""
        if self._spilled is None:
            return codes
        if window < self._spilled_from:
            return self._spilled.map_of(0)[self._places[codes]]
        return self._spilled.map_of(window - self._spilled_from + 1)[codes]
