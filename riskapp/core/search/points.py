"""Every record at every node at once: its utility and its risk, record by record in one compiled loop.

What a record weighs and says in each attribute at each level is looked up once; the sums of all nodes are then built up
attribute by attribute, the last changing fastest as in the lattice's own order. People come from `Crowds`. That is for
one dictionary of which entries are somebody else each; for everything else there is `looking`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.extended import Numbers
from riskapp.core.loss import MODELS
from riskapp.core.rolled.pointers import Crowds, crowds, laid, projections
from riskapp.core.search.looking import Watch, Whole, by_text, counted_for, in_risk
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem

MOST_BYTES = 2 << 30
"""So much may be taken for the people of all records at all nodes of the dictionary's lattice."""
AT_ONCE = 1 << 15
"""So many records are looked at between two looks at the watch."""

Found = TypeVar("Found")


def only(problem: Problem) -> Dictionary | None:
    """The dictionary, where there is one that matters, it can be rolled up and nothing is linked."""
    counted = counted_for(problem)
    alone = len(counted) == 1 and problem.linkage is None and len(in_risk(problem)) == 1
    return counted[0] if alone and laid(problem, counted[0]) is not None else None


def room(problem: Problem, dictionary: Dictionary) -> int:
    """How many records can be looked at together."""
    return max(1, MOST_BYTES // (4 * projections(problem, dictionary)))


@dataclass(frozen=True, eq=False)
class Points:
    """All that the compiled loops read of a problem.

    Parameters
    ----------
    problem : whose records are looked at
    crowds : the people of its only dictionary
    threads : how many loops run side by side
    """

    problem: Problem
    crowds: Crowds
    threads: int = 1

    @classmethod
    def of(cls, problem: Problem, watch: Watch, threads: int) -> "Points":
        """Those of records, where `only` says that there is a dictionary."""
        return cls(problem, crowds(problem, counted_for(problem)[0], stop=watch.stop, threads=threads), threads)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """What `filled` takes after the row."""
        problem, phi = self.problem, self.problem.sensitivity
        return (
            self.codes,
            self.sizes,
            *self._weights,
            *self._says,
            self.own_weights,
            *self._pairs,
            np.zeros((0, 2)) if phi.totals is None else np.stack(phi.totals, axis=1),
            *self._people,
            np.array(
                [
                    MODELS.index(problem.loss.model),
                    problem.loss.uncovered == "zero",
                    phi.family == "multiplicative",
                    self._multiplied,
                ]
            ),
            np.array([problem.loss.unidentified, float(in_risk(problem)[0].everybody)]),
        )

    @cached_property
    def codes(self) -> Codes:
        """The leaf codes: a row for each record."""
        return np.stack([weighed.column.codes for weighed in self.problem.columns], axis=1)

    @cached_property
    def sizes(self) -> Whole:
        """How many levels there are to choose from in each attribute."""
        return np.array([height + 1 for height in self.problem.lattice.heights])

    @property
    def _weights(self) -> tuple[Numbers, Whole]:
        """What every leaf code weighs at every level, and where each attribute's begin."""
        levels = [
            np.stack(weighed.weights.levels[:size], axis=1)
            for weighed, size in zip(self.problem.columns, self.sizes, strict=True)
        ]
        if self._multiplied:
            with np.errstate(over="ignore"):
                levels = [np.exp(own) for own in levels]
        return _flat(levels)

    @property
    def _multiplied(self) -> bool:
        """Whether Φ is a product of what attributes weigh, each taken as a power of e."""
        return self.problem.sensitivity.family == "multiplicative" and self.problem.sensitivity.person_total is None

    @property
    def _says(self) -> tuple[Numbers, Whole]:
        """The same for utility; kept columns say nothing more or less."""
        tables = iter(self.problem.utility.tables)
        columns = self.problem.columns
        return _flat([np.zeros((one.column.size(0), 1)) if one.kept else next(tables).T for one in columns])

    @cached_property
    def own_weights(self) -> Numbers:
        """For every record what it weighs at every level of every attribute; empty without weights of persons."""
        columns = self.problem.columns
        if all(weighed.personal is None for weighed in columns):
            return np.zeros((0, 0))
        levels = [weighed.at(level) for weighed, size in zip(columns, self.sizes, strict=True) for level in range(size)]
        with np.errstate(over="ignore"):
            found = np.stack(levels, axis=1)
            return np.exp(found) if self._multiplied else found

    @property
    def _pairs(self) -> tuple[npt.NDArray[np.intp], Numbers, npt.NDArray[np.bool_]]:
        """Which two attributes each is of, what it weighs, and at which nodes both are shown."""
        problem, pairs = self.problem, self.problem.sensitivity.pairs
        named = [[problem.names.index(pair.one), problem.names.index(pair.other)] for pair in pairs]
        places = np.array(named, dtype=np.intp).reshape(-1, 2)
        shown = (self.levels < [hierarchy.height for hierarchy in problem.hierarchies]).T
        weights = np.array([pair.weight for pair in pairs], dtype=np.float64)
        if self._multiplied:
            with np.errstate(over="ignore"):
                weights = np.exp(weights)
        return places, weights, np.ascontiguousarray(shown[places[:, 0]] & shown[places[:, 1]])

    @cached_property
    def levels(self) -> npt.NDArray[np.int16]:
        """The levels of every node, in the lattice's order."""
        return np.array(list(self.problem.lattice), dtype=np.int16)

    @property
    def _people(self) -> tuple[Any, ...]:
        rows = [self.crowds.row(node) for node in self.problem.lattice]
        return self.crowds.own, self.crowds.people, np.array(rows, dtype=np.uintp)

    @cached_property
    def ranks(self) -> Whole:
        """For every node its place in the order of ids as text."""
        return np.argsort(by_text(self.problem.lattice))

    def each(self, work: Callable[[Places], Found], watch: Watch) -> Iterator[Found]:
        """What the work finds in some records after others, those of a class one after the other."""
        starts = range(0, len(self.problem), AT_ONCE)
        with ThreadPoolExecutor(self.threads) as pool:
            found = pool.map(lambda start: work(self.crowds.order[start : start + AT_ONCE]), starts)
            try:
                for start, one in zip(starts, found, strict=True):
                    watch.tell(start, len(self.problem))
                    yield one
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _flat(levels: list[Numbers]) -> tuple[Numbers, Whole]:
    ends = np.cumsum([one.size for one in levels])
    return np.concatenate([one.ravel() for one in levels]), np.append(0, ends[:-1])


@compiled
def filled(
    row, codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
    classes, people, projection, choices, amounts, phi, utility, risk, rho, share, rest,
):  # fmt: skip
    """Write Φ, utility and risk of one record at all nodes, and |ρ| at those of the dictionary's lattice.

    Sums are built from the last attribute to the first, so that the long loops go over neighbours. Where Φ is a
    product, the weights are powers of e already; where only anonymity counts, it is 1.
    """
    model, zero, product = choices[0], choices[1] == 1, choices[3] == 1
    psi, everybody = amounts[0], amounts[1]
    many, before = 1, own.shape[1]
    phi[0] = 1.0 if product else 0.0
    utility[0] = 0.0
    for k in range(sizes.size - 1, -1, -1):
        size = sizes[k]
        before -= size
        weight, say = weights_at[k] + codes[row, k] * size, says_at[k] + codes[row, k] * size
        for level in range(size - 1, -1, -1):
            harm = own[row, before + level] if own.size else weights[weight + level]
            said = says[say + level]
            # Slices, for places that are sums would be checked for being negative, one by one.
            more, worse = utility[level * many : (level + 1) * many], phi[level * many : (level + 1) * many]
            for j in range(many):
                more[j] = utility[j] + said
            if product:
                for j in range(many):
                    worse[j] = phi[j] * harm
            else:
                for j in range(many):
                    worse[j] = phi[j] + harm
        many *= size
    for m in range(amount.size):
        if codes[row, places[m, 0]] and codes[row, places[m, 1]]:
            for node in range(many):
                if both[m, node]:
                    phi[node] = phi[node] * amount[m] if product else phi[node] + amount[m]
    if totals.size:
        for node in range(many):
            phi[node] = phi[node] / totals[row, 0] * totals[row, 1]
            if choices[2]:
                phi[node] = np.exp(phi[node])
    if model == 1:
        phi[:many] = 1.0
    crowd = classes[row]
    logarithm = np.log(max(everybody, 2.0))
    for p in range(rho.size):
        met = float(people[p, crowd])
        chance = 0.0 if zero and met == 0.0 else 1.0 / max(met, 1.0)
        rho[p] = met
        share[p] = chance
        rest[p] = (1.0 - chance) * psi if model == 0 and chance != 1.0 and psi != 0.0 else 0.0
        if model == 2 and met > 1.0:
            share[p] = 0.0 if met == everybody else 1.0 - np.log(met) / logarithm
    for node in range(many):
        p = projection[node]
        harm = phi[node] * share[p]
        risk[node] = (0.0 if share[p] == 0.0 else harm) + rest[p]
