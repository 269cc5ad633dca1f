"""Groups: people who look alike in the release."""

from collections.abc import Sequence

from tests.oracle.hierarchies import TOP_LABEL
from tests.oracle.problem import Problem
from tests.oracle.release import Released

Key = tuple[str, ...]


def grouping_columns(problem: Problem) -> list[str]:
    """The columns that have a hierarchy, and the kept ones that some dictionary knows."""
    known = {name for dictionary in problem.dictionaries for name in dictionary.attributes}
    return [name for name, attribute in problem.attributes.items() if not attribute.kept or name in known]


def keys(problem: Problem, rows: Sequence[Released]) -> list[Key | None]:
    """What each row shows in the grouping columns, missing as `*`; None for a suppressed row."""
    columns = set(grouping_columns(problem))
    return [None if row.suppressed else shown_key(problem, row, columns) for row in rows]


def shown_key(problem: Problem, row: Released, columns: set[str]) -> Key:
    """One row's text in some columns."""
    texts = zip(problem.attributes, row.shown, strict=True)
    return tuple(text or TOP_LABEL for name, text in texts if name in columns)


def members(problem: Problem, rows: Sequence[Released]) -> dict[Key, list[int]]:
    """The places of the records in each group; suppressed rows are in none."""
    found: dict[Key, list[int]] = {}
    for place, key in enumerate(keys(problem, rows)):
        if key is not None:
            found.setdefault(key, []).append(place)
    return found


def sizes(problem: Problem, rows: Sequence[Released]) -> dict[Key, int]:
    """How many people each group has."""
    return {
        key: len({problem.records[place].person for place in places}) for key, places in members(problem, rows).items()
    }


def smallest_group(problem: Problem, rows: Sequence[Released]) -> int | None:
    """k: the number of people in the smallest group; None when every row is suppressed."""
    return min(sizes(problem, rows).values(), default=None)


def value_counts(problem: Problem, places: Sequence[int], name: str) -> dict[str | None, int]:
    """How many people of some records have each original value of a column; missing is one more value.

    A person counts once for each distinct value.
    """
    pairs = {(problem.records[place].person, problem.records[place].values[name]) for place in places}
    found: dict[str | None, int] = {}
    for _, value in pairs:
        found[value] = found.get(value, 0) + 1
    return found
