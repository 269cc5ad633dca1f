"""The intersection attack: who is in several releases is in the group of each, and few may be in all of them.

For every person the people of their group in each release are intersected (Vanhoef, algorithm 3.1, with people in the
place of values), and for each sensitive column the values of those groups. Two releases whose groups all have four
people may have one person in common. A person is *singled out* when nobody else is in all groups that they are in.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from riskapp.engine.releasing.attack.footprint import Footprint

SIZES = (("1", 1, 1), ("2-3", 2, 3), ("4-10", 4, 10), (">10", 11, None))


def intersected(footprints: Sequence[Footprint]) -> dict[str, Any]:
    """What several releases say together that none of them says alone.

    A person counts in the releases that have a group for them, and is compared with everybody who is in all of those.

    Returns
    -------
    dict
        `releases` with their people and smallest group; `shared`, the people in several; `singled_out` of them, and
        `newly_singled_out`, whom no release alone singles out; `candidates`, how many people are left for how many;
        `sensitive`, for each column in several releases how many people's value is known (`exposed`), known by no
        release alone (`newly_exposed`), one of two (`nearly`), and those whose values do not go together.
    """
    tables = [_table(one) for one in footprints]
    patterns = _patterns(tables)
    found = [_of_pattern(pattern, tables) for pattern in sorted(set(patterns)) if len(pattern) > 1]
    people = pd.concat([_NOBODY, *(some for some, _ in found)], ignore_index=True)
    return {
        "releases": [_told(one, table) for one, table in zip(footprints, tables, strict=True)],
        "shared": int(people["many"].sum()),
        "singled_out": int(people.loc[people["candidates"] == 1, "many"].sum()),
        "newly_singled_out": int(people.loc[(people["candidates"] == 1) & (people["alone"] > 1), "many"].sum()),
        "candidates": {name: _between(people, low, high) for name, low, high in SIZES},
        "sensitive": _sensitive(footprints, [joined for _, joined in found]),
    }


_NOBODY = pd.DataFrame({"many": [], "candidates": [], "alone": []}, dtype=np.int64)


def _table(one: Footprint) -> pd.DataFrame:
    """For every person and group that they are in: how many people that is, and how many are in the group."""
    rows = pd.DataFrame({"person": one.person, "group": one.group})
    rows = rows[rows["group"] >= 0]
    table = rows.groupby(["person", "group"], sort=True).size().rename("many").reset_index()
    if not one.rows_are_people:
        table["many"] = 1
    table["size"] = table.groupby("group")["many"].transform("sum")
    return table


def _told(one: Footprint, table: pd.DataFrame) -> dict[str, Any]:
    people = int(table["many"].sum() if one.rows_are_people else table["person"].nunique())
    return {"name": one.name, "people": people, "smallest_group": int(table["size"].min()) if len(table) else None}


def _patterns(tables: Sequence[pd.DataFrame]) -> list[tuple[int, ...]]:
    """The sets of releases that somebody is in, one for each person."""
    seen = pd.concat([pd.DataFrame({"person": some["person"].unique(), "at": at}) for at, some in enumerate(tables)])
    patterns: list[tuple[int, ...]] = seen.groupby("person")["at"].agg(tuple).tolist()
    return patterns


def _of_pattern(pattern: tuple[int, ...], tables: Sequence[pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The people who are in exactly these releases, with how many are left for each; and their groups side by side."""
    joined = tables[pattern[0]].rename(columns={"group": f"g{pattern[0]}"})
    for at in pattern[1:]:
        more = tables[at].rename(columns={"group": f"g{at}"})
        joined = joined.merge(more, on="person", suffixes=("", "_more"))
        joined["many"] = joined[["many", "many_more"]].min(axis=1)
        joined["size"] = joined[["size", "size_more"]].min(axis=1)
        joined = joined.drop(columns=["many_more", "size_more"])
    groups = [f"g{at}" for at in pattern]
    joined["candidates"] = joined.groupby(groups)["many"].transform("sum")
    others = [table["person"] for at, table in enumerate(tables) if at not in pattern]
    elsewhere = joined["person"].isin(pd.concat(others)) if others else pd.Series(False, index=joined.index)
    only = joined[~elsewhere]
    people = only.groupby("person").agg(many=("many", "max"), candidates=("candidates", "min"), alone=("size", "min"))
    return people.reset_index(drop=True), only


def _between(people: pd.DataFrame, low: int, high: int | None) -> int:
    fits = (people["candidates"] >= low) & (people["candidates"] <= (np.inf if high is None else high))
    return int(people.loc[fits, "many"].sum())


def _sensitive(footprints: Sequence[Footprint], joined: Sequence[pd.DataFrame]) -> dict[str, dict[str, int]]:
    names = sorted({name for one in footprints for name in one.sensitive})
    found = {}
    for name in names:
        having = [at for at, one in enumerate(footprints) if name in one.sensitive]
        if len(having) > 1:
            values = {at: _values(footprints[at], name) for at in having}
            found[name] = _exposed([some for some in joined if sum(f"g{at}" in some for at in having) > 1], values)
    return found


def _values(one: Footprint, name: str) -> Mapping[int, frozenset[bytes]]:
    """The different values in every group."""
    found: dict[int, set[bytes]] = {}
    for group, value in zip(one.group.tolist(), one.sensitive[name].tolist(), strict=True):
        found.setdefault(group, set()).add(value)
    return {group: frozenset(values) for group, values in found.items()}


def _exposed(joined: Sequence[pd.DataFrame], values: Mapping[int, Mapping[int, frozenset[bytes]]]) -> dict[str, int]:
    told = {"exposed": 0, "newly_exposed": 0, "nearly": 0, "inconsistent": 0}
    for some in joined:
        here = [at for at in values if f"g{at}" in some]
        for groups, rows in some.groupby([f"g{at}" for at in here]):
            sets = [values[at][group] for at, group in zip(here, cast(tuple[int, ...], groups), strict=True)]
            left, many = len(frozenset.intersection(*sets)), int(rows["many"].sum())
            told["exposed"] += many * (left == 1)
            told["newly_exposed"] += many * (left == 1 and all(len(own) > 1 for own in sets))
            told["nearly"] += many * (left == 2)
            told["inconsistent"] += many * (left == 0)
    return told
