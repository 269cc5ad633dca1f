"""The figures of rules of every family equal those of the oracle, on random assessments that use every option."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.search.candidate import Candidate
from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.assess import evaluate as assessed
from tests.core.measured import figures
from tests.engine.every_family import as_theirs, drawn, nodes_of, one_of_each, theirs_of
from tests.oracle.assessment import nodes, same
from tests.oracle.evaluation import evaluate, measure
from tests.oracle.groups import grouping_columns, shown_key, sizes
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import Node, Released, from_nodes, full_domain, suppressed
from tests.oracle.risk import by_definition
from tests.oracle.utility import utility

FAMILIES = ["regional", "per-record", "k-anonymity", "random-k", "mondrian"]
SEEDS = range(14)


def assert_same(theirs: Theirs, prepared: Prepared, found: Candidate) -> None:
    rows = from_nodes(theirs, nodes_of(prepared.problem, found))
    if found.rule is None:
        wanted = evaluate(theirs, rows, by_definition(theirs), by_definition(theirs))
    else:
        wanted = measure(theirs, rows, as_theirs(theirs, prepared.problem, found))
    assert same(figures(found.evaluation), wanted), (found.id, figures(found.evaluation), wanted)


def test_a_rule_of_every_family_has_the_oracle_s_figures(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in SEEDS:
        (tmp_path / str(seed)).mkdir()
        path = drawn(seed, tmp_path / str(seed), FAMILIES)
        prepared, theirs = prepare(path), theirs_of(path)
        for found in one_of_each(prepared, seed):
            assert_same(theirs, prepared, found)
            seen[found.id.partition(":")[0]] += 1
    assert all(seen[family] >= 3 for family in FAMILIES), seen


def test_points_of_the_exact_frontier_have_the_oracle_s_figures_and_no_rule_lies_below(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in range(100, 106):
        (tmp_path / str(seed)).mkdir()
        path = drawn(seed, tmp_path / str(seed), ["per-record", "full-domain", "regional"], separable=True)
        prepared, theirs = prepare(path), theirs_of(path)
        result = assessed(prepared)
        points = result.exact_frontier or []
        for rule in result.rules if points else ():
            line = np.interp(rule.evaluation.utility, *([one[key] for one in points] for key in ("utility", "risk")))
            assert rule.evaluation.risk >= line - 1e-9, rule.id
        for point in points[:: max(1, len(points) // 2)][:3]:
            found = assessed(prepared, wanted=point["id"]).wanted
            assert found is not None
            assert (found.id, found.evaluation.risk) == (point["id"], pytest.approx(point["risk"]))
            assert_same(theirs, prepared, found)
            seen["points"] += 1
    assert seen["points"] >= 6


@pytest.mark.parametrize("seed", range(60, 70))
def test_the_best_k_anonymous_node_is_that_of_brute_force(tmp_path: Path, seed: int) -> None:
    path = drawn(seed, tmp_path, ["k-anonymity"])
    prepared, theirs = prepare(path), theirs_of(path)
    if theirs.search.get("limits") or theirs.search.get("require"):
        return
    allowed = {node: rows for node in nodes(theirs) if (rows := weak_hidden(theirs, node)) is not None}
    found = [one for one in one_of_each(prepared, 0) if one.family == "k-anonymity"]
    assert bool(found) == bool(allowed)
    if found:
        most = max(utility(theirs, rows) for rows in allowed.values())
        chosen = tuple(map(int, found[0].id.split(":")[2].split(".")))
        assert found[0].evaluation.utility == pytest.approx(most)
        assert [row.shown for row in from_nodes(theirs, nodes_of(prepared.problem, found[0]))] == [
            row.shown for row in allowed[chosen]
        ]


def weak_hidden(theirs: Theirs, node: Node) -> list[Released] | None:
    """The table at a node without groups of one person; None where it is empty or hides more than half."""
    rows, columns = full_domain(theirs, node), set(grouping_columns(theirs))
    people = sizes(theirs, rows)
    shown = [row if people[shown_key(theirs, row, columns)] >= 2 else suppressed(theirs) for row in rows]
    hidden = sum(row.suppressed for row in shown)
    return None if hidden == len(shown) or hidden > len(shown) / 2 else shown
