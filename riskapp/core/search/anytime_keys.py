"""Keys that are raised by covering bits: a value is written as the way that leads to it from the top.

Every attribute has some bits of a row's words: the group of the highest level first, then for each level below which of
its siblings a value is. A value at a level is the value itself with the bits of the levels below covered, so any node
is reached from the leaves by one mask, however many steps it is away; at the top, and where it is missing, all is 0.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.rolled.fields import BITS
from riskapp.core.table.hierarchy import Codes, Hierarchy

Words = npt.NDArray[np.uint64]
MIX = np.uint64(0x9E3779B97F4A7C15)
FOLD = np.uint64(29)


@dataclass(frozen=True, eq=False)
class Way:
    """One attribute's bits.

    Attributes
    ----------
    word : which of the row's words they are in
    paths : for every level below the top the bits of each code
    masks : for every level, the top too, which bits are left
    """

    word: int
    paths: tuple[Words, ...]
    masks: Words


@dataclass(frozen=True, eq=False)
class Layout:
    """The ways of all attributes.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> layout = Layout.of([race])
    >>> layout.packed([np.array([1, 2, 3, 0], np.int32)], [0]).ravel() & layout.ways[0].masks[1]
    array([2, 4, 4, 0], dtype=uint64)
    """

    ways: tuple[Way, ...]
    words: int

    @classmethod
    def of(cls, hierarchies: Sequence[Hierarchy]) -> "Layout | None":
        """The layout for these attributes; None when the bits of one do not fit into a word."""
        widths = [_widths(hierarchy) for hierarchy in hierarchies]
        if any(sum(own) > BITS for own in widths):
            return None
        used: list[int] = []
        ways = []
        for hierarchy, own in zip(hierarchies, widths, strict=True):
            word = next((at for at, bits in enumerate(used) if bits + sum(own) <= BITS), len(used))
            if word == len(used):
                used.append(0)
            ways.append(_way(hierarchy, own, word, used[word]))
            used[word] += sum(own)
        return cls(tuple(ways), len(used))

    def packed(self, columns: Sequence[Codes | None], levels: Sequence[int]) -> Words:
        """The words of rows whose columns are codes at these levels; a column that is not known is all 0."""
        rows = next(len(codes) for codes in columns if codes is not None)
        words = np.zeros((rows, self.words), np.uint64)
        for way, codes, level in zip(self.ways, columns, levels, strict=True):
            if codes is not None and level < len(way.paths):
                words[:, way.word] |= way.paths[level][codes]
        return words

    def mask(self, levels: Sequence[int | None]) -> Words:
        """What is left of the words at these levels; of an attribute without a level nothing is."""
        masks = np.zeros(self.words, np.uint64)
        for way, level in zip(self.ways, levels, strict=True):
            if level is not None:
                masks[way.word] |= way.masks[level]
        return masks


def _siblings(parents: Codes) -> Codes:
    """For every code which of its parent's children it is; `parents` begins with missing, its own parent."""
    order = np.argsort(parents, kind="stable")
    first = np.searchsorted(parents[order], parents[order], side="left")
    places = np.empty(len(parents), np.int32)
    places[order] = np.arange(len(parents)) - first
    return places


def _widths(hierarchy: Hierarchy) -> list[int]:
    """How many bits the levels below the top take, the leaves' first."""
    found = []
    for level in range(hierarchy.height - 1):
        found.append(int(_siblings(hierarchy.up(level, level + 1)).max(initial=0)).bit_length())
    return [*found, int(hierarchy.groups[hierarchy.height - 1]).bit_length()] if hierarchy.height else []


def _way(hierarchy: Hierarchy, widths: Sequence[int], word: int, shift: int) -> Way:
    shifts = [shift + sum(widths[:level]) for level in range(len(widths))]
    paths: list[Words] = []
    for level in reversed(range(len(widths))):
        place = np.uint64(shifts[level])
        if not paths:
            paths.append(np.arange(hierarchy.groups[level] + 1, dtype=np.uint64) << place)
            continue
        parents = hierarchy.up(level, level + 1)
        paths.insert(0, _siblings(parents).astype(np.uint64) << place | paths[0][parents])
    end = shift + sum(widths)
    masks = [(1 << end) - (1 << start) for start in [*shifts, end]]
    return Way(word, tuple(paths), np.array(masks, np.uint64))


def emptied(rows: int) -> npt.NDArray[np.int32]:
    """A table of places for so many rows, at most half of which will be taken."""
    return np.full(1 << max(4, (2 * rows - 1).bit_length()), -1, np.int32)


@compiled
def classes(words, masks, times, weights, table, o_kind, o_first, o_times, o_weights):
    """Rows that are equal under the masks: the class of each, and of each class its first row and what it adds up to.

    Returns how many there are; `table`, emptied, then leads from a key to its class.
    """
    last = np.uint64(table.size - 1)
    found = 0
    for i in range(words.shape[0]):
        mixed = np.uint64(0)
        for w in range(words.shape[1]):
            mixed = (mixed ^ (words[i, w] & masks[w])) * MIX
            mixed ^= mixed >> FOLD
        slot = mixed & last
        while True:
            kind = table[slot]
            if kind < 0:
                kind = found
                found += 1
                table[slot] = kind
                o_first[kind] = i
                o_times[kind] = 0
                o_weights[kind] = 0.0
                break
            first = o_first[kind]
            equal = True
            for w in range(words.shape[1]):
                equal = equal and (words[i, w] ^ words[first, w]) & masks[w] == np.uint64(0)
            if equal:
                break
            slot = (slot + np.uint64(1)) & last
        o_kind[i] = kind
        o_times[kind] += times[i]
        o_weights[kind] += weights[i]
    return found


@compiled
def met(words, rows, masks, table, others, first, times, o_times):
    """For each of some rows the times of the class of others that is equal to it under the masks; 0 without one."""
    last = np.uint64(table.size - 1)
    for at in range(rows.size):
        i = rows[at]
        mixed = np.uint64(0)
        for w in range(words.shape[1]):
            mixed = (mixed ^ (words[i, w] & masks[w])) * MIX
            mixed ^= mixed >> FOLD
        slot = mixed & last
        o_times[at] = 0
        while table[slot] >= 0:
            other = first[table[slot]]
            equal = True
            for w in range(words.shape[1]):
                equal = equal and (words[i, w] ^ others[other, w]) & masks[w] == np.uint64(0)
            if equal:
                o_times[at] = times[table[slot]]
                break
            slot = (slot + np.uint64(1)) & last


@compiled
def weighed(codes, rows, tables, starts, out):
    """Add for some rows what the attributes weigh whose start in the tables is given; −1 for the others."""
    for at in range(rows.size):
        for j in range(starts.size):
            if starts[j] >= 0:
                out[at] += tables[starts[j] + codes[rows[at], j]]


@compiled
def spread(codes, kinds, weights, shares, starts, out):
    """Add up, for every code of the attributes whose start is given, weight times its class's share."""
    for i in range(kinds.size):
        share = weights[i] * shares[kinds[i]]
        for j in range(starts.size):
            if starts[j] >= 0:
                out[starts[j] + codes[i, j]] += share
