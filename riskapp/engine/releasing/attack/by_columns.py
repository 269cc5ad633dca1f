"""Releases that tell people apart by different things, held against each other by the columns that both have.

Which record of the earlier release is whose is not known, so nothing is said of who is in both. It is said *what
would be*: somebody of the new release who is in the earlier one too is in a group there that has somebody with their
values in the shared columns. With people as their values, at most min(a, b) of those with the same values can be in
both groups; added up over the values this is how many can be in both. Where it is one, whoever is in both is singled
out. A person *may be* singled out when that is so for one of the groups they can be in, and *is in any case* when it is
so for all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from riskapp.engine.releasing.attack.footprint import AtLevel, Footprint, in_arrow
from riskapp.engine.releasing.attack.lining_up import Levels, shared_columns, side_by_side
from riskapp.engine.releasing.attack.values import Values

AT_ONCE = 2_000_000
"""Pairs of groups that are held in memory."""
MOST_PAIRS = 100_000_000
"""Beyond so many pairs of groups a comparison takes a minute and is not done."""

Flags = npt.NDArray[np.bool_]


class Compared(NamedTuple):
    """What an earlier release says about the rows of a new one.

    Attributes
    ----------
    shared : the rows whose values in the shared columns somebody of the earlier release has
    possible, certain : the rows that may be singled out by both together, and that are in any case
    new : of the possible ones, those whom neither release singles out by itself
    exposed : for each sensitive column of both, the rows whose value may become known that no release tells by itself
    """

    shared: Flags
    possible: Flags
    certain: Flags
    new: Flags
    exposed: Mapping[str, Flags]


def can_be_compared(earlier: Footprint, own: Footprint) -> bool:
    """Whether there is a column to compare by, and not more to do than can be done."""
    levels = shared_columns(earlier, own)
    if not levels:
        return False
    _, there, here = _tables(earlier, own, levels)
    return int(_pairs_of_groups(there, here).sum()) <= MOST_PAIRS


def by_columns(earlier: Sequence[Footprint], own: Footprint) -> dict[str, Any]:
    """What earlier releases say together with a new one, pair by pair, about the people of the new one.

    Returns
    -------
    dict
        `releases` with the columns that each was compared by; `shared`, the people of the new release whom some of
        them could have; `singled_out`, who would be singled out if they are in it, `in_any_case` whatever their group
        there, `newly_singled_out` by no release alone; `sensitive`, for each column whose value would become known.
    """
    found = [compared(one, own) for one in earlier]
    names = sorted({name for one in found for name in one.exposed})
    return {
        "releases": [_told(one, own, told) for one, told in zip(earlier, found, strict=True)],
        **_counted(own, found),
        "sensitive": {
            name: _people(own, np.any([one.exposed[name] for one in found if name in one.exposed], axis=0))
            for name in names
        },
    }


def _told(earlier: Footprint, own: Footprint, found: Compared) -> dict[str, Any]:
    levels = shared_columns(earlier, own)
    columns = [_in_words(name, own.columns[name][here], here) for name, (_, here) in levels.items()]
    return {"name": earlier.name, "columns": columns, **_counted(own, [found])}


def _in_words(name: str, level: AtLevel, number: int) -> str:
    return f"{name} (level {level.name})" if number else name


def _counted(own: Footprint, found: Sequence[Compared]) -> dict[str, int]:
    return {
        "shared": _people(own, np.any([one.shared for one in found], axis=0)),
        "singled_out": _people(own, np.any([one.possible for one in found], axis=0)),
        "in_any_case": _people(own, np.any([one.certain for one in found], axis=0)),
        "newly_singled_out": _people(own, np.any([one.new for one in found], axis=0)),
    }


def _people(one: Footprint, rows: Flags) -> int:
    return int(rows.sum()) if one.rows_are_people else len(pc.unique(in_arrow(one.person[rows])))


def compared(earlier: Footprint, own: Footprint) -> Compared:
    """The rows of a new release as an earlier one tells of them."""
    keys, there, here = _tables(earlier, own, shared_columns(earlier, own))
    names = sorted(earlier.sensitive.keys() & own.sensitive.keys())
    values = {
        name: Values.of([own.sensitive[name], earlier.sensitive[name]], [own.group, earlier.group]) for name in names
    }
    parts = [_part(some, values) for some in _paired(there, here)]
    told = pd.concat(parts) if parts else _part(here.head(0).merge(there, on="key", suffixes=("", "_there")), values)
    rows = pd.DataFrame({"key": keys, "group": own.group}).merge(
        told, left_on=["key", "group"], right_index=True, how="left"
    )
    rows = rows.drop(columns=["key", "group"]).fillna(0).astype(bool)
    found = {name: rows[name].to_numpy() for name in rows}
    exposed = {name: found[f"of {name}"] for name in names}
    return Compared(found["shared"], found["possible"], found["certain"], found["new"], exposed)


def _tables(
    earlier: Footprint, own: Footprint, levels: Levels
) -> tuple[npt.NDArray[np.int64], pd.DataFrame, pd.DataFrame]:
    """A number for the shared values of every row of the new release, and for both how many people have them where."""
    cut = len(earlier.group)
    keys = np.zeros(cut + len(own.group), dtype=np.int64)
    for name, (low, high) in levels.items():
        codes = np.concatenate(side_by_side(earlier.columns[name][low], own.columns[name][high]))
        keys = pd.factorize(keys * (int(codes.max(initial=0)) + 1) + codes)[0].astype(np.int64)
    return keys[cut:], _counts(earlier, keys[:cut]), _counts(own, keys[cut:])


def _counts(one: Footprint, keys: npt.NDArray[np.int64]) -> pd.DataFrame:
    """For each group and each of the values in it: how many people have them, and how many are in the group."""
    rows = pd.DataFrame({"group": one.group, "key": keys, "person": one.person})
    rows = rows[rows["group"] >= 0]
    if not one.rows_are_people:
        rows = rows.drop_duplicates()
    people = rows if one.rows_are_people else rows.drop_duplicates(["group", "person"])
    sizes = people.groupby("group").size()
    table = rows.groupby(["group", "key"]).size().rename("many").reset_index()
    table["size"] = table["group"].map(sizes)
    return table


def _pairs_of_groups(there: pd.DataFrame, here: pd.DataFrame) -> "pd.Series[Any]":
    """For each line of the new release with how many of the earlier one it is paired."""
    return here["key"].map(there.groupby("key").size()).fillna(0)


def _paired(there: pd.DataFrame, here: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The lines of both that have the same values, so many groups of the new release at a time."""
    before = _pairs_of_groups(there, here).groupby(here["group"]).transform("sum").where(~here["group"].duplicated(), 0)
    for _, some in here.groupby((before.cumsum() // AT_ONCE).to_numpy()):
        yield some.merge(there, on="key", suffixes=("", "_there"))


def _part(pairs: pd.DataFrame, values: Mapping[str, Values]) -> pd.DataFrame:
    """For each group of the new release and each of the values in it, what the groups of the earlier one say."""
    groups = [pairs["group"], pairs["group_there"]]
    both = pairs[["many", "many_there"]].min(axis=1).groupby(groups).transform("sum") == 1
    alone = pairs[["size", "size_there"]].min(axis=1) == 1
    told = pd.DataFrame({"key": pairs["key"], "group": pairs["group"], "shared": True})
    told["possible"], told["certain"], told["new"] = both, both, both & ~alone
    for name, some in values.items():
        both_groups = [pairs["group"].to_numpy(), pairs["group_there"].to_numpy()]
        told[f"of {name}"] = some.several(both_groups) & (some.common(both_groups) == 1)
    how = {name: "all" if name == "certain" else "any" for name in told.columns if name not in ("key", "group")}
    return told.groupby(["key", "group"]).agg(how)
