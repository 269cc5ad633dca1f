"""The intersection attack: who is in several releases is in the group of each, and few may be in all of them.

For every person the people of their group in each release are intersected (Vanhoef, algorithm 3.1, with people in the
place of values), and for each sensitive column the values of those groups. Two releases whose groups all have four
people may have one person in common. A person is *singled out* when nobody else is in all groups that they are in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from riskapp.engine.releasing.attack.footprint import Codes, Footprint, numbered
from riskapp.engine.releasing.attack.values import Values

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
    tables = [
        _table(one, people)
        for one, people in zip(footprints, numbered([one.person for one in footprints]), strict=True)
    ]
    found = [_of_pattern(pattern, tables) for pattern in _patterns(tables) if len(pattern) > 1]
    combined = pd.concat([_NOBODY, *found], ignore_index=True)
    single = combined["candidates"] == 1
    return {
        "releases": [_told(one, table) for one, table in zip(footprints, tables, strict=True)],
        "shared": _people(combined, combined["many"] > 0),
        "singled_out": _people(combined, single),
        "newly_singled_out": _people(combined, single & (combined["alone"] > 1)),
        "candidates": _by_candidates(combined),
        "sensitive": _sensitive(footprints, found),
    }


_NOBODY = pd.DataFrame({name: [] for name in ("person", "many", "total", "candidates", "alone")}, dtype=np.int32)


def _table(one: Footprint, people: Codes) -> pd.DataFrame:
    """For every person and group that they are in: how many people that is, of how many, and how many are in the group.

    Where values stand for people, several people have the same, and may be in several groups.
    """
    rows = pd.DataFrame({"person": people, "group": one.group.astype(np.int32)})
    rows = rows[rows["group"] >= 0]
    table = rows.groupby(["person", "group"], sort=True).size().rename("many").reset_index()
    if not one.rows_are_people:
        table["many"] = 1
    table["size"] = table.groupby("group")["many"].transform("sum")
    table["total"] = table.groupby("person")["many"].transform("sum") if one.rows_are_people else 1
    # Who is alone in one of their groups is found without any other release.
    table["alone"] = table["size"] if one.rows_are_people else table.groupby("person")["size"].transform("min")
    return table.astype(np.int32)


def _told(one: Footprint, table: pd.DataFrame) -> dict[str, Any]:
    people = int(table["many"].sum() if one.rows_are_people else table["person"].nunique())
    return {"name": one.name, "people": people, "smallest_group": int(table["size"].min()) if len(table) else None}


def _patterns(tables: Sequence[pd.DataFrame]) -> list[tuple[int, ...]]:
    """The different sets of releases that somebody is in.

    >>> _patterns([pd.DataFrame({"person": [0, 2, 2]}), pd.DataFrame({"person": [3, 0]})])
    [(0,), (0, 1), (1,)]
    """
    people = 1 + max((int(some["person"].max()) for some in tables if len(some)), default=-1)
    inside = np.zeros((people, len(tables)), dtype=np.bool_)
    for at, some in enumerate(tables):
        inside[some["person"], at] = True
    different = np.unique(np.packbits(inside, axis=1), axis=0)
    rows = np.unpackbits(different, axis=1, count=len(tables))
    return sorted(tuple(np.flatnonzero(row).tolist()) for row in rows if row.any())


LEAST = ("many", "total", "alone")


def _of_pattern(pattern: tuple[int, ...], tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The people who are in exactly these releases: their groups side by side, and how many are left for each."""
    joined = tables[pattern[0]].rename(columns={"group": f"g{pattern[0]}"}).drop(columns="size")
    for at in pattern[1:]:
        more = tables[at].rename(columns={"group": f"g{at}"}).drop(columns="size")
        joined = joined.merge(more, on="person", suffixes=("", "_more"))
        for name in LEAST:
            joined[name] = joined[[name, f"{name}_more"]].min(axis=1)
        joined = joined.drop(columns=[f"{name}_more" for name in LEAST])
    joined["candidates"] = joined.groupby([f"g{at}" for at in pattern])["many"].transform("sum").astype(np.int32)
    others = [table["person"] for at, table in enumerate(tables) if at not in pattern]
    elsewhere = joined["person"].isin(pd.concat(others)) if others else pd.Series(False, index=joined.index)
    return joined[~elsewhere]


def _people(combined: pd.DataFrame, fits: "pd.Series[bool]") -> int:
    """How many people have groups that fit; somebody who has several such counts once."""
    each = combined[fits].groupby("person").agg(many=("many", "sum"), total=("total", "first"))
    return int(each.min(axis=1).sum())


def _by_candidates(combined: pd.DataFrame) -> dict[str, int]:
    """For how many people how many are left, of the groups that they are in the fewest."""
    told, before = dict[str, int](), 0
    for name, _, high in SIZES:
        up_to = _people(combined, combined["candidates"] <= (np.inf if high is None else high))
        told[name], before = up_to - before, up_to
    return told


def _sensitive(footprints: Sequence[Footprint], found: Sequence[pd.DataFrame]) -> dict[str, dict[str, int]]:
    told = {}
    for name in sorted({name for one in footprints for name in one.sensitive}):
        having = [at for at, one in enumerate(footprints) if name in one.sensitive]
        if len(having) > 1:
            both = [some for some in found if sum(f"g{at}" in some for at in having) > 1]
            told[name] = _exposed(both, {at: footprints[at] for at in having}, name)
    return told


def _exposed(found: Sequence[pd.DataFrame], footprints: Mapping[int, Footprint], name: str) -> dict[str, int]:
    told = {"exposed": 0, "newly_exposed": 0, "nearly": 0, "inconsistent": 0}
    for some in found:
        here = [at for at in footprints if f"g{at}" in some]
        groups = some[[f"g{at}" for at in here]].drop_duplicates()
        values = Values.of([footprints[at].sensitive[name] for at in here], [footprints[at].group for at in here])
        together = [groups[one].to_numpy() for one in groups]
        left = groups.assign(left=values.common(together), several=values.several(together))
        rows = some.merge(left, on=[f"g{at}" for at in here])
        told["exposed"] += _people(rows, rows["left"] == 1)
        told["newly_exposed"] += _people(rows, (rows["left"] == 1) & rows["several"])
        told["nearly"] += _people(rows, rows["left"] == 2)
        told["inconsistent"] += _people(rows, rows["left"] == 0)
    return told
