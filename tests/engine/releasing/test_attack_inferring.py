"""What groups betray, against counts person by person."""

from pathlib import Path

import pytest

from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack.inferring import inferred
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

ROWS = ["a,x", "a,x", "a,x", "b,x", "b,y", "b,y", "b,z", "c,y", "c,z", "c,z", "d,y"]
SPEC = "dataset: {file: members.csv}\nattributes: {town: {}, ill: {role: keep, sensitive: true}}\n"


def slow(town: str, value: str, ruled_out: int) -> float:
    """The belief in a value in a group after the commonest others were ruled out."""
    group = [row.split(",")[1] for row in ROWS if row.split(",")[0] == town]
    others = sorted(((group.count(one), one) for one in set(group) - {value}), reverse=True)[:ruled_out]
    return group.count(value) / (len(group) - sum(count for count, _ in others))


def test_homogeneous_groups_and_their_people_are_counted(tmp_path: Path) -> None:
    found = Ruling.of(prepare(small(tmp_path, SPEC, "town,ill\n" + "\n".join(ROWS) + "\n")), "full-domain:0")
    told = inferred(found)["ill"]
    assert (told["groups"], told["homogeneous_groups"], told["people"]) == (4, 2, 4)
    for one in told["background"]:
        each = [slow(*row.split(","), one["ruled_out"]) for row in ROWS]
        assert one["mean_belief"] == pytest.approx(sum(each) / len(each))
        assert one["largest_belief"] == pytest.approx(max(each))
    assert [one["known"] for one in told["background"]] == [4, 7, 11]


def test_only_the_columns_that_are_chosen_are_told(tmp_path: Path) -> None:
    found = Ruling.of(prepare(small(tmp_path, SPEC, "town,ill\n" + "\n".join(ROWS) + "\n")), "full-domain:1")
    assert inferred(found, ()) == {}
    assert inferred(found, ("ill",))["ill"]["homogeneous_groups"] == 0
