"""How many people every record may be at every node of a dictionary's lattice, from classes that are merged.

Records that look alike to the dictionary at the lowest levels are one class, and each class has a pointer to the one it
belongs to at a node. When an attribute is raised, every class becomes a part of another: pointers are followed by one
more step instead of comparing records again. The dictionary's entries are merged along as `Classes`, so at every node
the people of a class are those of the entries with the same key.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import prod

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.errors import Stopped
from riskapp.core.rolled import kernels, merging
from riskapp.core.rolled.classes import Classes, Ints, counted, packed
from riskapp.core.rolled.fields import Column, Field, laid_out
from riskapp.core.rolled.walk import Walk
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Numbers, Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Stop, never

MOST_BITS = 63


@dataclass(frozen=True, eq=False)
class Crowds:
    """|ρ| of every record at every node.

    Attributes
    ----------
    fields : the attributes that the dictionary knows
    order : the records, those of a class one after the other
    own : the class of every record
    people : a row for each node of the fields, the last changing fastest; a column for each class

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> found = crowds(asked, asked.dictionaries[0])
    >>> found.at((0,)), found.at((1,)), found.at((5,))
    (array([1, 1, 1]), array([2, 2, 1]), array([3, 3, 3]))
    """

    fields: Sequence[Field]
    order: Places
    own: Codes
    people: Ints

    def at(self, node: Node) -> Counts:
        """|ρ| of every record when all are at one node."""
        counts: Counts = self.people[self.row(node), self.own].astype(np.int64)
        return counts

    def row(self, node: Node) -> int:
        """The row of a node of the whole lattice."""
        row = 0
        for field in self.fields:
            row = row * (field.steps + 1) + min(max(node[field.place] - field.column.level, 0), field.steps)
        return row

    def some(self, records: Places) -> "Crowds":
        """Those of some records."""
        own = self.own[records]
        return Crowds(self.fields, np.argsort(own, kind="stable"), own, self.people)


def crowds(problem: Problem, dictionary: Dictionary, *, stop: Stop = never, threads: int = 2) -> Crowds:
    """Count the people of one dictionary for all records at all nodes.

    Parameters
    ----------
    problem : whose records are looked at; that several may be one person's is not asked
    dictionary : of whose entries each is somebody else
    stop : whether to stop
    threads : how many nodes are counted side by side

    Raises
    ------
    Stopped
        As soon as `stop` says so.
    ValueError
        If only the general way is left: see `laid`.
    """
    fields = laid(problem, dictionary)
    if fields is None:
        raise ValueError("The dictionary cannot be rolled up.")
    columns = [(field.column.entries, field.numbers) for field in fields]
    keys = packed(fields, [(codes, numbers) for codes, numbers in columns if codes is not None])
    different, people = counted(keys, dictionary.times)
    found = _different(packed(fields, [(field.column.records, field.record_numbers) for field in fields]))
    rolling = _Rolling(fields, Classes(len(different), different, people), len(found.keys), stop, threads)
    return Crowds(fields, found.order, found.own, rolling.run(found.keys))


def laid(problem: Problem, dictionary: Dictionary) -> tuple[Field, ...] | None:
    """The dictionary's attributes as fields; None when its people cannot be counted by classes.

    That is when entries share identities or are matched by likeness, a value is missing, or 62 bits are not enough.
    """
    if dictionary.identities is not None or any(known.alike is not None for known in dictionary.known):
        return None
    fields = laid_out([_column(problem, dictionary, place) for place in range(len(dictionary.known))])
    return None if fields is None or any(field.missing for field in fields) else fields


def projections(problem: Problem, dictionary: Dictionary) -> int:
    """How many nodes the dictionary's own lattice has."""
    steps = [_column(problem, dictionary, place).steps for place in range(len(dictionary.known))]
    return prod(one + 1 for one in steps)


def _column(problem: Problem, dictionary: Dictionary, place: int) -> Column:
    known = dictionary.known[place]
    kept = problem.columns[known.place].kept
    return Column(known.place, known.hierarchy, known.level, problem.column(known.place).codes, known.codes, kept)


@dataclass(frozen=True, eq=False)
class _Different:
    keys: Numbers
    order: Places
    own: Codes


def _different(keys: Numbers) -> _Different:
    """Every key once, in their order, the rows in the order of their keys, and where the key of each row is."""
    bits = max(1, len(keys) - 1).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits <= MOST_BITS:
        # With the row in the lowest bits numbers can be sorted, which is faster than to sort rows.
        both = (keys << bits) | np.arange(len(keys))
        both.sort()
        order, keys = both & ((1 << bits) - 1), both >> bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    own, different = np.empty(len(keys), np.int32), np.empty_like(keys)
    many = _numbered(keys, order, different, own)
    return _Different(different[:many].copy(), order, own)


@dataclass(frozen=True, eq=False)
class _Rolling:
    """The walk through the dictionary's lattice, as `Walk` takes it; the last field is raised in threads."""

    fields: Sequence[Field]
    entries: Classes
    classes: int
    stop: Stop
    threads: int

    def run(self, keys: Numbers) -> Ints:
        people = np.zeros((prod(field.steps + 1 for field in self.fields), self.classes), self.entries.records.dtype)
        waiting: list[Future[None]] = []
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                start = np.arange(self.classes, dtype=np.int32)
                for row, own, table, pointers in self._outer(0, 0, keys, self.entries, start):
                    waiting.append(pool.submit(self._inner, row, own, table, pointers, people))
                    if len(waiting) > self.threads:
                        waiting.pop(0).result()
                for task in waiting:
                    task.result()
            finally:
                for task in waiting:
                    task.cancel()
        return people

    def _outer(
        self, depth: int, row: int, keys: Numbers, entries: Classes, pointers: Codes
    ) -> Iterator[tuple[int, Numbers, Classes, Codes]]:
        """The classes of all nodes of all fields but the last, and the first row of each."""
        if depth == len(self.fields) - 1:
            yield row * (self.fields[-1].steps + 1), keys, entries, pointers
            return
        size = self.fields[depth].steps + 1
        for step in range(size):
            if step:
                keys, entries, above = self._raised(depth, step, keys, entries)
                pointers = _composed(above, pointers)
            yield from self._outer(depth + 1, row * size + step, keys, entries, pointers)

    def _inner(self, row: int, keys: Numbers, entries: Classes, pointers: Codes, people: Ints) -> None:
        depth = len(self.fields) - 1
        for step in range(self.fields[depth].steps + 1):
            if self.stop():
                raise Stopped
            if step:
                keys, entries, above = self._raised(depth, step, keys, entries)
                pointers = _composed(above, pointers)
            here = np.zeros(max(1, len(keys)), people.dtype)
            kernels.joined(len(keys), keys, entries.rows, entries.keys, entries.records, here)
            _followed(here, pointers, people[row + step])

    def _raised(self, depth: int, step: int, keys: Numbers, entries: Classes) -> tuple[Numbers, Classes, Codes]:
        """Both with one field a step higher, and for every class of records that which it becomes a part of."""
        field = self.fields[depth]
        parents, rows = field.parents[step - 1], len(keys)
        above, made = np.empty(rows, np.int32), np.empty_like(keys)
        if field.shift == 0:
            many = _neighbours(keys, parents, field.mask, made, above)
        else:
            raised, order, spare = (np.empty(rows, np.int64) for _ in range(3))
            merging.merging_order(rows, keys, parents, field.shift, field.mask, raised, order, spare)
            many = _numbered(raised[order], order, made, above)
        table = Walk(self.fields, (), _nothing).raised(entries, depth, step, None)
        return made[:many], table, above


def _composed(above: Codes, pointers: Codes) -> Codes:
    """Pointers followed one step further, outside Python's lock."""
    found = np.empty_like(pointers)
    _followed(above, pointers, found)
    return found


def _nothing(node: Node, found: Classes, last: object) -> None:
    """Entries are only merged."""


@compiled
def _numbered(keys, order, o_keys, o_own):
    """Sorted keys each once, and for each row, given in the order of their keys, which it is."""
    at = -1
    for i in range(keys.size):
        if at < 0 or o_keys[at] != keys[i]:
            at += 1
            o_keys[at] = keys[i]
        o_own[order[i]] = at
    return at + 1


@compiled
def _neighbours(keys, parents, mask, o_keys, o_own):
    """Raise the attribute in the lowest bits: what becomes equal stands side by side."""
    at = -1
    for i in range(keys.size):
        key = (keys[i] & ~mask) | np.int64(parents[keys[i] & mask])
        if at < 0 or o_keys[at] != key:
            at += 1
            o_keys[at] = key
        o_own[i] = at
    return at + 1


@compiled
def _followed(values, pointers, out):
    for i in range(pointers.size):
        out[i] = values[pointers[i]]
