"""How much detail is left to people who were alike in one attribute before the release."""

from collections.abc import Iterator, Sequence

from tests.oracle.arithmetic import total
from tests.oracle.problem import Attribute, Problem
from tests.oracle.release import Released, full_domain, suppressed
from tests.oracle.utility import LOSSES, record_utility

Places = frozenset[int]


def alike(problem: Problem, attribute: Attribute) -> Iterator[Places]:
    """The records with the same value, and those below the same group of each level but the top; level by level."""
    values = [record.values[attribute.name] for record in problem.records]
    for level in range(attribute.hierarchy.height):
        found: dict[object, set[int]] = {}
        for place, value in enumerate(values):
            cell = None if value is None else attribute.hierarchy.above((0, value), level)
            if cell is not None or level == 0:
                found.setdefault(cell, set()).add(place)
        yield from map(frozenset, found.values())


def share(problem: Problem, rows: Sequence[Released], places: Places) -> float:
    """What some records keep of their utility in the unchanged table, or do not lose of the largest loss."""
    kept = total(record_utility(problem, rows[place]) for place in sorted(places))
    if problem.settings.measure in LOSSES:
        nothing = len(places) * record_utility(problem, suppressed(problem))
        return 1 - kept / nothing if nothing else 1.0
    unchanged = full_domain(problem, (0,) * len(problem.generalised()))
    whole = total(record_utility(problem, unchanged[place]) for place in sorted(places))
    return kept / whole if whole else 1.0


def worst(problem: Problem, rows: Sequence[Released], fewest: int) -> dict[tuple[str, Places], float]:
    """The share of each subgroup that is large enough, least first, without those in or around one before them."""
    every = [
        (round(share(problem, rows, places), 9), -len(places), number, name, places)
        for number, (name, attribute) in enumerate(problem.attributes.items())
        for places in alike(problem, attribute)
        if len(places) >= fewest
    ]
    kept: list[tuple[str, Places]] = []
    for _, _, _, name, places in sorted(every, key=lambda one: one[:3]):
        if not any(name == other and places & others for other, others in kept):
            kept.append((name, places))
    return {(name, places): share(problem, rows, places) for name, places in kept}
