"""The coverage of one attacker, against looking at every record, entry and value."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.alike import alike
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.plain import PlainColumn
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.plain_register import Register
from riskapp.core.table.problem import Problem
from riskapp.engine.adversaries.coverage import Chart, Found, chart
from riskapp.engine.assess import covered_by_each

PLACES = {"North": ["Oslo", "Bergen"], "South": ["Rome", "Bari"]}
LEAVES = ["Oslo", "Bergen", "Rome", "Bari"]
HIERARCHIES = {"city": {"groups": PLACES}}


def asked(table: dict[str, list[str | None]], register: Register) -> Problem:
    return problem(table, hierarchies=HIERARCHIES, dictionaries={"register": register})


def of(found: Chart, attribute: str) -> Found:
    return next(one for one in found.attributes if one.attribute == attribute)


CITY = st.sampled_from([*LEAVES, None])
SEX = st.sampled_from(["f", "m", "x", None])
RECORDS = st.lists(st.tuples(CITY, SEX), min_size=1, max_size=8)
ENTRIES = st.lists(st.tuples(st.sampled_from(["North", "South", None]), SEX, st.integers(0, 3)), max_size=8)


@settings(deadline=None, max_examples=80)
@given(RECORDS, ENTRIES)
def test_a_chart_says_what_looking_at_everything_says(
    records: list[tuple[str | None, str | None]], entries: list[tuple[str | None, str | None, int]]
) -> None:
    groups, sexes, times = [[entry[place] for entry in entries] for place in range(3)]
    table = {"city": [record[0] for record in records], "sex": [record[1] for record in records]}
    found = chart(asked(table, Register({"city@1": groups, "sex": sexes}, count=times)), "register")
    parent = {leaf: group for group, leaves in PLACES.items() for leaf in leaves} | {None: None}
    met = [
        sum(many for group, sex, many in entries if _fits(parent[city], group) and _fits(one, sex))
        for city, one in records
    ]
    assert found.covered == sum(many > 0 for many in met)
    assert (found.people, found.records) == (sum(times), len(records))
    counted = [group for group, many in zip(groups, times, strict=True) if many]
    shown = [parent[city] for city, _ in records if city]
    city = of(found, "city")
    assert (city.values, city.occurring) == (len(set(shown)), len(set(shown) & set(counted)))
    assert (city.records, city.records_occurring) == (len(shown), sum(group in counted for group in shown))
    assert city.silent == counted.count(None)
    if found.covered < 0.95 * len(records):
        without = [sum(many for _, sex, many in entries if _fits(one, sex)) for _, one in records]
        assert city.covered_without == sum(many > 0 for many in without)
    else:
        assert city.covered_without is None
        assert found.advice is None


def _fits(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def test_the_bands_are_those_of_the_result() -> None:
    some = asked({"city": [*LEAVES, None], "sex": list("ffmmx")}, Register({"city": ["Oslo", "Rome", "Rome"]}))
    assert chart(some, "register").bands == covered_by_each(some)["register"] == {
        "0": 2, "1": 1, "2-5": 2, "6-20": 0, ">20": 0,
    }  # fmt: skip


def test_a_dictionary_that_matches_nobody_gets_advice_about_the_worst_column() -> None:
    register = Register({"city": ["Oslo", "Rome", "Bari", "Bergen"], "sex": ["1", "2", "1", "2"]})
    found = chart(asked({"city": LEAVES, "sex": list("ffmm")}, register), "register")
    assert found.advice is not None
    assert (found.advice.code, found.advice.attribute, found.covered) == ("nobody", "sex", 0)
    assert of(found, "sex").covered_without == 4
    assert found.advice.sentence.startswith(
        "No record fits anybody. Look at sex first: 0 of 2\u00a0values of sex occur"
    )
    assert "such as M for male, give the hierarchy of sex a level" in found.advice.sentence


def test_likeness_is_advised_and_less_of_it_where_it_is_there_already() -> None:
    some = asked({"city": LEAVES}, Register({"city": LEAVES[:3]}))
    cells, hierarchy = PlainColumn.of("town", ["Osol", "Rome", None]), some.hierarchies[0]
    known = Known(0, hierarchy, 0, cells.codes[:2], alike(hierarchy, 0, cells.values, "0.8"))
    likely = replace(some, dictionaries=(Dictionary("register", (known,)),))
    for one, advised in ((some, "match it by likeness if"), (likely, "lower its least likeness if")):
        advice = chart(one, "register").advice
        assert advice is not None
        assert advised in advice.sentence


def test_likeness_and_codes_are_not_advised_where_they_are_nothing() -> None:
    table: dict[str, list[str | None]] = {"born": ["1975-05-10", "1980-01-02"], "zip": ["47906", "47907"]}
    hierarchies = {"born": {"dates": ["month", "year"]}, "zip": {"mask": 5}}
    for entries in ({"born@year": ["1800", "1801"]}, {"zip": ["10115", "20095"]}):
        register = {"register": Register(dict(entries))}
        advice = chart(problem(table, hierarchies=hierarchies, dictionaries=register), "register").advice
        assert advice is not None
        assert "likeness" not in advice.sentence
        assert "Match it to another attribute or level, or leave it out." in advice.sentence
        assert ("in codes" in advice.sentence) == ("zip" in entries)


def test_poor_coverage_by_combinations_is_told_as_such() -> None:
    register = Register({"city": ["Oslo", "Rome"], "sex": ["f", "m"]})
    found = chart(asked({"city": ["Oslo", "Rome"], "sex": ["m", "f"]}, register), "register")
    assert found.advice is not None
    assert found.advice.code == "nobody"
    assert "not in these combinations" in found.advice.sentence


def test_a_few_uncovered_records_are_told_with_their_share() -> None:
    found = chart(asked({"city": LEAVES * 2, "sex": list("ffmmffmm")}, Register({"city": LEAVES[:3]})), "register")
    assert found.advice is not None
    assert (found.advice.code, found.advice.attribute) == ("few", "city")
    assert "Only 75\u00a0% of the records" in found.advice.sentence
    assert "3 of 4\u00a0values of city occur" in found.advice.sentence
    assert "in codes" not in found.advice.sentence


def test_a_table_with_nobody_in_it_says_so() -> None:
    for register in (Register({"city": []}), Register({"city": ["Oslo"]}, count=[0])):
        found = chart(asked({"city": LEAVES}, register), "register")
        assert found.advice is not None
        assert (found.advice.code, found.advice.attribute) == ("empty", None)


def test_spellings_that_are_alike_occur() -> None:
    some = asked({"city": LEAVES}, Register({"city": LEAVES}))
    cells, hierarchy = PlainColumn.of("town", ["Osol", "Rome", "Paris", None]), some.hierarchies[0]
    known = Known(0, hierarchy, 0, cells.codes, alike(hierarchy, 0, cells.values, "0.8"))
    found = chart(replace(some, dictionaries=(Dictionary("register", (known,)),)), "register")
    assert (of(found, "city").by_likeness, of(found, "city").values, of(found, "city").occurring) == (True, 4, 2)
    assert of(found, "city").silent == 1


def test_the_dataset_itself_covers_everybody() -> None:
    found = chart(problem({"city": LEAVES}, hierarchies=HIERARCHIES), "self")
    assert (found.covered, found.advice) == (4, None)


def test_an_attacker_that_is_not_there_is_told() -> None:
    with pytest.raises(BadSetting, match="no attacker of that name"):
        chart(problem({"city": LEAVES}), "register")


def test_the_facts_are_json_without_values() -> None:
    register = Register({"city": ["Oslo", "Rome"], "sex": ["quux", "quux"]})
    said = json.dumps(chart(asked({"city": LEAVES, "sex": ["fizz"] * 4}, register), "register").facts())
    assert not [word for word in (*LEAVES, "quux", "fizz") if word in said]


def test_many_entries_are_quick_enough_to_be_asked_twice() -> None:
    draw = np.random.default_rng(1)
    cities = [LEAVES[place] for place in draw.integers(0, 4, 20_000)]
    some = asked({"city": cities}, Register({"city": cities[::-1]}))
    assert chart(some, "register").bands[">20"] == 20_000
