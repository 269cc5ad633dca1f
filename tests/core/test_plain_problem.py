"""Problems from plain lists: whatever kind the lists are of, and held together with the oracle over the same table."""

import csv
import datetime
import doctest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core import (
    BadSetting,
    CannotBeMet,
    Limits,
    OutsideHierarchy,
    Register,
    Risk,
    choosing,
    full_domain,
    problem,
)
from riskapp.core.table.plain import PlainColumn
from tests.oracle import assess

RACE = {"groups": {"European": ["White"], "Asian": ["Chinese", "Japanese"]}}
ROWS = st.tuples(
    st.sampled_from(["White", "Chinese", "Japanese", None]),
    st.sampled_from(["47906", "47901", "46402", "46403"]),
    st.sampled_from(["1975-05-10", "1975-05-21", "1980-01-01", None]),
)


def columns(rows: list[tuple[str | None, ...]], names: list[str]) -> dict[str, list[str | None]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def write(path: Path, table: dict[str, list[str | None]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


@settings(max_examples=15)
@given(st.lists(ROWS, min_size=1, max_size=5), st.lists(ROWS, min_size=1, max_size=4), st.data())
def test_all_rules_are_as_the_oracle_finds_them(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], entries: list[Any], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    fall, model = data.draw(st.sampled_from(["step", "harmonic"])), data.draw(st.sampled_from(["worst", "bayes"]))
    who = data.draw(st.lists(st.sampled_from(["a", "b", None]), min_size=len(entries), max_size=len(entries)))
    table = columns(rows, ["race", "zip", "born"])
    held = columns(entries, ["race", "zip", "born"])
    held = {"race": held["race"], "born@year": [day and day[:4] for day in held["born"]]}
    write(folder / "table.csv", table)
    write(folder / "held.csv", held | {"who": who})
    attributes = {
        "race": {"hierarchy": RACE, "weight": 2},
        "zip": {"hierarchy": {"mask": 3}},
        "born": {"hierarchy": {"dates": ["month", "year"]}},
    }
    match = {"race": "race", "born@year": "born@year"}
    expected = assess(
        {
            "dataset": {"file": "table.csv"},
            "attributes": attributes,
            "dictionaries": [
                {"self": True, "name": "neighbour", "knows": ["zip"]},
                {"name": "held", "file": "held.csv", "match": match, "identity": "who", "prior": 3},
            ],
            "sensitivity": {"fall": fall},
            "risk": {"over_dictionaries": model},
        },
        folder,
    )
    asked = problem(
        table,
        hierarchies={name: given["hierarchy"] for name, given in attributes.items()},
        weights={"race": 2},
        fall=fall,
        dictionaries={"neighbour": ["zip"], "held": Register(held, identity=who, prior=3)},
        risk=Risk(over_dictionaries=model),
    )
    rules = full_domain(asked)
    assert [rule.id for rule in rules] == [rule["id"] for rule in expected["rules"]]
    assert [rule.risk for rule in rules] == pytest.approx([rule["risk"] for rule in expected["rules"]], abs=1e-9)
    assert [rule.utility for rule in rules] == pytest.approx([rule["utility"] for rule in expected["rules"]])
    assert sorted(rule.id for rule in rules.frontier()) == sorted(expected["frontier"])


@pytest.mark.parametrize(
    ("cells", "values", "codes"),
    [
        (["b", None, "a", "b", "", "NA"], ["b", "a"], [1, 0, 2, 1, 0, 0]),
        ([52, 38, 52], ["52", "38"], [1, 2, 1]),
        ([52.5, 52.0], ["52.5", "52"], [1, 2]),
        ([datetime.date(1975, 5, 10), None], ["1975-05-10"], [1, 0]),
        (np.array([3, 3]), ["3"], [1, 1]),
        (pd.Series(["a", np.nan, "b"]), ["a", "b"], [1, 0, 2]),
        (pd.Series(["a", "b", "a"], dtype="category"), ["a", "b"], [1, 2, 1]),
        (pd.to_datetime(pd.Series(["1975-05-10", None])), ["1975-05-10"], [1, 0]),
        ([None, None], [], [0, 0]),
        ([], [], []),
    ],
)
def test_lists_and_series_of_any_kind_become_text(cells: Any, values: list[str], codes: list[int]) -> None:
    column = PlainColumn.of("x", cells)
    assert (column.values.to_pylist(), column.codes.tolist()) == ([None, *values], codes)


def test_a_data_frame_is_a_table() -> None:
    table = {"race": ["White", "Chinese", None], "age": [30, 40, 50]}
    one, other = (full_domain(problem(some, hierarchies={"race": RACE})) for some in (table, pd.DataFrame(table)))
    assert [rule.risk for rule in one] == [rule.risk for rule in other]


def test_a_kept_column_has_no_level_and_is_not_known_unless_said() -> None:
    asked = problem({"sex": ["f", "m"], "note": ["x", "y"]}, keep=["note"], sensitive=["note"])
    assert asked.lattice.heights == (1, 0)
    assert asked.dictionaries[0].places == [0]
    assert [column.name for column in asked.sensitive] == ["note"]
    assert full_domain(asked)[1].node == {"sex": 1, "note": 0}


def test_rows_that_share_an_identifier_are_one_person() -> None:
    asked = problem({"sex": ["f", "f", "m"]}, identifier=["ann", "ann", None])
    assert asked.persons == 2
    assert full_domain(asked)[0].evaluation.people["self"].singled_out == 2


def test_limits_are_kept_and_what_cannot_be_met_names_the_nearest() -> None:
    rules = full_domain(problem({"sex": ["f", "f", "m"]}, limits=Limits(smallest_group=3)))
    assert rules.optimum(least_utility=0).id == "full-domain:1"
    with pytest.raises(CannotBeMet, match="least_utility cannot be met") as caught:
        rules.optimum(least_utility=1)
    assert caught.value.nearest.id == "full-domain:1"


TABLE = {"race": ["White", "Chinese"], "age": [30, 40]}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"hierarchies": {"rase": RACE}}, "hierarchies"),
        ({"weights": {"rase": 1}}, "weights"),
        ({"keep": ["rase"]}, "keep"),
        ({"sensitive": ["rase"]}, "sensitive"),
        ({"dictionaries": {"n": ["rase"]}}, "dictionaries.n"),
        ({"dictionaries": {"n": {"rase": ["White"]}}}, "dictionaries.n"),
        ({"dictionaries": {"n": {"race": ["White"], "race@1": ["European"]}}}, "dictionaries.n"),
        ({"hierarchies": {"race": {"file": "race.csv"}}}, "hierarchies.race"),
        ({"dictionaries": {"n": {"race": ["White", 3]}}}, "attributes.race"),
        ({"weights": {"race": -1}}, "attributes.race.weight"),
        ({"fall": "slow"}, "attributes.race.fall"),
    ],
)
def test_what_is_impossible_is_named_by_its_key(given: dict[str, Any], key: str) -> None:
    with pytest.raises(BadSetting) as caught:
        problem(TABLE, **given)
    assert caught.value.key == key


def test_a_value_outside_its_hierarchy_is_refused_without_telling_it() -> None:
    with pytest.raises(OutsideHierarchy) as caught:
        problem({"race": ["White", "Martian"]}, hierarchies={"race": RACE})
    assert "Martian" not in str(caught.value)


def test_the_example_of_choosing_is_true() -> None:
    results = doctest.testmod(choosing)
    assert (results.failed, results.attempted) == (0, 5)
