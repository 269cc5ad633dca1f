"""What a walk will cost, before it begins.

The work is the number of classes, summed over all nodes. For some nodes drawn at random it is estimated from a sample
of the finest classes. With d different classes in the sample, f₁ of them met once and f₂ twice, Chao's bound
d + f₁(f₁ − 1)/2(f₂ + 1) is mostly too few; if classes went on growing as they did from half of the sample to all of it,
there would be too many. The geometric mean of the two has been within a third of the truth. What a class costs is
tried out on this machine, field by field.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from riskapp.core.rolled.classes import Classes
from riskapp.core.rolled.fields import Field
from riskapp.core.rolled.walk import Scratch, Walk
from riskapp.core.table.keys import Numbers

SAMPLE = 1 << 15
NODES = 120
SOURCES = 12
TRIED = 1 << 19
"""Classes in the sample; nodes drawn of all, and of those that each field is raised from; classes tried out."""
NODE_SECONDS = 40e-6
"""What a node costs beside its classes."""


@dataclass(frozen=True)
class Forecast:
    """What a walk will cost.

    Attributes
    ----------
    nodes : how many tables are looked at
    classes : about how many classes they have together
    seconds, bytes : about how long it takes, and how much memory at most beyond what is used already
    """

    nodes: int
    classes: int
    seconds: float
    bytes: int

    def __add__(self, other: "Forecast") -> "Forecast":
        """What two walks cost, one after the other."""
        return Forecast(
            self.nodes + other.nodes,
            self.classes + other.classes,
            self.seconds + other.seconds,
            max(self.bytes, other.bytes),
        )


NOTHING = Forecast(0, 0, 0.0, 0)


def forecast(fields: Sequence[Field], table: Classes, looking: float, threads: int = 2, seed: int = 0) -> Forecast:
    """What the walk over these classes will cost.

    Parameters
    ----------
    fields, table : the attributes and the classes at their lowest levels
    looking : seconds that it takes to look at a class
    threads : how many share the work
    """
    nodes = prod(field.steps + 1 for field in fields)
    classes, seconds = 0, 0.0
    for own in (table, table.beside):
        if own is not None:
            sampled = _Sampled.of(fields, own, np.random.default_rng(seed))
            classes += int(nodes * sampled.classes(range(len(fields)), min(NODES, nodes)))
            seconds += _merging(fields, own, sampled)
    seconds = (classes * looking + seconds) / threads + nodes * NODE_SECONDS
    return Forecast(nodes, max(classes, table.size), seconds, _bytes(fields, table, threads))


@dataclass(frozen=True, eq=False)
class _Sampled:
    """Some of the finest classes, and how many there are."""

    fields: Sequence[Field]
    keys: Numbers
    rows: int
    draw: np.random.Generator

    @classmethod
    def of(cls, fields: Sequence[Field], table: Classes, draw: np.random.Generator) -> "_Sampled":
        every = table.keys[: table.rows]
        if table.rows > SAMPLE:
            every = every[draw.choice(table.rows, SAMPLE, replace=False)]
        return cls(fields, every, table.rows, draw)

    def classes(self, raised: Sequence[int], nodes: int) -> float:
        """The mean number of classes of a node, when only some fields are raised, by steps drawn at random."""
        return float(np.mean([self._estimated(raised) for _ in range(nodes)]))

    def _estimated(self, raised: Sequence[int]) -> float:
        keys = self.keys.copy()
        for field in (self.fields[depth] for depth in raised):
            codes = (keys >> field.shift) & field.mask
            keys &= ~np.int64(field.mask << field.shift)
            for parents in field.parents[: self.draw.integers(0, field.steps + 1)]:
                codes = parents[codes]
            keys |= codes << field.shift
        half, times = _times(keys[: len(keys) // 2]), _times(keys)
        if len(keys) == self.rows or not len(half):
            return float(len(times))
        once, twice = int((times == 1).sum()), int((times == 2).sum())
        few = min(self.rows, len(times) + once * (once - 1) / (2 * (twice + 1)))
        many = min(self.rows, len(times) * (self.rows / len(keys)) ** np.log2(len(times) / len(half)))
        return float(np.sqrt(few * many))


def _times(keys: Numbers) -> Numbers:
    """How often each different key occurs."""
    keys = np.sort(keys)
    return np.diff(np.flatnonzero(np.diff(keys, prepend=-1)), append=len(keys))


def _merging(fields: Sequence[Field], table: Classes, sampled: _Sampled) -> float:
    """Seconds that all merges take: every field is raised from tables in which those after it are at their lowest."""
    part = table.cut(min(table.rows, TRIED))
    if part.rows == 0:
        return 0.0
    part = part if table.beside is None else part.with_phi(np.zeros(part.rows))
    walk, scratch, seconds, tables = Walk(fields, (), lambda *_: None), Scratch(), 0.0, 1
    for depth, field in enumerate(fields):
        if field.steps:
            held = None if depth < walk.split else scratch
            cost = tried(lambda depth=depth, held=held: walk.raised(part, depth, 1, held)) / part.rows  # type: ignore[misc]
            sources = sampled.classes(range(depth + 1), min(SOURCES, tables * field.steps))
            seconds += tables * field.steps * sources * cost
        tables *= field.steps + 1
    return seconds


def tried(work: Callable[[], object]) -> float:
    """Seconds that some work takes at its best; the first time it may have to be compiled."""
    work()
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _bytes(fields: Sequence[Field], table: Classes, threads: int) -> int:
    """A table for each field that is raised before tables become tasks, and one for each task."""
    row = table.bytes // max(1, table.rows) + 8
    return int(row * table.rows * (1 + Walk(fields, (), lambda *_: None, threads=threads).split + threads)) + (1 << 20)
