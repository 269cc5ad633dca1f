"""Keeping finished blocks, so that work that was cut short goes on where it was.

A block is a file of its own, named by what decides its answers: the hashes of all inputs, the versions of the software
and the block's name. One that is damaged, or that belongs to something else, is as if it were not there. Figures are
kept to the last bit. Tables are not kept.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.search.candidate import Tag
from riskapp.core.table.inference import Inference
from riskapp.engine.answers import Answers, Measured
from riskapp.engine.atomic import replaced

FORMAT = 4
UNUSABLE = (OSError, ValueError, TypeError, KeyError, AttributeError)
"""What comes of a file that is not there, is damaged, or belongs to something else."""


@dataclass(frozen=True)
class Keeping:
    """A folder of finished blocks.

    Parameters
    ----------
    folder : where they lie
    about : what decides their answers, as JSON can hold it

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Keeping(Path(folder), {"dataset": "f00d"})
    ...     kept.keep("mondrian:5", Answers(not_found=[{"family": "mondrian"}]))
    ...     other = Keeping(Path(folder), {"dataset": "beef"})
    ...     kept.taken("mondrian:5").not_found, kept.taken("regional"), other.taken("mondrian:5")
    ([{'family': 'mondrian'}], None, None)
    """

    folder: Path
    about: Mapping[str, Any]

    def _key(self, block: str) -> str:
        told = json.dumps([FORMAT, self.about, block], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()

    def _path(self, block: str) -> Path:
        return self.folder / f"{self._key(block)}.json"

    def _part(self, block: str, number: int) -> Path:
        return self.folder / f"{self._key(block)}.{number}.part"

    def keep(self, block: str, answers: Answers) -> None:
        """Keep what a block answered; its parts are needed no more."""
        self._write(self._path(block), self._key(block), as_json(answers))
        for part in self.folder.glob(f"{self._key(block)}.*.part"):
            part.unlink(missing_ok=True)

    def taken(self, block: str) -> Answers | None:
        """What a block answered before; None when it is not there, or not whole."""
        try:
            return from_json(_read(self._path(block), self._key(block)))
        except UNUSABLE:
            return None

    def keep_part(self, block: str, number: int, content: Mapping[str, Any]) -> None:
        """Keep a part of what a block will answer."""
        self._write(self._part(block, number), self._key(f"{block} {number}"), content)

    def part(self, block: str, number: int) -> Mapping[str, Any] | None:
        """A part that was kept before; None when it is not there, or not whole."""
        try:
            return _read(self._part(block, number), self._key(f"{block} {number}"))
        except UNUSABLE:
            return None

    def _write(self, path: Path, key: str, content: Mapping[str, Any]) -> None:
        text = json.dumps(content)
        with replaced(path) as fresh:
            fresh.write_text(json.dumps({"key": key, "sha256": _sha256(text), "content": text}), encoding="utf-8")


def _read(path: Path, key: str) -> Mapping[str, Any]:
    envelope = json.loads(path.read_text(encoding="utf-8"))
    if (envelope["key"], envelope["sha256"]) != (key, _sha256(envelope["content"])):
        raise ValueError("This is not what was kept.")
    content: Mapping[str, Any] = json.loads(envelope["content"])
    return content


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def as_json(answers: Answers) -> dict[str, Any]:
    """Answers as JSON can hold them, infinite numbers as Python's own words for them."""
    return {
        "rules": [_rule(one) for one in answers.rules],
        "not_found": list(answers.not_found),
        "frontier": answers.frontier,
        "reason": answers.reason,
        "notes": list(answers.notes),
    }


def from_json(kept: Mapping[str, Any]) -> Answers:
    """The same answers again."""
    rules = [_as_rule(one) for one in kept["rules"]]
    return Answers(rules, kept["not_found"], kept["frontier"], kept["reason"], kept["notes"])


def _rule(one: Measured) -> dict[str, Any]:
    return {**vars(one), "evaluation": figures_of(one.evaluation), "number": vars(one.number)}


def figures_of(one: Evaluation) -> dict[str, Any]:
    """The figures of a rule as JSON can hold them."""
    figures = {**vars(one), "risk_by_dictionary": dict(one.risk_by_dictionary)}
    for name in ("people", "people_replay", "inference"):
        figures[name] = None if figures[name] is None else dict(figures[name])
    return figures


def evaluation_of(kept: Mapping[str, Any]) -> Evaluation:
    """The same figures again."""
    again = kept["people_replay"]
    return Evaluation(
        **{
            **kept,
            "people": _each(kept["people"], People),
            "people_replay": None if again is None else _each(again, People),
            "inference": _each(kept["inference"], Inference),
            "broken": tuple(kept["broken"]),
        }
    )


def _as_rule(kept: Mapping[str, Any]) -> Measured:
    node = kept["node"]
    return Measured(
        **{
            **kept,
            "evaluation": evaluation_of(kept["evaluation"]),
            "node": None if node is None else tuple(node),
            "number": Tag(**kept["number"]),
        }
    )


def _each(kept: Mapping[str, Any], kind: type[People] | type[Inference]) -> dict[str, Any]:
    """Named tuples are kept as lists."""
    return {name: kind(*values) for name, values in kept.items()}
