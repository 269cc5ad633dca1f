"""Regional rules the slow way: every choice of a node for every region, released and measured."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import numpy as np

from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Best, Question, Rules, optimum
from riskapp.core.search.regions import Split
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

Key = tuple[int, ...]


def region_of_records(problem: Problem, splits: Sequence[Split]) -> list[Key]:
    """For every record its codes at the splits."""
    columns = [problem.column(place).at(level).tolist() for place, level in splits]
    return list(zip(*columns, strict=True)) if columns else [()] * len(problem)


def nodes_of_regions(problem: Problem, splits: Sequence[Split]) -> list[Node]:
    """The nodes that are nowhere coarser than a split."""
    return [node for node in problem.lattice if all(node[place] <= level for place, level in splits)]


def how_many(problem: Problem, splits: Sequence[Split]) -> int:
    """The number of rules over these splits."""
    return len(nodes_of_regions(problem, splits)) ** len(set(region_of_records(problem, splits)))


def released(problem: Problem, keys: Sequence[Key], nodes: dict[Key, Node]) -> Released:
    return Released.each(problem.records, np.array([nodes[key] for key in keys]))


def split_rules(problem: Problem, splits: Sequence[Split]) -> Iterator[Released]:
    """Every choice of a node for each region."""
    keys = region_of_records(problem, splits)
    different = sorted(set(keys))
    for chosen in product(nodes_of_regions(problem, splits), repeat=len(different)):
        yield released(problem, keys, dict(zip(different, chosen, strict=True)))


def every_rule(problem: Problem, splits: Sequence[Split]) -> list[Evaluation]:
    """All split rules, and the unsplit ones."""
    measuring = Measuring(problem)
    found = [measuring.of(table) for table in split_rules(problem, splits)]
    return found + [measuring.of(Released.at(problem.records, node)) for node in problem.lattice]


def the_best(found: Sequence[Evaluation], question: Question, each: bool) -> Evaluation | None:
    """The best of all that break no limit; None when there is none."""
    rules = Rules(
        [str(number) for number in range(len(found))],
        np.array([one.risk for one in found]),
        np.array([one.utility for one in found]),
        np.array([one.worst_risk for one in found]) if each else None,
        np.array([one.worst_utility for one in found]) if each else None,
        [one.broken for one in found],
    )
    chosen = optimum(rules, question)
    return found[chosen.place] if isinstance(chosen, Best) else None


def some_splits(chance: Random, problem: Problem, most: int) -> list[Split]:
    """Some splits, with no more than so many rules over them."""
    possible = [
        Split(place, level) for place in problem.generalised for level in range(problem.hierarchies[place].height)
    ]
    chosen = chance.sample(possible, min(len(possible), chance.choice([1, 1, 2])))
    while chosen and how_many(problem, chosen) > most:
        chosen.pop()
    return chosen


def below_the_line(points: Sequence[tuple[float, float]], utility: float) -> float:
    """The least risk at a utility on any line between two points, or at a point with at least as much utility."""
    least = min((risk for risk, own in points if own >= utility - 1e-12), default=np.inf)
    for risk, own in points:
        for other_risk, other in points:
            if own < utility < other:
                share = (utility - own) / (other - own)
                least = min(least, risk + share * (other_risk - risk))
    return least
