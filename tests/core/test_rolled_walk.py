"""The walk: every node once, with the classes that the records have there, whatever way they are merged."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.errors import Stopped
from riskapp.core.rolled import walk as walking
from riskapp.core.rolled.classes import Classes, classes
from riskapp.core.rolled.fields import BITS, Column, Field, laid_out, values_field
from riskapp.core.rolled.walk import Walk
from riskapp.core.table.build_masks import flat
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.value_list import ValueList
from tests.core.rolled_drawing import a_hierarchy, often, some_codes

Steps = tuple[int, ...]


class Drawn:
    """Records and entries in a few columns, each with a sum and people, and what the fields add to φ."""

    def __init__(self, chance: Random, columns: int | None = None) -> None:
        many, crowd = chance.choice([1, 4, 12]), chance.choice([0, 1, 9])
        itself = often(chance, 3)
        self.columns = [
            drawn_column(chance, place, many, None if itself else crowd)
            for place in range(columns or chance.randint(1, 4))
        ]
        self.itself, self.together = itself, often(chance, 2)
        self.times = None if itself or often(chance, 2) else np.array([chance.randint(0, 3) for _ in range(crowd)])
        self.sums = [np.array([float(chance.randint(0, 3)) for _ in range(many)])] if often(chance, 2) else []
        fields = laid_out(self.columns)
        assert fields is not None
        self.fields: tuple[Field, ...] = fields
        self.felt = [
            [
                None if often(chance, 3) else np.array([chance.randint(0, 3) / 2 for _ in range(field.mask + 1)])
                for _ in range(field.steps + 1)
            ]
            for field in fields
        ]

    @property
    def table(self) -> Classes:
        return classes(self.fields, self.sums, self.times, itself=self.itself, together=self.together)

    @property
    def nodes(self) -> list[Steps]:
        return list(product(*(range(field.steps + 1) for field in self.fields)))

    def wanted(self, steps: Steps) -> Counter[tuple[Any, ...]]:
        """The classes at a node one by one: records, people, sums, and φ of those that have records."""
        found: dict[Steps, list[float]] = {}
        numbers = self._numbers(steps)
        for row in range(len(self.columns[0].records)):
            own = found.setdefault(tuple(codes[row] for codes in self._codes(steps, entries=False)), [0, 0, 0, 0])
            own[0] += 1
            own[1] += 1 if self.itself else 0
            own[2] += sum(float(some[row]) for some in self.sums)
            own[3] = sum(
                float(felt[step][number[row]])
                for felt, step, number in zip(self.felt, steps, numbers, strict=True)
                if felt[step] is not None
            )
        for row in range(0 if self.itself else len(self._codes(steps, entries=True)[0])):
            own = found.setdefault(tuple(codes[row] for codes in self._codes(steps, entries=True)), [0, 0, 0, 0])
            own[1] += 1 if self.times is None else int(self.times[row])
        return Counter(tuple(own) for own in found.values())

    def _codes(self, steps: Steps, *, entries: bool) -> list[Codes]:
        """What every row shows; at the top, and where it is missing, nothing."""
        shown = []
        for field, step in zip(self.fields, steps, strict=True):
            column = field.column
            level = column.level + step
            low, codes = (column.level, column.entries) if entries else (0, column.records)
            at_top = level == column.hierarchy.height and step > 0
            above = column.hierarchy.up(low, level)[codes]
            shown.append(np.zeros_like(above) if at_top else above)
        return shown

    def _numbers(self, steps: Steps) -> list[Codes]:
        found = []
        for field, step in zip(self.fields, steps, strict=True):
            numbers = field.record_numbers
            for parents in field.parents[:step]:
                numbers = parents[numbers]
            found.append(numbers[field.column.records])
        return found


def drawn_column(chance: Random, place: int, many: int, crowd: int | None) -> Column:
    kept = often(chance, 5)
    tree = a_hierarchy(chance, f"a{place}", 1 if kept else chance.randint(1, 4))
    level = 0 if crowd is None or often(chance, 2) else chance.randint(0, tree.height)
    entries = None if crowd is None else some_codes(chance, tree.groups[level], crowd, often(chance, 3))
    return Column(place, tree, level, some_codes(chance, tree.groups[0], many, often(chance, 3)), entries, kept)


def visited(drawn: Drawn, threads: int, tasks: int = 16, bits: int = 18) -> dict[Steps, list[tuple[Any, ...]]]:
    """What the visitor was told, node by node."""
    found: dict[Steps, list[tuple[Any, ...]]] = {}
    lock = threading.Lock()

    def visit(steps: Steps, table: Classes, last: Any) -> None:
        rows = told(table, last, drawn.fields[-1].mask)
        with lock:
            assert steps not in found, "every node once"
            found[steps] = rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "SCRATCH_BITS", bits)
        patch.setattr(walking, "TASKS", tasks)
        Walk(drawn.fields, drawn.felt, visit, threads=threads).run(drawn.table)
    return found


def told(table: Classes, last: Any, mask: int) -> list[tuple[Any, ...]]:
    assert (np.diff(table.keys) > 0).all(), "sorted and each once"
    people = crowd(table)
    sums = np.zeros(table.rows) if table.sums is None else table.sums.sum(axis=1)
    phi = np.zeros(table.rows) if table.phi is None else table.phi
    more = np.zeros(table.rows) if last is None else last[table.keys & mask]
    # φ of a class that has no record is nobody's.
    phi = np.where(table.records > 0, phi + more, 0.0)
    rows = list(zip(table.records.tolist(), people, sums.tolist(), phi.tolist(), strict=True))
    return rows + [(0, people, 0, 0) for people in only_beside(table)]


def crowd(table: Classes) -> list[int]:
    """How many people each class has: in a column, beside it, or as many as it has records."""
    if table.beside is None:
        return list((table.records if table.people is None else table.people).tolist())
    assert table.people is None
    entries = dict(zip(table.beside.keys.tolist(), table.beside.records.tolist(), strict=True))
    return [entries.get(key, 0) for key in table.keys.tolist()]


def only_beside(table: Classes) -> list[int]:
    """The people of classes that have no record."""
    if table.beside is None:
        return []
    assert (np.diff(table.beside.keys) > 0).all(), "sorted and each once"
    there = np.isin(table.beside.keys, table.keys)
    return list(table.beside.records[~there].tolist())


CHANCE = st.randoms(use_true_random=False)


@settings(max_examples=60)
@given(CHANCE, st.integers(1, 3), st.sampled_from([1, 16, 1000]), st.sampled_from([0, 2, 18, 30]))
def test_every_node_is_visited_once_with_its_classes(chance: Random, threads: int, tasks: int, bits: int) -> None:
    drawn = Drawn(chance)
    found = visited(drawn, threads, tasks, bits)
    assert sorted(found) == drawn.nodes
    for steps in drawn.nodes:
        assert Counter(found[steps]) == drawn.wanted(steps), steps


@settings(max_examples=20)
@given(CHANCE)
def test_the_tables_are_the_same_bit_for_bit_however_many_threads_there_are(chance: Random) -> None:
    drawn = Drawn(chance)
    alone = visited(drawn, 1)
    assert all(visited(drawn, threads) == alone for threads in (2, 3))


@pytest.mark.parametrize("tasks", [1, 16, 1000])
def test_one_attribute_and_attributes_that_stay_are_walked_too(tasks: int) -> None:
    for seed in range(12):
        one = Drawn(Random(seed), columns=1)
        assert sorted(visited(one, 2, tasks)) == [(step,) for step in range(one.fields[0].steps + 1)]
    kept = [a_kept_column(place, np.array([1, 2, 1], np.int32)) for place in range(3)]
    assert steps_of(kept, tasks) == [(0, 0, 0)]


def a_kept_column(place: int, codes: Codes) -> Column:
    tree = flat(f"k{place}", [ValueList.of(["a", "b", "c"])])
    return Column(place, tree, 0, codes, kept=True)


def steps_of(columns: Sequence[Column], tasks: int) -> list[Steps]:
    fields = laid_out(columns)
    assert fields is not None
    found: list[Steps] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "TASKS", tasks)
        nothing = [[None] * (field.steps + 1) for field in fields]
        table = classes(fields, (), None, itself=True)
        Walk(fields, nothing, lambda steps, table, last: found.append(steps)).run(table)
    return sorted(found)


def a_long_walk() -> Drawn:
    """The first drawn one with many nodes."""
    return next(drawn for seed in range(1000) if len((drawn := Drawn(Random(seed), columns=4)).nodes) > 200)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("after", [0, 5])
def test_stopping_ends_the_walk_soon_and_leaves_no_thread_behind(threads: int, after: int) -> None:
    drawn, seen, before = a_long_walk(), [], threading.active_count()

    def visit(steps: Steps, table: Classes, last: Any) -> None:
        seen.append(steps)
        time.sleep(0.001)

    with pytest.raises(Stopped):
        Walk(drawn.fields, drawn.felt, visit, lambda: len(seen) >= after, threads).run(drawn.table)
    ended = len(seen)
    last_row = max(field.steps for field in drawn.fields) + 1
    assert ended <= after + threads * last_row
    assert threading.active_count() == before
    time.sleep(0.01)
    assert len(seen) == ended


@pytest.mark.parametrize("threads", [1, 2])
def test_what_goes_wrong_in_a_visit_reaches_the_caller(threads: int) -> None:
    drawn, before = a_long_walk(), threading.active_count()

    def visit(steps: Steps, table: Classes, last: Any) -> None:
        if sum(steps) == 4:
            raise KeyError(steps)

    with pytest.raises(KeyError):
        Walk(drawn.fields, drawn.felt, visit, threads=threads).run(drawn.table)
    assert threading.active_count() == before


@settings(max_examples=60)
@given(CHANCE)
def test_fields_number_only_what_occurs_and_keep_groups_together(chance: Random) -> None:
    drawn = Drawn(chance)
    bits = 0
    for field in drawn.fields:
        assert not bits & field.mask << field.shift, "no two fields share a bit"
        bits |= field.mask << field.shift
        assert field.mask == (1 << max(1, int(field.numbers.max()).bit_length())) - 1
        assert len(field.parents) == field.steps
        for parents in field.parents:
            assert parents[0] == 0
            assert np.isin(np.diff(parents), [0, 1]).all()
        if field.steps:
            assert not field.parents[-1].any()
    assert drawn.fields[-1].steps == max(field.steps for field in drawn.fields), "raised most often, it comes last"
    masks = [field.mask for field in drawn.fields[:-1]]
    assert masks == sorted(masks, reverse=True), "the widest first"
    assert drawn.fields[-1].shift == 0


def test_more_than_62_bits_cannot_be_laid_out() -> None:
    codes = np.array([1, 2, 3], np.int32)
    widths = [a_kept_column(place, codes) for place in range(BITS // 2)]
    assert laid_out(widths) is not None
    assert laid_out(widths, lowest=1) is None
    assert laid_out([*widths, a_kept_column(99, codes)]) is None


def test_values_in_the_lowest_bits_keep_their_codes() -> None:
    codes = np.array([0, 5, 2], np.int32)
    field = values_field(0, flat("k", [ValueList.of(["a"])]), codes)
    assert (field.mask, field.steps) == (7, 0)
    assert field.record_numbers[codes].tolist() == [0, 5, 2]
