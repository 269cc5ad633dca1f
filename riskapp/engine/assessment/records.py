"""The dataset's records: the rows that are not left out, whose they are, and what each counts in the mean risk."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import Numbers
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.value_list import Texts, flags
from riskapp.engine.assessment.numbers import amounts
from riskapp.engine.assessment.settings import AttributeKey, DatasetKey, PersonalFile
from riskapp.engine.assessment.tables import Column, Table, Tables


@dataclass(frozen=True, eq=False)
class Records:
    """The records of an assessment.

    Parameters
    ----------
    table : the dataset's file
    rows : where in the file the records stand, from 0
    identifier : who each record is about, if the dataset says so
    sha256 : of the file's bytes
    """

    table: Table
    rows: Counts
    sha256: str
    identifier: Column | None = None
    fetched: dict[str, Column] = field(default_factory=dict)

    @classmethod
    def of(cls, dataset: DatasetKey, tables: Tables) -> "Records":
        """The rows of the dataset, without those of the people left out.

        Raises
        ------
        BadSetting
            If a file cannot be read, a column is not there, or nobody is left.
        """
        table = tables.open("dataset.file", dataset.file)
        sha256 = tables.fingerprint("dataset.file", dataset.file)
        if dataset.identifier is None:
            return cls(table, np.arange(table.rows), sha256)
        people = table.column(dataset.identifier, "dataset.identifier")
        rows = np.flatnonzero(~_left_out(people, dataset, tables)[people.codes])
        if not len(rows):
            raise BadSetting("dataset.leave_out", "Nobody is left. Leave out fewer people.")
        return cls(table, rows, sha256, people.taken(rows))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str, key: str) -> Column:
        """A column of the dataset in the records."""
        if name not in self.fetched:
            self.fetched[name] = self.table.column(name, key).taken(self.rows)
        return self.fetched[name]

    @property
    def people(self) -> Codes | None:
        """The person of every record; None where nobody says."""
        return None if self.identifier is None else numbered(self.identifier)

    def weights(self, dataset: DatasetKey) -> Numbers | None:
        """What each record counts in the mean risk; None when all count alike."""
        if dataset.risk_weight is None:
            return None
        column = self.column(dataset.risk_weight, "dataset.risk_weight")
        found = amounts(column, "dataset.risk_weight", finite=True, needed=True)
        if not found.any():
            raise BadSetting("dataset.risk_weight", "All weights are 0. Give at least one record a weight.")
        return found

    def personal(self, attribute: AttributeKey, tables: Tables) -> Numbers | None:
        """The personal weights of an attribute, NaN where a record has none."""
        given, key = attribute.personal_weight, f"{attribute.key}.personal_weight"
        if given is None:
            return None
        if isinstance(given, str):
            return amounts(self.column(given, key), key)
        assert self.identifier is not None
        by_person = _by_person(self.identifier.values, given, key, tables)
        return by_person[self.identifier.codes]


def numbered(column: Column) -> Codes:
    """A number from 0 for whom every row is about; a row that does not say is about a person of its own.

    >>> numbered(Column("who", pa.array([None, "a", "b"]), np.array([2, 0, 1, 2, 0], dtype=np.int32)))
    array([1, 2, 0, 1, 3], dtype=int32)
    """
    found = column.codes - np.int32(1)
    unknown = np.flatnonzero(column.codes == 0)
    found[unknown] = np.arange(len(unknown), dtype=np.int32) + np.int32(len(column.values) - 1)
    return found


def _left_out(people: Column, dataset: DatasetKey, tables: Tables) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the identifiers are listed as left out."""
    if dataset.leave_out is None:
        return np.zeros(len(people.values), dtype=np.bool_)
    table = tables.rows("dataset.leave_out", dataset.leave_out)
    listed = _listed(table, people.name) if table is not None else pa.array([], people.values.type)
    return flags(pc.is_in(people.values, value_set=listed.drop_null()))


def _listed(table: Table, identifier: str) -> Texts:
    """The identifiers in a list: the column named like the identifier if there is one, else every first cell."""
    if identifier in table.stored.names:
        return table.column(identifier, "").values
    columns = [table.at(place) for place in range(len(table.stored.names))]
    for column in columns:
        if column.codes[0] and column.values[int(column.codes[0])].as_py() == identifier:
            return column.taken(np.arange(1, len(column))).values
    return columns[0].values


def _by_person(people: Texts, given: PersonalFile, key: str, tables: Tables) -> Numbers:
    """The weight of every identifier in a table of weights, NaN where it has none."""
    table = tables.open(f"{key}.file", given.file, may_be_empty=True)
    listed, weights = table.column(given.key, f"{key}.key"), amounts(table.column(given.column, f"{key}.column"), key)
    if (listed.rows[1:] > 1).any():
        twice = int((listed.rows[1:] > 1).sum())
        raise BadSetting(f"{key}.key", f"{twice} people stand twice in the table. Give each one row.")
    of_value = np.full(len(listed.values), np.nan)
    of_value[listed.codes] = weights
    of_value[0] = np.nan
    places = pc.fill_null(pc.index_in(people, value_set=listed.values, skip_nulls=True), 0).to_numpy()
    found: Numbers = of_value[places]
    return found
