"""The attacker who gives every row a person of its own: forced pairs are found however many people fit each row."""

from typing import Any

import numpy as np

from riskapp.core.table.assigning import Assigned, assign
from riskapp.core.table.cells import Cells
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.keys import Places
from riskapp.core.table.matching import pairs
from riskapp.core.table.replay import NotDone, Replay
from riskapp.engine.releasing.attack.truth import Truth
from riskapp.engine.ruling import Ruling

MOST_PAIRS = 10_000_000
SEVERAL_ROWS = "Not done: some people have several rows, so rows are not one to one with people."
SEVERAL_ENTRIES = "Not done: entries of this dictionary stand for several people or share one."
TOO_MANY = "Not done: {:_} pairs of a row and an entry fit, more than {:_} can be assigned."


def one_to_one(found: Ruling, dictionary: Dictionary, truth: Truth | None, seed: int = 0) -> dict[str, Any]:
    """How many rows are given an entry, how many are forced, and how many of both are right.

    Rows that are suppressed fit everybody and are left out.
    """
    reason = _why_not(found, dictionary)
    if reason is not None:
        return {"not_done": reason}
    rows, entries = _pairs(found, dictionary)
    assigned = assign(rows, entries, (len(found.problem), len(dictionary)), seed)
    return {
        "assigned": int((assigned.entry >= 0).sum()),
        "forced": int(assigned.forced.sum()),
        "blocks": assigned.blocks,
        "weighed_blocks": assigned.weighed,
        "right": None if truth is None else _right(assigned, truth, len(dictionary)),
    }


def _why_not(found: Ruling, dictionary: Dictionary) -> str | None:
    if found.problem.persons < len(found.problem):
        return SEVERAL_ROWS
    if dictionary.times is not None or dictionary.identities is not None:
        return SEVERAL_ENTRIES
    shown = found.defined.people[dictionary.name][~found.released.suppressed]
    fitting = int(shown.sum())
    return TOO_MANY.format(fitting, MOST_PAIRS).replace("_", " ") if fitting > MOST_PAIRS else None


def _pairs(found: Ruling, dictionary: Dictionary) -> tuple[Places, Places]:
    """The pairs that fit, after a replay where the rule is not closed and it can be replayed."""
    there = np.flatnonzero(~found.released.suppressed)
    parts = [np.zeros((2, 0), dtype=np.intp)]
    parts += [
        np.stack([there[rows], entries])
        for rows, entries in pairs(dictionary.known, Cells.of(found.released).taken(there))
    ]
    rows, entries = np.concatenate(parts, axis=1)
    if found.found.rule is None:
        return rows, entries
    try:
        kept = Replay(found.problem, found.released, found.found.rule).holds(dictionary, rows, entries)
    except NotDone:
        return rows, entries
    return rows[kept], entries[kept]


def _right(assigned: Assigned, truth: Truth, entries: int) -> dict[str, int]:
    given = np.arange(len(assigned.entry)) * (entries + 1) + assigned.entry + 1
    right = np.isin(given, truth.records * (entries + 1) + truth.entries + 1)
    return {"assigned": int(right.sum()), "forced": int((right & assigned.forced).sum())}
