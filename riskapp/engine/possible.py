"""What an assessment asks of its searches, and whether that is possible: known before anything is searched."""

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search import per_record, region_family, region_pass
from riskapp.core.search.answer import Options
from riskapp.core.search.crowd import Meets
from riskapp.core.search.methods import best
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import MOST_NODES, Record
from riskapp.core.search.region_pass import shares
from riskapp.core.table.problem import Problem
from riskapp.engine import full_domain, memory
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.rule_ids import FULL_DOMAIN, regions_of

ANYBODY = Record((1,), [np.array([1.0, 0.0])], [np.array([1.0, 0.0])], (Meets.of([[0]]),))
"""A record by which a method shows at once whether it answers a question at all."""
NODE_BY_NODE = ("k-anonymity", "random-k")
NODE_BYTES, BYTES_FOR_K = 400, 80
"""About what these families keep of every node, and besides for every k."""


def check(problem: Problem, search: SearchKey) -> None:
    """Raise `BadSetting` for settings that only the tables show to be wrong, before anything long is begun."""
    for family in impossible(problem):
        if family in search.rules:
            told = f"There are {full_domain.many(problem.lattice.size)} nodes, too many to look at each for {family}."
            raise BadSetting("search.rules", f"{told} Leave {family} out, or levels or attributes.")
    if any(family in search.rules for family in NODE_BY_NODE):
        memory.check(problem.lattice.size * (NODE_BYTES + BYTES_FOR_K * len(search.k)), "search.rules")
    if FULL_DOMAIN in search.rules:
        full_domain.check(problem, search)
    if "regional" in search.rules:
        region_family.check(problem, regions_of(search.regions))
    options, asked = options_of(search), question_of(search)
    for method in search.methods if "per-record" in search.rules else ():
        if asked is not None:
            best(method, ANYBODY, asked, options)
            per_record.check(problem, method, asked)


def impossible(problem: Problem) -> list[str]:
    """The families that look at every node, where there are too many of them."""
    size = problem.lattice.size
    regional = ["regional"] if size * len(shares(problem)) > region_pass.MOST else []
    return regional + (list(NODE_BY_NODE) if size > MOST_NODES else [])


def question_of(search: SearchKey) -> Asked | None:
    """What is asked of each record."""
    if search.aggregate is not None:
        return Aggregate(search.aggregate.lambda_, search.aggregate.kappa)
    return search.question


def options_of(search: SearchKey) -> Options:
    given = search.approximate
    return Options(seed=search.seed, seconds=search.seconds, epsilon=given.epsilon, sigma1=given.sigma1)
