"""What leaves of the analyses: whoever has the file cannot take away what is shown and be left with what is hidden."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riskapp.engine.assess import prepare
from riskapp.engine.releasing.analysed import analysed, told_inside, told_outside
from riskapp.engine.releasing.analyses import Analysis
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

SPEC = """
dataset: {file: members.csv}
attributes:
  town: {hierarchy: {groups: {north: [a, b], south: [c, d]}}}
  age: {hierarchy: {intervals: {from: 0, widths: [5, 20], unit: 1}}}
  income: {role: keep}
"""
MEAN = Analysis("incomes", "mean", ("town",), "income")
EVERY = [
    MEAN,
    Analysis("ages", "mean", (), "age"),
    Analysis("towns", "counts", ("town",)),
    Analysis("trend", "regression", ("age",), "income"),
]
ROWS = 40


def members(incomes: Sequence[object]) -> str:
    lines = (f"{'abcd'[at % 4]},{20 + at % 30},{income}" for at, income in enumerate(incomes))
    return "\n".join(["town,age,income", *lines]) + "\n"


def told(folder: Path, incomes: Sequence[object], hidden: int, rule: str = "full-domain:0.0") -> Any:
    """The analyses, inside and outside, where the first so many rows are suppressed."""
    prepared = prepare(small(folder, SPEC, members(incomes)))
    mask = np.arange(len(incomes)) < hidden
    released = replace(Ruling.of(prepared, rule).released, suppressed=mask)
    found = analysed(prepared, released, EVERY)
    return [told_inside(one) for one in found], [told_outside(one) for one in found]


def left(before: float, shown: Sequence[float], rows: int) -> float:
    """What an attacker is left with who takes the rows in the file away from an answer about all of them."""
    return before * rows - sum(shown)


def test_an_exact_answer_would_give_a_hidden_value_away_and_none_leaves(tmp_path: Path) -> None:
    incomes = [100 + 3 * at for at in range(ROWS)]
    seen = set()
    for hidden in (7, 100, 9000):
        incomes[0] = hidden
        inside, outside = told(tmp_path, incomes, 1)
        assert left(inside[0]["before"], incomes[1:], ROWS) == pytest.approx(hidden)
        assert all("not_done" in one for one in outside)
        seen.add(str(outside))
    assert len(seen) == 1, "what leaves is the same whatever is hidden"


@pytest.mark.parametrize(("hidden", "done"), [(0, True), (1, False), (9, False), (10, True), (25, True)])
def test_fewer_than_ten_rows_are_not_told_about(tmp_path: Path, hidden: int, done: bool) -> None:
    _, outside = told(tmp_path, [100 + 3 * at for at in range(ROWS)], hidden)
    assert [("not_done" not in one) for one in outside] == [done] * len(EVERY)
    if hidden == 0:
        assert [one["change"] for one in outside[:3]] == [{"at_most": 0.0}] * 3


def test_beyond_ten_hidden_rows_a_difference_leaves_a_wide_range(tmp_path: Path) -> None:
    """An attacker who knows nine of ten hidden incomes tries what the tenth may be: all that give the same answer."""
    seen = dict[str, list[int]]()
    incomes = [1000 + 10 * at for at in range(ROWS)]
    for hidden in range(500, 2000, 50):
        incomes[0] = hidden
        _, outside = told(tmp_path, incomes, 10)
        assert set(outside[0]) == {"name", "kind", "columns", "of", "after", "change", "groups", "read"}
        assert outside[0]["after"] == pytest.approx(sum(incomes[10:]) / (ROWS - 10)), "which is in the file anyway"
        seen.setdefault(str(outside), []).append(hidden)
    assert min(len(values) for values in seen.values()) > 1
    assert max(max(values) - min(values) for values in seen.values()) >= 500


def test_that_nothing_moves_is_told_only_where_nothing_is_hidden(tmp_path: Path) -> None:
    _, outside = told(tmp_path, [100] * ROWS, 12)
    assert outside[0]["change"] == {"at_most": 0.05}
    _, missing = told(tmp_path, ["", *[100 + at for at in range(ROWS - 1)]], 1)
    assert "not_done" in missing[0], "that the one hidden income is missing stays hidden"


def test_groups_in_which_few_rows_are_coarser_are_not_compared(tmp_path: Path) -> None:
    prepared = prepare(small(tmp_path, SPEC, members([100 + 3 * at for at in range(ROWS)])))
    released = Ruling.of(prepared, "full-domain:0.0").released
    level = np.where((np.arange(ROWS) % 4 == 0) | (np.arange(ROWS) == 1), 1, 0)  # all of town a, one of town b
    (found,) = analysed(prepared, replace(released, levels=(0, level, 0)), [Analysis("x", "mean", ("town",), "age")])
    outside = told_outside(found)
    assert (outside["groups"]["number"], outside["groups"]["compared"]) == (4, 3)
    exact = {one["label"]: abs(one["before"] - one["after"]) for one in found["groups"]}
    assert exact["b"] > 0
    assert outside["groups"]["largest_change"]["at_most"] in (0.05, 0.2)


def test_a_change_is_told_in_parts_of_the_spread(tmp_path: Path) -> None:
    inside, outside = told(tmp_path, [100 + 3 * at for at in range(ROWS)], 0, "full-domain:0.2")
    ages = np.array([20 + at % 30 for at in range(ROWS)])
    moved = abs(inside[1]["before"] - inside[1]["after"]) / ages.std()
    assert outside[1]["change"] == {"at_most": next(step for step in (0.05, 0.2, 0.5) if moved <= step)}
    before, after = (inside[3][how]["coefficients"]["age"] for how in ("before", "after"))
    part = abs(before - after) / max(abs(before), abs(after))
    step = next((step for step in (0.05, 0.2, 0.5) if part <= step), None)
    assert outside[3]["change"]["age"] == ({"above": 0.5} if step is None else {"at_most": step})


def test_what_cannot_be_computed_from_the_release_tells_nothing_of_the_data(tmp_path: Path) -> None:
    inside, outside = told(tmp_path, [100 + 3 * at for at in range(ROWS)], ROWS)
    assert inside[0]["before"] is not None
    assert outside[1]["read"] is None, "how it was read says nothing where nothing was"
    assert (outside[0]["after"], outside[0]["change"]) == (None, None)
    assert (outside[3]["after"], outside[3]["change"]) == (None, None)
