"""What the figures of an assessment rest on: reasons to trust them only under a condition, in plain sentences."""

from collections.abc import Iterator, Mapping

import numpy as np

from riskapp.core.table.problem import Problem
from riskapp.engine.answers import Measured
from riskapp.engine.cut_from_data import Attributes, begun_at_data, listed_from_data

ENOUGH = 0.95
"""The share of the records that a dictionary should fit."""
NOT_REPLAYED = (
    "Replay not done: there are too many records that somebody in a dictionary could be. The figures hold against "
    "somebody who does not know the rule."
)
NOT_CLOSED = "Not closed: somebody who knows the rule may learn more than the definition says. The larger risk counts."


def conditions(problem: Problem, attributes: Attributes, coverage: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The reasons, each a sentence; none where there is nothing to say.

    Parameters
    ----------
    problem : what was measured
    attributes : what the assessment says of the columns, by name
    coverage : for each dictionary the records by how many people they fit, as released unchanged
    """
    return [
        *_poorly_covered(coverage),
        *_several_rows(problem),
        *_free_text(problem),
        *_linked(problem),
        *_cut_from_data(problem, attributes),
    ]


def _poorly_covered(coverage: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name, found in coverage.items():
        everybody = sum(found.values())
        covered = everybody - found["0"]
        if covered < ENOUGH * everybody:
            yield (
                f"Dictionary {name}: only {covered} of {everybody} records fit anybody in it, which is less than "
                f"{ENOUGH:.0%}. Its figures say little about the others."
            )


def _several_rows(problem: Problem) -> Iterator[str]:
    if problem.persons < len(problem):
        yield (
            f"The {len(problem)} records belong to {problem.persons} people. What somebody learns who joins the "
            "rows of one person is not measured."
        )


def _free_text(problem: Problem) -> Iterator[str]:
    """Kept columns that mostly hold what nobody else has."""
    for weighed in problem.columns:
        times = np.bincount(weighed.column.codes)[1:]
        filled, alone = int(times.sum()), int((times == 1).sum())
        if weighed.kept and alone > filled / 2 and filled > 1:
            yield (
                f"Column {weighed.name} is released unchanged, and {alone} of its {filled} values occur only once, "
                "as in free text. What it says beyond the dictionaries is not measured."
            )


def _linked(problem: Problem) -> Iterator[str]:
    if problem.linkage is not None:
        yield (
            "The linkage data are part of every risk. A coarser release fits more of their rows, so the risk need not "
            "fall as less is released. The figures about people count the released rows alone."
        )


def _cut_from_data(problem: Problem, attributes: Attributes) -> Iterator[str]:
    for name in listed_from_data(problem, attributes):
        yield (
            f"Column {name}: its groups list exactly the values that occur, so they may have been made from the data. "
            "What their names tell is not measured."
        )
    for name in begun_at_data(problem, attributes):
        yield (
            f"Column {name}: its intervals begin at the least value of the data, which the first of them betrays. That "
            "is not measured."
        )


def of_rule(one: Measured) -> list[str]:
    """What the figures of one rule rest on besides; nothing for rules that are closed."""
    if one.evaluation.risk_replay is None:
        return [NOT_REPLAYED]
    return [] if one.closed else [NOT_CLOSED]
