"""A whole assessment: every full-domain node, the frontier, the optimum and the coverage."""

import hashlib
import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.oracle import reading
from tests.oracle.arithmetic import in_words
from tests.oracle.building import build
from tests.oracle.evaluation import evaluate
from tests.oracle.frontier import Point, frontier, optimum
from tests.oracle.limits import broken
from tests.oracle.people import coverage
from tests.oracle.problem import Problem
from tests.oracle.release import Node, full_domain
from tests.oracle.replay import by_replay, full_domain_rule
from tests.oracle.risk import Count, by_definition, over_dictionaries, risk_by_dictionary
from tests.oracle.utility import utility


def assess(given: str | Path | Mapping[str, Any], folder: str | Path = ".", replay: bool = False) -> dict[str, Any]:
    """The result of an assessment, given as a file, or as a mapping with the folder its paths are relative to.

    Full-domain rules are closed, so ρ_replay is ρ; with `replay` it is counted over all completions all the same.
    """
    path = Path(given) if isinstance(given, str | Path) else None
    spec = reading.assessment(path) if path else dict(given)  # type: ignore[arg-type]
    root = path.parent if path else Path(folder)
    problem = build(spec, root)
    result = solve(problem, replay)
    contents = (root / spec["dataset"]["file"]).read_bytes()
    result["dataset"]["sha256"] = hashlib.sha256(contents).hexdigest()
    return result


def nodes(problem: Problem) -> list[Node]:
    """Every node of the lattice, from release as is to release nothing."""
    return list(itertools.product(*(range(one.hierarchy.height + 1) for one in problem.generalised())))


def rule_id(node: Node) -> str:
    """full-domain:1.0.2"""
    return "full-domain:" + ".".join(str(level) for level in node)


def solve(problem: Problem, replay: bool = False) -> dict[str, Any]:
    """Every node measured, then compared."""
    every, count = nodes(problem), by_definition(problem)
    rules, points = [], []
    for node in every:
        again = by_replay(problem, full_domain_rule(problem, node)) if replay else count
        rules.append(rule(problem, node, count, again))
        points.append(point(problem, node, rules[-1], count, again))
    front = frontier(points, {rule_id(every[0]), rule_id(every[-1])})
    unchanged = full_domain(problem, every[0])
    return {
        "dataset": {"records": len(problem.records), "people": len(problem.people())},
        "coverage": {one.name: coverage(problem, one, unchanged) for one in problem.dictionaries},
        "rules": [{**one, "on_frontier": one["id"] in front} for one in rules],
        "frontier": front,
        "optimum": optimum(points, problem.search),
    }


def rule(problem: Problem, node: Node, count: Count, again: Count) -> dict[str, Any]:
    """One rule as RESULT.json lists it."""
    names = [attribute.name for attribute in problem.generalised()]
    figures = evaluate(problem, full_domain(problem, node), count, again)
    return {"id": rule_id(node), "family": "full-domain", "node": dict(zip(names, node, strict=True)), **figures}


def point(problem: Problem, node: Node, figures: dict[str, Any], count: Count, again: Count) -> Point:
    """The rule in the plane, with the worse of its two risks."""
    rows = full_domain(problem, node)
    largest = [over_dictionaries(problem, risk_by_dictionary(problem, rows, one, "max")) for one in (count, again)]
    return Point(
        id=figures["id"],
        risk=max(figures["risk"], figures["risk_replay"]),
        utility=figures["utility"],
        each_risk=max(largest),
        each_utility=utility(problem, rows, "min"),
        broken=broken(problem, rows, [count, again]),
    )


def written(result: dict[str, Any]) -> dict[str, Any]:
    """The result with infinite numbers as RESULT.json writes them."""
    words = in_words(result)
    assert isinstance(words, dict)
    return words


def same(one: object, other: object, tolerance: float = 1e-9) -> bool:
    """Whether two results are equal, numbers up to a tolerance, relative above 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key], tolerance) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other or math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return one == other
