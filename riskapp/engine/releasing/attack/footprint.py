"""The footprint of a release: which group each person is in and what the group betrays, with people as keyed hashes.

It stays when the data are shredded, so that a later release of the same people can be held against it. Without the key
the hashes say nothing about anybody.
"""

import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.core.measure import grouped
from riskapp.core.table.value_list import Texts
from riskapp.engine.assess import Prepared
from riskapp.engine.assessment.records import Records
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known, Tables
from riskapp.engine.atomic import replaced
from riskapp.engine.ruling import Ruling

Hashes = npt.NDArray[np.bytes_]
SIZE = 16
GROUP, PERSON = "group", "person"


@dataclass(frozen=True, eq=False)
class Footprint:
    """One release.

    Attributes
    ----------
    name : of the release
    person : for every row a hash of whose it is
    group : for every row its group, −1 where it is suppressed
    sensitive : for each sensitive column a hash of every row's value
    rows_are_people : whether rows with the same hash are different people, as where their values stand for them
    by : the columns whose values stand for a person; none where an identifier does
    """

    name: str
    person: Hashes
    group: npt.NDArray[np.int64]
    sensitive: Mapping[str, Hashes]
    rows_are_people: bool = False
    by: tuple[str, ...] = ()

    def comparable(self, other: "Footprint") -> bool:
        """Whether both tell people apart by the same thing."""
        return (self.rows_are_people, self.by) == (other.rows_are_people, other.by)

    def save(self, path: Path) -> None:
        """Write it to a file."""
        kind = pa.binary(2 * SIZE)
        columns = {PERSON: pa.array(self.person.tolist(), kind), GROUP: pa.array(self.group)}
        columns |= {f"of {name}": pa.array(hashes.tolist(), kind) for name, hashes in self.sensitive.items()}
        with replaced(path) as fresh:
            about = {"name": self.name, "rows_are_people": str(int(self.rows_are_people)), "by": json.dumps(self.by)}
            pq.write_table(pa.table(columns).replace_schema_metadata(about), fresh)

    @classmethod
    def open(cls, path: Path) -> "Footprint":
        """Read it again."""
        table = pq.read_table(path)
        about = table.schema.metadata or {}
        columns = {one: table.column(one).to_pylist() for one in table.column_names if one != GROUP}
        person = _array(columns.pop(PERSON))
        sensitive = {one.removeprefix("of "): _array(cells) for one, cells in columns.items()}
        group, several = table.column(GROUP).to_numpy(), about[b"rows_are_people"] == b"1"
        return cls(about[b"name"].decode(), person, group, sensitive, several, tuple(json.loads(about[b"by"])))


def footprint(
    found: Ruling, name: str, key: bytes, *, by: Sequence[str] = (), known: Known = NOTHING_KNOWN
) -> Footprint:
    """The footprint of a rule's table.

    Parameters
    ----------
    found : the rule
    name : of the release
    key : of the hashes; releases are held against each other only where it is the same
    by : the columns whose values together stand for a person; without them the dataset's identifier does
    known : files that were read before

    Raises
    ------
    ValueError
        If neither columns nor an identifier say whose rows they are.
    """
    groups = grouped(found.problem, found.released)
    sensitive = {column.name: _hashed_column(found, column.name, key) for column in found.problem.sensitive}
    person = _by_values(found, by, key) if by else _by_identifier(found.prepared, key, known)
    return Footprint(name, person, groups.group.astype(np.int64), sensitive, bool(by), tuple(by))


def hashed(texts: Sequence[str | None], key: bytes) -> Hashes:
    """A keyed hash of every text; missing has one of its own.

    >>> one, other = hashed(["a", None], b"k"), hashed(["a", "b"], b"k")
    >>> bool(one[0] == other[0]), bool(one[1] == other[1])
    (True, False)
    """
    return _array([_hash(text, key) for text in texts])


def _hash(text: str | None, key: bytes) -> bytes:
    words = b"\0" if text is None else b"\1" + text.encode()
    # In hexadecimal digits: zero bytes at the end would be lost in an array of bytes.
    return hmac.digest(key, words, "sha256")[:SIZE].hex().encode()


def _array(hashes: Sequence[bytes]) -> Hashes:
    return np.array(hashes, dtype=f"S{2 * SIZE}")


def _by_identifier(prepared: Prepared, key: bytes, known: Known) -> Hashes:
    assessment = prepared.assessment
    with Tables.of(assessment.folder, assessment.dataset.missing, known=known) as tables:
        column = Records.of(assessment.dataset, tables).identifier
    if column is None:
        raise ValueError("Nothing says whose rows they are. Name columns.")
    hashes = hashed(column.values.to_pylist(), key)[column.codes]
    alone = np.flatnonzero(column.codes == 0)
    hashes[alone] = [_hash(secrets.token_hex(SIZE), key) for _ in alone]
    return hashes


def _by_values(found: Ruling, names: Sequence[str], key: bytes) -> Hashes:
    texts = [_leaves(found, name).to_pylist() for name in names]
    rows = ["\0".join("\1" if cell is None else cell for cell in row) for row in zip(*texts, strict=True)]
    return hashed(rows, key)


def _hashed_column(found: Ruling, name: str, key: bytes) -> Hashes:
    place = found.problem.names.index(name)
    return hashed(found.problem.hierarchies[place].labels[0].to_pylist(), key)[found.problem.column(place).codes]


def _leaves(found: Ruling, name: str) -> Texts:
    place = found.problem.names.index(name)
    return found.problem.hierarchies[place].shown(0, found.problem.column(place).codes)
