"""From the top down: the nodes that suppress few records, found without looking at those that suppress more.

Under generalisation groups only grow, so a node suppresses no more records than a finer one does. The nodes that keep a
limit are closed upwards: a node is looked at only when all nodes one step coarser keep it. Where few nodes do, that is
far less than all of them. An attribute that breaks the limit at a level all by itself breaks it in every node at that
level, so the classes are raised once to the first level of each attribute that does not (`floored`).
"""

# mypy: disable-error-code="no-untyped-call, call-arg"

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.rolled.classes import Classes
from riskapp.core.rolled.fields import Field
from riskapp.core.rolled.walk import Felt
from riskapp.core.search.class_groups import SUPPRESSED, ClassGroups, summed_up
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.watching import Stop

WORTH = 512
"""With fewer nodes all of them are looked at."""
TRIED = 20
RARE = 0.05
"""The nodes are rare when at most this share of those tried keep the limit."""


_MULTIPLIER = 0x9E3779B97F4A7C15


@compiled
def merged(keys, records, below, raised, said, starts, shifts, masks, room, o_keys, o_records, o_phi):  # type: ignore[no-untyped-def]
    """Classes with every field raised at once, in the order in which they are met; how many there are.

    Parameters
    ----------
    below : the fields that are not at their top, where all numbers are 0
    raised, said : for the fields one after the other, for every number the raised one and what it says
    starts : where each field's begin
    room : for every place of a hash table the class there, from 1; it is given and left empty
    """
    low, found = room.size - 1, 0
    for i in range(keys.size):
        key = np.int64(0)
        for j in below:
            key |= raised[starts[j] + ((keys[i] >> shifts[j]) & masks[j])] << shifts[j]
        place = np.int64((np.uint64(key) * np.uint64(_MULTIPLIER)) >> np.uint64(20)) & low
        while room[place] and o_keys[room[place] - 1] != key:
            place = (place + 1) & low
        if not room[place]:
            phi = 0.0
            for j in range(shifts.size):
                phi += said[starts[j] + ((keys[i] >> shifts[j]) & masks[j])]
            o_keys[found], o_records[found], o_phi[found] = key, 0, phi
            found += 1
            room[place] = found
        o_records[room[place] - 1] += records[i]
    for i in range(found):
        place = np.int64((np.uint64(o_keys[i]) * np.uint64(_MULTIPLIER)) >> np.uint64(20)) & low
        while room[place]:
            room[place] = 0
            place = (place + 1) & low
    return found


@dataclass(frozen=True, eq=False)
class TopDown:
    """Looks at single nodes, given the classes at the lowest levels.

    Parameters
    ----------
    lattice : of all attributes
    fields, table, felt : as a walk takes them
    k : the least people of a group
    lowest : for every field how many steps the classes are raised already
    """

    lattice: Lattice
    fields: Sequence[Field]
    table: Classes
    felt: Felt
    k: int
    lowest: Node = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "lowest", self.lowest or (0,) * len(self.fields))

    def floored(self, most: int) -> "TopDown":
        """The same, with classes raised so far that no attribute by itself suppresses more than so many records."""
        lowest = tuple(self._floor(field, most) for field in self.fields)
        keys, records, _ = self._merged(lowest)
        return replace(self, table=Classes(len(keys), keys.copy(), records.copy()), lowest=lowest)

    def _floor(self, field: Field, most: int) -> int:
        """The lowest step at which an attribute alone keeps the limit."""
        counts = np.bincount((self.table.keys >> field.shift) & field.mask, weights=self.table.records)
        for step, parents in enumerate(field.parents):
            if counts[counts < self.k].sum() <= most:
                return step
            counts = np.bincount(parents[: len(counts)], weights=counts)
        return field.steps

    def within(self, most: int, stop: Stop) -> dict[Node, Numbers]:
        """The nodes that suppress at most so many records, with what `class_groups` sums up there; always the top.

        Raises
        ------
        Stopped
            If `stop` said so.
        """
        top = self.lattice.top
        found, waiting, ready = {top: self.at(top)}, [top], Counter[Node]()
        while waiting:
            node = waiting.pop()
            if found[node][SUPPRESSED] > most:
                continue
            if stop():
                raise Stopped
            for finer in self.lattice.specialisations(node):
                ready[finer] += 1
                if ready[finer] == self._coarser(finer) and self._above(finer):
                    found[finer] = self.at(finer)
                    waiting.append(finer)
        return {node: figures for node, figures in found.items() if node == top or figures[SUPPRESSED] <= most}

    def rare(self, most: int) -> bool:
        """Whether few nodes suppress at most so many records, going by some of them."""
        if self.lattice.size < WORTH:
            return False
        numbers = np.random.default_rng(0).integers(self.lattice.size, size=TRIED)
        some, kept = [self.lattice.node(int(number)) for number in numbers], 0
        for node in filter(self._above, some):
            kept += bool(self.at(node)[SUPPRESSED] <= most)
            if kept > RARE * TRIED:
                return False
        return True

    def _coarser(self, node: Node) -> int:
        """How many nodes are one step coarser."""
        return sum(level < height for level, height in zip(node, self.lattice.heights, strict=True))

    def _above(self, node: Node) -> bool:
        """Whether a node can be told from the classes; one that cannot be breaks the limit."""
        return all(node[place] >= low for place, low in self._places)

    def at(self, node: Node) -> Numbers:
        """What is summed up at one node, none of whose levels is below the classes'."""
        steps = tuple(node[field.place] if field.steps else 0 for field in self.fields)
        keys, records, phi = self._merged(steps)
        figures = np.zeros((1, len(ClassGroups.FIGURES)))
        summed_up(len(keys), keys, records, phi, None, 0, self._least, figures)
        own: Numbers = figures[0]
        return own

    def _merged(self, steps: Node) -> tuple[Counts, Counts, Numbers]:
        """The keys, records and φ of the classes after so many steps of every field, in room that is used again."""
        ways = list(zip(self.fields, self.lowest, steps, strict=True))
        raised = np.concatenate([tables[t - s] for tables, (_, s, t) in zip(self._raised, ways, strict=True)])
        said = np.concatenate([tables[t - s] for tables, (_, s, t) in zip(self._said, ways, strict=True)])
        below = np.array([j for j, (field, _, t) in enumerate(ways) if t < field.steps or not t], dtype=np.int64)
        room, keys, records, phi = self._room
        found = merged(
            self.table.keys, self.table.records, below, raised, said, self._starts, *self._bits,
            room, keys, records, phi,
        )  # fmt: skip
        return keys[:found], records[:found], phi[:found]

    @cached_property
    def _least(self) -> Counts:
        return np.array([self.k])

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The attributes whose classes are raised, and how far."""
        return [(field.place, low) for field, low in zip(self.fields, self.lowest, strict=True) if low]

    @cached_property
    def _raised(self) -> list[list[Counts]]:
        """For every field and step from the lowest on the number there of each lowest number."""
        found = []
        for field, low in zip(self.fields, self.lowest, strict=True):
            most = int(field.parents[low - 1].max(initial=0)) if low else int(field.numbers.max(initial=0))
            tables = [np.arange(most + 1)]
            for parents in field.parents[low:]:
                tables.append(parents[tables[-1]])
            found.append(tables)
        return found

    @cached_property
    def _said(self) -> list[list[Numbers]]:
        """For every field and step from the lowest on what each lowest number says there."""
        return [
            [np.zeros(len(own)) if said is None else said[own] for said, own in zip(felt[low:], tables, strict=True)]
            for felt, low, tables in zip(self.felt, self.lowest, self._raised, strict=True)
        ]

    @cached_property
    def _starts(self) -> Counts:
        return np.cumsum([0, *(len(tables[0]) for tables in self._raised[:-1])])

    @cached_property
    def _bits(self) -> tuple[Counts, Counts]:
        """The shift and the mask of every field."""
        return np.array([field.shift for field in self.fields]), np.array([field.mask for field in self.fields])

    @cached_property
    def _room(self) -> tuple[Codes, Counts, Counts, Numbers]:
        """A hash table of at least twice as many places as there are classes, and room for the merged ones."""
        size = 1 << max(1, (2 * self.table.rows).bit_length())
        rows = self.table.rows
        return np.zeros(size, np.int32), np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows)
