"""The result of an assessment: every rule with its figures, the frontier, the optimum, and what the figures rest on.

It is written as JSON, one line for each rule, so that tens of thousands of rules need no second copy in memory.
Infinite numbers are the words inf and -inf. The same assessment gives the same bytes, the seconds it took apart.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.engine.atomic import replaced
from riskapp.engine.rule_ids import FULL_DOMAIN, full_domain_id

NO_EXACT_FRONTIER = "It is drawn when per-record rules are among the families searched."


@dataclass(frozen=True, eq=False)
class Result:
    """Every node of the lattice measured, and compared.

    Parameters
    ----------
    problem : what was measured
    evaluations : the figures of every node, in the order of the lattice
    sha256 : of the dataset's file
    coverage : for each dictionary, how many records fit how many people when everything is released as it is
    conditions : what the figures rest on, in sentences
    frontier : the places of the rules on it, in the order of the lattice
    optimum : the answer to the question; None without one
    seconds : what took how long
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    sha256: str
    coverage: Mapping[str, Mapping[str, int]]
    conditions: Sequence[str]
    frontier: Sequence[int]
    optimum: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.evaluations) != self.problem.lattice.size:
            raise ValueError("Every node of the lattice has its figures.")

    def rule(self, node: Node) -> dict[str, Any]:
        """One rule as it is listed."""
        place = self.problem.lattice.number(node)
        return listed(self.problem, node, self.evaluations[place], on_frontier=place in self._on_frontier)

    @cached_property
    def _on_frontier(self) -> frozenset[int]:
        return frozenset(self.frontier)

    def lines(self) -> Iterator[str]:
        """The text of RESULT.json, in pieces."""
        yield "{\n"
        dataset = {"records": len(self.problem), "people": self.problem.persons, "sha256": self.sha256}
        yield from _entries({"dataset": dataset, "coverage": self.coverage, "conditions": list(self.conditions)})
        yield ' "rules": [\n'
        for place, node in enumerate(self.problem.lattice):
            yield f"  {_text(self.rule(node))}{',' if place < len(self.evaluations) - 1 else ''}\n"
        yield " ],\n"
        yield from _entries(
            {
                "frontier": [full_domain_id(self._levels(place)) for place in self.frontier],
                "exact_frontier": None,
                "exact_frontier_reason": NO_EXACT_FRONTIER,
                "optimum": self.optimum,
            }
        )
        yield f' "seconds": {_text(self.seconds)}\n}}\n'

    def _levels(self, place: int) -> Node:
        return self.problem.chosen(self.problem.lattice.node(place))

    def mapping(self) -> dict[str, Any]:
        """The same as one mapping."""
        loaded: dict[str, Any] = json.loads("".join(self.lines()))
        return loaded

    def write(self, path: Path) -> None:
        """Write RESULT.json, completely or not at all."""
        with replaced(path) as fresh:
            self.save(fresh)

    def save(self, path: Path) -> None:
        """Write RESULT.json line by line."""
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(self.lines())


def listed(problem: Problem, node: Node, evaluation: Evaluation, *, on_frontier: bool) -> dict[str, Any]:
    """A full-domain rule as RESULT.json lists it."""
    levels = problem.chosen(node)
    names = [problem.names[place] for place in problem.generalised]
    replayed = [] if evaluation.risk_replay is None else ["replay"]
    return {
        "id": full_domain_id(levels),
        "family": FULL_DOMAIN,
        "node": dict(zip(names, levels, strict=True)),
        **figures(evaluation),
        "on_frontier": on_frontier,
        "within_limits": not evaluation.broken,
        "number": "exact",
        "holds_against": [*evaluation.risk_by_dictionary, *replayed],
    }


def figures(evaluation: Evaluation) -> dict[str, Any]:
    """The figures of a released table, by their names in RESULT.json."""
    again = evaluation.people_replay
    return {
        "risk": evaluation.risk,
        "risk_replay": evaluation.risk_replay,
        "risk_by_dictionary": dict(evaluation.risk_by_dictionary),
        "utility": evaluation.utility,
        "utility_share": evaluation.utility_share,
        "smallest_group": evaluation.smallest_group,
        "suppressed": evaluation.suppressed,
        "people": {
            name: {**_of_people(found), "by_replay": _of_people(again[name]) if again else None}
            for name, found in evaluation.people.items()
        },
        "inference": {name: learnt._asdict() for name, learnt in evaluation.inference.items()},
    }


def _of_people(found: People) -> dict[str, Any]:
    """The share above the limit is told where there is such a limit."""
    return {name: value for name, value in found._asdict().items() if value is not None}


def _entries(mapping: Mapping[str, Any]) -> Iterator[str]:
    yield from (f" {_text(key)}: {_text(value)},\n" for key, value in mapping.items())


def _text(value: object) -> str:
    return json.dumps(in_words(value), ensure_ascii=False, allow_nan=False)


def in_words(value: Any) -> Any:
    """The value as JSON can hold it: infinite numbers as words, all the way down.

    >>> in_words({"risk": float("inf"), "bounds": [0.5, -float("inf")]})
    {'risk': 'inf', 'bounds': [0.5, '-inf']}
    """
    if isinstance(value, Mapping):
        return {str(key): in_words(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [in_words(inner) for inner in value]
    if isinstance(value, float):
        return ("inf" if value > 0 else "-inf") if math.isinf(value) else value + 0.0
    return value
