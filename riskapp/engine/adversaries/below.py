"""Whether one dictionary bounds another: what is estimated with θ̂ is at least the risk from θ, whatever the rule.

That holds when θ̂ ≪ θ (θ only adds people and coarsens what is known about them), the risk is of model I or II, a failed
identification does no harm, every entry is a person of its own, and no column is matched by likeness. Each condition
is told apart, with counts that say where it fails. It says nothing about an attacker who knows the rule.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from riskapp.core.loss import Loss
from riskapp.core.table.below import without_partner
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.problem import Problem
from riskapp.engine.adversaries.coverage import dictionary_named

MOST_ENTRIES = 5_000_000
"""A table of counts is written out person by person, up to so many."""
DATASET = "dataset"


@dataclass(frozen=True)
class Condition:
    """One of the conditions.

    Parameters
    ----------
    code : `partners` (θ̂ ≪ θ), `one-entry`, `exact`, `model` or `unidentified`
    holds : whether it does; None where it was not looked at
    failing, of : in how many cases out of how many it fails
    attributes : those it fails for
    """

    code: str
    holds: bool | None
    failing: int = 0
    of: int = 0
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason:
    """Why some people have no partner.

    Parameters
    ----------
    code : `people`: the larger table has too few of them; `finer`: it knows an attribute that the smaller one does not
        know, or knows less finely; `values`: it has too few entries with their values of an attribute
    failing : how many people that alone leaves without
    attribute : which one it is about
    """

    code: str
    failing: int
    attribute: str | None = None


@dataclass(frozen=True)
class Compared:
    """Whether figures of `smaller` bound those of `larger`: all conditions, and why people have no partner if some do.

    Where each value is there but not in the same combinations, there are people without a partner and no reason.
    """

    smaller: str
    larger: str
    holds: bool | None
    conditions: tuple[Condition, ...]
    reasons: tuple[Reason, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def between(problem: Problem, smaller: str, larger: str) -> Compared:
    """Whether the dictionary `smaller` bounds the dictionary `larger`.

    Raises
    ------
    BadSetting
        If there is no dictionary of such a name.
    """
    return _compared(dictionary_named(problem, smaller), dictionary_named(problem, larger), problem.loss)


def dataset_and(problem: Problem, larger: str) -> Compared:
    """Whether the dataset itself, with the columns that a dictionary knows, bounds that dictionary.

    Raises
    ------
    BadSetting
        If there is no dictionary of that name.
    """
    other = dictionary_named(problem, larger)
    itself = Dictionary.itself(DATASET, problem.records.columns, other.places, people=problem.people)
    return _compared(itself, other, problem.loss)


def _compared(smaller: Dictionary, larger: Dictionary, loss: Loss) -> Compared:
    conditions = tuple(_conditions(smaller, larger, loss))
    answers = [condition.holds for condition in conditions]
    holds = False if False in answers else None if None in answers else True
    reasons = tuple(_reasons(smaller, larger)) if conditions[0].holds is False else ()
    return Compared(smaller.name, larger.name, holds, conditions, reasons)


def _conditions(smaller: Dictionary, larger: Dictionary, loss: Loss) -> Iterator[Condition]:
    yield _partners(smaller, larger)
    shared = sum(len(one) - one.everybody for one in (smaller, larger) if one.times is None)
    yield Condition("one-entry", not shared, shared, len(smaller) + len(larger))
    known = [*smaller.known, *larger.known]
    alike = tuple(sorted({one.hierarchy.attribute for one in known if one.alike is not None}))
    yield Condition("exact", not alike, len(alike), len({one.place for one in known}), alike)
    yield Condition("model", loss.model != "entropic")
    yield Condition("unidentified", loss.unidentified == 0)


def _partners(smaller: Dictionary, larger: Dictionary) -> Condition:
    """Every person of θ̂ needs one of θ's own, known no finer."""
    if max(smaller.everybody, larger.everybody) > MOST_ENTRIES:
        return Condition("partners", None, of=smaller.everybody)
    fine, coarse = _each_person(smaller), _each_person(larger)
    alone = without_partner(fine, coarse)
    return Condition("partners", not alone, alone, len(fine))


def _reasons(smaller: Dictionary, larger: Dictionary) -> Iterator[Reason]:
    fine, coarse = _each_person(smaller), _each_person(larger)
    if len(fine) > len(coarse):
        yield Reason("people", len(fine) - len(coarse))
    for known in coarse.known:
        alone = without_partner(fine, replace(coarse, known=(known,)))
        if alone > max(len(fine) - len(coarse), 0):
            code = "finer" if known.level < _level(fine, known) else "values"
            yield Reason(code, alone, known.hierarchy.attribute)


def _level(dictionary: Dictionary, known: Known) -> int:
    """The level at which a dictionary knows an attribute, the top where it does not."""
    return next((own.level for own in dictionary.known if own.place == known.place), known.hierarchy.height)


def _each_person(dictionary: Dictionary) -> Dictionary:
    """A table of counts with one entry for each person."""
    if dictionary.times is None:
        return dictionary
    rows = np.repeat(np.arange(len(dictionary)), dictionary.times)
    known = tuple(replace(one, codes=one.codes[rows]) for one in dictionary.known)
    return replace(dictionary, known=known, times=None)
