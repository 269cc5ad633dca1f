"""The footprint of a release: which group each person is in and what the group betrays, with people as keyed hashes.

It stays when the data are shredded, so that a later release of the same people can be held against it. Without the key
the hashes say nothing about anybody.
"""

import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.core.measure import grouped
from riskapp.core.table.value_list import Texts, texts
from riskapp.engine.assess import Prepared
from riskapp.engine.assessment.records import Records
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Column, Known, Tables
from riskapp.engine.atomic import replaced
from riskapp.engine.ruling import Ruling

Hashes = npt.NDArray[np.bytes_]
Codes = npt.NDArray[np.int32]
SIZE = 16
AT_ONCE = 1 << 16
"""So many texts are hashed at once: as objects of Python they need many times their room."""
GROUP, PERSON = "group", "person"


class AtLevel(NamedTuple):
    """A column at one level of its hierarchy.

    Attributes
    ----------
    name : of the level
    labels : a hash of each label that occurs
    codes : for every row the place of its label, −1 where it is missing
    """

    name: str
    labels: Hashes
    codes: npt.NDArray[np.int32]


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
    identifier : the name of the column that does
    columns : the columns that form the groups, at each level below the top; none in footprints of old
    key : stands for the key of the hashes; empty in footprints of old
    counts_rows : whether the identifier only counts the rows, so that the same one may be somebody else elsewhere
    """

    name: str
    person: Hashes
    group: npt.NDArray[np.int64]
    sensitive: Mapping[str, Hashes]
    rows_are_people: bool = False
    by: tuple[str, ...] = ()
    identifier: str = ""
    columns: Mapping[str, tuple[AtLevel, ...]] = field(default_factory=dict)
    key: str = ""
    counts_rows: bool = False

    def save(self, path: Path) -> None:
        """Write it to a file."""
        cells = {PERSON: in_arrow(self.person), GROUP: pa.array(self.group)}
        cells |= {f"of {name}": in_arrow(hashes) for name, hashes in self.sensitive.items()}
        for name, levels in self.columns.items():
            cells |= {f"level {number} of {name}": _coded(level) for number, level in enumerate(levels)}
        about = {
            "name": self.name,
            "rows_are_people": str(int(self.rows_are_people)),
            "by": json.dumps(self.by),
            "identifier": self.identifier,
            "levels": json.dumps({name: [one.name for one in levels] for name, levels in self.columns.items()}),
            "key": self.key,
            "counts_rows": str(int(self.counts_rows)),
        }
        with replaced(path) as fresh:
            pq.write_table(pa.table(cells).replace_schema_metadata(about), fresh)

    @classmethod
    def open(cls, path: Path) -> "Footprint":
        """Read it again, a column at a time."""
        with pq.ParquetFile(path) as file:
            about, names = file.schema_arrow.metadata or {}, file.schema_arrow.names

            def column(name: str) -> pa.ChunkedArray:
                return file.read(columns=[name]).column(name)  # "a" reads "a.b" too

            levels = json.loads(about.get(b"levels", b"{}"))
            return cls(
                name=about[b"name"].decode(),
                person=_in_numpy(column(PERSON)),
                group=column(GROUP).to_numpy(),
                sensitive={one.removeprefix("of "): _in_numpy(column(one)) for one in names if one.startswith("of ")},
                rows_are_people=about[b"rows_are_people"] == b"1",
                by=tuple(json.loads(about[b"by"])),
                identifier=about.get(b"identifier", b"").decode(),
                columns={
                    name: tuple(_decoded(level, column(f"level {at} of {name}")) for at, level in enumerate(own))
                    for name, own in levels.items()
                },
                key=about.get(b"key", b"").decode(),
                counts_rows=about.get(b"counts_rows") == b"1",
            )


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
    told = None if by else _identifier(found.prepared, known)
    person = _by_values(found, by, key) if told is None else _by_identifier(told, key)
    identifier = "" if by else found.prepared.assessment.dataset.identifier or ""
    columns = {found.problem.names[place]: _levels(found, place, key) for place in found.problem.grouped}
    group = groups.group.astype(np.int64)
    counted = told is not None and counts_rows(told.values, told.codes)
    return Footprint(
        name, person, group, sensitive, bool(by), tuple(by), identifier, columns, key_name(key), counts_rows=counted
    )


def key_name(key: bytes) -> str:
    """What stands for a key of hashes: the same for the same key, and nothing to find the key by."""
    return hmac.digest(key, b"which key this is", "sha256")[:SIZE].hex()


def counts_rows(values: Texts, codes: npt.NDArray[np.int32]) -> bool:
    """Whether an identifier only counts the rows, from whatever number.

    Parameters
    ----------
    values : the distinct identifiers, the first of them missing
    codes : for every row the place of its own

    >>> counted, other = texts([None, "4", "5"]), texts([None, "4", "6"])
    >>> rows = np.array([1, 2], dtype=np.int32)
    >>> counts_rows(counted, rows), counts_rows(other, rows), counts_rows(counted, rows[::-1])
    (True, False, False)
    """
    known = values[1:]
    if len(codes) < 2 or (codes == 0).any() or not pc.all(pc.match_substring_regex(known, "^[0-9]{1,15}$")).as_py():
        return False
    numbers = np.append(0, known.cast(pa.int64()).to_numpy(zero_copy_only=False))
    return bool((np.diff(numbers[codes]) == 1).all())


def hashed(cells: Sequence[str | None] | Texts, key: bytes) -> Hashes:
    """A keyed hash of every text; missing has one of its own.

    >>> one, other = hashed(["a", None], b"k"), hashed(["a", "b"], b"k")
    >>> bool(one[0] == other[0]), bool(one[1] == other[1])
    (True, False)
    """
    given = texts(cells)
    found = _array([b""] * len(given))
    for some in _parts(len(given)):
        found[some] = [_hash(text, key) for text in given[some].to_pylist()]
    return found


def _parts(rows: int) -> Iterator[slice]:
    return (slice(start, start + AT_ONCE) for start in range(0, rows, AT_ONCE))


def _hash(text: str | None, key: bytes) -> bytes:
    words = b"\0" if text is None else b"\1" + text.encode()
    # In hexadecimal digits: zero bytes at the end would be lost in an array of bytes.
    return hmac.digest(key, words, "sha256")[:SIZE].hex().encode()


def _array(hashes: Sequence[bytes]) -> Hashes:
    return np.array(hashes, dtype=f"S{2 * SIZE}")


def in_arrow(hashes: Hashes) -> pa.FixedSizeBinaryArray:
    """The same hashes for Arrow, which takes them where they lie."""
    room = pa.py_buffer(np.ascontiguousarray(hashes))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(2 * SIZE), len(hashes), [None, room])


def _in_numpy(column: pa.ChunkedArray) -> Hashes:
    whole = column.combine_chunks()
    room = np.frombuffer(whole.buffers()[1], dtype=f"S{2 * SIZE}") if len(whole) else _array([])
    return room[whole.offset : whole.offset + len(whole)]


def numbered(several: Sequence[Hashes]) -> list[Codes]:
    """For each of several arrays the hashes as numbers, the same for the same hash.

    >>> [codes.tolist() for codes in numbered([hashed(["a", "b"], b"k"), hashed(["b", "b", "c"], b"k")])]
    [[0, 1], [1, 1, 2]]
    """
    encoded = pa.chunked_array([in_arrow(some) for some in several], pa.binary(2 * SIZE)).dictionary_encode()
    return [chunk.indices.to_numpy() for chunk in encoded.unify_dictionaries().chunks]


def _identifier(prepared: Prepared, known: Known) -> Column:
    assessment = prepared.assessment
    with Tables.of(assessment.folder, assessment.dataset.missing, known=known) as tables:
        column = Records.of(assessment.dataset, tables).identifier
    if column is None:
        raise ValueError("Nothing says whose rows they are. Name columns.")
    return column


def _by_identifier(column: Column, key: bytes) -> Hashes:
    hashes = hashed(column.values, key)[column.codes]
    alone = np.flatnonzero(column.codes == 0)
    hashes[alone] = [_hash(secrets.token_hex(SIZE), key) for _ in alone]
    return hashes


def _by_values(found: Ruling, names: Sequence[str], key: bytes) -> Hashes:
    parts = [_array([])]
    for some in _parts(len(found.problem)):
        columns = [_leaves(found, name, some).to_pylist() for name in names]
        rows = ["\0".join("\1" if cell is None else cell for cell in row) for row in zip(*columns, strict=True)]
        parts.append(hashed(rows, key))
    return np.concatenate(parts)


def _hashed_column(found: Ruling, name: str, key: bytes) -> Hashes:
    place = found.problem.names.index(name)
    return hashed(found.problem.hierarchies[place].labels[0], key)[found.problem.column(place).codes]


def _levels(found: Ruling, place: int, key: bytes) -> tuple[AtLevel, ...]:
    """A column at every level that says something."""
    hierarchy, leaves = found.problem.hierarchies[place], found.problem.column(place).codes
    levels = []
    for number in range(hierarchy.height):
        own = hierarchy.ancestors[number][leaves]
        occurring = 1 + np.flatnonzero(np.bincount(own, minlength=1)[1:])
        places = np.full(hierarchy.groups[number] + 1, -1, dtype=np.int32)
        places[occurring] = np.arange(len(occurring), dtype=np.int32)
        labels = hashed(hierarchy.labels[number].take(pa.array(occurring)), key)
        levels.append(AtLevel(hierarchy.names[number], labels, places[own]))
    return tuple(levels)


def _coded(level: AtLevel) -> pa.DictionaryArray:
    codes = pa.array(level.codes, mask=level.codes < 0)
    return pa.DictionaryArray.from_arrays(codes, pa.array(level.labels.tolist(), pa.binary()))


def _decoded(name: str, column: pa.ChunkedArray) -> AtLevel:
    whole = pa.chunked_array(column.unify_dictionaries()).combine_chunks()
    codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return AtLevel(name, _array(whole.dictionary.to_pylist()), codes)


def _leaves(found: Ruling, name: str, rows: slice) -> Texts:
    place = found.problem.names.index(name)
    return found.problem.hierarchies[place].shown(0, found.problem.column(place).codes[rows])
