"""What the attacker sees of one record: the entries of a dictionary that may be its person."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from riskapp.core.table.cells import Cells
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.keys import Places
from riskapp.core.table.matching import consistent
from riskapp.core.table.replay import NotDone, Replay
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.assessment.settings import SelfKey
from riskapp.engine.reporting import Report
from riskapp.engine.ruling.ruling import Named, Ruling, ruling

MOST = 20


def attacker_view(
    prepared: Prepared,
    rule: Named,
    record: int,
    dictionary: str,
    *,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> dict[str, Any]:
    """How many entries of a dictionary, and people in them, may be a record's person.

    Parameters
    ----------
    prepared, rule : the assessment, and a rule by its name or at hand
    record : the number of the record, that of its row in the file
    dictionary : by its name

    Raises
    ------
    BadSetting
        If there is no such rule, record or dictionary.
    """
    found = _view(ruling(prepared, rule, progress, stop), record, dictionary)
    return {
        "record": record,
        "dictionary": dictionary,
        "everybody": found.dictionary.everybody,
        "definition": found.counted(found.consistent),
        "replay": None if found.replayed is None else found.counted(found.replayed),
    }


def seen_entries(
    prepared: Prepared,
    rule: Named,
    record: int,
    dictionary: str,
    *,
    most: int = MOST,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> list[dict[str, Any]]:
    """The first entries that may be a record's person, those that stay after a replay before the others.

    An entry has its number in the dictionary's file, what it knows (for a value matched by likeness, the labels that it
    may stand for), how many people it stands for, and whether it stays; None where there was no replay.
    """
    found = ruling(prepared, rule, progress, stop)
    view = _view(found, record, dictionary)
    staying = view.consistent[:0] if view.replayed is None else view.replayed
    ordered = np.concatenate([staying, np.setdiff1d(view.consistent, staying)])[:most]
    return [
        {
            "entry": _number(found, view.dictionary, entry),
            "knows": {known.hierarchy.attribute: _text(known, entry) for known in view.dictionary.known},
            "people": 1 if view.dictionary.times is None else int(view.dictionary.times[entry]),
            "stays": None if view.replayed is None else entry in staying,
        }
        for entry in ordered.tolist()
    ]


@dataclass(frozen=True, eq=False)
class _View:
    """The entries that are consistent with one record, and those of them that a replay leaves."""

    dictionary: Dictionary
    consistent: Places
    replayed: Places | None

    def counted(self, entries: Places) -> dict[str, int]:
        return {"entries": len(entries), "people": self._people(entries)}

    def _people(self, entries: Places) -> int:
        if self.dictionary.times is not None:
            return int(self.dictionary.times[entries].sum())
        return len(entries if self.dictionary.identities is None else np.unique(self.dictionary.identities[entries]))


def _view(found: Ruling, record: int, name: str) -> _View:
    place, dictionary = found.place(record), found.dictionary(name)
    cells = Cells.of(found.released).taken(np.array([place]))
    every = np.arange(len(dictionary))
    fits = every[consistent(dictionary.known, cells, np.zeros_like(every), every)]
    return _View(dictionary, fits, _replayed(found, dictionary, fits, place))


def _replayed(found: Ruling, dictionary: Dictionary, fits: Places, place: int) -> Places | None:
    """Of the consistent entries those that the rule would release as the record; None where that was not done."""
    if found.found.rule is None or not len(fits):
        return fits
    known = tuple(replace(column, codes=column.codes[fits]) for column in dictionary.known)
    replay = Replay(found.problem, found.released, found.found.rule)
    try:
        return fits[replay.entries(Dictionary(dictionary.name, known), place)]
    except NotDone:
        return None


def _number(found: Ruling, dictionary: Dictionary, entry: int) -> int:
    """The number of an entry's row in its file, from 1."""
    itself = {given.name for given in found.prepared.assessment.dictionaries if isinstance(given, SelfKey)}
    return found.number(entry) if dictionary.name in itself else entry + 1


def _text(known: Known, entry: int) -> str | list[str] | None:
    code, labels = known.codes[entry], known.hierarchy.labels[known.level]
    if code == 0:
        return None
    if known.alike is None:
        text: str = labels[int(code)].as_py()
        return text
    start, end = known.alike.starts[code], known.alike.starts[code + 1]
    return [labels[int(one)].as_py() for one in known.alike.codes[start:end]]
