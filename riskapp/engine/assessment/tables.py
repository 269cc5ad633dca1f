"""The tables of an assessment: read once each into coded tables in a folder that is removed afterwards.

Cells are the text in the file; the cells that mean missing are those the assessment lists, in every table.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TypeAlias
from unicodedata import category

import numpy as np
import pyarrow as pa

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.value_list import Texts, texts
from riskapp.engine import coded
from riskapp.engine.assessment.faults import OtherMissing, told_by
from riskapp.engine.assessment.plain_text import as_text, decoded, unpacked
from riskapp.engine.coded import CodedTable
from riskapp.engine.hashes import sha256
from riskapp.engine.reading import Limits, Wishes
from riskapp.engine.reading import read as read_table
from riskapp.engine.reading.parquet import ParquetSource
from riskapp.engine.reporting import Report, silent

TABLES = ("xlsx", "xls", "parquet")
NOBODY = ("empty-file", "only-blank", "excel-empty", "header-only")


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table.

    Parameters
    ----------
    name : in the header
    values : the distinct values, null first for missing
    codes : for every row the place of its value
    places : where in the file the rows stand, from 0, if these are not all
    """

    name: str
    values: Texts
    codes: Codes
    places: Counts | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def rows(self) -> Counts:
        """In how many rows each value stands."""
        return np.bincount(self.codes, minlength=len(self.values)).astype(np.int64)

    def row(self, place: int) -> int:
        """The number that a row has in the file, the first below the header being 1."""
        return place + 1 if self.places is None else int(self.places[place]) + 1

    def taken(self, rows: Counts) -> "Column":
        """The column in some of the rows of the file, with the values that stand there."""
        if len(rows) == len(self):
            return self
        used = np.union1d([0], self.codes[rows]).astype(np.int32)
        places = np.zeros(len(self.values), dtype=np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        return Column(self.name, self.values.take(pa.array(used)), places[self.codes[rows]], rows)


@dataclass(frozen=True, eq=False)
class Table:
    """A table and the name of its file's key."""

    key: str
    stored: CodedTable

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.stored.rows

    def column(self, name: str, key: str) -> Column:
        """The column of that name.

        Raises
        ------
        BadSetting
            Of the key that names the column, if there is none.
        """
        plain = " ".join(name.split())
        if plain not in self.stored.names or any(category(sign) == "Cc" for sign in name):
            raise BadSetting(key, f"The file of {self.key} has no such column. Name one that it has.")
        return self.at(self.stored.names.index(plain))

    def at(self, place: int) -> Column:
        """The column at a place."""
        values, codes = texts(self.stored.values(place)), self.stored.codes(place)
        return Column(self.stored.names[place], values, codes)

    def cells(self) -> Iterator[list[str | None]]:
        """The rows as text, for small tables."""
        columns = [self.at(place) for place in range(len(self.stored.names))]
        shown = [column.values.take(pa.array(column.codes)).to_pylist() for column in columns]
        return map(list, zip(*shown, strict=True))


@dataclass(frozen=True, eq=False)
class ReadBefore:
    """A file that need not be read again: its coded table, and the SHA-256 of its bytes."""

    table: CodedTable
    sha256: str


Known: TypeAlias = Mapping[str, ReadBefore]
NOTHING_KNOWN: Known = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Tables:
    """Opens the files that an assessment names.

    Parameters
    ----------
    folder : what the names of files are relative to
    scratch : where coded tables are kept
    missing : the cells that mean missing
    report : is told how far the reading of each file is; what it raises stops it
    known : files that were read before, by their names
    """

    folder: Path
    scratch: Path
    missing: tuple[str, ...]
    report: Report = silent
    known: Known = field(default_factory=dict)
    opened: dict[tuple[Path, Wishes], CodedTable] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def of(
        cls, folder: Path, missing: tuple[str, ...], report: Report = silent, known: Known = NOTHING_KNOWN
    ) -> Iterator["Tables"]:
        """The tables, with a folder of their own as long as they are in use."""
        with TemporaryDirectory(prefix="riskapp-") as scratch:
            yield cls(folder, Path(scratch), missing, report, known)

    def path(self, key: str, name: str) -> Path:
        """Where a file is.

        Raises
        ------
        BadSetting
            Of its key, if there is no such file, or it may not be read.
        """
        path = self.folder / name
        try:
            if path.is_dir():
                raise BadSetting(key, "This is a folder. Name the file in it.")
            with path.open("rb"):
                return path
        except (FileNotFoundError, NotADirectoryError):
            raise BadSetting(key, "There is no such file. Look at its name and folder.") from None
        except (OSError, ValueError):
            raise BadSetting(key, "The file may not be read. Look at its name and permissions.") from None

    def open(self, key: str, name: str, *, may_be_empty: bool = False) -> Table:
        """A table with a header; where it may be empty, the header is enough.

        Raises
        ------
        BadSetting
            Of the key, if the file cannot be read as a table.
        """
        if name in self.known:
            return self._read_before(key, self.known[name].table)
        path = self.path(key, name)
        with told_by(key):
            try:
                return Table(key, self._coded(path, "names"))
            except Unreadable as error:
                if error.code != "header-only" or not may_be_empty:
                    raise
                return Table(key, self._empty(path))

    def _read_before(self, key: str, table: CodedTable) -> Table:
        if set(table.reading.get("missing", self.missing)) != set(self.missing):
            told = "This file was read with other words for missing than the dataset. Read it again with the same."
            raise OtherMissing(key, told)
        return Table(key, table)

    def fingerprint(self, key: str, name: str) -> str:
        """The SHA-256 of a file's bytes."""
        return self.known[name].sha256 if name in self.known else sha256(self.path(key, name))

    def rows(self, key: str, name: str, missing: tuple[str, ...] | None = None) -> Table | None:
        """A table without a header; None if nothing is in the file. A Parquet file has its names all the same."""
        path = self.path(key, name)
        with told_by(key):
            try:
                found = self._coded(path, "none", missing)
                return Table(key, self._coded(path, "names", missing) if _is_parquet(found) else found)
            except Unreadable as error:
                if error.code not in NOBODY:
                    raise
                return None

    def _coded(self, path: Path, header: str, missing: tuple[str, ...] | None = None) -> CodedTable:
        # The quote is not guessed: a cell that stands between single quotes has them.
        wishes = Wishes(header=header, quote='"', missing=self.missing if missing is None else missing)
        if (path, wishes) not in self.opened:
            into = self.scratch / f"table{len(self.opened)}"
            read_table(path, path.name, wishes, into, report=self.report)
            self.opened[path, wishes] = CodedTable.open(into)
        return self.opened[path, wishes]

    def _empty(self, path: Path) -> CodedTable:
        """The names in a file that has no row, as a table."""
        plain, form = unpacked(path, self.scratch)
        if form == "parquet":
            names = ParquetSource(plain, Wishes(), Limits()).names
        else:
            first = next(Table("", self._coded(path, "none", ())).cells())
            names = [" ".join((cell or "").split()) for cell in first]
        return coded.write(self.scratch / f"empty{len(self.opened)}", names, [[] for _ in names])

    def text(self, key: str, name: str, *, header: bool) -> str:
        """The text of a file with one row for each leaf; a table of another kind is written out as such a text.

        Parameters
        ----------
        header : whether the names of a file that has them apart from its rows are the first line
        """
        path = self.path(key, name)
        with told_by(key):
            plain, form = unpacked(path, self.scratch)
            if form not in TABLES:
                return decoded(plain)
            names = [self._coded(path, "names", ()).names] if header and form == "parquet" else []
            return as_text([*names, *Table("", self._coded(path, "none", ())).cells()])


def _is_parquet(table: CodedTable) -> bool:
    return table.reading.get("format") == "parquet"
