"""Outcomes: the files that an assessment leaves in its folder, and single rules read from them again."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from riskapp import storage
from riskapp.core.errors import RiskappError
from riskapp.core.table.limits import Limits
from riskapp.engine.hashes import sha256
from riskapp.engine.plane.document import on_frontier
from riskapp.engine.plane.index import Index
from riskapp.engine.plane.listing import Listing, rule_of
from riskapp.engine.ruling import RuleColumns
from riskapp.models import Outcome

RESULT, PLANE, INDEX = "result.json", "plane.json.gz", "rules.index"
NEAR = 1e-12
"""Utilities that agree to so many digits are equal."""
Listed = dict[str, Any]
"""A rule as RESULT.json lists it."""


class Lost(RiskappError):
    """The files of a result are not there, or not as they were written."""

    def __init__(self) -> None:
        super().__init__(
            "The files of this result are missing or damaged on the server. Open the run and press “Run it again as it "
            "was”: the same assessment gives the same figures."
        )


def place(outcome: Outcome) -> Path:
    return storage.outcome_place(outcome.project_id, outcome.folder)


def check(outcome: Outcome) -> None:
    """Raise `Lost` where a file is missing or has another size. Hashes are compared when a file is read whole."""
    for name, written in outcome.summary["files"].items():
        path = place(outcome) / name
        if not path.is_file() or path.stat().st_size != written["size"]:
            raise Lost


def plane(outcome: Outcome) -> bytes:
    """The plane, packed with gzip."""
    return whole(outcome, PLANE).read_bytes()


def next_on_frontier(outcome: Outcome, utility: float) -> tuple[str, str]:
    """The names of the next rules on the frontier with more and with less utility; "" where there is none."""
    near = NEAR * max(1.0, abs(utility))
    ordered = on_frontier(json.loads(gzip.decompress(plane(outcome))))
    more = [name for found, name in ordered if found > utility + near]
    less = [name for found, name in ordered if found < utility - near]
    return more[0] if more else "", less[-1] if less else ""


def whole(outcome: Outcome, name: str) -> Path:
    """The place of a file that has the bytes it was written with."""
    check(outcome)
    path = place(outcome) / name
    if sha256(path) != outcome.summary["files"][name]["sha256"]:
        raise Lost
    return path


@contextmanager
def opened(outcome: Outcome) -> Iterator["Rules"]:
    """The rules of an outcome, of which only those are read that are asked for."""
    check(outcome)
    index = whole(outcome, INDEX)
    with index.open("rb") as offsets, (place(outcome) / RESULT).open("rb") as result:
        yield Rules(Index(offsets, result))


class Rules(Mapping[str, Listed]):
    """Rules by their names."""

    def __init__(self, index: Index) -> None:
        self.index, self.names = index, index.names()

    def __getitem__(self, name: str) -> Listed:
        number = self.names.number(name)
        if number is None:
            raise KeyError(name)
        try:
            rule = rule_of(self.index.line(number))
        except ValueError:
            raise Lost from None
        if rule.get("id") != name:
            raise Lost
        return rule

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[str]:
        return (str(rule_of(self.index.line(number))["id"]) for number in range(len(self)))


def rules(outcome: Outcome, names: Iterable[str]) -> dict[str, Listed]:
    """Those of some rules that there are."""
    with opened(outcome) as known:
        return {name: known[name] for name in names if name in known}


def columns_of(outcome: Outcome, limits: Limits) -> RuleColumns:
    """All rules side by side."""
    with whole(outcome, RESULT).open("rb") as result:
        return RuleColumns.of(Listing(result), limits)
