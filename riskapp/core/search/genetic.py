"""The genetic search (Fouad, Alg. 4): paths from ⊥ to the frontier are bred for a small risk.

A chromosome is a path: the attributes in the order in which they are specialised, from ⊥ to the first node that meets
the bound, which is a frontier node. Paths of smaller risk are likelier to be parents. *Mutation* changes one step
towards the middle, *crossover* gives the second halves of two paths to each other, and *immigrants* are new random
paths. A path that passes a frontier node is cut there; one that reaches none goes on at random until it does. Of paths
to the same node one lives on, so that the fittest are different nodes. A heuristic: the answer is feasible, but nothing
is promised about how good it is.
"""

import time
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked, Key
from riskapp.core.search.record import Record
from riskapp.core.search.scope import check_monotone
from riskapp.core.search.steps import Steps
from riskapp.core.table.lattice import Node

Path = tuple[int, ...]
KEPT, IMMIGRANTS = 4, 20
"""One of so many paths lives on, and one of so many in each generation is new."""
MUTANTS = 3
"""So many mutants are bred for two children by crossover."""
MOST_PATHS = 200
"""The population is twice the square of the number of attributes, as pairs of steps to exchange are, up to this."""
IDLE = 30
"""After so many generations without a fitter path the search ends."""


def genetic(record: Record, question: Asked, options: Options) -> Answer:
    """A good node under a least utility or a most risk; the same for the same seed.

    Raises
    ------
    BadSetting
        If another question is asked, or a most risk where risk may rise under generalisation.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = genetic(record, Question("least_utility", 1), Options(seed=1))
    >>> found.node, found.exact
    ((1, 0), False)
    """
    oracle = Oracle(record)
    steps = Steps(oracle, question, "genetic")
    if steps.upward:
        check_monotone(record, "genetic")
    if not steps.open(steps.heights):
        return oracle.unmet(question)
    end = bred(steps, options)
    if not steps.feasible(end):
        return oracle.unmet(question, proved=False)
    return oracle.found(question, steps.point(end), exact=False)


def bred(steps: Steps, options: Options, until: float = INFINITE) -> Node:
    """The end of the fittest path of all generations; the last of all places must be open.

    The first generation is there in any case, the others until the monotonic clock says so much.
    """
    breed = Breed(steps, np.random.default_rng(options.seed))
    paths = [breed.immigrant() for _ in range(options.population or population(len(steps.heights)))]
    best, idle = min(paths, key=breed.fitness), 0
    for _ in range(options.generations):
        paths = breed.next(paths)
        fitter = min([best, *paths], key=breed.fitness)
        best, idle = fitter, (0 if breed.fitness(fitter) < breed.fitness(best) else idle + 1)
        if idle == IDLE or time.monotonic() >= until:
            break
    return breed.end(best)


def population(attributes: int) -> int:
    """How many paths there are where nobody says.

    >>> population(1), population(8), population(70)
    (8, 128, 200)
    """
    return min(max(8, 2 * attributes**2), MOST_PATHS)


class Breed:
    """How paths come from paths."""

    def __init__(self, steps: Steps, draw: np.random.Generator) -> None:
        self.steps = steps
        self.draw = draw
        self._fitness: dict[Path, tuple[bool, Key]] = {}
        self._usual = 0  # how long the last path was: most are as long

    def end(self, path: Sequence[int]) -> Node:
        """Where a path leads."""
        counts = [0] * len(self.steps.heights)
        for attribute in path:
            counts[attribute] += 1
        return tuple(counts)

    def fitness(self, path: Path) -> tuple[bool, Key]:
        """Smaller is fitter; what breaks the limit is least fit."""
        if path not in self._fitness:
            end = self.end(path)
            self._fitness[path] = (not self.steps.feasible(end), self.steps.key(end))
        return self._fitness[path]

    def immigrant(self) -> Path:
        """A random path to the frontier."""
        return self.finished(())

    def finished(self, wish: Sequence[int]) -> Path:
        """The path that follows the wish as far as it can, cut at the frontier or led there at random."""
        left = list(self.steps.heights)
        path: list[int] = []
        for attribute in wish:
            if left[attribute]:
                left[attribute] -= 1
                path.append(attribute)
        if not self.steps.open(self.end(path)):
            self._lead(path, left)
        return self._cut(tuple(path))

    def _lead(self, path: list[int], left: list[int]) -> None:
        """Go on at random to the last of all places."""
        # Some paths go far in few attributes, others a little in many: which is better depends on the weights.
        again = self.draw.random()
        while any(left):
            if not (path and left[path[-1]] and self.draw.random() < again):
                some = [attribute for attribute, steps in enumerate(left) if steps]
                path.append(some[int(self.draw.integers(len(some)))])
            else:
                path.append(path[-1])
            left[path[-1]] -= 1

    def _cut(self, path: Path) -> Path:
        """The path up to its first open place; all after that are open, so few places need be looked at."""
        low, high = 0, len(path)
        for guess in (self._usual, self._usual - 1):
            if low <= guess < high:
                low, high = (low, guess) if self._open(path, guess) else (guess + 1, high)
        self._usual = bisect_left(range(high), True, lo=low, key=lambda steps: self._open(path, steps))
        return path[: self._usual]

    def _open(self, path: Path, steps: int) -> bool:
        return self.steps.open(self.end(path[:steps]))

    def next(self, paths: list[Path]) -> list[Path]:
        """The next generation: the fittest, children of the fitter by crossover and mutation, and immigrants."""
        ranked = sorted({self.end(path): path for path in paths}.values(), key=self.fitness)
        kept, new = ranked[: max(1, len(paths) // KEPT)], max(1, len(paths) // IMMIGRANTS)
        wanted = len(paths) - len(kept) - new
        children: list[Path] = []
        while len(children) < wanted:
            one, other = self.parent(ranked), self.parent(ranked)
            children += [*(self.mutated(one) for _ in range(MUTANTS)), *self.crossed(one, other)]
        return [*kept, *children[:wanted], *(self.immigrant() for _ in range(new))]

    def parent(self, ranked: list[Path]) -> Path:
        """One of the paths; the chance falls with the rank."""
        chances = np.arange(len(ranked), 0, -1.0)
        return ranked[int(self.draw.choice(len(ranked), p=chances / chances.sum()))]

    def crossed(self, one: Path, other: Path) -> tuple[Path, Path]:
        """Two paths after giving each other their second halves."""
        here, there = len(one) // 2, len(other) // 2
        return self.finished(one[:here] + other[there:]), self.finished(other[:there] + one[here:])

    def mutated(self, path: Path) -> Path:
        """The path with another attribute in one step, or also in the equal steps that follow it.

        Steps in the middle are the likeliest; at the ends the chance falls to nearly nothing.
        """
        if not path:
            return path
        place = int(self.draw.random(2).mean() * len(path))
        changed = int(self.draw.integers(len(self.steps.heights)))
        end = place + 1
        if self.draw.random() < 0.5:
            while end < len(path) and path[end] == path[place]:
                end += 1
        return self.finished((*path[:place], *[changed] * (end - place), *path[end:]))
