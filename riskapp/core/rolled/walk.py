"""The walk through a lattice of classes: every node's table is made from a finer one.

Attributes are raised from the first field to the last, depth first: the table at (x₁, …, x_j, 0, …, 0) comes from the
one with x_j − 1. The last field is raised most often and costs one pass over sorted classes. The first few fields
are raised here, each table then goes as a task to a thread of its own; the kernels run outside Python's lock.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from math import prod

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers as Floats
from riskapp.core.rolled import kernels, merging
from riskapp.core.rolled.classes import AnyArray, Classes
from riskapp.core.rolled.fields import Field
from riskapp.core.table.keys import Numbers
from riskapp.core.table.lattice import Node
from riskapp.core.watching import Stop, never

SCRATCH_BITS = 18
"""The scratch table of a merge has at most so many bits of places: it should stay in the processor's cache."""
TASKS = 4
"""At least so many tasks for each thread, where there are enough nodes."""

Felt = Sequence[Sequence[Floats | None]]
"""For each field and step what its numbers add to φ; None where they add nothing."""
Visit = Callable[[Node, Classes, Floats | None], None]
"""Called with the steps of every field, the classes there, and what the last field still adds to φ."""


@dataclass
class Scratch:
    """One thread's working memory, kept from merge to merge."""

    buffers: dict[int, Classes] = field(default_factory=dict)
    places: tuple[AnyArray | None, ...] = ()
    other: "Scratch | None" = None

    @property
    def beside(self) -> "Scratch":
        """The same for tables that go along with others."""
        if self.other is None:
            self.other = Scratch()
        return self.other

    def buffer(self, depth: int, like: Classes) -> Classes:
        """Room for a table like this at a depth."""
        held = self.buffers.get(depth)
        if held is None or held.rows < like.rows or (held.phi is None) != (like.phi is None):
            held = self.buffers[depth] = like.room()
        return held

    def merging(self, like: Classes, bits: int) -> tuple[AnyArray | None, ...]:
        """A clean place for every combination of some bits, and the bitmaps."""
        size = 1 << bits
        if not self.places or len(self.places[0]) < size:  # type: ignore[arg-type]
            self.places = (
                np.zeros(size, like.records.dtype),
                None if like.people is None else np.zeros(size, like.people.dtype),
                None if like.sums is None else np.zeros((size, like.terms)),
                np.zeros(max(1, size >> 6), np.uint64),
                np.zeros(max(1, size >> 12), np.uint64),
            )
        return self.places


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk over all nodes of some fields.

    Parameters
    ----------
    fields : from the highest bits to the lowest
    felt : what each adds to φ
    visit : called at every node, from several threads
    stop : whether to stop
    threads : how many
    """

    fields: Sequence[Field]
    felt: Felt
    visit: Visit
    stop: Stop = never
    threads: int = 2

    def run(self, table: Classes) -> None:
        """Visit every node, beginning with the classes at the lowest levels.

        Raises
        ------
        Stopped
            As soon as `stop` says so; nothing is visited any more afterwards.
        """
        waiting: set[Future[None]] = set()
        pool: list[Scratch] = [Scratch() for _ in range(self.threads)]
        with ThreadPoolExecutor(self.threads) as threads:
            try:
                for steps, found in self._outer(table, 0, ()):
                    while len(waiting) > self.threads:
                        waiting = self._finished(waiting)
                    waiting.add(threads.submit(self._task, pool, steps, found))
                while waiting:
                    waiting = self._finished(waiting)
            finally:
                for future in waiting:
                    future.cancel()

    def _finished(self, waiting: set[Future[None]]) -> set[Future[None]]:
        done, rest = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        return rest

    def _task(self, pool: list[Scratch], steps: Node, table: Classes) -> None:
        scratch = pool.pop()
        try:
            self._inner(table, steps, scratch)
        finally:
            pool.append(scratch)

    def _outer(self, table: Classes, depth: int, steps: Node) -> Iterator[tuple[Node, Classes]]:
        """The tables of all nodes of the first fields, the others at their lowest levels."""
        if depth == self.split:
            yield steps, table
            return
        for step in range(self.fields[depth].steps + 1):
            if step:
                table = self.raised(table, depth, step, None)
            yield from self._outer(self._with_phi(table, depth, step), depth + 1, (*steps, step))

    @property
    def split(self) -> int:
        """How many fields are raised before the tables become tasks: enough for all threads, never the last one."""
        wanted = TASKS * self.threads
        sizes = [prod(field.steps + 1 for field in self.fields[:depth]) for depth in range(len(self.fields))]
        return next((depth for depth, size in enumerate(sizes) if size >= wanted), len(self.fields) - 1)

    def _inner(self, table: Classes, steps: Node, scratch: Scratch) -> None:
        """All nodes of the other fields."""
        if self.stop():
            raise Stopped
        depth = len(steps)
        last = depth == len(self.fields) - 1
        for step in range(self.fields[depth].steps + 1):
            if step:
                table = self.raised(table, depth, step, scratch)
            if last:
                self.visit((*steps, step), table, self.felt[depth][step])
            else:
                self._inner(self._with_phi(table, depth, step), (*steps, step), scratch)

    def _with_phi(self, table: Classes, depth: int, step: int) -> Classes:
        added = self.felt[depth][step]
        if added is None:
            return table
        field, phi = self.fields[depth], np.empty(table.rows)
        kernels.looked_up(table.rows, table.keys, field.shift, field.mask, added, table.phi, phi)
        return table.with_phi(phi)

    def raised(self, table: Classes, depth: int, step: int, scratch: Scratch | None) -> Classes:
        """The table with one field a step higher: in the thread's own memory, or in new where it goes to others."""
        made = self._raised(table, depth, step, scratch)
        if table.beside is None:
            return made
        return made.along(self._raised(table.beside, depth, step, None if scratch is None else scratch.beside))

    def _raised(self, table: Classes, depth: int, step: int, scratch: Scratch | None) -> Classes:
        field = self.fields[depth]
        parents = field.parents[step - 1]
        if table.rows == 0:
            return table.along(None)
        if field.shift > SCRATCH_BITS:
            return self._ordered(table, field, parents)
        room = table.room() if scratch is None else scratch.buffer(depth, table)
        target = room.arrays
        given = (table.rows, *table.arrays, parents, field.shift, field.mask)
        if field.shift == 0:
            return room.cut(merging.merge_neighbours(*given, *target))
        places = (scratch or Scratch()).merging(table, field.shift)
        return room.cut(merging.merge_blocks(*given, *target, *places))

    def _ordered(self, table: Classes, field: Field, parents: Numbers) -> Classes:
        """Where too many bits are below for a scratch table."""
        keys, order, spare = (np.empty(table.rows, np.int64) for _ in range(3))
        merging.merging_order(table.rows, table.keys, parents, field.shift, field.mask, keys, order, spare)
        room = table.room()
        return room.cut(merging.merge_sorted(order, keys, *table.arrays[1:], *room.arrays))
