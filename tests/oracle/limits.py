"""Limits and requirements: which of them a release breaks."""

from typing import Any

from tests.oracle import diversity
from tests.oracle.arithmetic import comparable, number
from tests.oracle.groups import smallest_group
from tests.oracle.inference import inference
from tests.oracle.people import people, share_above
from tests.oracle.problem import Attribute, Dictionary, Problem
from tests.oracle.reading import only
from tests.oracle.release import Released
from tests.oracle.risk import Count

LIMITS = {"largest_chance", "smallest_group", "share_above", "inference"}


def above(value: float, limit: object) -> bool:
    """Whether a number is truly above its limit."""
    return comparable(value) > comparable(number(limit))


def broken(problem: Problem, rows: list[Released], counts: list[Count]) -> list[str]:
    """The names of the limits and requirements that a release breaks.

    Chances are limited for every dictionary, by definition and by replay.
    """
    limits = problem.search.get("limits") or {}
    only(limits, LIMITS, "search.limits")
    found = [name for name in sorted(limits) if breaks(problem, rows, counts, name, limits[name])]
    return found + broken_requirements(problem, rows)


def breaks(problem: Problem, rows: list[Released], counts: list[Count], name: str, limit: Any) -> bool:
    """Whether a release breaks one limit."""
    if name == "smallest_group":
        smallest = smallest_group(problem, rows)
        return smallest is not None and smallest < limit
    if name == "inference":
        return any(above(inference(problem, rows, one.name)["worst"], limit) for one in sensitive(problem))
    return any(
        breaks_chance(problem, dictionary, rows, count, name, limit)
        for dictionary in problem.dictionaries
        for count in counts
    )


def breaks_chance(
    problem: Problem, dictionary: Dictionary, rows: list[Released], count: Count, name: str, limit: Any
) -> bool:
    """Whether one dictionary gives somebody, or too many people, too large a chance."""
    if name == "largest_chance":
        return above(people(problem, dictionary, rows, count)["largest_chance"], limit)
    return above(share_above(problem, dictionary, rows, number(limit["chance"]), count), limit["share"])


def sensitive(problem: Problem) -> list[Attribute]:
    """The attributes marked sensitive."""
    return [attribute for attribute in problem.attributes.values() if attribute.sensitive]


def broken_requirements(problem: Problem, rows: list[Released]) -> list[str]:
    """Which of l and t some sensitive column breaks."""
    required = problem.search.get("require") or {}
    only(required, {"l", "t"}, "search.require")
    columns = sensitive(problem)
    found = []
    if "l" in required and any(too_uniform(problem, rows, one, required["l"]) for one in columns):
        found.append("l")
    if "t" in required and any(above(diversity.largest_t(problem, rows, one), required["t"]) for one in columns):
        found.append("t")
    return found


def too_uniform(problem: Problem, rows: list[Released], attribute: Attribute, required: dict[str, Any]) -> bool:
    """Whether a column falls short of one of the kinds of l."""
    only(required, {"distinct", "probabilistic", "entropy", "recursive"}, "search.require.l")
    reached = diversity.smallest_l(problem, rows, attribute.name)
    if "recursive" in required:
        factor, least = required["recursive"]
        if not diversity.is_recursive(problem, rows, attribute.name, number(factor), int(least)):
            return True
    return any(comparable(reached[kind]) < comparable(number(required[kind])) for kind in reached if kind in required)
