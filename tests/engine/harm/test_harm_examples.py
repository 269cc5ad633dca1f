"""Made-up records show nothing that too few people share; real ones are records of the dataset."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem
from riskapp.engine.harm.examples import ENOUGH, NOTE, RARE, seen_real, synthetic

GROUPS = {"groups": {"North": ["Oslo", "Bergen"], "South": ["Rome", "Bari"]}}
CITIES = ["Oslo", "Bergen", "Rome", "Bari"]


def asked(cities: list[str | None], sexes: list[str | None], who: list[str] | None = None) -> Problem:
    return problem({"city": cities, "sex": sexes}, hierarchies={"city": GROUPS}, identifier=who)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.integers(0, 25), min_size=5, max_size=5).filter(any),
    st.integers(1, 40),
    st.integers(0, 1000),
)
def test_what_fewer_than_eleven_share_is_never_shown(times: list[int], people: int, seed: int) -> None:
    cities = [city for city, many in zip([*CITIES, None], times, strict=True) for _ in range(many)]
    who = [str(place % people) for place in range(len(cities))]
    some = asked(cities, ["f"] * len(cities), who)
    sharing = {city: len({one for one, there in zip(who, cities, strict=True) if there == city}) for city in cities}
    parent = {city: group for group, leaves in GROUPS["groups"].items() for city in leaves}
    above = {
        group: len({one for one, there in zip(who, cities, strict=True) if parent.get(there or "") == group})
        for group in GROUPS["groups"]
    }
    for record in synthetic(some, 20, seed=seed).records:
        cell = record["city"]
        if cell.shown in CITIES:
            assert cell.value == cell.shown
            assert sharing[cell.shown] >= ENOUGH
        elif cell.shown in above:
            assert cell.value is None
            assert above[cell.shown] >= ENOUGH
            assert min(sharing.get(city, 0) for city in GROUPS["groups"][cell.shown]) < ENOUGH
        elif cell.shown is None:
            assert sharing[None] >= ENOUGH
        else:
            assert (cell.shown, cell.value) == (RARE, None)


def test_a_value_that_eleven_share_is_shown_and_one_that_ten_share_is_not() -> None:
    records = synthetic(asked(["Oslo"] * 11 + ["Rome"] * 10, ["f"] * 21), 200).records
    assert {record["city"].shown for record in records} == {"Oslo", RARE}


def test_one_person_with_many_records_is_rare_all_the_same() -> None:
    some = asked(["Oslo"] * 30, ["f"] * 30, ["Ann"] * 30)
    assert {record["city"].shown for record in synthetic(some, 30).records} == {RARE}


def test_cells_are_drawn_by_themselves_in_the_shares_of_their_columns() -> None:
    some = asked(["Oslo"] * 300 + ["Rome"] * 100, ["f"] * 300 + ["m"] * 100)
    drawn = Counter((record["city"].shown, record["sex"].shown) for record in synthetic(some, 4000, seed=1).records)
    assert abs(drawn["Oslo", "f"] / 4000 - 9 / 16) < 0.03
    assert abs(drawn["Oslo", "m"] / 4000 - 3 / 16) < 0.03
    assert abs(drawn["Rome", "f"] / 4000 - 3 / 16) < 0.03


def test_the_same_seed_gives_the_same_examples() -> None:
    some = asked(CITIES * 20, ["f", "m"] * 40)
    assert synthetic(some, seed=3) == synthetic(some, seed=3)
    assert len({json.dumps(synthetic(some, seed=seed).facts()) for seed in range(10)}) > 1


def test_they_say_that_they_are_made_up() -> None:
    facts = json.loads(json.dumps(synthetic(asked(CITIES, list("ffmm"))).facts()))
    assert (len(facts["records"]), facts["real"], facts["note"]) == (5, False, NOTE)
    assert facts["records"][0]["city"] == {"shown": RARE, "value": None, "personal": None}


def test_real_ones_are_records_of_the_dataset_each_once() -> None:
    rows = [("Oslo", "f"), ("Rome", "m"), ("Bari", None)]
    found = seen_real(asked([city for city, _ in rows], [sex for _, sex in rows]), 5, seed=2)
    assert sorted((record["city"].value, record["sex"].value or "") for record in found.records) == sorted(
        (city, sex or "") for city, sex in rows
    )
    assert found.real


def test_personal_weights_are_drawn_apart_and_rare_ones_left_out() -> None:
    from dataclasses import replace

    import numpy as np

    from riskapp.core.table.sensitivity import Sensitivity

    some = asked(["Oslo"] * 40, ["f"] * 40)
    own = np.array([5.0] * 20 + [np.nan] * 15 + [77.0] * 5)
    city, sex = some.columns
    weighed = replace(some, sensitivity=Sensitivity((replace(city, personal=own), sex)))
    assert {record["city"].personal for record in synthetic(weighed, 300).records} == {5.0, None}
    assert {record["city"].personal for record in seen_real(weighed, 40).records} == {5.0, 77.0, None}
