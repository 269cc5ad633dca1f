"""The order of a column's values."""

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.bridge.uploads import coded_table
from riskapp.core.table.value_list import TEXT, flags, texts
from riskapp.engine.shaping.ordered import in_order
from riskapp.models import Upload


def seen_in_order(upload: Upload, column: int, order: list[str]) -> list[str]:
    """All values of a column as they were ordered, else as people would list them; only behind an audited click."""
    return in_order(texts(coded_table(upload).values(column)).drop_null().to_pylist(), order)


def without_place(upload: Upload, column: int, order: list[str]) -> int:
    """How many of a column's values are not in an order."""
    values = texts(coded_table(upload).values(column)).drop_null()
    return int((~flags(pc.is_in(values, value_set=pa.array(order, TEXT)))).sum())
