"""The searches by the names that the assessment file has for them."""

from collections.abc import Mapping
from types import MappingProxyType

from riskapp.core.bad_setting import check_choice
from riskapp.core.search.aggregate import aggregate
from riskapp.core.search.answer import Answer, Options, Search
from riskapp.core.search.approximate import approximate
from riskapp.core.search.aruba import aruba
from riskapp.core.search.branch_and_bound import branch_and_bound
from riskapp.core.search.btda import btda
from riskapp.core.search.exhaustive import exhaustive
from riskapp.core.search.genetic import genetic
from riskapp.core.search.milp import milp
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.core.search.scope import (
    check_pairs,
    check_weights,
    counted,
    not_monotone_for_all,
    refuse_rising,
)
from riskapp.core.table.problem import Problem

METHODS: Mapping[str, Search] = MappingProxyType(
    {
        "exhaustive": exhaustive,
        "btda": btda,
        "aruba": aruba,
        "branch-and-bound": branch_and_bound,
        "genetic": genetic,
        "aggregate": aggregate,
        "approximate": approximate,
        "milp": milp,
    }
)


MONOTONE, COUNTED = ("btda", "aruba"), ("aggregate", "approximate", "milp")
"""Methods that need a risk which never rises, and those that need Φ and |ρ| to be sums."""


def check_scope(method: str, record: Record, problem: Problem, question: Asked) -> None:
    """Raise `BadSetting` where a record, or some record of the table it is from, shows that a method cannot be used.

    Nothing is searched for that.
    """
    if method in COUNTED:
        check_weights(problem, method)
        counted(record, method)
        check_pairs(problem, method)
    if needs_monotone(method, question):
        refuse_rising(not_monotone_for_all(problem), method)


def needs_monotone(method: str, question: Asked) -> bool:
    """Whether a method needs a risk that never rises under generalisation, for this question."""
    return method in MONOTONE or (method == "genetic" and question.kind == "most_risk")


def best(method: str, record: Record, question: Asked, options: Options | None = None) -> Answer:
    """The best node of a record by one of the methods.

    Raises
    ------
    BadSetting
        If there is no such method, or the record or the question is out of its scope.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> {best(method, record, Question("least_utility", 1)).node for method in METHODS if method != "aggregate"}
    {(1, 0)}
    """
    check_choice("search.methods", method, tuple(METHODS))
    return METHODS[method](record, question, options or Options())
