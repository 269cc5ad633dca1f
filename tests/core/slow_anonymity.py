"""Anonymity by the definitions, one record after the other; and small tables to try it on."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from riskapp.core.table.anonymity import Groups
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Keys

VALUES = 5


@dataclass(frozen=True)
class Person:
    """A row: what it shows, or None when it is suppressed; its sensitive value, 0 for missing; whose it is."""

    key: int | None
    value: int
    name: int


Table = list[Person]


def fast(table: Table) -> tuple[Groups, Codes]:
    """The same for the fast functions. Keys of suppressed rows are anything."""
    keys = Keys((np.array([row.key or 0 for row in table], dtype=np.int64),), 10**9)
    suppressed = np.array([row.key is None for row in table], dtype=np.bool_)
    people = np.array([row.name for row in table], dtype=np.int32)
    return Groups.of(keys, suppressed=suppressed, identities=people), values_of(table)


def values_of(table: Table) -> Codes:
    return np.array([row.value for row in table], dtype=np.int32)


def groups(table: Table) -> list[Table]:
    """The rows of each group, in the order of keys."""
    keys = sorted({row.key for row in table if row.key is not None})
    return [[row for row in table if row.key == key] for key in keys]


def people(rows: Table) -> int:
    return len({row.name for row in rows})


def counts(rows: Table) -> Counter[int]:
    """How many people have each value; a person counts once for each."""
    return Counter(value for _, value in {(row.name, row.value) for row in rows})


def shares(rows: Table) -> dict[int, float]:
    found = counts(rows)
    return {value: count / sum(found.values()) for value, count in found.items()}


def probabilistic(rows: Table) -> float:
    return 1 / max(shares(rows).values())


def entropy(rows: Table) -> float:
    return math.exp(-sum(share * math.log(share) for share in shares(rows).values()))


def recursive(rows: Table, c: float, least: int) -> bool:
    ordered = sorted(counts(rows).values(), reverse=True)
    return ordered[0] < c * sum(ordered[least - 1 :])


def categorical(rows: Table, table: Table) -> float:
    one, other = shares(rows), shares(table)
    return sum(abs(one.get(value, 0.0) - other.get(value, 0.0)) for value in range(VALUES + 1)) / 2


def ordered(rows: Table, table: Table) -> float:
    """By carrying earth from place to place: what is too much here goes on to the next."""
    one, other = shares(rows), shares(table)
    order = [*range(1, VALUES + 1), *([0] if 0 in other else [])]
    work, carried = 0.0, 0.0
    for value in order:
        carried += one.get(value, 0.0) - other.get(value, 0.0)
        work += abs(carried)
    return work / (len(order) - 1)


def inferences(table: Table) -> list[float]:
    found = []
    for row in table:
        group = [other for other in table if other.key == row.key]
        gained = shares(group)[row.value] - shares(table)[row.value]
        found.append(0.0 if row.key is None else max(0.0, gained))
    return found


ROWS = st.builds(
    Person, st.one_of(st.none(), st.integers(1, 4).map(lambda k: k * 1000)), st.integers(0, VALUES), st.integers(0, 6)
)
TABLES = st.lists(ROWS, max_size=14)
