"""The dictionaries and the linkage data of an assessment."""

from pathlib import Path
from typing import Any

from tests.oracle import reading
from tests.oracle.arithmetic import at_least_zero, exact
from tests.oracle.hierarchies import Cell
from tests.oracle.jaro import jaro
from tests.oracle.problem import Attribute, Dictionary, Entry, Linkage, Record
from tests.oracle.reading import Refused, Row, only

Attributes = dict[str, Attribute]
Match = dict[str, tuple[str, int]]  # column: attribute and level

SELF_KEYS = {"self", "name", "knows", "prior"}
FILE_KEYS = {"name", "file", "match", "identity", "count", "prior", "fuzzy"}
RESERVED = {"worst", "bayes"}


def with_names(given: list[Any]) -> list[dict[str, Any]]:
    """Every dictionary as a mapping with a name: `self`, or else the name of its file."""
    found: list[dict[str, Any]] = [{"self": True} if one == "self" else dict(one) for one in given]
    for one in found:
        only(one, SELF_KEYS if "self" in one else FILE_KEYS, "dictionaries")
        one.setdefault("name", "self" if "self" in one else Path(one.get("file", "")).stem)
    names = [one["name"] for one in found]
    if len(set(names)) < len(names) or RESERVED & set(names):
        raise Refused("dictionaries: every dictionary needs a name of its own")
    return found


def matched(attributes: Attributes, given: dict[str, Any], columns: list[str]) -> Match:
    """Which attribute, at which level, each column of a file holds; an attribute is matched at most once."""
    found = {column: target(attributes, text) for column, text in given.items()}
    names = [name for name, _ in found.values()]
    if not found or len(set(names)) < len(names) or not set(found) <= set(columns):
        raise Refused("match: each column is in the file and matches an attribute of its own")
    return found


def target(attributes: Attributes, text: str) -> tuple[str, int]:
    """`attribute` at level 0, or `attribute@level`."""
    name, _, level = (text, "", "0") if text in attributes else text.rpartition("@")
    if name not in attributes:
        raise Refused(f"match: there is no attribute {name or text}")
    return name, attributes[name].hierarchy.level(level)


def cells_of(row: Row, match: Match) -> dict[str, Cell]:
    """What a row knows: the cell of each matched column that is not missing."""
    known = {}
    for column, (name, level) in match.items():
        label = row[column]
        if label is not None:
            known[name] = (level, label)
    return known


def occurring(attributes: Attributes, given: dict[str, Any], folder: Path, missing: list[str]) -> list[dict[str, Cell]]:
    """The cells of a dictionary file or linkage file, row by row."""
    if "file" not in given:
        return []
    match = matched(attributes, given["match"], reading.columns(folder / given["file"]))
    return [cells_of(row, match) for row in reading.table(folder / given["file"], missing)]


def check_covered(attributes: Attributes, known: dict[str, Cell]) -> None:
    """A value that its hierarchy does not cover is refused."""
    for name, cell in known.items():
        if not attributes[name].hierarchy.covers(cell):
            raise Refused(f"a dictionary has a value that the hierarchy of {name} does not cover")


def resembling(attribute: Attribute, cell: Cell, threshold: object) -> list[Cell]:
    """What a fuzzy column's value stands for: itself if covered, and the values of its level alike enough."""
    hierarchy = attribute.hierarchy
    if not hierarchy.textual:
        raise Refused(f"fuzzy: {attribute.name} is not text")
    level, text = cell
    alike = {hierarchy.above((0, leaf), level) for leaf in hierarchy.domain}
    alike = {other for other in alike if jaro(text, other[1]) >= exact(threshold)}
    return sorted(alike | ({cell} if hierarchy.covers(cell) else set()))


def from_dataset(given: dict[str, Any], attributes: Attributes, records: list[Record]) -> Dictionary:
    """The dataset as its own dictionary: it knows the columns ticked, else those that have a hierarchy."""
    default = [name for name, attribute in attributes.items() if not attribute.kept]
    knows = given.get("knows", default)
    if given["self"] is not True or not set(knows) <= set(attributes) or not knows:
        raise Refused("dictionaries.knows: columns that are attributes are needed")
    entries = []
    for record in records:
        values = {name: record.values[name] for name in knows}
        known = {name: (0, value) for name, value in values.items() if value is not None}
        entries.append(Entry(known, {}, record.person))
    return Dictionary(given["name"], list(knows), entries, at_least_zero(given.get("prior", 1)))


def from_file(given: dict[str, Any], attributes: Attributes, folder: Path, missing: list[str]) -> Dictionary:
    """A dictionary from a file, with its columns matched to attributes."""
    columns = reading.columns(folder / given["file"])
    match = matched(attributes, given["match"], columns)
    fuzzy = given.get("fuzzy", {})
    asked = [given[key] for key in ("identity", "count") if key in given]
    if len(asked) > 1 or not set(asked) <= set(columns) or not set(fuzzy) <= set(match):
        raise Refused("dictionaries: identity or count, and fuzzy, name columns of the file")
    rows = reading.table(folder / given["file"], missing)
    entries = [entry(place, row, given, attributes, match) for place, row in enumerate(rows)]
    names = [name for name, _ in match.values()]
    return Dictionary(given["name"], names, entries, at_least_zero(given.get("prior", 1)))


def entry(place: int, row: Row, given: dict[str, Any], attributes: Attributes, match: Match) -> Entry:
    """One entry; without an identity it is a person of its own."""
    thresholds = {match[column][0]: threshold for column, threshold in given.get("fuzzy", {}).items()}
    cells = cells_of(row, match)
    known = {name: cell for name, cell in cells.items() if name not in thresholds}
    check_covered(attributes, known)
    fuzzy = {
        name: resembling(attributes[name], cell, thresholds[name]) for name, cell in cells.items() if name in thresholds
    }
    identity = row[given["identity"]] if "identity" in given else None
    person = f"entry {place}" if identity is None else f"person {identity}"
    return Entry(known, fuzzy, person, multiplicity(row[given["count"]]) if "count" in given else 1)


def multiplicity(cell: str | None) -> int:
    """How many people an entry stands for: a whole number."""
    if cell is None or not cell.isdecimal():
        raise Refused("dictionaries.count: a whole number is needed in every row")
    return int(cell)


def linkage(given: dict[str, Any], attributes: Attributes, folder: Path, missing: list[str]) -> Linkage:
    """Rows without names, with the weights of the added columns that each row fills."""
    only(given, {"file", "match", "adds"}, "linkage")
    rows = reading.table(folder / given["file"], missing)
    cells = occurring(attributes, given, folder, missing)
    for known in cells:
        check_covered(attributes, known)
    adds = {column: at_least_zero(weight) for column, weight in given.get("adds", {}).items()}
    if not set(adds) <= set(reading.columns(folder / given["file"])):
        raise Refused("linkage.adds: columns of the file are needed")
    return Linkage(cells, [[weight for column, weight in adds.items() if row[column] is not None] for row in rows])
