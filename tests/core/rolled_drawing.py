"""Small problems drawn at random from the core's own values, with everything that makes counting difficult."""

from collections.abc import Sequence
from math import inf, isclose, nan, prod
from random import Random

import numpy as np

from riskapp.core.evaluation import Evaluation
from riskapp.core.loss import MODELS, UNCOVERED, Loss
from riskapp.core.risk import Risk
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.sensitivity import FAMILIES, TOTALS, Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.utility import MEASURES, Utility
from riskapp.core.table.utility import OVER_RECORDS as UTILITY_OVER_RECORDS
from riskapp.core.table.weights import Weights

MOST_NODES = 36
FIGURES = ("risk", "risk_replay", "utility", "utility_share", "worst_utility")


def often(chance: Random, one_in: int) -> bool:
    """True once in so many times."""
    return chance.randrange(one_in) == 0


def a_hierarchy(chance: Random, name: str, height: int) -> Hierarchy:
    """Some leaves, groups above them, labels over no leaf, and sometimes a domain larger than what is there."""
    groups = 0 if often(chance, 12) else chance.randint(1, 5)
    labels, parents, counts = [[f"{name}0.{code}" for code in range(groups)]], [], [[1] * groups]
    for level in range(1, height):
        here = chance.randint(1, 3)
        above = [chance.randint(1, here) for _ in labels[-1]]
        labels.append([f"{name}{level}.{code}" for code in range(here)])
        parents.append(above)
        counts.append(added_up(chance, counts[-1], above, here))
    parents.append([1] * len(labels[-1]))
    counts.append(added_up(chance, counts[-1], parents[-1], 1))
    return Hierarchy.of(name, labels=[*labels, ["*"]], parents=parents, leaf_counts=counts)


def added_up(chance: Random, below: list[int], above: list[int], groups: int) -> list[int]:
    more = 3 if often(chance, 4) else 0
    sums = [sum(count for count, own in zip(below, above, strict=True) if own == code + 1) for code in range(groups)]
    return [max(1, count + (chance.randint(0, more) if more else 0)) for count in sums]


def some_codes(chance: Random, most: int, many: int, holes: bool) -> Codes:
    low = 0 if holes or most == 0 else 1
    return np.array([chance.randint(low, most) for _ in range(many)], dtype=np.int32)


def a_weighed(chance: Random, name: str, height: int, records: int, *, kept: bool, boundless: bool) -> Weighed:
    tree = a_hierarchy(chance, name, height)
    column = CodedColumn(tree, some_codes(chance, tree.groups[0], records, often(chance, 3)))
    amounts = [0.0, 0.5, 1.0, 2.5, 0.7] + [inf] * boundless
    leaves = tree.labels[0].to_pylist()[1:]
    values = {leaf: chance.choice(amounts) for leaf in leaves if often(chance, 3)}
    fall = chance.choice(["step", "harmonic"])
    weights = Weights.of(tree, chance.choice(amounts), values, fall=fall)
    personal = np.array([chance.choice([nan, nan, *amounts]) for _ in range(records)]) if often(chance, 4) else None
    return Weighed(column, weights, personal, kept)


def the_columns(chance: Random, records: int) -> tuple[Weighed, ...]:
    heights: list[int] = []
    for _ in range(chance.randint(1, 5)):
        height = chance.choice([0, 1, 1, 2, 3, 4])
        heights.append(height if prod(some + 1 for some in [*heights, height]) <= MOST_NODES else 0)
    if not any(heights):
        heights[-1] = chance.randint(1, 3)
    boundless = often(chance, 4)
    return tuple(
        a_weighed(chance, f"a{place}", max(1, height), records, kept=height == 0, boundless=boundless)
        for place, height in enumerate(heights)
    )


def some_people(chance: Random, many: int, one_in: int) -> Codes | None:
    """Whose rows they are; sometimes somebody has several."""
    if not many or not often(chance, one_in):
        return None
    drawn = [chance.randrange(max(1, many - 1)) for _ in range(many)]
    return np.unique(drawn, return_inverse=True)[1].astype(np.int32)


def a_dictionary(chance: Random, name: str, columns: Sequence[Weighed], people: Codes | None) -> Dictionary:
    places = sorted(chance.sample(range(len(columns)), chance.randint(1, len(columns))))
    if often(chance, 3):
        return Dictionary.itself(name, [weighed.column for weighed in columns], places, people=people)
    many, holes = chance.choice([0, 1, 4, 9]), often(chance, 3)
    rows = [chance.randrange(len(columns[0].column)) for _ in range(many)]
    known = tuple(a_known(chance, place, columns[place].column, rows, holes) for place in places)
    times = np.array([chance.choice([0, 1, 1, 3]) for _ in range(many)], dtype=np.int64) if often(chance, 3) else None
    whole = all(one.codes.all() and columns[one.place].column.codes.all() for one in known)
    return Dictionary(name, known, times, None if times is not None else some_people(chance, many, 2 if whole else 20))


def a_known(chance: Random, place: int, column: CodedColumn, rows: list[int], holes: bool) -> Known:
    """Half of the cells are those of a record, the others may be any label of the level."""
    tree = column.hierarchy
    level = chance.randint(0, tree.height) if often(chance, 3) else 0
    other = some_codes(chance, tree.groups[level], len(rows), holes)
    own = tree.up(0, level)[column.codes[rows]] if rows else other
    same = np.array([often(chance, 2) for _ in rows], dtype=np.bool_)
    return Known(place, tree, level, np.where(same, own, other).astype(np.int32))


def a_sensitivity(chance: Random, columns: tuple[Weighed, ...]) -> Sensitivity:
    names = [weighed.name for weighed in columns]
    pairs: tuple[Pair, ...] = ()
    if len(names) > 1 and often(chance, 3):
        pairs = tuple(Pair(*chance.sample(names, 2), chance.choice([0.0, 1.5, 4.0])) for _ in range(2))
    total = PersonTotal(chance.choice(TOTALS), chance.choice([0.0, 1.0, 3.0])) if often(chance, 5) else None
    return Sensitivity(columns, pairs, chance.choice(FAMILIES), total)


def some_limits(chance: Random) -> Limits:
    if often(chance, 2):
        return Limits()
    shares = [0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0]
    maybe = [chance.choice([None, *shares]) for _ in range(3)]
    kinds = {kind: chance.choice([1.0, 1.5, 2.0]) for kind in ("distinct", "probabilistic", "entropy")}
    return Limits(
        largest_chance=maybe[0],
        smallest_group=chance.choice([None, 1, 2, 3]),
        share_above=ShareAbove(chance.choice(shares), chance.choice(shares)) if often(chance, 2) else None,
        inference=maybe[1],
        l={kind: least for kind, least in kinds.items() if often(chance, 2)},
        recursive=(chance.choice([1.0, 2.0]), chance.randint(1, 3)) if often(chance, 3) else None,
        t=maybe[2],
    )


def some_sensitive(chance: Random, columns: Sequence[Weighed]) -> tuple[Sensitive, ...]:
    chosen = chance.sample(range(len(columns)), min(len(columns), chance.choice([0, 1, 2])))
    found = []
    for place in chosen:
        most = chance.randint(1, 4)
        codes = some_codes(chance, most, len(columns[0].column), often(chance, 3))
        found.append(Sensitive(columns[place].name, codes, most if often(chance, 2) else None))
    return tuple(found)


def a_risk(chance: Random, names: list[str], records: int) -> Risk:
    weights = None
    if often(chance, 3):
        weights = np.array([chance.choice([0.0, 1.0, 2.0, 0.3]) for _ in range(records)])
        weights[chance.randrange(records)] = 1.5
    priors = {name: chance.choice([0.0, 0.5, 1.0, 3.0]) for name in names if often(chance, 2)}
    if not any(priors.get(name, 1.0) for name in names):
        priors[chance.choice(names)] = 1.0
    return Risk("mean", chance.choice(["worst", "bayes", names[0]]), weights, priors)


def a_problem(chance: Random) -> Problem:
    """Everything that the fast way can count, together and apart, and a little that it cannot."""
    records = chance.choice([1, 2, 5, 9])
    columns = the_columns(chance, records)
    names = ["self", "register", "list"][: chance.randint(1, 3)]
    generalised = [weighed.column for weighed in columns if not weighed.kept]
    weights = tuple(chance.choice([0.0, 1.0, 2.5]) for _ in generalised) if often(chance, 2) else ()
    whole = all(weighed.column.codes.all() for weighed in columns)
    people = some_people(chance, records, 2 if whole else 20)
    return Problem(
        sensitivity=a_sensitivity(chance, columns),
        dictionaries=tuple(a_dictionary(chance, name, columns, people) for name in names),
        utility=Utility(
            CodedRecords.of(generalised), chance.choice(MEASURES), chance.choice(UTILITY_OVER_RECORDS), weights
        ),
        loss=Loss(chance.choice(MODELS), chance.choice(UNCOVERED), chance.choice([0.0, 0.0, 0.5, 3.0])),
        risk=a_risk(chance, names, records),
        people=people,
        sensitive=() if people is not None and often(chance, 2) else some_sensitive(chance, columns),
        limits=some_limits(chance),
    )


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or isclose(one, other, rel_tol=1e-11, abs_tol=1e-12)


def differences(one: Evaluation, other: Evaluation) -> list[str]:
    """The figures in which two evaluations are not the same."""
    found = [name for name in FIGURES if not same(getattr(one, name), getattr(other, name))]
    found += [name for name in ("smallest_group", "suppressed", "broken") if getattr(one, name) != getattr(other, name)]
    for name in ("risk_by_dictionary", "people", "people_replay", "inference"):
        left, right = getattr(one, name), getattr(other, name)
        if list(left) != list(right):
            found.append(name)
            continue
        for key in left:
            mine, its = ((left[key],), (right[key],)) if isinstance(left[key], float) else (left[key], right[key])
            if len(mine) != len(its) or not all(map(same, mine, its)):
                found.append(f"{name} {key}: {mine} {its}")
    return found
