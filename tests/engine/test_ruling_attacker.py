"""What the attacker sees of one record, and what only somebody sees who may see values."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.measure import Measuring
from riskapp.engine.assess import prepare
from riskapp.engine.outgoing.shown import Shown
from riskapp.engine.ruling import Ruling, attacker_view, seen_entries, seen_record, seen_sample, seen_subgroups
from riskapp.engine.ruling.subgroups import Subgroup, worst_subgroups
from tests.engine.assessing import small
from tests.engine.every_family import as_theirs, drawn, nodes_of, one_of_each, theirs_of
from tests.engine.every_family import written as every_family
from tests.engine.small_assessment import SPEC, written
from tests.oracle import subgroups
from tests.oracle.consistency import consistent_entries
from tests.oracle.problem import counted
from tests.oracle.release import from_nodes
from tests.oracle.replay import replayed_entries

FAMILIES = ["regional", "per-record", "k-anonymity", "random-k", "mondrian"]
MEMBERS = "town,sex\n" + "a,f\n" * 12 + "b,m\n" * 11 + "c,m\n" * 3 + ",f\n" * 10


def test_entries_and_people_are_counted_as_the_oracle_counts_them(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in range(10):
        (tmp_path / str(seed)).mkdir()
        path = drawn(seed, tmp_path / str(seed), FAMILIES)
        prepared, theirs = prepare(path), theirs_of(path)
        for found in one_of_each(prepared, seed):
            ruling = Ruling(prepared, found, Measuring(prepared.problem))
            place = seed % len(prepared.problem)
            row = from_nodes(theirs, nodes_of(prepared.problem, found))[place]
            for dictionary in theirs.dictionaries:
                told = attacker_view(prepared, ruling, ruling.number(place), dictionary.name)
                entries = consistent_entries(theirs.attributes, dictionary, row.cells)
                assert told["definition"] == {"entries": len(entries), "people": counted(entries)}
                assert told["everybody"] == dictionary.people()
                if found.rule is not None:
                    rule = as_theirs(theirs, prepared.problem, found)
                    entries = replayed_entries(theirs, dictionary, row, rule)
                assert told["replay"] == {"entries": len(entries), "people": counted(entries)}
                seen[found.family if found.rule is None else f"{found.family} replayed"] += 1
    assert sum(many for name, many in seen.items() if name.endswith("replayed")) >= 5, seen
    assert sum(seen.values()) >= 20


def test_a_view_counts_the_people_that_the_figures_rest_on(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    for rule in ("full-domain:1.0.2", "per-record:exhaustive", "mondrian:2", "regional:town@1"):
        ruling = Ruling.of(prepared, rule)
        assert ruling.replayed is not None
        for place in range(len(prepared.problem)):
            told = attacker_view(prepared, ruling, ruling.number(place), "self")
            assert told["definition"]["people"] == ruling.defined.people["self"][place]
            assert told["replay"]["people"] == ruling.replayed.people["self"][place]


def test_the_entries_are_shown_those_first_that_a_replay_leaves(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path, least_utility=4))
    ruling = Ruling.of(prepared, "per-record:exhaustive")
    gained = 0
    for place in range(len(prepared.problem)):
        number = ruling.number(place)
        view, entries = attacker_view(prepared, ruling, number, "self"), seen_entries(prepared, ruling, number, "self")
        assert len(entries) == view["definition"]["entries"]
        assert [one["stays"] for one in entries] == sorted((one["stays"] for one in entries), reverse=True)
        assert sum(one["stays"] for one in entries) == view["replay"]["entries"]
        assert number in {one["entry"] for one in entries if one["stays"]}
        gained += view["definition"]["entries"] - view["replay"]["entries"]
    assert gained > 0


def test_an_entry_shows_what_its_dictionary_knows(tmp_path: Path) -> None:
    prepared = prepare(written(tmp_path, SPEC))
    rule = "full-domain:0.0.0.0.0.0"
    own = seen_entries(prepared, rule, 1, "neighbour")
    assert own == [
        {"entry": 1, "knows": {"city": "Xanadu", "born": "1975-05-10"}, "people": 1, "stays": True},
    ]
    register = seen_entries(prepared, rule, 1, "register")
    assert register[0] == {
        "entry": 1,
        "knows": {"city": ["Xanadu"], "race": "Klingon", "born": "1975"},
        "people": 1,
        "stays": True,
    }
    assert seen_entries(prepared, rule, 1, "census")[0]["people"] == 120
    assert (
        seen_entries(prepared, "full-domain:3.2.3.4.5.1", 1, "self", most=2)
        == seen_entries(prepared, "full-domain:3.2.3.4.5.1", 1, "self")[:2]
    )


def test_unknown_records_and_dictionaries_are_refused_without_a_value(tmp_path: Path) -> None:
    prepared = prepare(written(tmp_path, SPEC))
    with pytest.raises(BadSetting, match="record"):
        attacker_view(prepared, "full-domain:0.0.0.0.0.0", 4, "self")
    with pytest.raises(BadSetting, match="Known are self, neighbour, register, census"):
        attacker_view(prepared, "full-domain:0.0.0.0.0.0", 1, "nobody")


def test_a_sample_shows_records_before_and_after(tmp_path: Path) -> None:
    prepared = prepare(small(tmp_path))
    rule = "full-domain:1.1.0"
    assert seen_record(prepared, rule, 4) == {
        "record": 4,
        "before": {"illness": 'severe, "very" so', "city": "Delphi", "born": "1981-11-30", "sex": "m"},
        "after": {"illness": 'severe, "very" so', "city": "north", "born": "1981", "sex": "m"},
        "suppressed": False,
    }
    sample = seen_sample(prepared, rule, rows=3, seed=1)
    assert sample == seen_sample(prepared, rule, rows=3, seed=1)
    assert [one["record"] for one in sample] == sorted(one["record"] for one in sample)
    assert sample == [seen_record(prepared, rule, one["record"]) for one in sample]
    assert len(seen_sample(prepared, rule, rows=99)) == 6


def test_what_a_sample_shows_is_what_the_release_would(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    ruling = Ruling.of(prepared, "mondrian:2")
    places = range(len(prepared.problem))
    shown = Shown(ruling.released, prepared.problem.names, ruling.prepared.built.rows)
    columns = [column.to_pylist() for column in next(iter(shown.in_parts()))]
    released = [dict(zip(prepared.problem.names, row, strict=True)) for row in zip(*columns, strict=True)]
    assert [seen_record(prepared, ruling, ruling.number(place))["after"] for place in places] == released


def test_worst_off_subgroups_are_told_by_size_and_named_only_when_seen(tmp_path: Path) -> None:
    attributes = "{town: {hierarchy: {groups: {near: [a, b], far: [c]}}}, sex: {}}"
    measure = "{measure: inverse-leaves}"
    text = f"dataset: {{file: members.csv}}\nattributes: {attributes}\nutility: {measure}\n"
    prepared = prepare(small(tmp_path, text, MEMBERS))
    ruling = Ruling.of(prepared, "full-domain:1.0")
    told = [one.without_value() for one in worst_subgroups(ruling)]
    # near: town says 1/2 of 1 and sex all of 1, so 3/4; f: 12 at 3/4 and 10 missing their town, 1/3 + 1 either way.
    assert told == [
        {"attribute": "town", "level": 1, "position": 1, "records": 23, "share": 0.75},
        {"attribute": "sex", "level": 0, "position": 2, "records": 14, "share": pytest.approx((11 * 1.5 + 3 * 2) / 28)},
        {
            "attribute": "sex",
            "level": 0,
            "position": 1,
            "records": 22,
            "share": pytest.approx((12 * 1.5 + 10 * 4 / 3) / (24 + 10 * 4 / 3)),
        },
        {"attribute": "town", "level": None, "position": None, "records": 10, "share": 1.0},
    ]
    seen = seen_subgroups(prepared, ruling)
    assert [one.pop("value") for one in seen] == ["near", "m", "f", None]
    assert seen == told


def test_people_alike_before_the_release_are_a_subgroup_whatever_it_shows_of_them(tmp_path: Path) -> None:
    text = "dataset: {file: members.csv}\nattributes: {town: {}, sex: {}}\nsearch: {rules: [mondrian], k: [12]}\n"
    prepared = prepare(small(tmp_path, text, "town,sex\n" + "a,f\n" * 12 + "b,m\n" * 11 + "b,f\n"))
    ruling = Ruling.of(prepared, "mondrian:12")
    told = seen_subgroups(prepared, ruling)
    # The towns are told apart, so f and m stand together in b: 1 of 2 for twelve records.
    assert [(one["value"], one["records"], one["share"]) for one in told] == [
        ("b", 12, 0.5),
        ("m", 11, 0.5),
        ("f", 13, pytest.approx((12 * 2 + 1) / 26)),
        ("a", 12, 1.0),
    ]


def test_the_subgroups_are_those_of_the_oracle(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in range(12):
        (tmp_path / str(seed)).mkdir()
        path = drawn(seed, tmp_path / str(seed), FAMILIES)
        prepared, theirs = prepare(path), theirs_of(path)
        for found in one_of_each(prepared, seed):
            ruling = Ruling(prepared, found, Measuring(prepared.problem))
            rows = from_nodes(theirs, nodes_of(prepared.problem, found))
            for fewest in (1, 3):
                ours = worst_subgroups(ruling, most=99, fewest=fewest)
                shares = {(one.attribute, records_of(ruling, one)): one.share for one in ours}
                assert shares == pytest.approx(subgroups.worst(theirs, rows, fewest))
                assert [round(one.share, 9) for one in ours] == sorted(round(one.share, 9) for one in ours)
                assert worst_subgroups(ruling, most=2, fewest=fewest) == ours[:2]
                seen[found.family] += len(ours)
    assert len(seen) >= 4, seen
    assert min(seen.values()) >= 10, seen


def records_of(ruling: Ruling, one: Subgroup) -> frozenset[int]:
    """The places of the records of a subgroup."""
    codes = ruling.problem.column(one.place).codes
    if one.level is None:
        return frozenset(np.flatnonzero(codes == 0).tolist())
    groups = ruling.problem.hierarchies[one.place].ancestors[one.level, codes]
    return frozenset(np.flatnonzero(groups == one.position).tolist())
