"""Linking: for every person the entries that may be them, by consistency and by replaying the rule.

An attacker who names one of the |ρ| people that fit a row is right with the chance 1/|ρ|. Where a dictionary carries
the truth, it is counted how many such guesses would be right: none where the person is not among those who fit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers, total
from riskapp.core.loss import Loss
from riskapp.core.table.cells import Cells
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.keys import Places
from riskapp.core.table.matching import consistent
from riskapp.core.table.people import largest_each, people
from riskapp.core.table.replay import NotDone, Replay
from riskapp.engine.releasing.attack.truth import Truth
from riskapp.engine.ruling import Ruling

Flags = npt.NDArray[np.bool_]
Holds = Callable[[Places, Places], Flags]
STEPS = (("certain", 1.0), ("at_least_half", 0.5), ("at_least_a_fifth", 0.2), ("at_least_0.09", 0.09))


def linked(found: Ruling, dictionary: Dictionary, truth: Truth | None) -> dict[str, Any]:
    """What an attacker with one dictionary gets from a release, and has without it."""
    persons, everybody = found.problem.persons, dictionary.everybody
    return {
        "everybody": everybody,
        "without_release": persons / everybody if everybody else 0.0,
        "consistency": by_consistency(found, dictionary, truth),
        "replay": by_replay(found, dictionary, truth),
        "carries_truth": truth is not None,
    }


def by_consistency(found: Ruling, dictionary: Dictionary, truth: Truth | None) -> dict[str, Any]:
    """The attacker who knows the file and the hierarchies."""
    cells = Cells.of(found.released)
    return _told(
        found,
        dictionary,
        found.defined.people[dictionary.name],
        truth,
        lambda records, entries: consistent(dictionary.known, cells, records, entries),
    )


def by_replay(found: Ruling, dictionary: Dictionary, truth: Truth | None) -> dict[str, Any] | None:
    """The attacker who knows the rule too; None where there are too many completions to replay it on."""
    if found.replayed is None:
        return None
    if found.found.rule is None:
        return by_consistency(found, dictionary, truth)
    replay = Replay(found.problem, found.released, found.found.rule)
    try:
        return _told(
            found,
            dictionary,
            found.replayed.people[dictionary.name],
            truth,
            lambda records, entries: replay.holds(dictionary, records, entries),
        )
    except NotDone:
        return None


def _told(found: Ruling, dictionary: Dictionary, counts: Counts, truth: Truth | None, holds: Holds) -> dict[str, Any]:
    persons, loss = found.problem.people, found.problem.loss
    figures = people(counts, persons, loss, dictionary.everybody)
    chances = largest_each(Loss(uncovered="zero").chances(counts), persons)
    return {
        "expected_found": figures.expected_found,
        "singled_out": figures.singled_out,
        "uncovered": figures.uncovered,
        "gain": figures.gain,
        "confidence": confidence(chances),
        "right": None if truth is None else _right(found, counts, truth, holds),
    }


def confidence(chances: Numbers) -> dict[str, int]:
    """How many people are found with how large a chance; each person in the first line that fits.

    >>> confidence(np.array([1.0, 0.5, 0.25, 0.1, 0.01, 0.0]))
    {'certain': 1, 'at_least_half': 1, 'at_least_a_fifth': 1, 'at_least_0.09': 1, 'less': 1, 'not_at_all': 1}
    """
    told, before = dict[str, int](), np.zeros(len(chances), dtype=np.bool_)
    for name, least in STEPS:
        there = chances >= least
        told[name] = int((there & ~before).sum())
        before |= there
    return {**told, "less": int((~before & (chances > 0)).sum()), "not_at_all": int((chances == 0).sum())}


def _right(found: Ruling, counts: Counts, truth: Truth, holds: Holds) -> dict[str, Any]:
    """How many guesses would be right: expected over all people, and of those who are singled out."""
    fits = np.zeros(len(counts), dtype=np.bool_)
    fits[truth.records[holds(truth.records, truth.entries)]] = True
    there = np.zeros(len(counts), dtype=np.bool_)
    there[truth.records] = True
    chances = np.where(fits, 1.0 / np.maximum(counts, 1), 0.0)
    persons = found.problem.people
    each = largest_each(chances, persons)
    return {
        "people_in_it": int((largest_each(there.astype(np.float64), persons) > 0).sum()),
        "expected": total(each),
        "of_singled_out": int((each == 1).sum()),
    }
