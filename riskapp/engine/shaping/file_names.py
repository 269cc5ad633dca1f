"""Which column each of several hierarchy files is for, by their names: `adult_hierarchy_age.csv` is for age."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

FILLERS = frozenset({"hierarchy", "hierarchies", "hier", "vgh", "dgh", "taxonomy", "generalization", "generalisation"})
"""Words that say what kind of file it is, and nothing of its column."""
ENDING = re.compile(r"\.(csv|tsv|txt)$", re.IGNORECASE)
BETWEEN = re.compile(r"[\s._-]+")

Words = tuple[str, ...]


class Why(StrEnum):
    """Why a file has no column."""

    NOTHING = "nothing is called like it"
    COLUMNS = "several columns are called like it"
    FILES = "several files are called like its column"
    TAKEN = "the name of another file is closer to that of its column"
    WITHHELD = "its column is not released"


@dataclass(frozen=True)
class Match:
    """The column of a file; or why it has none, and the columns that it could have been for."""

    column: str | None
    why: Why | None = None
    among: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """The columns that a file is called like, and how closely: 0 is the very name, higher is farther."""

    columns: tuple[str, ...] = ()
    rank: int = 0


def matches(files: Sequence[str], columns: Sequence[str], dataset: str = "") -> list[Match]:
    """For each file the column that it is named after.

    The column's very name wins; then one that differs in case or in the signs between words; then one that is so
    without words such as `hierarchy`, and without what all files, or the dataset, begin with. Where two files are
    equally close to one column, or one file to two, none of them is taken.

    Parameters
    ----------
    files : names of files, with their endings
    columns : names of the columns that can be meant
    dataset : the name of the dataset's file, with which the others may begin

    >>> [one.column for one in matches(["adult_hierarchy_age.csv", "adult_hierarchy_sex.csv"], ["Age", "sex", "race"])]
    ['Age', 'sex']
    """
    stems = [_stem(file) for file in files]
    beginnings = [_begin_alike([_bare(stem) for stem in stems]), _bare(_stem(dataset))]
    alike = _by_words(columns)
    found = [_found(stem, columns, alike, beginnings) for stem in stems]
    ranks = Counter((one.columns[0], one.rank) for one in found if len(one.columns) == 1)
    closest = {column: min(rank for other, rank in ranks if other == column) for column, _ in ranks}
    return [_match(one, ranks, closest) for one in found]


def _by_words(columns: Sequence[str]) -> Mapping[Words, list[str]]:
    """The columns by the words of their names; one that has no words is found by its very name only."""
    alike: dict[Words, list[str]] = defaultdict(list)
    for column in columns:
        if words := _words(column):
            alike[words].append(column)
    return alike


def _match(found: _Found, ranks: Mapping[tuple[str, int], int], closest: Mapping[str, int]) -> Match:
    if not found.columns:
        return Match(None, Why.NOTHING)
    if len(found.columns) > 1:
        return Match(None, Why.COLUMNS, found.columns)
    column = found.columns[0]
    if found.rank > closest[column]:
        return Match(None, Why.TAKEN, found.columns)
    if ranks[column, found.rank] > 1:
        return Match(None, Why.FILES, found.columns)
    return Match(column)


def _found(stem: str, columns: Sequence[str], alike: Mapping[Words, list[str]], beginnings: Sequence[Words]) -> _Found:
    if stem in columns:
        return _Found((stem,), 0)
    if here := alike.get(_words(stem)):
        return _Found(tuple(here), 1)
    return next((_Found(tuple(alike[form]), 2) for form in _forms(_bare(stem), beginnings) if form in alike), _Found())


def _forms(bare: Words, beginnings: Sequence[Words]) -> Iterator[Words]:
    """The words of a name with less and less of how it begins; something always stays."""
    begun = max(len(_begin_alike([bare, (*beginning, "")])) for beginning in beginnings)
    return (bare[left_out:] for left_out in range(begun + 1))


def _begin_alike(names: Sequence[Words]) -> Words:
    """The words with which all of several names begin, so that something is left of each."""
    said = [words for words in names if words]
    if len(said) < 2:
        return ()
    least = min(len(words) for words in said) - 1
    here = takewhile(lambda words: len(set(words)) == 1, zip(*said, strict=False))
    return tuple(words[0] for words in here)[:least]


def _stem(file: str) -> str:
    """The name of a file without its folder and ending."""
    return ENDING.sub("", file.replace("\\", "/").rpartition("/")[2]).strip()


def _words(name: str) -> Words:
    return tuple(word for word in BETWEEN.split(unicodedata.normalize("NFKC", name).casefold()) if word)


def _bare(stem: str) -> Words:
    return tuple(word for word in _words(stem) if word not in FILLERS)
