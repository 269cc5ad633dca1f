"""Plain lists as coded columns: the distinct values of a column as text, and which of them every row holds.

Lists, arrays and the columns of a data frame will all do. Numbers and days become the text that a file would show.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.value_list import TEXT, Texts, ValueList, texts

Cells: TypeAlias = Iterable[Any]
MISSING = ("", "NA")
"""The texts that mean missing, besides None and what data frames put in its place."""


@dataclass(frozen=True, eq=False)
class PlainColumn:
    """The values of one column.

    Parameters
    ----------
    name : of the column, for messages
    values : the distinct values in the order in which they occur, after null, which is missing
    codes : for every row the place of its value

    Examples
    --------
    >>> ages = PlainColumn.of("age", [52, None, 38, 52])
    >>> ages.values.to_pylist(), ages.codes
    ([None, '52', '38'], array([1, 0, 2, 1], dtype=int32))
    """

    name: str
    values: Texts
    codes: Codes

    @classmethod
    def of(cls, name: str, cells: Cells, missing: Sequence[str] = MISSING) -> "PlainColumn":
        """A column from its cells.

        Raises
        ------
        BadSetting
            If they cannot be read as one kind of value.
        """
        found = _as_text(name, cells)
        known = pc.if_else(pc.is_in(found, value_set=pa.array(missing, TEXT)), pa.scalar(None, TEXT), found)
        encoded = known.dictionary_encode()
        codes = pc.fill_null(encoded.indices, -1).to_numpy().astype(np.int32) + np.int32(1)
        return cls(name, pa.concat_arrays([pa.nulls(1, TEXT), encoded.dictionary]), codes)

    def __len__(self) -> int:
        return len(self.codes)

    def listed(self, level: int | str = 0) -> ValueList:
        """The distinct values, as labels of a level."""
        return ValueList.of(self.values, level, self.name)

    def coded(self, hierarchy: Hierarchy, level: int | str = 0) -> CodedColumn:
        """The column read by a hierarchy.

        Raises
        ------
        OutsideHierarchy
            If the hierarchy does not cover a value at this level.
        """
        return CodedColumn.of(hierarchy, self.values, self.codes, level=level, column=self.name)

    def people(self) -> Codes:
        """A number from 0 for whom every row is about; a row that does not say is about a person of its own.

        >>> PlainColumn.of("who", ["b", None, "a", "b"]).people()
        array([0, 2, 1, 0], dtype=int32)
        """
        found = self.codes - np.int32(1)
        unknown = np.flatnonzero(found < 0)
        found[unknown] = np.arange(len(unknown), dtype=np.int32) + np.int32(len(self.values) - 1)
        return found


def _as_text(name: str, cells: Cells) -> Texts:
    try:
        found = pa.array(cells, from_pandas=True)
        if pa.types.is_timestamp(found.type):
            found = found.cast(pa.date32())
        return texts(found)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        told = "Its cells are not all of one kind. Give texts, whole numbers, decimal numbers or days."
        raise BadSetting(f"attributes.{name}", told) from None
