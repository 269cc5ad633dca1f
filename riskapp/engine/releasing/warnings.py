"""Warnings about a rule: what may go wrong although its figures are within the limits, and what to do about it.

They hold counts and names of columns and dictionaries, and no value of the data.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.table.anonymity import Groups, value_counts
from riskapp.core.table.inference import inferences
from riskapp.core.table.problem import Sensitive
from riskapp.engine.releasing.attack.inferring import inferred
from riskapp.engine.releasing.betrayed import betrayed
from riskapp.engine.ruling import Ruling

SKEWED = 0.3
"""A group whose share of the true value is so much above the table's teaches a reader something."""
SIMILAR = 0.1
"""Values within so small a part of the whole range are as good as one value."""
TIMES_THE_MEAN = 10.0
"""Where no limit is given, a loss of so many times the mean is one to look at."""
FEW = 2
"""Among so many rules nobody can have looked for one that pleases."""


@dataclass(frozen=True)
class Circumstances:
    """What warnings need to know besides the rule.

    Attributes
    ----------
    considered : how many rules were measured
    best : the rule that the question asked for; None where nothing was asked
    loss_limit : above which a record's loss is too large; ten times the mean where it is not given
    data_until : the last day that the data are about
    dictionaries_from : for each dictionary the day that it was made
    derived : the columns whose hierarchy was made from the data
    intersection : what `attack.intersected` found with earlier releases
    not_compared : how many earlier releases tell people apart by something else, or left no footprint
    """

    considered: int = 1
    best: str | None = None
    loss_limit: float | None = None
    data_until: date | None = None
    dictionaries_from: Mapping[str, date] = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    intersection: Mapping[str, Any] | None = None
    not_compared: int = 0


@dataclass(frozen=True)
class Warned:
    """One warning.

    Attributes
    ----------
    name : what kind it is
    where : the column or dictionary it is about; empty for the whole release
    count : how many people, records or cells
    about : what was found, in a sentence
    do : what to do
    """

    name: str
    where: str
    count: int
    about: str
    do: str


def warnings(found: Ruling, circumstances: Circumstances | None = None) -> list[dict[str, Any]]:
    """Every warning about a rule and its table, the gravest kinds first."""
    given = circumstances or Circumstances()
    every = [
        *_intersecting(given),
        *_not_compared(given),
        *_homogeneous(found),
        *_skewed(found),
        *_similar(found),
        *_uncovered(found),
        *_large_losses(found, given.loss_limit),
        *_betrayed(found),
        *_chosen(found, given),
        *_old(given),
        *_derived(given),
    ]
    return [asdict(one) for one in every]


def _intersecting(given: Circumstances) -> Iterator[Warned]:
    together = given.intersection
    if not together:
        return
    if together["newly_singled_out"]:
        many = together["newly_singled_out"]
        about = f"Together with earlier releases {_people(many)} singled out, though no release alone does it."
        yield Warned("intersection", "", many, about, "Release the same columns as before, or coarser ones.")
    for column, told in together["sensitive"].items():
        if told["newly_exposed"]:
            many = told["newly_exposed"]
            about = f"Together with earlier releases the {column} of {_people(many)} known for certain."
            yield Warned("intersection", column, many, about, f"Leave {column} out, or form the same groups as before.")


def _not_compared(given: Circumstances) -> Iterator[Warned]:
    if given.not_compared:
        many = _some(given.not_compared, "earlier release")
        about = f"{many} cannot be held against this one: what tells people apart differs."
        do = "Find out by hand who has both. Keep one identifier, or the same columns, in all releases of a project."
        yield Warned("not-compared", "", given.not_compared, about, do)


def _homogeneous(found: Ruling) -> Iterator[Warned]:
    for column, told in inferred(found).items():
        if told["people"]:
            groups, many = told["homogeneous_groups"], told["people"]
            about = f"In {_some(groups, 'group')} everybody has the same {column}: that of {_people(many)} known."
            yield Warned("homogeneous", column, many, about, f"Make groups larger, require l for {column}, or drop it.")


def _skewed(found: Ruling) -> Iterator[Warned]:
    groups = grouped(found.problem, found.released)
    for column in found.problem.sensitive:
        rises = inferences(groups, column.codes)
        single = _single(groups, column)
        many = int(((rises > SKEWED) & ~single).sum())
        if many:
            about = (
                f"For {_some(many, 'record')} the group says much more about {column.name} than the whole table does: "
                f"the share of its value is higher by more than {SKEWED:.0%}."
            )
            yield Warned("skewed", column.name, many, about, _ask_t(column.name))


def _ask_t(column: str) -> str:
    return f"Require t for {column}, or take a coarser rule."


def _single(groups: Groups, column: Sensitive) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which rows are in a group where everybody has the same value."""
    rows = np.zeros(len(groups.group), dtype=np.bool_)
    if len(groups):
        one = np.bincount(value_counts(groups, column.codes).group) == 1
        rows[groups.released] = one[groups.group[groups.released]]
    return rows


def _similar(found: Ruling) -> Iterator[Warned]:
    groups = grouped(found.problem, found.released)
    for column in found.problem.sensitive if len(groups) else ():
        numbers = _as_numbers(found, column)
        if numbers is None:
            continue
        low, high = _ranges(groups, numbers)
        whole = np.nanmax(numbers) - np.nanmin(numbers)
        several = np.bincount(value_counts(groups, column.codes).group) > 1
        close = several & (high - low <= SIMILAR * whole)
        many = int(groups.people[close].sum())
        if many and whole:
            about = f"In {_some(int(close.sum()), 'group')} all values of {column.name} are nearly the same."
            told = f"{about[:-1]}, so that of {_people(many)} known nearly."
            yield Warned("similar", column.name, many, told, _ask_t(column.name))


def _as_numbers(found: Ruling, column: Sensitive) -> Numbers | None:
    """The values as numbers, their places where they have an order; None for categories, NaN for missing."""
    if column.ordered is not None:
        places = column.codes.astype(np.float64)
        return np.where(places > 0, places, np.nan)
    place = found.problem.names.index(column.name)
    try:
        labels = found.problem.hierarchies[place].labels[0].drop_null().to_pylist()
        leaves = np.array([np.nan, *map(float, labels)])
    except ValueError:
        return None
    return leaves[found.problem.column(place).codes] if len(labels) > 1 else None


def _ranges(groups: Groups, numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The least and the largest number in every group; a missing one may be anything."""
    low, high = np.full(len(groups), np.inf), np.full(len(groups), -np.inf)
    rows, group = numbers[groups.released], groups.group[groups.released]
    np.minimum.at(low, group, np.where(np.isnan(rows), -np.inf, rows))
    np.maximum.at(high, group, np.where(np.isnan(rows), np.inf, rows))
    return low, high


def _uncovered(found: Ruling) -> Iterator[Warned]:
    for name, told in found.found.evaluation.people.items():
        if told.uncovered:
            about = f"Nobody in {name} fits {_some(told.uncovered, 'person', 'people')} of the data."
            do = "Its figures say nothing about them. Find a dictionary that has them, or measure against the data too."
            yield Warned("uncovered", name, told.uncovered, about, do)


def _large_losses(found: Ruling, limit: float | None) -> Iterator[Warned]:
    attacks = [attack for attack in found.attacks.values() if attack is not None]
    losses = np.max([some for attack in attacks for some in attack.losses.values()], axis=0)
    finite = losses[np.isfinite(losses)]
    mean = float(finite.mean()) if len(finite) else 0.0
    bound = TIMES_THE_MEAN * mean if limit is None else limit
    many = int((losses > bound).sum())
    if many and mean <= bound:
        about = f"{_some(many, 'record')} would lose more than {bound:.3g}, though the mean is {mean:.3g}."
        do = "Look at the worst records, and repair to a limit on the largest chance."
        yield Warned("large-losses", "", many, about, do)


def _betrayed(found: Ruling) -> Iterator[Warned]:
    for place, name in enumerate(found.problem.names):
        many = betrayed(found.released, place)
        if many:
            about = f"In {name} all values of a group but one are shown elsewhere, which betrays {_some(many, 'cell')}."
            do = f"Generalise {name} for everybody in the group, or for nobody: take a full-domain or a regional rule."
            yield Warned("all-but-one", name, many, about, do)


def _chosen(found: Ruling, given: Circumstances) -> Iterator[Warned]:
    if given.considered <= FEW or given.best == found.found.id:
        return
    about = f"The rule was chosen among {given.considered} after their figures were seen, and no question asked for it."
    do = "Say why this one. Ask the question first where you can, and see how it fares when weights are drawn again."
    yield Warned("chosen-after-looking", "", given.considered, about, do)


def _old(given: Circumstances) -> Iterator[Warned]:
    if given.data_until is None:
        return
    for name, made in given.dictionaries_from.items():
        if made < given.data_until:
            days = (given.data_until - made).days
            about = f"{name} is {_some(days, 'day')} older than the data."
            yield Warned("old-dictionary", name, days, about, "Fetch a newer one: people who came since are not in it.")


def _derived(given: Circumstances) -> Iterator[Warned]:
    for name in given.derived:
        about = f"The hierarchy of {name} was made from the data, so its groups may betray who is in them."
        do = f"Take groups that are fixed beforehand for {name}: round numbers, official regions, a standard list."
        yield Warned("derived-hierarchy", name, 1, about, do)


def _some(number: int, one: str, many: str | None = None) -> str:
    """
    >>> _some(1, "group"), _some(2, "person", "people")
    ('1 group', '2 people')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _people(number: int) -> str:
    """
    >>> _people(1), _people(3)
    ('1 person is', '3 people are')
    """
    return f"{_some(number, 'person', 'people')} {'is' if number == 1 else 'are'}"
