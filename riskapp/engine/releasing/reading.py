"""Reading a released file back into levels, from its bytes: whatever was meant, this is what leaves the house."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.errors import Unreadable
from riskapp.core.table import decimals
from riskapp.core.table.hierarchy import TOP, Codes, Hierarchy
from riskapp.core.table.keys import Numbers, Places
from riskapp.core.table.read_back import Labels, read_labels
from riskapp.core.table.released import Mask, Released
from riskapp.core.table.value_list import Texts, joined, texts
from riskapp.engine import reading
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.coded import CodedTable
from riskapp.engine.outgoing.reading_back import first_alike
from riskapp.engine.releasing.building import order_of
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.columns import FROM, LABEL, LEVEL, SUPPRESSED, TO, FileColumn, Sheet, extra_names
from riskapp.engine.releasing.defusing import fused

ADVICE = "Give the file as it was built, with the choices that it was built with."
Key = tuple[str | None, str]


@dataclass(frozen=True, eq=False)
class Cells:
    """A column of the file: its different texts, and which of them each row holds; fetched when asked for.

    Attributes
    ----------
    table, place : where the column lies
    defused : whether its formulas were made harmless
    """

    table: CodedTable
    place: int
    defused: bool

    @property
    def values(self) -> Texts:
        values = texts(self.table.values(self.place))
        return fused(values) if self.defused else values

    @property
    def codes(self) -> Codes:
        return self.table.codes(self.place)


def released_in(
    path: Path, attributes: Sequence[AttributeKey], meant: Released, choices: Choices, ending: str | None = None
) -> Released:
    """The released table that a file holds, its rows in the order of the records.

    Labels are read by the hierarchies alone; what was meant decides only which of two levels with the same label it is.

    Parameters
    ----------
    path : the file
    attributes : of the assessment, in the order of the release
    meant : the table of the rule
    choices : how the file was written
    ending : what the file's name ends in, if it is not there yet

    Raises
    ------
    Unreadable
        If there are other columns or rows, if a cell shows what its record's value becomes at no level, or if from, to
        or level do not go with the label beside them; it names the column and no value.
    """
    names = [attribute.name for attribute in attributes]
    with _columns(path, ending or path.suffix.lower(), names, choices) as columns:
        _check_rows(columns, len(meant.records))
        order = order_of(len(meant.records), choices)
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        hidden = _hidden(columns, back)
        labels = [
            _labels(columns[attribute.name, LABEL], hierarchy, hidden, back)
            for attribute, hierarchy in zip(attributes, meant.hierarchies, strict=True)
        ]
        found = read_labels(meant.records, labels, meant)
        _check_details(columns, Sheet(attributes, found, order, choices))
    return found


@contextmanager
def _columns(path: Path, ending: str, names: Sequence[str], choices: Choices) -> Iterator[dict[Key, Cells]]:
    """The columns by whose they are and what they tell."""
    with tempfile.TemporaryDirectory(prefix="riskapp-") as scratch:
        into = Path(scratch) / "table"
        reading.read(path, f"release{ending}", _wishes(ending), into)
        table = CodedTable.open(into)
        keys = _keys(names)
        found = dict[Key, Cells]()
        for place, name in enumerate(table.names):
            plain = _plain(fused(texts([name]))[0].as_py() if choices.defuse else name)
            if plain not in keys or keys[plain] in found:
                raise _wrong(f"Column {place + 1} of the file belongs to no attribute of the assessment.")
            found[keys[plain]] = Cells(table, place, choices.defuse)
        missing = [name for name in names if (name, LABEL) not in found]
        if missing:
            raise _wrong(f"The file has no column {missing[0]}.")
        yield found


def _wishes(ending: str) -> reading.Wishes:
    dialect = {"encoding": "utf-8", "delimiter": ",", "quote": '"'} if ending == ".csv" else {}
    return reading.Wishes(header="names", missing=("",), **dialect)


def _keys(names: Sequence[str]) -> dict[str, Key]:
    labels: dict[str, Key] = {_plain(name): (name, LABEL) for name in names}
    return labels | {_plain(name): key for key, name in extra_names(names).items()}


def _plain(name: str) -> str:
    """The reader takes spaces together."""
    return " ".join(name.split())


def _check_rows(columns: Mapping[Key, Cells], records: int) -> None:
    rows = next(iter(columns.values())).table.rows
    if rows != records:
        raise _wrong(f"The file has {rows} rows, the assessment {records} records.")


def _hidden(columns: Mapping[Key, Cells], back: Places) -> Mask | None:
    """Which records the file says are suppressed; None where it has no such column."""
    cells = columns.get((None, SUPPRESSED))
    if cells is None:
        return None
    told, codes = cells.values.to_pylist(), cells.codes
    if not set(told[1:]) <= {"true", "false"} or (codes == 0).any():
        raise _wrong("The column about suppressed rows says something else than true and false.")
    flags: Mask = np.array([text == "true" for text in told])[codes][back]
    return flags


def _labels(cells: Cells, hierarchy: Hierarchy, hidden: Mask | None, back: Places) -> Labels:
    """What a column shows of every record; an empty cell of a suppressed row stands for `*`."""
    spelled, codes = _as_labels(cells.values, hierarchy), cells.codes[back]
    if hidden is not None:
        codes[hidden & (codes == 0)] = len(spelled)
    return Labels(joined([spelled, texts([TOP])]), codes)


def _as_labels(values: Texts, hierarchy: Hierarchy) -> Texts:
    """A number that is no label as it is written is the one label that is the same number."""
    labels = joined(hierarchy.labels).drop_null()
    strange = np.flatnonzero((first_alike(values, labels) < 0) & values.is_valid().to_numpy(zero_copy_only=False))
    if not len(strange):
        return values
    numbers = decimals.spelled(hierarchy.labels[0])
    asked = decimals.spelled(values.take(pa.array(strange)))
    place = first_alike(asked.fill_null(""), numbers)
    fresh = values.to_pylist()
    for at, found in zip(strange.tolist(), place.tolist(), strict=True):
        if found >= 0:
            fresh[at] = hierarchy.labels[0][found].as_py()
    return texts(fresh)


def _check_details(columns: Mapping[Key, Cells], sheet: Sheet) -> None:
    """From, to and level are those that the labels have: they must not say more."""
    expected = {(column.attribute, column.part): column for column in sheet.columns}
    if set(expected) != set(columns):
        raise _wrong("The file has not the columns that its choices ask for.")
    for key, column in expected.items():
        if key[1] in (FROM, TO, LEVEL) and not _says(column, columns[key], sheet):
            raise _wrong(f"Column {column.name} does not say what the label beside it says.")


def _says(column: FileColumn, cells: Cells, sheet: Sheet) -> bool:
    """Whether a column of the file holds what it should, each pair of two texts that meet looked at once."""
    values, codes, size = cells.values, cells.codes, len(cells.values)
    pairs: Numbers = np.zeros(0, dtype=np.int64)
    for rows in sheet.parts():
        pairs = np.union1d(pairs, column.numbers(rows) * size + codes[rows])
    right, there = np.divmod(pairs, size)
    return _same(column.as_text(column.labels.take(right)), values.take(pa.array(there)))


def _same(one: Texts, other: Texts) -> bool:
    """Whether texts are equal, or the same numbers."""
    if one.equals(other):
        return True
    spelled = [decimals.spelled(some).fill_null("") for some in (one, other)]
    number = pc.and_(one.is_valid(), pc.not_equal(spelled[0], ""))
    return bool(
        pc.all(pc.if_else(number, pc.equal(*spelled), pc.equal(one.fill_null(""), other.fill_null("")))).as_py()
        is not False
    )


def _wrong(message: str) -> Unreadable:
    return Unreadable("not-this-release", message, advice=ADVICE)
