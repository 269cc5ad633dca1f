"""The corpus: bad files with what must be said about them, and odd but good files with what must be read from them.

Every bad file that has cells has the canary in them; no message may repeat it.
"""

from tests.engine.reading.bad_files import bad
from tests.engine.reading.good_files import good
from tests.engine.reading.making import CANARY, Bad, Good, parquet, table, wide, with_line, written, xlsx

__all__ = ["CANARY", "Bad", "Good", "bad", "good", "parquet", "table", "wide", "with_line", "written", "xlsx"]
