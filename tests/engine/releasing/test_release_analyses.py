"""Analyses before and after, against the same sums done row by row."""

import statistics
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.assess import prepare
from riskapp.engine.releasing import analyses
from riskapp.engine.releasing.analyses import DAYS, MIDPOINTS, Analysis, compared
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

MEMBERS = "age,born,town,income\n" + "".join(
    f"{age},19{70 + age % 7}-0{1 + age % 9}-11,{'abcd'[age % 4]},{100 + 3 * age + age % 5}\n" for age in range(20, 60)
)
SPEC = """
dataset: {file: members.csv}
attributes:
  age: {hierarchy: {intervals: {from: 0, widths: [5, 20], unit: 1}}}
  born: {hierarchy: {dates: [year]}}
  town: {hierarchy: {groups: {north: [a, b], south: [c, d]}}}
  income: {role: keep}
"""
ROWS = [line.split(",") for line in MEMBERS.split()[1:]]


def answer(folder: Path, rule: str, analysis: Analysis) -> dict[str, object]:
    prepared = prepare(small(folder, SPEC, MEMBERS))
    (found,) = compared(prepared, Ruling.of(prepared, rule).released, [analysis])
    return found


def test_means_are_read_by_midpoints_and_it_is_said(tmp_path: Path) -> None:
    found = answer(tmp_path, "full-domain:1.0.1", Analysis("age", "mean", ("town",), "age"))
    ages = [int(row[0]) for row in ROWS]
    middle = [age // 5 * 5 + 2.5 for age in ages]
    assert found["before"] == statistics.mean(ages)
    assert found["after"] == statistics.mean(middle)
    assert found["read"] == MIDPOINTS
    north = [place for place, row in enumerate(ROWS) if row[2] in "ab"]
    (group,) = [one for one in found["groups"] if one["label"] == "north"]
    assert (group["rows"], group["before"]) == (len(north), statistics.mean(ages[place] for place in north))
    assert group["after"] == statistics.mean(middle[place] for place in north)


def test_unchanged_numbers_have_the_same_mean_and_nothing_is_said(tmp_path: Path) -> None:
    found = answer(tmp_path, "full-domain:0.0.0", Analysis("age", "mean", (), "age"))
    assert found["before"] == found["after"]
    assert found["read"] is None


@pytest.mark.parametrize(
    ("rule", "hidden"), [("full-domain:0.0.0", 9), ("full-domain:1.0.0", 40), ("full-domain:3.0.0", 0)]
)
def test_midpoints_are_not_spoken_of_where_values_are_only_hidden(tmp_path: Path, rule: str, hidden: int) -> None:
    prepared = prepare(small(tmp_path, SPEC, MEMBERS))
    released = replace(Ruling.of(prepared, rule).released, suppressed=np.arange(len(ROWS)) < hidden)
    (found,) = compared(prepared, released, [Analysis("ages", "mean", (), "age")])
    assert found["left_out"]["after"] > 0
    assert found["read"] is None


def test_what_is_hidden_is_left_out_and_counted(tmp_path: Path) -> None:
    found = answer(tmp_path, "full-domain:3.0.0", Analysis("age", "mean", (), "age"))
    assert (found["after"], found["left_out"]) == (None, {"before": 0, "after": 40})


@pytest.mark.parametrize(
    ("rule", "levels"), [("full-domain:0.0.1", 1), ("full-domain:0.0.2", 2), ("full-domain:0.0.0", 0)]
)
def test_counts_spread_generalised_rows_evenly(
    tmp_path: Path, rule: str, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MOST_GROUPS", 1000)
    found = answer(tmp_path, rule, Analysis("towns", "counts", ("town", "income")))
    under = [lambda t: [t], lambda t: ["a", "b"] if t in "ab" else ["c", "d"], lambda t: ["a", "b", "c", "d"]][levels]
    after: dict[tuple[str, str], float] = {}
    before: dict[tuple[str, str], int] = {}
    for row in ROWS:
        before[row[2], row[3]] = before.get((row[2], row[3]), 0) + 1
        for town in under(row[2]):
            after[town, row[3]] = after.get((town, row[3]), 0) + 1 / len(under(row[2]))
    assert {tuple(one["values"]): one["before"] for one in found["rows"] if one["before"]} == before
    assert {tuple(one["values"]): one["after"] for one in found["rows"] if one["after"]} == pytest.approx(after)
    pairs = set(before) | set(after)
    assert found["elsewhere"] == pytest.approx(sum(abs(before.get(p, 0) - after.get(p, 0)) for p in pairs) / 2 / 40)


def test_a_regression_is_the_one_of_the_normal_equations(tmp_path: Path) -> None:
    found = answer(tmp_path, "full-domain:1.1.0", Analysis("income", "regression", ("age",), "income"))
    ages, incomes = np.array([int(row[0]) for row in ROWS]), np.array([int(row[3]) for row in ROWS])
    for how, given in (("before", ages), ("after", ages // 5 * 5 + 2.5)):
        slope = np.cov(given, incomes, bias=True)[0, 1] / np.var(given)
        told = found[how]["coefficients"]
        assert told["age"] == pytest.approx(slope)
        assert told["(constant)"] == pytest.approx(incomes.mean() - slope * given.mean())
        assert found[how]["explained"] == pytest.approx(np.corrcoef(given, incomes)[0, 1] ** 2)


def test_dates_are_read_by_their_middle_day(tmp_path: Path) -> None:
    found = answer(tmp_path, "full-domain:0.1.0", Analysis("born", "mean", (), "born"))
    days = [(np.datetime64(f"{row[1][:4]}-01-01"), np.datetime64(f"{row[1][:4]}-12-31")) for row in ROWS]
    since = np.datetime64("1970-01-01")
    assert found["after"] == pytest.approx(
        statistics.mean(((a - since).astype(int) + (b - since).astype(int)) / 2 for a, b in days)
    )


def test_dates_that_are_released_unchanged_are_read_as_days_and_it_is_said(tmp_path: Path) -> None:
    lines = MEMBERS.splitlines()
    visits = [f"2025-{1 + place % 12:02d}-{1 + place % 28:02d}" for place in range(len(ROWS))]
    table = "\n".join([f"{lines[0]},visit", *(f"{line},{day}" for line, day in zip(lines[1:], visits, strict=True))])
    prepared = prepare(small(tmp_path, f"{SPEC}  visit: {{role: keep}}\n", f"{table}\n"))
    released = Ruling.of(prepared, "full-domain:1.0.0").released
    wanted = [Analysis("visits", "mean", (), "visit"), Analysis("trend", "regression", ("age",), "visit")]
    mean, trend = compared(prepared, released, wanted)
    days = [date.fromisoformat(day).toordinal() - date(1970, 1, 1).toordinal() for day in visits]
    assert mean["before"] == mean["after"] == statistics.mean(days)
    assert mean["read"] == DAYS
    assert trend["read"] == f"{MIDPOINTS} {DAYS}"


@pytest.mark.parametrize(
    ("kind", "columns", "of"),
    [
        ("counts", (), None),
        ("counts", ("age",), "age"),
        ("mean", (), None),
        ("regression", (), "age"),
        ("sum", (), "age"),
    ],
)
def test_an_analysis_that_cannot_be_is_refused(kind: str, columns: tuple[str, ...], of: str | None) -> None:
    with pytest.raises(BadSetting, match=r"analyses\.x"):
        Analysis("x", kind, columns, of)


def test_six_analyses_or_columns_without_numbers_are_refused(tmp_path: Path) -> None:
    prepared = prepare(small(tmp_path, SPEC, MEMBERS))
    released = Ruling.of(prepared, "full-domain:0.0.0").released
    with pytest.raises(BadSetting, match="at most 5"):
        compared(prepared, released, [Analysis("a", "mean", (), "age")] * 6)
    for name in ("town", "nothing"):
        with pytest.raises(BadSetting):
            compared(prepared, released, [Analysis("a", "mean", (), name)])
