"""What is suggested for the columns of an upload."""

from typing import Any

from riskapp.bridge.uploads import coded_table
from riskapp.core.errors import RiskappError
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import hierarchies
from riskapp.engine.shaping.suggest import (
    DROPPED,
    GENERALISED,
    IDENTIFIER,
    IN_ORDER,
    OF_NO_KNOWN_ORDER,
    suggested,
)
from riskapp.models import Upload


def suggestions(upload: Upload) -> list[dict[str, Any]]:
    """For every column its suggested role, ticks and hierarchy with the reason, in the order of the table."""
    table, columns = coded_table(upload), upload.profile["columns"]
    return [_with_hierarchy(table, part) | _figures(columns[part["position"]]) for part in suggested(upload.profile)]


def _figures(column: dict[str, Any]) -> dict[str, Any]:
    """What the table of the columns tells, so that it need not open the profile."""
    return {"type": column["type"], "distinct": column["distinct"], "missing": column["missing"]["count"]}


def _with_hierarchy(table: CodedTable, part: dict[str, Any]) -> dict[str, Any]:
    """A column that is not to be released needs a reason if it is."""
    kind, found, reason = part["hierarchy"], None, part["reason"]
    if part["role"] == GENERALISED and kind:
        try:
            found, others, placed = hierarchies.with_all(table, part["position"], kind)
            reason = f"{reason}{_others(others, placed)}"
        except RiskappError:  # what looked like dates or numbers is not all of it: value → * always fits
            kind, reason = "none", reason.replace(IN_ORDER, OF_NO_KNOWN_ORDER)
    needs_reason = part["role"] in (IDENTIFIER, DROPPED)
    return part | {"kind": kind, "hierarchy": found, "reason": reason, "needs_reason": needs_reason}


def _others(many: int, placed: bool) -> str:
    """What becomes of values that are nothing for the kind of hierarchy."""
    if not many:
        return ""
    if placed:
        return f" {many} other {'value stands by itself' if many == 1 else 'values stand by themselves'} in it."
    return f" {many} other {'value needs a home' if many == 1 else 'values need homes'} in it before a run."
