"""What can be wrong with a hierarchy, or with a column that is to be read by it.

A message names the attribute, the column, the level, the line and counts, never a value of the data.
"""

import numpy as np
import numpy.typing as npt

from riskapp.core.errors import RiskappError

Positions = npt.NDArray[np.intp]


class BadHierarchy(RiskappError):
    """A hierarchy that is not one: what is wrong and where.

    Parameters
    ----------
    attribute : the attribute whose hierarchy it is
    message : what is wrong and what to do, in a sentence or two
    key : the key below `hierarchy` in the assessment file, such as `intervals.widths`
    level, line : where in the hierarchy, and in the file it came from

    >>> print(BadHierarchy("city", "The value stands in line 3 already.", line=7))
    The hierarchy of "city", line 7: The value stands in line 3 already.
    """

    def __init__(
        self, attribute: str, message: str, *, key: str | None = None, level: int | None = None, line: int | None = None
    ) -> None:
        places = [key, line and f"line {line}", level is not None and f"level {level}"]
        where = ", ".join([f'The hierarchy of "{attribute}"', *(place for place in places if place)])
        super().__init__(f"{where}: {message}")
        self.attribute = attribute
        self.key = key
        self.level = level
        self.line = line


class OutsideHierarchy(RiskappError):
    """Values of a column that the hierarchy of its attribute does not cover.

    Parameters
    ----------
    attribute, column, level : the hierarchy, the column that is read by it, and the level the column is matched at
    positions : where in the column's value list the values stand; they are in no message
    distinct : how many values the column has
    rows : in how many rows the uncovered ones stand; None where the rows were not counted
    reason : in which way they are outside, as the end of a sentence

    >>> print(OutsideHierarchy("city", column="town", level=0, positions=np.array([4, 9]), distinct=12, rows=30))
    2 of the 12 values of column "town" (30 rows) are not covered by the hierarchy of "city" at level 0.
    """

    def __init__(
        self,
        attribute: str,
        *,
        column: str,
        level: int,
        positions: Positions,
        distinct: int,
        rows: int | None = None,
        reason: str = "",
    ) -> None:
        told = "" if rows is None else f" ({rows} {'row' if rows == 1 else 'rows'})"
        verb = "is" if len(positions) == 1 else "are"
        reason = reason or f'not covered by the hierarchy of "{attribute}" at level {level}.'
        super().__init__(f'{len(positions)} of the {distinct} values of column "{column}"{told} {verb} {reason}')
        self.attribute = attribute
        self.column = column
        self.level = level
        self.positions = positions
        self.distinct = distinct
        self.rows = rows
