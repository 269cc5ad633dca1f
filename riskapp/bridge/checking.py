"""Whether what a set-up says can be: read as an assessment file is read, without looking into any table."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from riskapp.bridge import documents
from riskapp.core.bad_setting import BadSetting
from riskapp.engine import full_domain
from riskapp.engine.assessment import read
from riskapp.engine.assessment.settings import Assessment, SearchKey
from riskapp.engine.possible import question_of
from riskapp.engine.rule_ids import FULL_DOMAIN
from riskapp.models import Setup

# A share of the detail becomes some utility; which one does not matter for whether it can be asked for.
SOME_ENDS = {"measure": "depth", "unchanged": 1.0, "nothing": 0.0}


def check(setup: Setup, *parts: str) -> None:
    """Raise `BadSetting` if one of these parts of the set-up, named by their keys, is impossible.

    While something is still left to be said, or another part is wrong, nobody can tell.
    """
    try:
        document = documents.frozen(setup, SOME_ENDS)
    except documents.NotReady:
        return
    try:
        _read(document)
    except BadSetting as trouble:
        if any(f"{trouble.key}.".startswith(f"{part}.") for part in parts):
            raise


def check_run(document: Mapping[str, Any], nodes: int, impossible: Sequence[str]) -> None:
    """Raise `BadSetting` where a run would be started and then fail: there are too many rules, or linkage data.

    Parameters
    ----------
    document : what is about to be assessed
    nodes : how many whole-table rules there are
    impossible : the families that cannot look at so many
    """
    told = _read(document)
    if left_out := [family for family in impossible if family in told.search.rules]:
        raise BadSetting("search.rules", f"There are too many rules for {', '.join(left_out)}. Leave that out.")
    if FULL_DOMAIN in told.search.rules:
        full_domain.check_size(nodes, told.search, told.utility.over_records)
    if told.linkage is not None and _by_single_records(told.search):
        raise BadSetting("search.methods", "Only the exhaustive search takes linkage data into account.")


def _by_single_records(search: SearchKey) -> bool:
    """Whether a method is asked for that looks at one record after the other."""
    return "per-record" in search.rules and question_of(search) is not None and {*search.methods} != {"exhaustive"}


def _read(document: Mapping[str, Any]) -> Assessment:
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = Path(folder) / "assessment.json"
        path.write_text(json.dumps(document["assessment"]), encoding="utf-8")
        return read(path)
