"""Tables of classes: records and entries that look alike, counted."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers as Floats
from riskapp.core.rolled import kernels
from riskapp.core.rolled.fields import BITS, Field
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Numbers, Places

Ints = npt.NDArray[np.signedinteger]
AnyArray = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of equal keys, in the order of their keys; `kernels` says what the arrays hold.

    `beside` are a dictionary's entries as classes of their own, counted as `records`, which go along with those of the
    records: that takes less memory than one table for the keys of both.
    """

    rows: int
    keys: Numbers
    records: Ints
    people: Ints | None = None
    sums: Floats | None = None
    phi: Floats | None = None
    beside: "Classes | None" = None

    @property
    def arrays(self) -> tuple[AnyArray | None, ...]:
        """All columns, as the kernels take them."""
        return self.keys, self.records, self.people, self.sums, self.phi

    @property
    def terms(self) -> int:
        """How many sums there are."""
        return 0 if self.sums is None else self.sums.shape[1]

    @property
    def bytes(self) -> int:
        """The memory of all columns."""
        own = sum(array.nbytes for array in self.arrays if array is not None)
        return own if self.beside is None else own + self.beside.bytes

    @property
    def size(self) -> int:
        """The number of classes, those beside counted too."""
        return self.rows if self.beside is None else self.rows + self.beside.rows

    def room(self) -> "Classes":
        """Empty columns like these."""
        return Classes(
            self.rows,
            np.empty(self.rows, self.keys.dtype),
            np.empty(self.rows, self.records.dtype),
            None if self.people is None else np.empty(self.rows, self.people.dtype),
            None if self.sums is None else np.empty((self.rows, self.terms)),
            None if self.phi is None else np.empty(self.rows),
        )

    def cut(self, rows: int) -> "Classes":
        """The first rows, without what is beside them."""
        return Classes(
            rows,
            self.keys[:rows],
            self.records[:rows],
            None if self.people is None else self.people[:rows],
            None if self.sums is None else self.sums[:rows],
            None if self.phi is None else self.phi[:rows],
        )

    def with_phi(self, phi: Floats) -> "Classes":
        """The same classes with another φ."""
        return Classes(self.rows, self.keys, self.records, self.people, self.sums, phi, self.beside)

    def along(self, beside: "Classes | None") -> "Classes":
        """The same classes with others beside them."""
        return Classes(self.rows, self.keys, self.records, self.people, self.sums, self.phi, beside)


def classes(
    fields: Sequence[Field],
    sums: Sequence[Floats],
    times: Counts | None,
    *,
    itself: bool,
    together: bool = False,
    kinds: Places | None = None,
) -> Classes:
    """The classes of records and dictionary entries at the lowest levels.

    Parameters
    ----------
    fields : the attributes
    sums : what is added up over the records, for each of them a number
    times : how many people each entry stands for
    itself : whether the people are the records
    together : whether records and entries are put into one table
    kinds : the kind of every record, where `sums` holds a number for every kind
    """
    with ThreadPoolExecutor(2) as both:
        entries = None if itself else both.submit(_entries, fields, times)
        found = _records(fields, sums, kinds)
    if entries is None:
        return found
    keys, people = entries.result()
    return _joined(found, keys, people) if together else found.along(Classes(len(keys), keys, people))


def packed(fields: Sequence[Field], columns: Sequence[tuple[Codes, Numbers]]) -> Numbers:
    """The key of every row: each column's codes by their numbers."""
    keys = np.zeros(len(columns[0][0]), dtype=np.int64)
    for field, (codes, numbers) in zip(fields, columns, strict=True):
        kernels.pack(codes, numbers, field.shift, keys)
    return keys


def _records(fields: Sequence[Field], sums: Sequence[Floats], kinds: Places | None) -> Classes:
    keys = packed(fields, [(field.column.records, field.record_numbers) for field in fields])
    if not sums:
        different, counts = counted(keys, None)
        return Classes(len(different), different, counts)
    if kinds is not None:
        bits = (len(sums[0]) - 1).bit_length()
        if bits + fields[0].shift + fields[0].mask.bit_length() <= BITS:
            return _by_kind(keys, kinds, np.stack(sums, axis=1), bits)
        sums = [term[kinds] for term in sums]
    order = np.argsort(keys, kind="stable")
    different, counts = _summed(keys, order, np.ones(len(keys), dtype=_whole(len(keys))))
    terms = _summed(keys, order, np.stack(sums, axis=1))[1]
    return Classes(len(different), different, counts, sums=terms)


def _by_kind(keys: Numbers, kinds: Places, values: Floats, bits: int) -> Classes:
    """With the kinds in the lowest bits, numbers can be sorted instead of rows."""
    kernels.beside(keys, kinds, bits)
    keys.sort()
    different, counts = np.empty_like(keys), np.empty(len(keys), dtype=_whole(len(keys)))
    sums = np.empty((len(keys), values.shape[1]))
    rows = kernels.kind_sums(keys, bits, values, different, counts, sums)
    return Classes(rows, different[:rows].copy(), counts[:rows].copy(), sums=sums[:rows].copy())


def _entries(fields: Sequence[Field], times: Counts | None) -> tuple[Numbers, Ints]:
    columns = [(field.column.entries, field.numbers) for field in fields]
    return counted(packed(fields, [(codes, numbers) for codes, numbers in columns if codes is not None]), times)


def counted(keys: Numbers, times: Counts | None) -> tuple[Numbers, Ints]:
    """The different keys in their order, and how often each occurs."""
    if times is not None:
        return _summed(keys, np.argsort(keys, kind="stable"), times.astype(_whole(int(times.sum()))))
    keys = np.sort(keys)
    different, counts = np.empty_like(keys), np.empty(len(keys), dtype=_whole(len(keys)))
    found = kernels.runs(keys, different, counts)
    return different[:found].copy(), counts[:found].copy()


def _summed(keys: Numbers, order: Numbers, values: AnyArray) -> tuple[Numbers, AnyArray]:
    different, sums = np.empty_like(keys), np.empty(values.shape, dtype=values.dtype)
    found = kernels.summed_runs(keys, order, values, different, sums)
    return different[:found].copy(), sums[:found].copy()


def _whole(most: int) -> type[np.signedinteger]:
    """The smaller kind of whole number that can count so many."""
    return np.int32 if most < 2**31 else np.int64


def _joined(records: Classes, keys: Numbers, people: Ints) -> Classes:
    """One table for the keys of both."""
    most = records.rows + len(keys)
    all_keys, own, other = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    rows = kernels.union(records.keys, keys, all_keys, own, other)
    own, other = own[:rows], other[:rows]
    return Classes(
        rows,
        all_keys[:rows].copy(),
        _placed(records.records, own),
        _placed(people, other),
        None if records.sums is None else _placed(records.sums, own),
    )


def _placed(values: AnyArray, places: Numbers) -> AnyArray:
    """The values at their places, 0 where there is none."""
    found = np.empty((len(places), *values.shape[1:]), values.dtype)
    kernels.placed(values, places, found)
    return found
