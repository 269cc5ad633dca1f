"""Broken assessments: each gives one line that begins with the path of the key to be mended and holds no cell."""

import re
from pathlib import Path
from typing import Any

import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable
from riskapp.engine.assessment import build, read
from tests.engine.small_assessment import FILES, SPEC, Files, Spec, cells, changed, written

NAN, ENDLESS = float("nan"), float("inf")

# what is changed, to what, and the key that is told, where it is not the one that is changed
SETTINGS: list[tuple[str, Any, str]] = [
    # keys that nobody knows, at every depth
    ("datasets", {}, ""),
    ("dataset.delimiter", ";", ""),
    ("attributes.city.wieght", 1, ""),
    ("attributes.city.hierarchy.headers", True, ""),
    ("attributes.income.hierarchy.intervals.to", 100, ""),
    ("attributes.income.personal_weight", {"file": "personal.csv", "key": "who", "col": 1}, ".col"),
    ("dictionaries.1.file", "register.csv", ""),
    ("dictionaries.2.knows", ["city"], ""),
    ("linkage.fuzzy", {"town": 0.8}, ""),
    ("sensitivity.weights", {}, ""),
    ("sensitivity.pairs.0.weights", 1, ""),
    ("sensitivity.person_total", {"most": 1}, ".most"),
    ("risk.over", "mean", ""),
    ("utility.weights.height", 2, ""),
    ("search.rule", ["full-domain"], ""),
    ("search.limits.share_above.chances", 0.1, ""),
    ("search.require.k", 2, ""),
    ("search.require.l.entropic", 2, ""),
    ("search.approximate.sigma3", 2, ""),
    ("search.aggregate", {"lambda": 1, "mu": 1}, "search"),
    # keys that are needed
    ("dataset", None, ""),
    ("dataset.file", None, ""),
    ("attributes", {}, ""),
    ("dictionaries.2.match", None, ""),
    ("linkage.file", None, ""),
    ("sensitivity.pairs.0.weight", None, ""),
    ("search.limits.share_above.share", None, ""),
    # values of the wrong kind
    ("attributes", ["city"], ""),
    ("attributes.city", "harmonic", ""),
    ("attributes.city.weight", "heavy", ""),
    ("attributes.city.weight", True, ""),
    ("attributes.city.weight", [1], ""),
    ("attributes.city.weight", NAN, ""),
    ("attributes.city.weight", -0.1, ""),
    ("attributes.city.weight", -ENDLESS, ""),
    ("attributes.city.fall", "slowly", ""),
    ("attributes.race.weights", {"Klingon": -2}, ""),
    ("attributes.race.weights", {"Klingon": "heavy"}, ""),
    ("attributes.race.weights", [2], ""),
    ("attributes.note.role", "drop", ""),
    ("attributes.note.hierarchy", {"mask": 2}, ""),
    ("attributes.note.sensitive", "maybe", ""),
    ("attributes.illness.order", ["Healthy", "Healthy"], ".1"),
    ("attributes.illness.order", "Healthy", ""),
    ("attributes.illness.order", [], ""),
    ("dataset.missing", "NA", ""),
    ("dataset.missing", [["NA"]], ".0"),
    ("dataset.file", ["members.csv"], ""),
    ("dataset.file", "", ""),
    ("dictionaries", {"self": True}, ""),
    ("dictionaries", [], ""),
    ("dictionaries.0", "myself", ""),
    ("dictionaries.0", {"self": False}, ".self"),
    ("dictionaries.1.knows", [], ""),
    ("dictionaries.1.knows", ["city", "town"], ".1"),
    ("dictionaries.1.knows", ["city", "city"], ".1"),
    ("dictionaries.1.prior", -1, ""),
    ("dictionaries.1.prior", ENDLESS, ""),
    ("dictionaries.1.name", "self", ""),
    ("dictionaries.1.name", "worst", ""),
    ("dictionaries.2.name", "neighbour", ""),
    ("dictionaries.2.match", {}, ""),
    ("dictionaries.2.match.year", "birthday@year", ""),
    ("dictionaries.2.match.year", "born@", ""),
    ("dictionaries.2.match.kind", "city", ""),
    ("dictionaries.2.count", "year", ""),
    ("dictionaries.2.fuzzy", {"year": 0.8}, ".year"),
    ("dictionaries.2.fuzzy", {"name": 0.8}, ".name"),
    ("dictionaries.2.fuzzy", {"town": 8}, ".town"),
    ("dictionaries.2.fuzzy", {"town": "near"}, ".town"),
    ("linkage.adds.ward", -1, ""),
    ("sensitivity.family", "square", ""),
    ("sensitivity.pairs.0.attributes", ["city", "city"], ""),
    ("sensitivity.pairs.0.attributes", ["city", "height"], ".1"),
    ("sensitivity.pairs.0.weight", -1, ""),
    ("sensitivity.person_total", {"cap": 1, "scale": 1}, ""),
    ("sensitivity.person_total", {}, ""),
    ("sensitivity.person_total", {"scale": ENDLESS}, ".scale"),
    ("sensitivity.unidentified", -1, ""),
    ("risk.model", "journalist", ""),
    ("risk.over_records", "median", ""),
    ("risk.over_dictionaries", "phonebook", ""),
    ("risk.uncovered", "two", ""),
    ("utility.measure", "height", ""),
    ("utility.weights.city", ENDLESS, ""),
    ("search.rules", ["full-domain", "sideways"], ".1"),
    ("search.rules", "full-domain", ""),
    ("search.methods", ["guessing"], ".0"),
    ("search.most_risk", 0.1, "search"),
    ("search.least_utility", ENDLESS, ""),
    ("search.per_record", "sometimes", ""),
    ("search.limits.largest_chance", 1.5, ""),
    ("search.limits.smallest_group", 2.5, ""),
    ("search.limits.smallest_group", 0, ""),
    ("search.limits.share_above.chance", 2, ""),
    ("search.limits.share_above.chance", "half", ""),
    ("search.require.l.recursive", [2], ""),
    ("search.require.l.recursive", 2, ""),
    ("search.require.l.recursive", [0, 2], ".0"),
    ("search.require.l.recursive", [2, 1.5], ".1"),
    ("search.require.l.entropy", -1, ""),
    ("search.require.l", 2, ""),
    ("search.require.t", 2, ""),
    ("search.k", [], ""),
    ("search.k", [0], ".0"),
    ("search.k", 5, ""),
    ("search.suppression_limit", 1.5, ""),
    ("search.approximate.epsilon", 0, ""),
    ("search.seconds", 0, ""),
    ("search.seed", -1, ""),
    ("search.regions", ["city@"], ".0"),
    ("search.regions", ["note@1"], ".0"),
    ("search.regions", {"auto": 0}, ".auto"),
    # hierarchies
    ("attributes.income.hierarchy.intervals.widths", [5, 12], ""),
    ("attributes.income.hierarchy.intervals.widths", [], ""),
    ("attributes.income.hierarchy.intervals.widths", ["wide"], ".0"),
    ("attributes.income.hierarchy.intervals", [5], ""),
    ("attributes.born.hierarchy.dates", ["week"], ""),
    ("attributes.born.hierarchy.dates", "year", ""),
    ("attributes.zip.hierarchy.mask", 0, ""),
    ("attributes.zip.hierarchy.mask", "many", ""),
    ("attributes.zip.hierarchy.from", "middle", ""),
    ("attributes.race.hierarchy", {}, ""),
    ("attributes.race.hierarchy", {"mask": 2, "dates": ["year"]}, ""),
    ("attributes.race.hierarchy.groups", ["Klingon"], ""),
    ("attributes.race.hierarchy.groups", {"Far": "Klingon"}, ""),
    ("attributes.race.hierarchy.groups", {"Far": [["Klingon"]]}, ""),
    ("attributes.city.hierarchy.header", "first", ""),
    # who goes with whom
    ("dataset.identifier", "city", ""),
    ("dataset.identifier", None, "dataset.leave_out"),
]
BUILDS: list[tuple[str, Any, str]] = [
    # files and columns that are not there
    ("dataset.file", "nowhere.csv", ""),
    ("dataset.file", ".", ""),
    ("dataset.file", "city.txt", ""),
    ("dataset.identifier", "passport", ""),
    ("dataset.risk_weight", "weightiness", ""),
    ("dataset.risk_weight", "pw", ""),
    ("dataset.risk_weight", "city", ""),
    ("dataset.leave_out", "nowhere.csv", ""),
    ("attributes.height", {}, ""),
    ("attributes.income.personal_weight", "salary", ""),
    ("attributes.income.personal_weight", "city", ""),
    ("attributes.income.personal_weight", {"file": "personal.csv", "key": "whom", "column": "much"}, ".key"),
    ("attributes.income.personal_weight", {"file": "personal.csv", "key": "who", "column": "more"}, ".column"),
    ("attributes.income.personal_weight", {"file": "nowhere.csv", "key": "who", "column": "more"}, ".file"),
    ("attributes.city.hierarchy.file", "nowhere.csv", ""),
    ("attributes.race.weights", {"file": "nowhere.csv"}, ".file"),
    ("attributes.race.weights", {"file": "city.csv"}, ".file"),
    ("attributes.race.weights", {"Andorian": 2}, ""),
    ("attributes.born.weights", {"someday": 2}, ""),
    ("dictionaries.2.file", "nowhere.csv", ""),
    ("dictionaries.2.match.village", "zip", ""),
    ("dictionaries.2.identity", "passport", ""),
    ("dictionaries.3.count", "few", ""),
    ("dictionaries.3.count", "place", ""),
    ("linkage.adds.street", 1, ""),
    ("linkage.match.village", "zip", ""),
    # values and levels that do not fit
    ("dictionaries.2.match.year", "born@century", ""),
    ("dictionaries.2.match.year", "born", ""),
    ("dictionaries.2.match.kind", "race@7", ""),
    ("dictionaries.2.match.kind", "race@1", ""),
    ("linkage.match.town", "city@land", ""),
    ("attributes.race.hierarchy.groups", {"Far": ["Klingon"]}, "attributes.race.hierarchy"),
    ("attributes.zip.hierarchy", {"dates": ["year"]}, ""),
    ("attributes.income.hierarchy.intervals.from", 10, "attributes.income.hierarchy"),
    ("attributes.illness.order", ["Healthy", "Mildly"], ""),
]
CONTENTS: list[tuple[Files, str]] = [
    ({"members.csv": ""}, "dataset.file"),
    ({"members.csv": FILES["members.csv"].split("\n")[0] + "\n"}, "dataset.file"),
    ({"members.csv": FILES["members.csv"] + "Zoe,Xanadu\n"}, "dataset.file"),
    ({"members.csv": FILES["members.csv"].replace(",1,0.5", ",nan,0.5")}, "dataset.risk_weight"),
    ({"members.csv": re.sub(r",[\d.]+,(\w*\.?\w*)\n", r",0,\1\n", FILES["members.csv"])}, "dataset.risk_weight"),
    ({"members.csv": FILES["members.csv"].replace(",inf\n", ",-3\n")}, "attributes.income.personal_weight"),
    ({"members.csv": FILES["members.csv"].replace("1975-05-10", "1975-13-10")}, "attributes.born.hierarchy"),
    ({"optouts.csv": "Zoe\nYan\nWim\n"}, "dataset.leave_out"),
    ({"city.csv": "town;land\nXanadu;East\nXanadu;West\n"}, "attributes.city.hierarchy"),
    ({"city.csv": "town;land\n"}, "attributes.city.hierarchy"),
    ({"city.csv": 'town;"land\n'}, "attributes.city.hierarchy"),
    ({"visits.csv": "town,ward\nAtlantis,\n"}, "linkage.match.town"),
    ({"census.csv": "place,many\nMongolia,1.5\n"}, "dictionaries.3.count"),
    ({"census.csv": "place,many\nMongolia,\n"}, "dictionaries.3.count"),
    ({"census.csv": "place,many\nAtlantis,2\n"}, "dictionaries.3.match.place"),
    ({"register.csv": "name,town,town\nAnn,Xanadu,Xanadu\n"}, "dictionaries.2.file"),
]


def the_line(folder: Path, spec: Spec | str, files: Files | None = None, name: str = "assessment.yaml") -> str:
    """What is said about a broken assessment: one line."""
    path = written(folder, spec, files=files, name=name)
    with pytest.raises((BadSetting, Unreadable)) as caught:
        build(read(path))
    line = str(caught.value)
    assert "\n" not in line
    assert line.endswith((".", "…"))
    assert [cell for cell in cells() if cell in line] == []
    return line


def key_of(path: str, told: str) -> str:
    return path + told if told.startswith(".") else told or path


def test_the_assessment_that_is_broken_below_is_sound(tmp_path: Path) -> None:
    assert build(read(written(tmp_path, SPEC))).records == 3


@pytest.mark.parametrize(("path", "value", "told"), SETTINGS)
def test_an_impossible_setting_is_told_by_its_key_before_any_table_is_read(
    tmp_path: Path, path: str, value: Any, told: str
) -> None:
    line = the_line(tmp_path, changed(path, value), {"members.csv": ""})
    assert line.startswith(f"{key_of(path, told)}: ")


@pytest.mark.parametrize(("path", "value", "told"), BUILDS)
def test_a_setting_that_the_tables_do_not_bear_out_is_told_by_its_key(
    tmp_path: Path, path: str, value: Any, told: str
) -> None:
    (tmp_path / "city.txt").write_text(FILES["city.csv"])
    assert the_line(tmp_path, changed(path, value)).startswith(f"{key_of(path, told)}: ")


@pytest.mark.parametrize(("files", "key"), CONTENTS)
def test_a_table_that_cannot_be_is_told_by_its_key(tmp_path: Path, files: Files, key: str) -> None:
    assert the_line(tmp_path, SPEC, files).startswith((f"{key}: ", f"{key}."))


def test_aggregate_is_checked_and_goes_with_rules_per_record(tmp_path: Path) -> None:
    spec = changed("search.least_utility", None)
    spec["search"]["aggregate"] = {"lambda": 1, "kappa": 2}
    assert the_line(tmp_path, spec).startswith("search.aggregate: It is asked of each record, so it goes with per-")
    spec["search"]["aggregate"] = {"lambda": -1}
    assert the_line(tmp_path, spec).startswith("search.aggregate.lambda: ")


def test_every_prior_zero_is_told_by_the_list(tmp_path: Path) -> None:
    spec = changed("dictionaries", [{"self": True, "prior": 0}])
    spec["risk"]["over_dictionaries"] = "bayes"
    assert the_line(tmp_path, spec).startswith("dictionaries: All priors are 0.")


@pytest.mark.parametrize("text", ["1" + "0" * 18, "1" + "0" * 5000])
def test_a_whole_number_that_is_too_large_is_told_the_largest(tmp_path: Path, text: str) -> None:
    assert the_line(tmp_path, changed("search.seed", text)) == f"search.seed: Give a whole number, at most {'9' * 18}."
    assert the_line(tmp_path, changed("search.k", [f"-{text}"])) == "search.k.0: Give a whole number, at least 1."


def test_only_the_digits_of_a_whole_number_count(tmp_path: Path) -> None:
    assert read(written(tmp_path, changed("search.seed", "+000_123_456_789"))).search.seed == 123_456_789


def test_a_requirement_needs_a_sensitive_column(tmp_path: Path) -> None:
    assert the_line(tmp_path, changed("attributes.illness.sensitive", False)).startswith("search.require: ")


def test_all_columns_kept_leave_nothing_to_choose(tmp_path: Path) -> None:
    assert the_line(tmp_path, changed("attributes", {"note": {"role": "keep"}})).startswith("attributes: ")


def test_a_table_of_personal_weights_needs_an_identifier(tmp_path: Path) -> None:
    spec = changed("attributes.income.personal_weight", {"file": "personal.csv", "key": "who", "column": "much"})
    spec["dataset"] = {"file": "members.csv"}
    assert the_line(tmp_path, spec).startswith("attributes.income.personal_weight: ")


def test_a_person_who_stands_twice_in_the_personal_weights_is_refused(tmp_path: Path) -> None:
    spec = changed("attributes.income.personal_weight", {"file": "personal.csv", "key": "who", "column": "much"})
    line = the_line(tmp_path, spec, {"personal.csv": "who,much\nZoe,3\nZoe,4\n"})
    assert line.startswith("attributes.income.personal_weight.key: ")


def test_a_key_of_several_lines_is_told_in_one(tmp_path: Path) -> None:
    assert the_line(tmp_path, changed("dataset.two\nlines", 1)).startswith("dataset.two lines: ")


# files that are not YAML or JSON at all

TEXTS: list[tuple[str, str, int | None]] = [
    ("assessment.yaml", "dataset: {file: members.csv\nattributes: {Xanadu: {}}\n", 2),
    ("assessment.yaml", "dataset:\n  file: members.csv\n identifier: Xanadu\n", 3),
    ("assessment.yaml", "dataset: {file: a.csv}\nattributes: {}\ndataset: {file: Xanadu}\n", 3),
    ("assessment.yaml", "attributes:\n  race:\n    weights: {Xanadu: 1, Xanadu: 2}\n", 3),
    ("assessment.yaml", "dataset: &a {file: Xanadu}\nattributes: *a\n", 2),
    ("assessment.yaml", "dataset: !!python/object:os.system {}\n", 1),
    ("assessment.yaml", "a: 1\n? [Xanadu]\n: 1\n", 2),
    ("assessment.yaml", "dataset: !!binary aGVsbG8=\n", 1),
    ("assessment.yaml", "a: 1\n---\nb: 2\n", 2),
    ("assessment.yaml", "a: \u0007Xanadu\n", 1),
    ("assessment.yaml", "", None),
    ("assessment.yaml", "a:\n" + "[" * 2_000_000, 2),
    ("assessment.json", '{"dataset": {"file": "Xanadu"},\n "attributes": {"city": {},}}\n', 2),
    ("assessment.json", "", 1),
    ("assessment.json", "[" * 200_000, None),
]


@pytest.mark.parametrize(("name", "text", "line"), TEXTS)
def test_what_is_not_yaml_or_json_is_told_by_its_line(tmp_path: Path, name: str, text: str, line: int | None) -> None:
    path = written(tmp_path, text, name=name)
    with pytest.raises(Unreadable) as caught:
        read(path)
    assert caught.value.line == line or line is None
    assert "\n" not in str(caught.value)
    assert "Xanadu" not in str(caught.value)
    if line is not None:
        assert str(caught.value).startswith(f"Line {line} of the assessment: ")


def test_a_json_key_that_stands_twice_is_told_by_its_map(tmp_path: Path) -> None:
    text = '{"dataset": {"file": "a.csv"}, "attributes": {"race": {"weights": {"Xanadu": 1, "Xanadu": 2}}}}'
    assert the_line(tmp_path, text, name="assessment.json").startswith("attributes.race.weights: ")
    text = '{"dataset": {"file": "a.csv", "file": "b.csv"}, "attributes": {}}'
    assert the_line(tmp_path, text, name="assessment.json").startswith("dataset: ")


@pytest.mark.parametrize("text", ["- a\n", "word\n", '"word"\n', "null\n", "3\n"])
def test_an_assessment_is_a_map(tmp_path: Path, text: str) -> None:
    assert the_line(tmp_path, text).startswith(("assessment: ", "dataset: "))


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    wrong = tmp_path / "latin.yaml"
    wrong.write_bytes("a: 1\nb: é\n".encode("latin-1"))
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * ((8 << 20) + 1))
    codes = []
    for path in (tmp_path / "none.yaml", tmp_path, tmp_path / "a\0b.yaml", wrong, large):
        with pytest.raises(Unreadable) as caught:
            read(path)
        codes.append(caught.value.code.removeprefix("assessment-"))
    assert codes == ["no-file", "folder", "no-access", "encoding", "too-large"]
    assert caught.value.line is None


@pytest.mark.parametrize("text", ['{"dictionaries": [{"self": true, "name": "\\ud800"}]}', '{"\\udfff": 1}'])
def test_half_of_a_sign_in_json_is_refused(tmp_path: Path, text: str) -> None:
    assert "half of a sign" in the_line(tmp_path, text, name="assessment.json")


def test_a_whole_sign_in_json_is_not_refused(tmp_path: Path) -> None:
    assert "half of a sign" not in the_line(tmp_path, '{"\\ud83d\\ude00": 1}', name="assessment.json")
