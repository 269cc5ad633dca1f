"""Value lists too long for memory: kept on disk in parts by hash, joined part by part at the end.

Every window of rows brings its own list of distinct values, put in the order of the parts. Two equal values from two
windows fall into the same part, so each part can be joined by itself, and only one is in memory at a time. Joining
gives each entry of each list its final code; these maps lie on disk too, in the order of the lists.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from riskapp.engine.coded import Codes
from riskapp.engine.reading.hashing import layout, parts_of

Ends = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Kept:
    """A list of values on disk: where its offsets, its bytes and its map lie, and behind which entry each part ends."""

    offsets_at: int
    bytes_at: int
    ends: Ends
    map_at: int

    def part(self, number: int) -> tuple[int, int]:
        """The first entry of a part and the one behind its last."""
        return (int(self.ends[number - 1]) if number else 0), int(self.ends[number])

    @property
    def length(self) -> int:
        """How many values are in the list."""
        return int(self.ends[-1])


class Store:
    """Two files that grow: the lists of values, and the maps from their entries to final codes."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._values = (folder / "lists").open("w+b", buffering=0)
        self._maps = (folder / "maps").open("w+b", buffering=0)
        self._entries = 0
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._values.close()
        self._maps.close()

    def remove(self) -> None:
        """Delete both files."""
        self.__exit__()
        shutil.rmtree(self._folder)

    def keep(self, values: pa.Array, ends: Ends) -> Kept:
        """Write a list that is already in the order of its parts."""
        starts, lengths, raw = layout(values)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        first = int(starts[0]) if len(starts) else 0
        with self._lock:
            place = self._values.seek(0, 2)
            _write_all(self._values.write, offsets)
            _write_all(self._values.write, raw[first : first + int(offsets[-1])])
            kept = Kept(place, place + offsets.nbytes, ends, self._entries * 4)
            self._entries += len(values)
        return kept

    def fetch(self, kept: Kept, number: int) -> pa.LargeStringArray:
        """The values of one part of a list."""
        start, stop = kept.part(number)
        self._values.seek(kept.offsets_at + start * 8)
        offsets = np.frombuffer(_read_all(self._values.read, (stop - start + 1) * 8), np.int64)
        self._values.seek(kept.bytes_at + int(offsets[0]))
        content = _read_all(self._values.read, int(offsets[-1] - offsets[0]))
        return pa.LargeStringArray.from_buffers(stop - start, pa.py_buffer(offsets - offsets[0]), pa.py_buffer(content))

    def put_map(self, kept: Kept, start: int, codes: Codes) -> None:
        """Write the final codes of entries of a list, from `start` on."""
        self._maps.seek(kept.map_at + start * 4)
        _write_all(self._maps.write, codes)

    def map_of(self, kept: Kept) -> Codes:
        """The final code of every entry of a list, and 0 before them for missing."""
        self._maps.seek(kept.map_at)
        codes = np.frombuffer(_read_all(self._maps.read, kept.length * 4), np.int32)
        return np.concatenate([np.zeros(1, np.int32), codes])


def _write_all(write: Callable[[memoryview], int | None], array: npt.NDArray[np.generic]) -> None:
    # An unbuffered write may take less than it was given, on Linux at most 2 GB.
    rest = np.ascontiguousarray(array).data.cast("B") if array.size else memoryview(b"")
    while rest:
        rest = rest[write(rest) or 0 :]


def _read_all(read: Callable[[int], bytes | None], count: int) -> bytes:
    pieces: list[bytes] = []
    while count and (piece := read(count)):
        pieces.append(piece)
        count -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class SpilledColumn:
    """The lists of one column that went to disk."""

    def __init__(self, store: Store, parts: int) -> None:
        self._store = store
        self._parts = parts
        self._lists: list[Kept] = []

    def add(self, values: pa.Array) -> Codes:
        """Put a list of distinct values on disk; returns each value's place in it, counted from 1."""
        part = parts_of(values, self._parts)
        order = np.argsort(part, kind="stable")
        ends = np.cumsum(np.bincount(part, minlength=self._parts)).astype(np.int64)
        self._lists.append(self._store.keep(values.take(pa.array(order)), ends))
        places = np.empty(len(order), np.int32)
        places[order] = np.arange(1, len(order) + 1, dtype=np.int32)
        return places

    def join(self, write: Callable[[pa.Array], None], at: Callable[[float], None]) -> int:
        """Join the lists part by part, hand out every distinct value once, and return how many there are."""
        known = 0
        for number in range(self._parts):
            joined = pa.concat_arrays([self._store.fetch(kept, number) for kept in self._lists]).dictionary_encode()
            self._put_maps(number, joined.indices.to_numpy() + np.int32(known + 1))
            write(joined.dictionary)
            known += len(joined.dictionary)
            at((number + 1) / self._parts)
        return known

    def _put_maps(self, number: int, codes: Codes) -> None:
        """Write the final codes of a part, list by list."""
        done = 0
        for kept in self._lists:
            start, stop = kept.part(number)
            self._store.put_map(kept, start, codes[done : done + stop - start])
            done += stop - start

    def map_of(self, place: int) -> Codes:
        """The final codes of a list, to be looked up by the codes that `add` gave."""
        return self._store.map_of(self._lists[place])
