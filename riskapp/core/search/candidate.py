"""Candidates: the rules that a family of searches found, each as a released table with its figures.

Every family is a module with a function `candidates(problem, …)` that yields them one by one; whatever a family does,
the figures are measured from the released table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riskapp.core.digits import in_six
from riskapp.core.evaluation import Evaluation
from riskapp.core.table.lattice import Node
from riskapp.core.table.released import Released
from riskapp.core.table.replay import Rule, TableRule


@dataclass(frozen=True)
class Tag:
    """How a number was got: `exact`, `estimated` with its error, or `heuristic` with its gap where one is known.

    A gap is told in six digits, rounded up: what is said of it has to hold. `short` is whether some record says less
    than was asked for, as the approximate search may let it.

    >>> str(Tag("exact")), str(Tag("heuristic", 0.25)), str(Tag("heuristic"))
    ('exact', 'heuristic, at most 0.25 from the best', 'heuristic, gap unknown')
    >>> str(Tag("heuristic", 0.1 + 0.2)), str(Tag("heuristic", 1.0000001))
    ('heuristic, at most 0.3 from the best', 'heuristic, at most 1.00001 from the best')
    >>> str(Tag("heuristic", 0.0, short=True))
    'heuristic, at most 0 from the best, below what was asked'
    """

    how: str = "exact"
    gap: float | None = None
    short: bool = False

    def __str__(self) -> str:
        if self.how == "exact":
            return "exact"
        gap = "gap unknown" if self.gap is None else f"at most {in_six(self.gap, up=True)} from the best"
        return f"{self.how}, {gap}{', below what was asked' if self.short else ''}"


@dataclass(frozen=True, eq=False)
class Candidate:
    """One rule that a search found.

    Attributes
    ----------
    id : as results name it, such as `mondrian:5`
    family : `regional`, `per-record`, `k-anonymity`, `random-k`, `mondrian`
    released : the table it releases
    evaluation : its figures, replay included
    rule : what an attacker replays; None when it is closed
    node : the one node of a full-domain rule, else None
    number : how its figures were got
    told : what else is known, ready for JSON: nodes visited, patterns, shares of levels, the node applied most
    """

    id: str
    family: str
    released: Released
    evaluation: Evaluation
    rule: Rule | TableRule | None = None
    node: Node | None = None
    number: Tag = field(default_factory=Tag)
    told: Mapping[str, Any] = field(default_factory=dict)


def level_shares(released: Released, names: list[str]) -> dict[str, list[float]]:
    """For each attribute the share of the records at each of its levels; suppressed ones are at the top.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 2], dtype=np.int32))])
    >>> level_shares(Released.each(records, np.array([[0], [1], [0], [2]])), ["race"])
    {'race': [0.5, 0.25, 0.25]}
    """
    rows = len(released.records)
    shares = {}
    for name, level, hierarchy in zip(names, released.levels, released.hierarchies, strict=True):
        each = np.broadcast_to(np.asarray(level), rows)
        shares[name] = (np.bincount(each, minlength=hierarchy.height + 1) / rows).tolist()
    return shares
