"""Whether one dictionary bounds another, against giving partners one by one."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import Loss
from riskapp.core.table.alike import alike
from riskapp.core.table.below import first_without_partner, without_partner
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.identification import Identification
from riskapp.core.table.plain import PlainColumn
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.plain_register import Register
from riskapp.core.table.problem import Problem
from riskapp.engine.adversaries import below
from riskapp.engine.adversaries.below import Compared, between, dataset_and
from tests.core.slow_identification import SlowDictionary, climbed, dictionaries, hierarchies

CITIES = {"groups": {"North": ["Oslo", "Bergen"], "South": ["Rome", "Bari"]}}


def asked(loss: Loss | None = None, **registers: Register) -> Problem:
    table = {"city": ["Oslo", "Rome", "Rome"], "sex": ["f", "f", "m"]}
    return problem(table, hierarchies={"city": CITIES}, dictionaries=registers, loss=loss)


def failing(found: Compared) -> dict[str, int]:
    return {condition.code: condition.failing for condition in found.conditions if condition.holds is False}


def coarsens(slow: SlowDictionary, entry: int, other: SlowDictionary, partner: int) -> bool:
    """Whatever the partner knows is at or above what the entry knows."""
    mine = {column.place: column for column in slow.columns if column.alike is None}
    for column in other.columns:
        hierarchy, code = other.hierarchies[column.place], column.codes[partner]
        if column.alike is not None or not code or column.level == hierarchy.height:
            continue
        own = mine.get(column.place)
        if own is None or not own.codes[entry] or own.level > column.level:
            return False
        if climbed(hierarchy, (own.level, own.codes[entry]), column.level) != code:
            return False
    return True


def most_partners(slow: SlowDictionary, other: SlowDictionary) -> int:
    """The size of a largest set of pairs, grown one by one along ways that exchange partners."""
    owner: dict[int, int] = {}

    def place(entry: int, tried: set[int]) -> bool:
        for partner in range(len(other.columns[0].codes)):
            if partner not in tried and coarsens(slow, entry, other, partner):
                tried.add(partner)
                if partner not in owner or place(owner[partner], tried):
                    owner[partner] = entry
                    return True
        return False

    return sum(place(entry, set()) for entry in range(len(slow.columns[0].codes)))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_as_many_have_no_partner_as_giving_them_one_by_one_leaves(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    smaller, larger = data.draw(dictionaries(some)), data.draw(dictionaries(some))
    alone = without_partner(smaller.fast, larger.fast)
    assert alone == len(smaller.fast) - most_partners(smaller, larger)
    assert (alone == 0) == (first_without_partner(smaller.fast, larger.fast) is None)


def test_a_register_that_adds_people_and_coarsens_is_bounded_by_the_dataset() -> None:
    found = dataset_and(asked(truth=Register({"city@1": ["North", "South", "South", "South"]})), "truth")
    assert found.holds is True
    assert (failing(found), found.reasons) == ({}, ())


def test_where_it_holds_no_count_is_smaller_in_the_larger_one() -> None:
    some = asked(truth=Register({"city@1": ["South", "North", "South", "North"], "sex": ["m", "f", "f", None]}))
    assert dataset_and(some, "truth").holds is True
    columns = some.records.columns
    itself = Identification(Dictionary.itself("self", columns, [0, 1]), columns)
    truth = Identification(some.dictionaries[0], columns)
    assert all((itself.at(node) <= truth.at(node)).all() for node in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)])


def test_too_few_people_and_a_value_that_is_not_there_are_told_with_counts() -> None:
    found = dataset_and(asked(truth=Register({"city": ["Oslo", "Rome"], "sex": ["f", "f"]})), "truth")
    assert found.holds is False
    assert failing(found) == {"partners": 1}
    assert [(reason.code, reason.failing, reason.attribute) for reason in found.reasons] == [("people", 1, None)]
    strange = dataset_and(asked(truth=Register({"city": ["Oslo", "Bari", "Bari", "Bari"]})), "truth")
    assert [(reason.code, reason.failing, reason.attribute) for reason in strange.reasons] == [("values", 2, "city")]


def test_an_attribute_that_the_smaller_one_knows_less_finely_is_named() -> None:
    some = asked(guess=Register({"city@1": ["North"]}), truth=Register({"city": ["Oslo"], "sex": ["f"]}))
    found = between(some, "guess", "truth")
    assert {(reason.code, reason.attribute) for reason in found.reasons} == {("finer", "city"), ("finer", "sex")}
    assert between(some, "truth", "guess").holds is True


def test_entries_that_share_a_person_break_the_bound() -> None:
    some = asked(truth=Register({"city": ["Oslo", "Rome", "Rome", "Rome"]}, identity=["a", "b", "b", "c"]))
    assert failing(dataset_and(some, "truth")) == {"one-entry": 1}


def test_a_table_of_counts_is_compared_person_by_person() -> None:
    enough = asked(census=Register({"city@1": ["North", "South"]}, count=[1, 2]))
    assert dataset_and(enough, "census").holds is True
    short = dataset_and(asked(census=Register({"city@1": ["North", "South"]}, count=[0, 5])), "census")
    assert failing(short) == {"partners": 1}
    empty = dataset_and(asked(census=Register({"city@1": ["North", "South"]}, count=[0, 0])), "census")
    assert failing(empty) == {"partners": 3}


def test_a_table_of_too_many_people_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(below, "MOST_ENTRIES", 3)
    found = dataset_and(asked(census=Register({"city@1": ["North", "South"]}, count=[1, 3])), "census")
    assert found.holds is None
    assert found.conditions[0].holds is None


def test_the_entropic_model_and_harm_to_the_unidentified_break_the_bound() -> None:
    register = Register({"city@1": ["North", "South", "South"]})
    entropic = dataset_and(asked(Loss("entropic"), truth=register), "truth")
    harmful = dataset_and(asked(Loss(unidentified=0.5), truth=register), "truth")
    assert (entropic.holds, list(failing(entropic))) == (False, ["model"])
    assert (harmful.holds, list(failing(harmful))) == (False, ["unidentified"])


def test_columns_matched_by_likeness_are_named_as_an_obstacle() -> None:
    some = asked(truth=Register({"city": ["Oslo", "Rome", "Rome"]}))
    cells, hierarchy = PlainColumn.of("town", ["Osol", "Rome", "Rmoe"]), some.hierarchies[0]
    known = Known(0, hierarchy, 0, cells.codes, alike(hierarchy, 0, cells.values, "0.8"))
    found = dataset_and(replace(some, dictionaries=(Dictionary("truth", (known,)),)), "truth")
    assert found.holds is False
    assert [condition.attributes for condition in found.conditions if condition.code == "exact"] == [("city",)]


def test_missing_cells_know_nothing() -> None:
    some = asked(guess=Register({"city": ["Oslo", None]}), truth=Register({"city": [None, "Oslo", "Rome"]}))
    assert between(some, "guess", "truth").holds is True
    assert between(some, "truth", "guess").holds is False


def test_the_facts_are_json_without_values() -> None:
    said = json.dumps(dataset_and(asked(truth=Register({"city": ["Oslo", "Bari"]})), "truth").facts())
    assert not [word for word in ("Oslo", "Bari", "Rome") if word in said]
    assert json.loads(said)["conditions"][0] == {
        "code": "partners", "holds": False, "failing": 2, "of": 3, "attributes": [],
    }  # fmt: skip


def test_an_attacker_that_is_not_there_is_told() -> None:
    with pytest.raises(BadSetting, match="no attacker of that name"):
        between(asked(truth=Register({"city": ["Oslo"]})), "truth", "guess")


def test_many_people_are_compared_at_once() -> None:
    draw = np.random.default_rng(2)
    cities = [["Oslo", "Bergen", "Rome", "Bari"][place] for place in draw.integers(0, 4, 30_000)]
    held: list[str | None] = [
        city if keep else None for city, keep in zip(cities, draw.random(30_000) < 0.9, strict=True)
    ]
    some = problem(
        {"city": cities}, hierarchies={"city": CITIES}, dictionaries={"truth": Register({"city": held[::-1]})}
    )
    assert dataset_and(some, "truth").holds is True
