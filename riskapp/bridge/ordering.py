"""The order of a column's values."""

from collections import defaultdict

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.bridge.uploads import coded_table
from riskapp.core.table.value_list import TEXT, flags, texts
from riskapp.engine.shaping.ordered import in_order
from riskapp.models import Upload


def seen_in_order(upload: Upload, column: int, order: list[str]) -> list[str]:
    """All values of a column as they were ordered, else as people would list them; only behind an audited click."""
    return in_order(texts(coded_table(upload).values(column)).drop_null().to_pylist(), order)


def meant_in_order(upload: Upload, column: int, lines: list[str]) -> list[str]:
    """The values of a column that lines mean: sign for sign, else the one value that differs in blanks only.

    Lines that mean no value stay as they are, but for those of blanks.
    """
    values = texts(coded_table(upload).values(column)).drop_null().to_pylist()
    there, alike = set(values), defaultdict(list)
    for value in values:
        alike[_plain(value)].append(value)
    found: list[str] = []
    for line in lines:
        near = [line] if line in there else alike[_plain(line)]
        found += near if len(near) == 1 else [line] if _plain(line) else []
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def without_place(upload: Upload, column: int, order: list[str]) -> int:
    """How many of a column's values are not in an order."""
    values = texts(coded_table(upload).values(column)).drop_null()
    return int((~flags(pc.is_in(values, value_set=pa.array(order, TEXT)))).sum())
