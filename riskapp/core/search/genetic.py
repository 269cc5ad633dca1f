"""The genetic search (Fouad, Alg. 4): paths from ⊥ to the frontier are bred for a small risk.

A chromosome is a path: the attributes in the order in which they are specialised, from ⊥ to the first node that meets
the bound, which is a frontier node. Paths of smaller risk are likelier to be parents. *Mutation* changes one step near
the middle, *crossover* gives the second halves of two paths to each other, and *immigrants* are new random paths. A
path that passes a frontier node is cut there; one that reaches none goes on at random until it does. A heuristic: the
answer is feasible, but nothing is promised about how good it is.
"""

from collections.abc import Sequence

import numpy as np

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked, Key
from riskapp.core.search.record import Record
from riskapp.core.search.scope import check_monotone
from riskapp.core.search.steps import Steps, moved
from riskapp.core.table.lattice import Node

Path = tuple[int, ...]
KEPT, IMMIGRANTS = 4, 4
"""One of so many paths lives on, and one of so many in each generation is new."""
IDLE = 20
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


def bred(steps: Steps, options: Options) -> Node:
    """The end of the fittest path of all generations; the last of all places must be open."""
    breed = Breed(steps, np.random.default_rng(options.seed))
    paths = [breed.immigrant() for _ in range(options.population)]
    best, idle = min(paths, key=breed.fitness), 0
    for _ in range(options.generations):
        paths = breed.next(paths)
        fitter = min([best, *paths], key=breed.fitness)
        best, idle = fitter, (0 if breed.fitness(fitter) < breed.fitness(best) else idle + 1)
        if idle == IDLE:
            break
    return breed.end(best)


class Breed:
    """How paths come from paths."""

    def __init__(self, steps: Steps, draw: np.random.Generator) -> None:
        self.steps = steps
        self.draw = draw
        self._fitness: dict[Path, tuple[bool, Key]] = {}

    def end(self, path: Path) -> Node:
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
        place = self.steps.start
        path: list[int] = []
        for attribute in wish:
            if self.steps.open(place):
                break
            if place[attribute] < self.steps.heights[attribute]:
                path.append(attribute)
                place = moved(place, attribute, 1)
        # Some paths go far in few attributes, others a little in many: which is better depends on the weights.
        again = self.draw.random()
        while not self.steps.open(place):
            path.append(self._step(place, path, again))
            place = moved(place, path[-1], 1)
        return tuple(path)

    def _step(self, place: Node, path: list[int], again: float) -> int:
        """A random attribute to go on with: the last one once more with a chance of `again`, if it can."""
        if path and place[path[-1]] < self.steps.heights[path[-1]] and self.draw.random() < again:
            return path[-1]
        left = [at for at, height in enumerate(self.steps.heights) if place[at] < height]
        return left[int(self.draw.integers(len(left)))]

    def next(self, paths: list[Path]) -> list[Path]:
        """The next generation: the fittest, children of the fitter by crossover and mutation, and immigrants."""
        ranked = sorted(dict.fromkeys(paths), key=self.fitness)
        kept, new = ranked[: max(1, len(paths) // KEPT)], max(1, len(paths) // IMMIGRANTS)
        wanted = len(paths) - len(kept) - new
        children: list[Path] = []
        while len(children) < wanted:
            one, other = self.parent(ranked), self.parent(ranked)
            children += [self.mutated(one), *self.crossed(one, other)]
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
        """The path with another attribute in one step near its middle, or also in the equal steps that follow it."""
        if not path:
            return path
        quarter = len(path) // 4
        place = int(self.draw.integers(quarter, len(path) - quarter))
        changed = int(self.draw.integers(len(self.steps.heights)))
        end = place + 1
        if self.draw.random() < 0.5:
            while end < len(path) and path[end] == path[place]:
                end += 1
        return self.finished((*path[:place], *[changed] * (end - place), *path[end:]))
