"""The coverage of one attacker: how many records fit how many people of a dictionary, and what to do where it is poor.

It is counted with everything released as it is, exactly as the result of an assessment counts it. For every attribute
that the dictionary knows it says how many of the dataset's values occur there, since that is where the trouble is. No
value of the data is in it.
"""

from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.coverage import coverage
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from riskapp.core.table.value_list import Flags
from riskapp.engine.adversaries.spelling import words
from riskapp.engine.conditions import ENOUGH
from riskapp.engine.profile.words import many, number, percent

CODED = (
    "If it says the same in codes, such as M for male, give the hierarchy of {} a level whose groups are these codes, "
    "and match it at that level."
)

DAYS = ("day", "month", "year")


@dataclass(frozen=True)
class Found:
    """One attribute that a dictionary knows.

    Parameters
    ----------
    attribute : its name
    level : the name of the level at which it is known
    by_likeness : whether spellings may differ
    values, occurring : how many different values the dataset has at that level, and how many occur in the dictionary
    records, records_occurring : how many records have a value there, and how many of them one that occurs
    silent : how many entries say nothing about it, and so fit every value
    covered_without : how many records would fit somebody if it were not matched; None where that was not asked
    """

    attribute: str
    level: str
    by_likeness: bool
    values: int
    occurring: int
    records: int
    records_occurring: int
    silent: int
    covered_without: int | None = None


@dataclass(frozen=True)
class Advice:
    """What is wrong (`empty`, `nobody` or `few`), with which attribute most, and what to do about it."""

    code: str
    attribute: str | None
    sentence: str


@dataclass(frozen=True)
class Chart:
    """The coverage of one dictionary: records by how many people they fit, and the advice where these are too few."""

    dictionary: str
    people: int
    records: int
    covered: int
    bands: Mapping[str, int]
    attributes: tuple[Found, ...]
    advice: Advice | None

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def chart(problem: Problem, name: str) -> Chart:
    """The coverage chart of the dictionary of that name.

    Raises
    ------
    BadSetting
        If there is no such dictionary.
    """
    dictionary = dictionary_named(problem, name)
    counts = _counts(problem, dictionary)
    covered, attributes = int((counts > 0).sum()), [_found(problem, dictionary, known) for known in dictionary.known]
    if covered < ENOUGH * len(problem):
        attributes = [
            replace(found, covered_without=_covered_without(problem, dictionary, known.place))
            for found, known in zip(attributes, dictionary.known, strict=True)
        ]
    plain = Chart(name, dictionary.everybody, len(problem), covered, coverage(counts), tuple(attributes), None)
    spelt = {known.hierarchy.attribute for known in dictionary.known if len(words(known.hierarchy.named(known.level)))}
    return replace(plain, advice=_advice(plain, spelt))


def dictionary_named(problem: Problem, name: str) -> Dictionary:
    """The dictionary of that name.

    Raises
    ------
    BadSetting
        If there is none.
    """
    for dictionary in problem.dictionaries:
        if dictionary.name == name:
            return dictionary
    raise BadSetting("dictionaries", "There is no attacker of that name. Choose one of the list.")


def _counts(problem: Problem, dictionary: Dictionary) -> Counts:
    return Identification(dictionary, problem.records.columns).at(problem.lattice.bottom)


def _covered_without(problem: Problem, dictionary: Dictionary, place: int) -> int:
    others = tuple(known for known in dictionary.known if known.place != place)
    if not others:
        return len(problem) if dictionary.everybody else 0
    return int((_counts(problem, replace(dictionary, known=others)) > 0).sum())


def _found(problem: Problem, dictionary: Dictionary, known: Known) -> Found:
    codes = problem.column(known.place).at(known.level)
    used = dictionary.times is None or dictionary.times > 0
    entries = known.codes[np.broadcast_to(used, len(known.codes))]
    there = _labels(known, entries)
    rows = np.bincount(codes, minlength=len(there))
    return Found(
        attribute=known.hierarchy.attribute,
        level=known.hierarchy.names[known.level],
        by_likeness=known.alike is not None,
        values=int((rows[1:] > 0).sum()),
        occurring=int((rows[1:] > 0)[there[1:]].sum()),
        records=int(rows[1:].sum()),
        records_occurring=int(rows[1:][there[1:]].sum()),
        silent=int((entries == 0).sum()),
    )


def _labels(known: Known, entries: Codes) -> Flags:
    """Which labels of its level the entries of a dictionary hold, or may stand for."""
    there = np.zeros(known.hierarchy.groups[known.level] + 1, dtype=np.bool_)
    if known.alike is None:
        there[entries] = True
        return there
    held = np.zeros(known.alike.values + 1, dtype=np.bool_)
    held[entries] = True
    there[known.alike.codes[np.repeat(held, np.diff(known.alike.starts))]] = True
    return there


def _advice(found: Chart, spelt: Container[str]) -> Advice | None:
    if found.covered >= ENOUGH * found.records:
        return None
    if not found.people:
        return Advice("empty", None, "Nobody stands in this table. Upload one that has entries, or leave it out.")
    worst = min(found.attributes, key=_trouble)
    if found.covered:
        few, enough = percent(found.covered, found.records), percent(round(100 * ENOUGH), 100)
        told = f"Only {few} of the records fit anybody, less than {enough}."
        return Advice("few", worst.attribute, f"{told} {_where(worst, found, spelt)}")
    return Advice("nobody", worst.attribute, f"No record fits anybody. {_where(worst, found, spelt)}")


def _trouble(found: Found) -> tuple[int, float]:
    """The less trouble the later: first what helps most when it is left out, then what occurs least."""
    return -(found.covered_without or 0), found.records_occurring / found.records if found.records else 1.0


def _where(worst: Found, whole: Chart, spelt: Container[str]) -> str:
    if worst.occurring == worst.values:
        return (
            "Each value occurs, but not in these combinations: look whether the table is about the same people, "
            "and whether each column is matched to the right attribute."
        )
    occurs = f"{number(worst.occurring)} of {many(worst.values, 'value', 'values')} of {worst.attribute} "
    told = f"Look at {worst.attribute} first: {occurs}{'occurs' if worst.occurring == 1 else 'occur'} in the table"
    without = percent(worst.covered_without or 0, whole.records)
    return (
        f"{told}; without this column {without} of the records would fit somebody. Match it to another attribute or "
        f"level{_by_spelling(worst, spelt)} or leave it out.{_by_codes(worst)}"
    )


def _by_spelling(worst: Found, spelt: Container[str]) -> str:
    """Numbers and days are right or wrong: likeness is nothing for them."""
    if worst.by_likeness:
        return ", lower its least likeness if it is spelt otherwise,"
    return ", match it by likeness if it is spelt otherwise," if worst.attribute in spelt else ","


def _by_codes(worst: Found) -> str:
    return "" if worst.occurring or worst.level in DAYS else f" {CODED.format(worst.attribute)}"
