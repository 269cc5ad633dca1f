"""What a search is told and what it answers: one signature for all of them."""

from collections.abc import Callable
from dataclasses import dataclass

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.core.table.lattice import Node


@dataclass(frozen=True)
class Options:
    """What some searches can be told.

    Parameters
    ----------
    seed : of everything that is drawn at random
    seconds : when to stop with the best so far, for branch-and-bound and milp
    epsilon, sigma1 : of the approximate search: how much wider each layer of Φ is, and what share of the utility
        asked for is enough
    generations, population : of the genetic search; without a population it grows with the number of attributes

    Raises
    ------
    BadSetting
        If one is impossible.
    """

    seed: int = 0
    seconds: float | None = None
    epsilon: float = 0.1
    sigma1: float = 0.5
    generations: int = 200
    population: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < float("inf"):
            raise BadSetting("search.approximate.epsilon", "Give a finite number above 0.")
        if not 0 < self.sigma1 <= 1:
            raise BadSetting("search.approximate.sigma1", "Give a number above 0, at most 1.")
        if self.seconds is not None and not self.seconds > 0:
            raise BadSetting("search.seconds", "Give a number above 0.")
        if self.generations < 0 or (self.population is not None and self.population < 2):
            raise ValueError("There are at least two paths, and no fewer than no generations.")


@dataclass(frozen=True)
class Found:
    """The best node that a search has found.

    Attributes
    ----------
    node, risk, utility : of the answer
    visited : how many different nodes the search asked about
    exact : whether nothing better exists
    objective : what the question makes small: risk, minus utility, r − λu, or −(λ/r + u^κ)
    bound : no feasible node has a smaller objective than this; None when nothing is known. Where `exact` it differs
        from the objective by rounding at most
    """

    node: Node
    risk: float
    utility: float
    visited: int
    exact: bool
    objective: float
    bound: float | None

    @property
    def gap(self) -> float | None:
        """By how much the answer may miss the best: 0 when exact, None when nothing is known."""
        if self.exact:
            return 0.0
        return None if self.bound is None else max(0.0, self.objective - self.bound)


@dataclass(frozen=True)
class Unmet:
    """No node will do: what the nearest one misses.

    Attributes
    ----------
    missed : the limit or the question
    nearest, risk, utility : the node that breaks no limit, if there is one, and of those misses the bound by the least
    chance : the least chance of being identified that was seen at any node
    visited : how many different nodes the search asked about
    proved : whether there is certainly none; a heuristic only has not found one
    """

    missed: tuple[str, ...]
    nearest: Node
    risk: float
    utility: float
    chance: float
    visited: int
    proved: bool = True


Answer = Found | Unmet
Search = Callable[[Record, Asked, Options], Answer]
