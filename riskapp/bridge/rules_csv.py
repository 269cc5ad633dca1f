"""All rules of a result as CSV, with all their digits."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from riskapp.bridge.outcomes import RESULT, Listed, whole
from riskapp.engine import formulas
from riskapp.engine.plane.listing import Listing
from riskapp.engine.standing import standing
from riskapp.models import Outcome

PEOPLE = ("expected_found", "singled_out", "uncovered", "largest_chance", "gain", "share_above")


def as_csv(outcome: Outcome) -> Iterator[str]:
    """Every rule with all its figures, a line each, with all their digits. Whether it is whole is seen at once."""
    path = whole(outcome, RESULT)
    told = outcome.summary
    return _lines(path, list(told["words"]), list(told["about"]["dictionaries"]), told["limits"])


def _lines(path: Path, attributes: list[str], attackers: list[str], limits: dict[str, Any]) -> Iterator[str]:
    with path.open("rb") as result:
        for place, rule in enumerate(Listing(result)):
            row = _row(rule, attributes, attackers) | {"limits": standing(rule, limits)}
            if place == 0:
                yield _line(row)
            yield _line(row.values())


def _row(rule: Listed, attributes: list[str], attackers: list[str]) -> dict[str, Any]:
    kept = ("id", "family", "risk", "risk_replay", "utility", "utility_share", "smallest_group", "suppressed")
    node = rule["node"] or {}
    people = {
        f"{figure}, {name}{words}": (rule["people"][name] if how is None else rule["people"][name][how] or {}).get(
            figure
        )
        for name in attackers
        for how, words in ((None, ""), ("by_replay", ", replayed"))
        for figure in PEOPLE
    }
    return {
        **{key: rule[key] for key in kept},
        **{f"level of {name}": node.get(name) for name in attributes},
        **{f"risk, {name}": rule["risk_by_dictionary"][name] for name in attackers},
        **people,
        **{f"{figure} inference, {name}": own[figure] for name, own in rule["inference"].items() for figure in own},
        "on_frontier": rule["on_frontier"],
        "number": rule["number"],
        "holds_against": " ".join(rule["holds_against"]),
    }


def _line(cells: Iterable[Any]) -> str:
    """One line; where a spreadsheet would see a formula begin in a cell stands an apostrophe."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([_cell(cell) for cell in cells])
    return written.getvalue()


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return formulas.defused(cell) if isinstance(cell, str) and cell != "-inf" else str(cell)
