"""The value list of a column: its distinct values, each once, as text; null stands for missing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.faults import OutsideHierarchy

Texts: TypeAlias = pa.LargeStringArray
Values: TypeAlias = Iterable[str | None] | pa.Array
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

TEXT = pa.large_string()


def texts(values: Values) -> Texts:
    """The values as one array of text.

    >>> texts(["a", None]).to_pylist()
    ['a', None]
    """
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    return values.cast(TEXT) if isinstance(values, pa.Array) else pa.array(list(values), TEXT)


def joined(parts: Iterable[Texts]) -> Texts:
    """Several arrays of text, one after the other."""
    return pa.concat_arrays([pa.array([], TEXT), *parts])


def side_by_side(*parts: Texts | str) -> Texts:
    """The texts of several arrays put together, row by row; a plain text goes into every row.

    >>> side_by_side("[", texts(["1", "2"]), ")").to_pylist()
    ['[1)', '[2)']
    """
    arrays = [pa.scalar(part, TEXT) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*arrays, pa.scalar("", TEXT))


def flags(answers: pa.Array) -> Flags:
    """Answers of yes and no as a numpy array; no answer is a no."""
    plain: Flags = pc.fill_null(answers, False).to_numpy(zero_copy_only=False)
    return plain


@dataclass(frozen=True, eq=False)
class ValueList:
    """The distinct values of one column of the dataset or of a dictionary, at the level the column is matched at.

    Parameters
    ----------
    values : the distinct values; null is missing
    level : the level, by number or by name, whose labels the values are; 0 for leaves
    column : the name of the column, for messages
    rows : in how many rows each value stands, for messages

    >>> ValueList.of(["1975", "1980"], level="year", column="born").column
    'born'
    """

    values: Texts
    level: int | str = 0
    column: str = ""
    rows: Rows | None = None

    @classmethod
    def of(cls, values: Values, level: int | str = 0, column: str = "", rows: Rows | None = None) -> "ValueList":
        return cls(texts(values), level, column, rows)

    @property
    def known(self) -> Texts:
        """The values that are not missing."""
        return self.values.drop_null()

    def refuse(self, attribute: str, level: int, outside: Flags, reason: str = "") -> None:
        """Raise `OutsideHierarchy` for the values flagged as outside the hierarchy, if there are any."""
        positions = np.flatnonzero(outside)
        if len(positions):
            raise OutsideHierarchy(
                attribute,
                column=self.column or attribute,
                level=level,
                positions=positions,
                distinct=len(self.values) - self.values.null_count,
                rows=None if self.rows is None else int(np.asarray(self.rows)[positions].sum()),
                reason=reason,
            )
