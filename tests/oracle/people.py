"""How many people an attacker finds, for one dictionary."""

from tests.oracle.arithmetic import comparable, total
from tests.oracle.loss import chance
from tests.oracle.problem import Dictionary, Problem
from tests.oracle.release import Released
from tests.oracle.risk import Count, by_definition


def counts(problem: Problem, dictionary: Dictionary, rows: list[Released], count: Count | None = None) -> list[int]:
    """|ρ| of every released row."""
    count = count or by_definition(problem)
    return [count(dictionary, row, row.cells) for row in rows]


def by_person(problem: Problem, values: list[int]) -> dict[str, list[int]]:
    """The counts of each person's records."""
    found: dict[str, list[int]] = {}
    for record, value in zip(problem.records, values, strict=True):
        found.setdefault(record.person, []).append(value)
    return found


def expected_found(persons: dict[str, list[int]]) -> float:
    """Σ over covered people of the largest 1/|ρ| of their records."""
    return total(max(1 / value for value in values if value) for values in persons.values() if any(values))


def singled_out(persons: dict[str, list[int]]) -> int:
    """People with exactly one consistent person for some record."""
    return sum(1 in values for values in persons.values())


def uncovered(persons: dict[str, list[int]]) -> int:
    """People none of whose records has anybody consistent."""
    return sum(not any(values) for values in persons.values())


def person_chances(problem: Problem, persons: dict[str, list[int]]) -> list[float]:
    """Each person's largest chance to be found, with the setting for the uncovered applied."""
    return [max(chance(value, problem.settings.uncovered) for value in values) for values in persons.values()]


def without_release(dictionary: Dictionary, persons: dict[str, list[int]]) -> float:
    """What the attacker finds by guessing: every person at 1/|θ|; nothing with an empty dictionary."""
    return len(persons) / dictionary.people() if dictionary.people() else 0.0


def people(
    problem: Problem, dictionary: Dictionary, rows: list[Released], count: Count | None = None
) -> dict[str, float]:
    """All people figures of one release and one dictionary."""
    persons = by_person(problem, counts(problem, dictionary, rows, count))
    found = expected_found(persons)
    return {
        "expected_found": found,
        "singled_out": singled_out(persons),
        "uncovered": uncovered(persons),
        "largest_chance": max(person_chances(problem, persons)),
        "gain": found - without_release(dictionary, persons),
    }


def share_above(
    problem: Problem, dictionary: Dictionary, rows: list[Released], limit: float, count: Count | None = None
) -> float:
    """The share of people whose largest chance is above a limit."""
    chances = person_chances(problem, by_person(problem, counts(problem, dictionary, rows, count)))
    return sum(comparable(value) > comparable(limit) for value in chances) / len(chances)


BUCKETS = {"0": (0, 0), "1": (1, 1), "2-5": (2, 5), "6-20": (6, 20)}


def coverage(problem: Problem, dictionary: Dictionary, unchanged: list[Released]) -> dict[str, int]:
    """How many records meet 0, 1, 2–5, 6–20 and more people when everything is released as it is."""
    found = counts(problem, dictionary, unchanged)
    buckets = {name: sum(low <= value <= high for value in found) for name, (low, high) in BUCKETS.items()}
    return {**buckets, ">20": sum(value > 20 for value in found)}
