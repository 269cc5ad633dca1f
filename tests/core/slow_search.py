"""The slow twin of the searches: every node, one by one; every entry, one by one; each figure from its definition."""

import math
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from riskapp.core.digits import rounded
from riskapp.core.loss import Loss
from riskapp.core.optimum import Question
from riskapp.core.search.crowd import Crowd, Meets, Tabled
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import Pair, Record

Node = tuple[int, ...]
Entries = list[tuple[Node, int]]
"""Meet vectors, each with the number of the person it is about."""


@dataclass(frozen=True)
class Case:
    """One record in plain lists."""

    heights: Node
    weights: list[list[float]]
    utilities: list[list[float]]
    dictionaries: list[Entries]
    strangers: int = 0
    pairs: list[Pair] = field(default_factory=list)
    family: str = "linear"
    loss: Loss = field(default_factory=Loss)
    over: str = "worst"
    priors: list[float] = field(default_factory=list)
    limit: float | None = None

    def record(self) -> Record:
        crowds = tuple(self._crowd(entries) for entries in self.dictionaries)
        weights = [np.array(some) for some in self.weights]
        utilities = [np.array(some) for some in self.utilities]
        return Record(
            self.heights,
            weights,
            utilities,
            crowds,
            tuple(self.pairs),
            self.family,
            self.loss,
            self.over,
            self.priors,
            self.limit,
        )

    def _crowd(self, entries: Entries) -> Crowd:
        everybody = everyone(entries) + self.strangers
        if len({person for _, person in entries}) == len(entries):
            meets = np.array([meet for meet, _ in entries], dtype=np.int64).reshape(len(entries), len(self.heights))
            return Meets.of(meets, everybody=everybody)
        counts = [people(entries, node) for node in nodes(self.heights)]
        return Tabled(np.array(counts).reshape([height + 1 for height in self.heights]), everybody)


def nodes(heights: Node) -> list[Node]:
    return list(product(*(range(height + 1) for height in heights)))


def everyone(entries: Entries) -> int:
    return len({person for _, person in entries})


def people(entries: Entries, node: Node) -> int:
    return len({person for meet, person in entries if all(m <= x for m, x in zip(meet, node, strict=True))})


def phi(case: Case, node: Node) -> float:
    total = 0.0
    for weights, level in zip(case.weights, node, strict=True):
        total += weights[level]
    for one, other, weight in case.pairs:
        if all(node[at] < case.heights[at] or case.heights[at] == 0 for at in (one, other)):
            total += weight
    return total if case.family == "linear" else math.exp(total)


def loss_of(case: Case, harm: float, crowd: int, everybody: int) -> float:
    model, zero, otherwise = case.loss.model, case.loss.uncovered == "zero", case.loss.unidentified
    if crowd == 0 and zero:
        return otherwise if model == "sensitivity" else 0.0
    crowd = max(crowd, 1)
    if model == "anonymity":
        return 1 / crowd
    if model == "sensitivity":
        return harm / crowd + (1 - 1 / crowd) * otherwise
    if crowd == 1:
        return harm
    return 0.0 if crowd == everybody else harm * (1 - math.log(crowd) / math.log(everybody))


def risk(case: Case, node: Node) -> float:
    extra = case.strangers
    sizes = [(people(entries, node), everyone(entries) + extra) for entries in case.dictionaries]
    losses = [loss_of(case, phi(case, node), crowd, everybody) for crowd, everybody in sizes]
    if case.over == "worst":
        return max(losses)
    priors = case.priors or [1.0] * len(losses)
    return sum(prior / sum(priors) * loss for prior, loss in zip(priors, losses, strict=True) if prior)


def utility(case: Case, node: Node) -> float:
    return sum(says[level] for says, level in zip(case.utilities, node, strict=True))


def chance(case: Case, node: Node) -> float:
    crowds = [people(entries, node) for entries in case.dictionaries]
    return max(0.0 if crowd == 0 and case.loss.uncovered == "zero" else 1 / max(crowd, 1) for crowd in crowds)


def inverse(case: Case, node: Node) -> float:
    """1/r as the aggregate question reads it."""
    found = risk(case, node)
    nobody = all(people(entries, node) == 0 for entries in case.dictionaries)
    if found == 0:
        shown = case.loss.model == "anonymity" or phi(case, node) > 0
        return 0.0 if nobody and shown else math.inf
    return 1 / found


def told(number: float) -> float:
    return rounded(number, number)


def objective(case: Case, question: Asked, node: Node) -> float:
    if isinstance(question, Aggregate):
        base = min(0.0, sum(says[-1] for says in case.utilities))
        one = -question.price * inverse(case, node)
        other = -(max(utility(case, node) - base, 0.0) ** question.power)
    elif question.kind == "trade_off":
        one, other = risk(case, node), -question.bound * utility(case, node)
    else:
        one, other = (risk(case, node) if question.kind == "least_utility" else -utility(case, node)), 0.0
    return rounded(one + other, max(abs(one), abs(other)))


def short(case: Case, question: Asked, node: Node) -> float:
    if isinstance(question, Aggregate):
        return 0.0 if inverse(case, node) < math.inf else 1.0
    if question.kind == "least_utility":
        return max(0.0, told(question.bound) - told(utility(case, node)))
    if question.kind == "trade_off" or question.bound == math.inf:
        return 0.0
    return max(0.0, told(risk(case, node)) - told(question.bound))


def broken(case: Case, node: Node) -> bool:
    return case.limit is not None and told(chance(case, node)) > told(case.limit)


def ties(case: Case, node: Node) -> tuple[float, float, str]:
    return told(risk(case, node)), -told(utility(case, node)), ".".join(map(str, node))


def best(case: Case, question: Asked) -> tuple[bool, Node]:
    """Whether some node will do, and the best or the nearest."""
    every = nodes(case.heights)
    good = [node for node in every if not broken(case, node) and short(case, question, node) == 0]
    if good:
        return True, min(good, key=lambda node: (objective(case, question, node), *ties(case, node)))
    return False, min(every, key=lambda node: (broken(case, node), short(case, question, node), *ties(case, node)))


WEIGHTS = st.sampled_from([0.0, 0.0, 0.3, 1.0, 2.5, math.inf])
FINITE = st.sampled_from([0.0, 0.3, 1.0, 2.5])
SAYS = st.sampled_from([0.0, 0.1, 0.7, 1.0, 2.0])


@st.composite
def cases(draw: Any, *, summed: bool = False, least: int = 1, most: int = 4, kept: bool = True) -> Case:
    """Records on small lattices; `summed` ones are in the scope of cuts and integer programmes."""
    heights = tuple(draw(st.lists(st.integers(0 if kept else 1, 3), min_size=least, max_size=most)))
    weights = [draw(levels(height, WEIGHTS)) for height in heights]
    drop = draw(st.sampled_from([0.0, 0.0, 1.5]))
    utilities = [[says - drop for says in draw(levels(height, SAYS))] for height in heights]
    meets = st.tuples(*(st.integers(0, height) for height in heights))
    if summed:
        dictionaries = [[(meet, person) for person, meet in enumerate(draw(st.lists(meets, max_size=7)))]]
        loss = Loss(draw(st.sampled_from(["sensitivity", "anonymity"])), draw(st.sampled_from(["one", "zero"])))
        return Case(heights, weights, utilities, dictionaries, draw(st.integers(0, 2)), loss=loss)
    entries = st.lists(st.tuples(meets, st.integers(0, 5)), max_size=6)
    dictionaries = draw(st.lists(entries, min_size=1, max_size=2))
    places = st.permutations(range(len(heights))).map(lambda order: order[:2])
    pair = st.builds(lambda two, weight: Pair(*two, weight), places, FINITE)
    pairs = draw(st.lists(pair, max_size=2)) if len(heights) > 1 else []
    return Case(
        heights,
        weights,
        utilities,
        dictionaries,
        draw(st.integers(0, 2)),
        pairs,
        draw(st.sampled_from(["linear", "multiplicative"])),
        Loss(
            draw(st.sampled_from(["sensitivity", "anonymity", "entropic"])),
            draw(st.sampled_from(["one", "zero"])),
            draw(st.sampled_from([0.0, 0.0, 0.5, 3.0])),
        ),
        draw(st.sampled_from(["worst", "bayes"])),
        draw(st.sampled_from([[], [1.0, 3.0][: len(dictionaries)]])),
    )


def levels(height: int, values: st.SearchStrategy[float]) -> st.SearchStrategy[list[float]]:
    """Values that never rise, 0 at the top; a kept column has only one."""
    if height == 0:
        return values.map(lambda value: [value])
    return st.lists(values, min_size=height, max_size=height).map(lambda some: [*sorted(some, reverse=True), 0.0])


LIMITS = st.sampled_from([None, None, 0.0, 0.25, 1 / 3, 0.5, 1.0])
BOUNDS = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0, 1.7, 2.0, 2.7, 4.0])
THRESHOLDS = st.one_of(
    st.builds(Question, st.just("least_utility"), st.sampled_from([-3.0, -0.5]) | BOUNDS),
    st.builds(Question, st.just("most_risk"), BOUNDS | st.just(math.inf)),
)
TRADES = st.builds(Question, st.just("trade_off"), BOUNDS)
AGGREGATES = st.builds(Aggregate, st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]), st.sampled_from([0, 1, 2]))
