"""Utility and loss of a released table by the definitions, cell by cell; and small tables to try them on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.queries import Query
from riskapp.core.table.released import Released
from riskapp.core.table.value_list import ValueList

RACE = from_groups("race", {"Asian": {"East": ["Chinese", "Japanese"], "South": ["Indian"]}, "White": ["White"]})
ONE = flat("one", [ValueList.of(["only"])])
BORN = from_dates("born", [ValueList.of([None, "1975-05-10", "1975-05-11", "1975-06-01", "1976-01-01"])])
NOBODY = flat("nobody", [ValueList.of([None])])
HIERARCHIES = (RACE, ONE, BORN, NOBODY)

Row = tuple[int, ...]


@dataclass(frozen=True)
class Slow:
    """A released table as plain lists."""

    hierarchies: tuple[Hierarchy, ...]
    rows: list[Row]
    levels: list[Row]
    times: list[int]
    suppressed: list[bool]

    @property
    def records(self) -> CodedRecords:
        columns = np.array(self.rows, dtype=np.int32).reshape(len(self.rows), len(self.hierarchies)).T
        pairs = zip(self.hierarchies, columns, strict=True)
        return CodedRecords(tuple(CodedColumn(*pair) for pair in pairs), np.array(self.times, dtype=np.int64))

    @property
    def fast(self) -> Released:
        return Released.each(self.records, np.array(self.levels), np.array(self.suppressed))

    def level(self, record: int, place: int) -> int:
        return self.hierarchies[place].height if self.suppressed[record] else self.levels[record][place]

    def unchanged(self) -> "Slow":
        return Slow(
            self.hierarchies, self.rows, [(0,) * len(row) for row in self.rows], self.times, [False] * len(self.rows)
        )

    def expanded(self) -> "Slow":
        """The same with each record written out as often as it occurs."""
        places = [place for place, times in enumerate(self.times) for _ in range(times)]
        return Slow(
            self.hierarchies,
            [self.rows[place] for place in places],
            [self.levels[place] for place in places],
            [1] * len(places),
            [self.suppressed[place] for place in places],
        )


def climbed(hierarchy: Hierarchy, leaf: int, level: int) -> int:
    """The ancestor's code, step by step."""
    for parents in hierarchy.parents[:level]:
        leaf = int(parents[leaf])
    return leaf


def leaves_under(hierarchy: Hierarchy, leaf: int, level: int) -> int:
    return hierarchy.leaves if leaf == 0 else int(hierarchy.leaf_counts[level][climbed(hierarchy, leaf, level)])


def cell_utility(hierarchy: Hierarchy, leaf: int, level: int, measure: str) -> float:
    n, m = leaves_under(hierarchy, leaf, level), hierarchy.leaves
    if measure == "depth":
        return 0.0 if leaf == 0 else float(hierarchy.height - level)
    if hierarchy is NOBODY:
        return 0.0
    if measure == "inverse-leaves":
        return 1 / n
    if measure == "log-leaves":
        return math.log(m / n)
    if measure == "xiao-tao":
        return -(n - 1) / m
    return 0.0 if m == 1 else -(n - 1) / (m - 1)


def record_utility(table: Slow, record: int, measure: str, weights: Sequence[float]) -> float:
    return math.fsum(
        weight * cell_utility(hierarchy, table.rows[record][place], table.level(record, place), measure)
        for place, (hierarchy, weight) in enumerate(zip(table.hierarchies, weights, strict=True))
    )


def utility(table: Slow, measure: str, over_records: str, weights: Sequence[float]) -> float:
    table = table.expanded()
    each = [record_utility(table, record, measure, weights) for record in range(len(table.rows))]
    return {"mean": math.fsum(each) / len(each), "min": min(each), "max": max(each)}[over_records]


def shown(table: Slow, record: int) -> tuple[str, ...]:
    """What a record shows, missing as `*`."""
    texts = []
    for place, hierarchy in enumerate(table.hierarchies):
        level = table.level(record, place)
        texts.append(hierarchy.labels[level][climbed(hierarchy, table.rows[record][place], level)].as_py() or "*")
    return tuple(texts)


def non_uniform_entropy(table: Slow) -> float:
    table = table.expanded()
    bits = 0.0
    for record, row in enumerate(table.rows):
        for place, hierarchy in enumerate(table.hierarchies):
            column, level = [other[place] for other in table.rows], table.level(record, place)
            own = climbed(hierarchy, row[place], level)
            under = [leaf for leaf in column if leaf and climbed(hierarchy, leaf, level) == own]
            bits -= math.log2(column.count(row[place]) / len(under)) if row[place] else 0.0
    return bits


def arx_loss(table: Slow) -> float:
    table = table.expanded()
    product = 1.0
    for place, hierarchy in enumerate(table.hierarchies):
        cells = [
            1.0 if table.suppressed[r] else -cell_utility(hierarchy, table.rows[r][place], table.levels[r][place], "lm")
            for r in range(len(table.rows))
        ]
        product *= 1 + math.fsum(cells) / len(cells)
    return float(product ** (1 / len(table.hierarchies)) - 1)


def possible(hierarchy: Hierarchy, leaf: int, level: int) -> list[str]:
    """The names of the leaves a cell may stand for; leaves that nobody has are named after their place."""
    listed = range(1, hierarchy.groups[0] + 1)
    own = [o for o in listed if leaf == 0 or climbed(hierarchy, o, level) == climbed(hierarchy, leaf, level)]
    unseen = leaves_under(hierarchy, leaf, level) - len(own)
    return [f"leaf {other}" for other in own] + [f"unseen {number}" for number in range(unseen)]


def leaf_shares(table: Slow, place: int) -> dict[str, float]:
    table = table.expanded()
    shares: dict[str, float] = {}
    for record, row in enumerate(table.rows):
        names = possible(table.hierarchies[place], row[place], table.level(record, place))
        for name in names:
            # No original value is unseen, so only their sum matters.
            name = "unseen" if name.startswith("unseen") else name
            shares[name] = shares.get(name, 0.0) + 1 / len(names) / len(table.rows)
    return shares


def jensen_shannon(table: Slow, place: int) -> float:
    one, other = leaf_shares(table.unchanged(), place), leaf_shares(table, place)
    total = 0.0
    for name in one.keys() | other.keys():
        p, q = one.get(name, 0.0), other.get(name, 0.0)
        total += sum(x * math.log(x / ((p + q) / 2)) for x in (p, q) if x)
    return math.sqrt(max(total, 0.0) / 2)


def overlap(hierarchy: Hierarchy, leaf: int, level: int, query_leaf: int, query_level: int) -> float:
    """The chance that a cell lies in a query's group."""
    if query_leaf == 0:
        return 1.0
    group = leaves_under(hierarchy, query_leaf, query_level)
    if leaf == 0:
        return group / hierarchy.leaves
    high = max(level, query_level)
    if climbed(hierarchy, leaf, high) != climbed(hierarchy, query_leaf, high):
        return 0.0
    return 1.0 if level <= query_level else group / leaves_under(hierarchy, leaf, level)


def answer(table: Slow, query: Query) -> float:
    table = table.expanded()
    asked = list(zip(query.places, query.leaves, query.levels, strict=True))
    return math.fsum(
        math.prod(overlap(table.hierarchies[p], row[p], table.level(r, p), leaf, level) for p, leaf, level in asked)
        for r, row in enumerate(table.rows)
    )


def query_error(table: Slow, queries: Sequence[Query]) -> float:
    smallest = 0.001 * sum(table.times)
    errors = []
    for query in queries:
        true = answer(table.unchanged(), query)
        errors.append(abs(answer(table, query) - true) / max(true, smallest))
    return math.fsum(errors) / len(errors)


@st.composite
def tables(draw: st.DrawFn) -> Slow:
    """Tables with missing values, one-leaf hierarchies, suppressed records, repeated ones and ones that occur never."""
    hierarchies = tuple(draw(st.permutations(HIERARCHIES))[: draw(st.integers(1, 4))])
    row = st.tuples(*(st.integers(0, hierarchy.groups[0]) for hierarchy in hierarchies))
    node = st.tuples(*(st.integers(0, hierarchy.height) for hierarchy in hierarchies))
    record = st.tuples(row, node, st.integers(0, 3), st.booleans())
    records = draw(st.lists(record, min_size=1, max_size=8).filter(lambda some: any(times for _, _, times, _ in some)))
    rows, levels, times, suppressed = map(list, zip(*records, strict=True))
    return Slow(hierarchies, rows, levels, times, suppressed)
