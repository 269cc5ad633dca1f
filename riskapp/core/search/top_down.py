"""From the top down: the nodes that suppress few records, found without looking at those that suppress more.

Under generalisation groups only grow, so a node suppresses no more records than a finer one does. The nodes that keep a
limit are closed upwards: a node is looked at only when all nodes one step coarser keep it. Where few nodes do, that is
far less than all of them.
"""

# mypy: disable-error-code="no-untyped-call, call-arg"

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.rolled.classes import Classes
from riskapp.core.rolled.fields import Field
from riskapp.core.rolled.walk import Felt, Stop
from riskapp.core.search.class_groups import SUPPRESSED, ClassGroups, summed_up
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.lattice import Lattice, Node

WORTH = 512
"""With fewer nodes all of them are looked at."""
TRIED = 20
RARE = 0.05
"""The nodes are rare when at most this share of those tried keep the limit."""


_MULTIPLIER = 0x9E3779B97F4A7C15


@compiled
def merged(keys, records, raised, said, starts, shifts, masks, room, o_keys, o_records, o_phi):  # type: ignore[no-untyped-def]
    """Classes with every field raised at once, in the order in which they are met; how many there are.

    Parameters
    ----------
    raised, said : for the fields one after the other, for every number the raised one and what it says
    starts : where each field's begin
    room : for every place of a hash table the class there, from 1; it is given and left empty
    """
    low, found = room.size - 1, 0
    for i in range(keys.size):
        key = np.int64(0)
        for j in range(shifts.size):
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
    """

    lattice: Lattice
    fields: Sequence[Field]
    table: Classes
    felt: Felt
    k: int

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
                if ready[finer] == len(self.lattice.generalisations(finer)):
                    found[finer] = self.at(finer)
                    waiting.append(finer)
        return {node: figures for node, figures in found.items() if node == top or figures[SUPPRESSED] <= most}

    def rare(self, most: int) -> bool:
        """Whether few nodes suppress at most so many records, going by some of them."""
        if self.lattice.size < WORTH:
            return False
        numbers = np.random.default_rng(0).integers(self.lattice.size, size=TRIED)
        kept = [self.at(self.lattice.node(int(number)))[SUPPRESSED] <= most for number in numbers]
        return bool(sum(kept) <= RARE * TRIED)

    def at(self, node: Node) -> Numbers:
        """What is summed up at one node."""
        steps = [node[field.place] if field.steps else 0 for field in self.fields]
        raised = np.concatenate([tables[step] for tables, step in zip(self._raised, steps, strict=True)])
        said = np.concatenate([tables[step] for tables, step in zip(self._said, steps, strict=True)])
        room, *classes = self._room
        found = merged(
            self.table.keys, self.table.records, raised, said, self._starts, *self._bits, room, *classes
        )  # fmt: skip
        figures = np.zeros((1, len(ClassGroups.FIGURES)))
        summed_up(found, *classes, None, 0, np.array([self.k]), figures)
        own: Numbers = figures[0]
        return own

    @cached_property
    def _raised(self) -> list[list[Counts]]:
        """For every field and step the number there of each lowest number."""
        found = []
        for field in self.fields:
            tables = [np.arange(int(field.numbers.max(initial=0)) + 1)]
            for parents in field.parents:
                tables.append(parents[tables[-1]])
            found.append(tables)
        return found

    @cached_property
    def _said(self) -> list[list[Numbers]]:
        """For every field and step what each lowest number says there."""
        return [
            [np.zeros(len(table)) if said is None else said[table] for said, table in zip(felt, tables, strict=True)]
            for felt, tables in zip(self.felt, self._raised, strict=True)
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
