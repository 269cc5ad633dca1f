"""The risk of a release: over records first, then over dictionaries."""

from collections.abc import Callable

from tests.oracle.arithmetic import times, total
from tests.oracle.consistency import Cells, consistent_people
from tests.oracle.linkage import expectation, linked
from tests.oracle.loss import loss
from tests.oracle.problem import Dictionary, Problem, Record
from tests.oracle.release import Released
from tests.oracle.sensitivity import sensitivity

# |ρ| of a released row seen through some cells: those of the row itself, or of the row joined with linkage data.
Count = Callable[[Dictionary, Released, Cells], int]


def by_definition(problem: Problem) -> Count:
    """The count of ρ: everybody consistent with the cells, worked out once for each combination of cells."""
    before: dict[tuple[object, ...], int] = {}

    def count(dictionary: Dictionary, row: Released, cells: Cells) -> int:
        key = (dictionary.name, *(cells[name] for name in dictionary.attributes))
        if key not in before:
            before[key] = consistent_people(problem.attributes, dictionary, cells)
        return before[key]

    return count


def record_loss(problem: Problem, dictionary: Dictionary, record: Record, row: Released, count: Count) -> float:
    """The loss of one record against one dictionary: with linkage data, expected over the rows it may be linked to."""
    everybody = dictionary.people()
    joined = linked(problem, problem.linkage, row.cells) if problem.linkage else [(row.cells, [])]
    return expectation(
        [
            loss(problem.settings, sensitivity(problem, record, cells, added), count(dictionary, row, cells), everybody)
            for cells, added in joined
        ]
    )


def losses(problem: Problem, dictionary: Dictionary, rows: list[Released], count: Count | None = None) -> list[float]:
    """The loss of every record against one dictionary."""
    count = count or by_definition(problem)
    return [
        record_loss(problem, dictionary, record, row, count) for record, row in zip(problem.records, rows, strict=True)
    ]


def over_records(how: str, values: list[float], weights: list[float]) -> float:
    """The weighted mean, the largest or the smallest loss; weights matter to the mean alone."""
    if how == "max":
        return max(values)
    if how == "min":
        return min(values)
    return total(times(weight, value) for weight, value in zip(weights, values, strict=True)) / total(weights)


def over_dictionaries(problem: Problem, risks: dict[str, float]) -> float:
    """The largest risk, the mean by the priors, or that of the dictionary named."""
    how = problem.settings.over_dictionaries
    if how == "worst":
        return max(risks.values())
    if how != "bayes":
        return risks[how]
    priors = total(dictionary.prior for dictionary in problem.dictionaries)
    return total(times(dictionary.prior / priors, risks[dictionary.name]) for dictionary in problem.dictionaries)


def risk_by_dictionary(
    problem: Problem, rows: list[Released], count: Count | None = None, how: str | None = None
) -> dict[str, float]:
    """The risk of a release against each dictionary."""
    weights = [record.risk_weight for record in problem.records]
    how = how or problem.settings.risk_over_records
    return {
        dictionary.name: over_records(how, losses(problem, dictionary, rows, count), weights)
        for dictionary in problem.dictionaries
    }


def risk(problem: Problem, rows: list[Released], count: Count | None = None) -> float:
    """The risk of a release."""
    return over_dictionaries(problem, risk_by_dictionary(problem, rows, count))
