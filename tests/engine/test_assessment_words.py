"""What stands in an assessment file means what the officer wrote, and every default is in its place."""

from pathlib import Path
from typing import Any

import pytest

from riskapp.core.optimum import Question
from riskapp.core.table.limits import Limits
from riskapp.core.table.sensitivity import PersonTotal
from riskapp.engine.assessment import build, read
from riskapp.engine.assessment.settings import (
    Aggregate,
    Approximate,
    DatasetKey,
    LinkageKey,
    Match,
    PersonalFile,
    Regions,
    RiskKey,
    SearchKey,
    SelfKey,
    SensitivityKey,
    Split,
    UtilityKey,
)
from tests.engine.small_assessment import written

SHORT = "dataset: {file: members.csv}\nattributes:\n  city: {}\n"


def test_the_shortest_assessment_has_every_default(tmp_path: Path) -> None:
    found = read(written(tmp_path, SHORT))
    assert found.folder == tmp_path
    assert found.dataset == DatasetKey("members.csv", None, None, None, ("", "NA"))
    city = found.attributes["city"]
    assert (city.hierarchy, city.weight, city.weights, city.fall, city.kept) == (None, 1.0, {}, "step", False)
    assert (city.personal_weight, city.sensitive, city.order) == (None, False, None)
    assert found.dictionaries == (SelfKey("dictionaries.0", "self", ("city",), 1.0),)
    assert found.linkage is None
    assert found.sensitivity == SensitivityKey("linear", "step", (), None, 0.0)
    assert found.risk == RiskKey("sensitivity", "mean", "worst", "one")
    assert found.utility == UtilityKey("depth", "mean", {})
    assert found.search == SearchKey(
        ("full-domain",),
        ("exhaustive",),
        None,
        None,
        False,
        Limits(),
        None,
        (5,),
        0.0,
        Approximate(0.1, 0.5, 2),
        None,
        0,
    )


def test_a_section_with_nothing_in_it_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    sections = "dictionaries:\nlinkage: ~\nsensitivity: null\nrisk:\nutility:\nsearch: {}\n"
    assert read(written(tmp_path, SHORT.replace("city: {}", "city:") + sections)) == read(written(tmp_path, SHORT))


def test_labels_are_the_words_that_stand_there(tmp_path: Path) -> None:
    text = """
dataset: {file: members.csv, missing: [NA, 007, ~, null, ""]}
attributes:
  zip:
    hierarchy:
      groups:
        no: [no, yes, 1_000, 010, 1.50]
        2001-12-14: [2001-12-14, 1:30, ~, null, "true", 0x1F]
    weights: {no: 1, 1_000: 2, 2001-12-14: .5, 010: .inf, 1.50: 0}
    order: [off, 1e3, 12:30:45]
"""
    found = read(written(tmp_path, text))
    race = found.attributes["zip"]
    assert found.dataset.missing == ("NA", "007", "~", "null", "")
    assert race.hierarchy == {
        "groups": {
            "no": ["no", "yes", "1_000", "010", "1.50"],
            "2001-12-14": ["2001-12-14", "1:30", "~", "null", "true", "0x1F"],
        }
    }
    assert race.weights == {"no": 1, "1_000": 2, "2001-12-14": 0.5, "010": float("inf"), "1.50": 0}
    assert race.order == ("off", "1e3", "12:30:45")


@pytest.mark.parametrize(
    ("written_so", "meant"),
    [
        (".inf", float("inf")), (".Inf", float("inf")), ('"inf"', float("inf")), ("Infinity", float("inf")),
        ("1_000", 1000.0), ("1e3", 1000.0), ("010", 10.0), (".5", 0.5), ("+2", 2.0), ('"0.25"', 0.25), ("-0", 0.0),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(tmp_path: Path, written_so: str, meant: float) -> None:
    text = SHORT.replace("city: {}", f"city: {{weight: {written_so}}}")
    assert read(written(tmp_path, text)).attributes["city"].weight == meant


@pytest.mark.parametrize(
    ("word", "meant"), [("true", True), ("yes", True), ("On", True), ("false", False), ("NO", False)]
)
def test_yes_and_no_have_several_words(tmp_path: Path, word: str, meant: bool) -> None:
    text = SHORT.replace("city: {}", f"city: {{sensitive: {word}}}")
    assert read(written(tmp_path, text)).attributes["city"].sensitive is meant


@pytest.mark.parametrize("number", ["Infinity", '"inf"', '".inf"', "1e3", "true", "null"])
def test_json_knows_infinity_and_refuses_what_is_no_number(tmp_path: Path, number: str) -> None:
    text = f'{{"dataset": {{"file": "members.csv"}}, "attributes": {{"city": {{"weight": {number}}}}}}}'
    path = written(tmp_path, text, name="assessment.json")
    if number in ("true", "null"):
        with pytest.raises(Exception, match=r"^attributes\.city\.weight: Give a number\.$"):
            read(path)
    else:
        assert read(path).attributes["city"].weight == (1000.0 if number == "1e3" else float("inf"))


def test_a_leaf_may_be_called_file(tmp_path: Path) -> None:
    text = SHORT.replace("city: {}", "city: {weights: {file: 2}}\n  race: {weights: {file: weights.csv}}")
    found = read(written(tmp_path, text)).attributes
    assert (found["city"].weights, found["race"].weights) == ({"file": 2.0}, "weights.csv")


def test_an_attribute_may_have_an_at_sign_and_a_level_follows_the_last(tmp_path: Path) -> None:
    text = SHORT.replace("city: {}", "a@b: {}\n  city: {}") + (
        "dictionaries: [{file: folder/register.csv.gz, match: {x: a@b, y: city@1}}]\n"
        "linkage: {file: v.csv, match: {x: a@b@1}}\n"
    )
    found = read(written(tmp_path, text))
    register = found.dictionaries[0]
    assert register.name == "register"
    assert getattr(register, "match", None) == (Match("x", "a@b", "0"), Match("y", "city", "1"))
    assert found.linkage == LinkageKey("v.csv", (Match("x", "a@b", "1"),), {})


def test_the_other_families_are_read_whole(tmp_path: Path) -> None:
    search = (
        "search:\n  rules: [full-domain, regional, per-record, k-anonymity, random-k, mondrian]\n"
        "  methods: [exhaustive, btda, aruba, branch-and-bound, genetic, aggregate, approximate, milp]\n"
        "  aggregate: {lambda: 2}\n  regions: [city@1]\n  k: [2, 5]\n  suppression_limit: 0.05\n"
        "  approximate: {epsilon: 0.2}\n  seconds: 2.5\n  seed: 7\n"
    )
    found = read(written(tmp_path, SHORT + search)).search
    assert (len(found.rules), len(found.methods), found.aggregate) == (6, 8, Aggregate(2.0, 1.0))
    assert found.regions == Regions((Split("city", "1"),))
    assert (found.k, found.suppression_limit, found.approximate) == ((2, 5), 0.05, Approximate(0.2, 0.5, 2.0))
    assert (found.seconds, found.seed, found.question) == (2.5, 7, None)
    auto = read(written(tmp_path, SHORT + "search: {regions: {auto: 8}, most_risk: .inf}\n")).search
    assert (auto.regions, auto.question) == (Regions(auto=8), Question("most_risk", float("inf")))


def test_falls_totals_and_personal_tables_are_read(tmp_path: Path) -> None:
    text = (
        "dataset: {file: members.csv, identifier: member}\n"
        "attributes:\n  city: {personal_weight: {file: p.csv, key: who, column: much}}\n  race: {fall: step}\n"
        "sensitivity: {fall: harmonic, person_total: {scale: 2}}\n"
    )
    found = read(written(tmp_path, text))
    assert [attribute.fall for attribute in found.attributes.values()] == ["harmonic", "step"]
    assert found.attributes["city"].personal_weight == PersonalFile("p.csv", "who", "much")
    assert found.sensitivity.person_total == PersonTotal("scale", 2.0)


def test_the_missing_cells_are_those_listed_and_no_library_adds_any(tmp_path: Path) -> None:
    cells = ["", "NA", "nan", "NULL", "null", "None", "n/a", "#N/A", "?", " ", "-", "0", "False"]
    content = "who,x\n" + "".join(f"{place},{cell}\n" for place, cell in enumerate(cells))
    for listed, hidden in (("", {0, 1}), (', missing: ["?", n/a]', {6, 8}), (", missing: []", set[int]())):
        text = f"dataset: {{file: x.csv{listed}}}\nattributes:\n  x: {{}}\n"
        codes = build(read(written(tmp_path, text, files={"x.csv": content}))).columns["x"].codes
        assert {place for place, code in enumerate(codes.tolist()) if code == 0} == hidden


@pytest.mark.parametrize("given", [{"file": "city.csv"}, {"file": "city.csv", "header": True}])
def test_cells_are_the_text_in_the_file(tmp_path: Path, given: dict[str, Any]) -> None:
    head = ["town;land\n"] if given.get("header") else []
    cells = ["007", " 7", "7 ", "1e3", "'7'", 'say "7"', "a;b", "7.0", "TRUE", "1975-05-10"]
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    files = {
        "members.csv": "who,city\n" + "".join(f"{place},{cell}\n" for place, cell in enumerate(quoted)),
        "city.csv": "".join([*head, *(f"{cell};all\n" for cell in quoted)]),
    }
    spec = {"dataset": {"file": "members.csv"}, "attributes": {"city": {"hierarchy": given}}}
    column = build(read(written(tmp_path, spec, files=files))).columns["city"]
    assert column.shown(0).to_pylist() == cells
