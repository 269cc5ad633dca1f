"""Files into coded tables: CSV, TSV, Excel and Parquet, plain or packed, of any size, or a reason why not."""

from riskapp.engine.reading.encodings import ENCODINGS
from riskapp.engine.reading.faults import FAULTS, MENDED_BY
from riskapp.engine.reading.kinds import ENDINGS, PACKED
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.reader import read
from riskapp.engine.reading.wishes import HEADERS, NO_QUOTE, RAGGED, Reading, Wishes

__all__ = [
    "ENCODINGS",
    "ENDINGS",
    "FAULTS",
    "HEADERS",
    "MENDED_BY",
    "NO_QUOTE",
    "PACKED",
    "RAGGED",
    "Limits",
    "Reading",
    "Wishes",
    "read",
]
