"""The result of an assessment: every rule with its figures, the frontier, the optimum, and what the figures rest on.

It is written as JSON, one line for each rule, so that tens of thousands of rules need no second copy in memory.
Infinite numbers are the words inf and -inf. The same assessment gives the same bytes, the seconds it took apart.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.search.candidate import Candidate
from riskapp.core.table.problem import Problem
from riskapp.engine.answers import NO_EXACT_FRONTIER, Measured, named
from riskapp.engine.atomic import replaced
from riskapp.engine.conditions import of_rule
from riskapp.engine.plain_json import text


@dataclass(frozen=True, eq=False)
class Result:
    """Every rule measured, and compared.

    Parameters
    ----------
    problem : what was measured
    rules : every rule, family after family
    sha256 : of the dataset's file
    coverage : for each dictionary, how many records fit how many people when everything is released as it is
    conditions : what the figures rest on, in sentences
    frontier : the places of the rules on it, in their order
    exact_frontier : its points; None where there is none
    exact_frontier_reason : why there is none
    not_found : what some family could not find
    optimum : the answer to the question; None without one
    seconds : what took how long
    took : the same for each search: a family, a method or a k; RESULT.json does not have it
    wanted : the rule that is to be released, with its table
    """

    problem: Problem
    rules: Sequence[Measured]
    sha256: str
    coverage: Mapping[str, Mapping[str, int]]
    conditions: Sequence[str]
    frontier: Sequence[int]
    exact_frontier: Sequence[Mapping[str, Any]] | None = None
    exact_frontier_reason: str = NO_EXACT_FRONTIER
    not_found: Sequence[Mapping[str, Any]] = ()
    optimum: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    took: Mapping[str, float] = field(default_factory=dict)
    wanted: Candidate | None = None

    def rule(self, one: Measured) -> dict[str, Any]:
        """One rule as it is listed."""
        return listed(self.problem, one, on_frontier=one.id in self._on_frontier)

    @cached_property
    def _on_frontier(self) -> frozenset[str]:
        return frozenset(self.rules[place].id for place in self.frontier)

    def lines(self) -> Iterator[str]:
        """The text of RESULT.json, in pieces."""
        yield "{\n"
        yield from _entries({"dataset": self._dataset, "coverage": self.coverage, "conditions": list(self.conditions)})
        yield ' "rules": [\n'
        for place, one in enumerate(self.rules):
            yield f"  {text(self.rule(one))}{',' if place < len(self.rules) - 1 else ''}\n"
        yield " ],\n"
        yield from _entries(self._compared)
        yield f' "seconds": {text(self.seconds)}\n}}\n'

    @property
    def _compared(self) -> dict[str, Any]:
        """What follows the rules."""
        reason = {} if self.exact_frontier is not None else {"exact_frontier_reason": self.exact_frontier_reason}
        return {
            "frontier": [self.rules[place].id for place in self.frontier],
            "exact_frontier": self.exact_frontier,
            **reason,
            "not_found": list(self.not_found),
            "optimum": self.optimum,
        }

    def summary(self) -> dict[str, Any]:
        """Everything but the rules themselves: how many there are of each family instead."""
        return {
            "dataset": self._dataset,
            "coverage": self.coverage,
            "conditions": list(self.conditions),
            "rules": len(self.rules),
            "families": dict(Counter(one.family for one in self.rules)),
            **self._compared,
            "seconds": self.seconds,
        }

    @property
    def _dataset(self) -> dict[str, Any]:
        return {"records": len(self.problem), "people": self.problem.persons, "sha256": self.sha256}

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


def listed(problem: Problem, one: Measured, *, on_frontier: bool) -> dict[str, Any]:
    """A rule as RESULT.json lists it."""
    evaluation = one.evaluation
    replayed = [] if evaluation.risk_replay is None else ["replay"]
    return {
        "id": one.id,
        "family": one.family,
        "node": None if one.node is None else named(problem, one.node),
        **figures(evaluation),
        "on_frontier": on_frontier,
        "within_limits": not evaluation.broken,
        "number": str(one.number),
        "holds_against": [*evaluation.risk_by_dictionary, *replayed],
        "conditions": of_rule(one),
        "search": one.told,
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
    yield from (f" {text(key)}: {text(value)},\n" for key, value in mapping.items())
