"""What every format comes down to: names, and batches of columns of text."""

from collections.abc import Generator
from typing import Protocol

import pyarrow as pa

from riskapp.engine.reading.wishes import Reading

Columns = list[pa.Array]


class Source(Protocol):
    """A table being read: what was resolved, the names, and the cells, column by column, some rows at a time."""

    reading: Reading
    names: list[str]
    left_out: int

    def batches(self) -> Generator[Columns]:
        """The rows, in order, as arrays of text without nulls; raises Unreadable where the file is bad."""

    def fraction(self) -> float:
        """How much of the file has been read."""
