"""The commonest values of a column. This gives values out: it is called behind an audited click only."""

import numpy as np
import pyarrow.parquet as pq

from riskapp.engine.coded import CodedTable, values_path
from riskapp.engine.profile.counting import count
from riskapp.engine.profile.look import take


def top_values(table: CodedTable, column: int, most: int = 20) -> list[tuple[str | None, int]]:
    """The commonest values with their counts, None for missing; of equally common ones the first in the table first."""
    counts = count(table.codes(column), table.distinct[column] + 1, lambda: None)
    # Missing has code 0 and would win every tie: it is ranked behind the values of the same count.
    order = np.argsort(-np.append(counts[1:], counts[0]), kind="stable")[:most]
    codes = [int(place) + 1 if place < len(counts) - 1 else 0 for place in order]
    codes = [code for code in codes if counts[code]]
    rising = np.sort(np.asarray(codes, dtype=np.int64))
    with pq.ParquetFile(values_path(table.folder, column)) as file:
        values = dict(zip(rising.tolist(), take(file, rising, lambda: None).to_pylist(), strict=True))
    return [(values[code], int(counts[code])) for code in codes]
