"""Reading a release back: what leaves the house is the file, so the file is looked at and not what it was made from."""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from riskapp.core.table.value_list import Texts, joined
from riskapp.engine import reading
from riskapp.engine.coded import CodedTable
from riskapp.engine.outgoing.shown import Shown
from riskapp.engine.outgoing.stacked import Numbers


def shows(path: Path, ending: str, shown: Shown) -> bool:
    """Whether a file holds this table: the same columns, and in every row and cell the same text.

    Parameters
    ----------
    path : the file
    ending : what its name ends in, or will
    shown : what it should hold
    """
    with tempfile.TemporaryDirectory(prefix=".reading-back-", dir=path.parent) as scratch:
        into = Path(scratch) / "table"
        wishes = reading.Wishes(header="names", missing=("",), **_dialect(ending))
        reading.read(path, f"release{ending}", wishes, into)
        table = CodedTable.open(into)
        # The reader takes spaces off the ends of names.
        named = [name.strip() for name in table.names] == [name.strip() for name in shown.names]
        alike = named and table.rows == len(shown.order)
        return alike and all(_column_shows(table, place, shown) for place in range(len(table.names)))


def _dialect(ending: str) -> dict[str, str]:
    return {"encoding": "utf-8", "delimiter": ",", "quote": '"'} if ending == ".csv" else {}


def _column_shows(table: CodedTable, place: int, shown: Shown) -> bool:
    """Texts are compared by the first label that is written so: short hierarchies repeat labels in several levels."""
    labels = joined(shown.labels[place].parts).fill_null("")
    expected, found = first_alike(labels, labels), first_alike(table.values(place).fill_null(""), labels)
    codes = table.codes(place)
    return all(np.array_equal(found[codes[rows]], expected[shown.numbers(place, rows)]) for rows in shown.parts())


def first_alike(cells: Texts, labels: Texts) -> Numbers:
    """For every text the first label that is equal to it, −1 where there is none.

    >>> from riskapp.core.table.value_list import texts
    >>> first_alike(texts(["b", "x", "a"]), texts(["a", "b", "b"])).tolist()
    [1, -1, 0]
    """
    places: Numbers = pc.fill_null(pc.index_in(cells, value_set=labels), -1).to_numpy().astype(np.int64)
    return places
