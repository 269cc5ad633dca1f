"""The names of levels: by number, by day, month and year, or by the header of a file."""

from collections.abc import Sequence

from riskapp.core.table.faults import BadHierarchy


def level_number(attribute: str, names: Sequence[str], wanted: int | str) -> int:
    """The number of the level that is meant: a number counts from the leaves, a text is a name or such a number.

    Raises
    ------
    BadHierarchy
        If there is no such level, or if the text is the name of one level and the number of another.

    >>> names = ("day", "month", "year", "3")
    >>> [level_number("birthdate", names, wanted) for wanted in ("year", "1", 3)]
    [2, 1, 3]
    """
    known = {str(number): number for number in range(len(names))}
    named = {name: number for number, name in enumerate(names)}
    text = str(wanted)
    number = known.get(text) if isinstance(wanted, int) else named.get(text, known.get(text))
    if number is None or isinstance(wanted, bool):
        raise BadHierarchy(attribute, f"There is no such level. The levels are {_told(names)}.")
    if isinstance(wanted, str) and known.get(text, number) != number:
        raise BadHierarchy(attribute, f"The name of level {number} is the number of another. Rename it in the header.")
    return number


def _told(names: Sequence[str]) -> str:
    return ", ".join(f"{number}" if name == str(number) else f"{number} ({name})" for number, name in enumerate(names))


def check_names(attribute: str, names: Sequence[str]) -> None:
    """Names of levels are distinct."""
    for number, name in enumerate(names):
        if name in names[:number]:
            raise BadHierarchy(attribute, f"The level has the name of level {names.index(name)}.", level=number)
