"""Releases over different columns, held against each other by those that both have."""

import random
from pathlib import Path

import numpy as np
import pytest

from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack import by_columns as comparing
from riskapp.engine.releasing.attack.by_columns import by_columns, can_be_compared
from riskapp.engine.releasing.attack.footprint import AtLevel, Footprint, footprint, hashed
from riskapp.engine.releasing.attack.lining_up import Doubt, doubt, shared_columns
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

KEY = b"a key of the house"
TOWNS = {"abcd"[x]: "north" if x < 2 else "south" for x in range(4)}
PEOPLE = [("abcd"[x], str(1950 + y), "fm"[(x + y) % 2], f"ill{(x + y) % 4}") for x in range(4) for y in range(4)]
TOWN = "{hierarchy: {groups: {north: [a, b], south: [c, d]}}}"


def release(folder: Path, columns: dict[str, str], rule: str, **given: object) -> Footprint:
    """The release of some columns of everybody, each with what the assessment says of it."""
    known = {"town": 0, "born": 1, "sex": 2, "region": 0}
    cells = [[TOWNS[one[0]] if name == "region" else one[known[name]] for name in columns] + [one[3]] for one in PEOPLE]
    rows = "\n".join(",".join(line) for line in [[*columns, "ill"], *cells]).replace("region", "town")
    told = ", ".join(f"{name}: {words}" for name, words in columns.items()).replace("region", "town")
    spec = f"dataset: {{file: members.csv}}\nattributes: {{{told}, ill: {{role: keep, sensitive: true}}}}\n"
    found = Ruling.of(prepare(small(folder, spec, rows + "\n")), rule)
    by = [found.problem.names[place] for place in found.problem.grouped]
    return footprint(found, rule, KEY, **{"by": by, **given})


def test_two_4_anonymous_releases_over_different_columns_single_people_out(tmp_path: Path) -> None:
    earlier = release(tmp_path, {"town": TOWN, "born": "{}", "sex": "{}"}, "full-domain:0.1.1")
    own = release(tmp_path, {"town": TOWN, "born": "{}"}, "full-domain:2.0")
    assert doubt(earlier, own) is Doubt.OTHER_WAY
    assert can_be_compared(earlier, own)
    found = by_columns([earlier], own)
    assert found["releases"][0]["columns"] == ["town", "born"]
    assert {key: found[key] for key in ("shared", "singled_out", "in_any_case", "newly_singled_out")} == {
        "shared": 16,
        "singled_out": 16,
        "in_any_case": 16,
        "newly_singled_out": 16,
    }


def test_columns_are_compared_at_the_finest_level_at_which_their_labels_agree(tmp_path: Path) -> None:
    earlier = release(tmp_path, {"region": "{}", "born": "{}"}, "full-domain:0.1")
    own = release(tmp_path, {"town": TOWN, "sex": "{}"}, "full-domain:0.1")
    assert shared_columns(earlier, own) == {"town": (0, 1)}
    assert by_columns([earlier], own)["releases"][0]["columns"] == ["town (level 1)"]
    assert by_columns([earlier], own)["shared"] == 16


def test_the_same_columns_in_other_grain_are_not_the_same_people(tmp_path: Path) -> None:
    by = ["town"]
    earlier = release(tmp_path, {"region": "{}"}, "full-domain:0", by=by)
    own = release(tmp_path, {"town": TOWN}, "full-domain:0", by=by)
    assert earlier.by == own.by
    assert doubt(earlier, own) is Doubt.OTHER_WAY
    assert doubt(own, own) is None
    assert can_be_compared(earlier, own)


def test_releases_without_a_column_in_common_cannot_be_compared(tmp_path: Path) -> None:
    earlier, own = release(tmp_path, {"sex": "{}"}, "full-domain:0"), release(tmp_path, {"born": "{}"}, "full-domain:0")
    assert not can_be_compared(earlier, own)


def test_too_many_pairs_are_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier, own = (release(tmp_path, columns, "full-domain:0.0") for columns in _TWO)
    assert can_be_compared(earlier, own)
    monkeypatch.setattr(comparing, "MOST_PAIRS", 20)
    assert not can_be_compared(earlier, own)


_TWO: list[dict[str, str]] = [{"town": "{}", "sex": "{}"}, {"town": "{}", "born": "{}"}]


def test_a_footprint_keeps_its_columns_in_the_file_as_hashes(tmp_path: Path) -> None:
    one, other = (release(tmp_path, columns, "full-domain:0.0") for columns in _TWO)
    place = tmp_path / "footprint.parquet"
    one.save(place)
    again = Footprint.open(place)
    assert by_columns([again], other) == by_columns([one], other)
    assert doubt(one, again) is None
    assert b"1950" not in place.read_bytes()


def drawn(chance: random.Random, names: list[str], by_identifier: bool) -> Footprint:
    """A release of some of twelve people, some of them with two rows, in groups drawn at random."""
    rows = [f"p{number}" for number in chance.choices(range(12), k=chance.randint(1, 14))]
    columns = {}
    for name in names:
        values = [str(chance.randint(0, 2)) if chance.random() < 0.9 else None for _ in rows]
        labels = sorted({value for value in values if value is not None})
        codes = np.array([-1 if value is None else labels.index(value) for value in values], dtype=np.int32)
        columns[name] = (AtLevel("0", hashed(labels, KEY), codes),)
    group = np.array([chance.randint(-1 if chance.random() < 0.2 else 0, 3) for _ in rows])
    sensitive = {"key": hashed([f"v{chance.randint(0, 3)}" for _ in rows], KEY)}
    by = () if by_identifier else tuple(names)
    return Footprint("r", hashed(rows, KEY), group, sensitive, not by_identifier, by, "", columns)


def slow(earlier: Footprint, own: Footprint) -> dict[str, set[int]]:
    """Row by row: every group of the earlier release that the person of the row can be in, and who else can."""
    names = list(shared_columns(earlier, own))

    def values(one: Footprint, row: int) -> tuple[bytes | None, ...]:
        cells = [(one.columns[name][0], one.columns[name][0].codes[row]) for name in names]
        return tuple(None if code < 0 else bytes(level.labels[code]) for level, code in cells)

    def people(one: Footprint, group: int, of: object = None) -> int:
        rows = [row for row in range(len(one.group)) if one.group[row] == group]
        rows = [row for row in rows if of is None or values(one, row) == of]
        return len(rows if one.rows_are_people else {one.person[row] for row in rows})

    def sensitive(one: Footprint, group: int) -> set[bytes]:
        return {value for value, at in zip(one.sensitive["key"].tolist(), one.group, strict=True) if at == group}

    found: dict[str, set[int]] = {name: set() for name in ("shared", "possible", "certain", "new", "exposed")}
    for row in range(len(own.group)):
        mine = own.group[row]
        places = {
            earlier.group[at]
            for at in range(len(earlier.group))
            if earlier.group[at] >= 0 and values(earlier, at) == values(own, row)
        }
        if mine < 0 or not places:
            continue
        found["shared"].add(row)
        every = {values(own, at) for at in range(len(own.group)) if own.group[at] == mine}
        single = [
            place
            for place in places
            if sum(min(people(earlier, place, some), people(own, mine, some)) for some in every) == 1
        ]
        if single:
            found["possible"].add(row)
        if len(single) == len(places):
            found["certain"].add(row)
        if any(people(earlier, place) > 1 and people(own, mine) > 1 for place in single):
            found["new"].add(row)
        here = sensitive(own, mine)
        if any(len(here & some) == 1 < min(len(here), len(some)) for some in (sensitive(earlier, at) for at in places)):
            found["exposed"].add(row)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_releases_drawn_at_random_are_compared_as_row_by_row(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(comparing, "AT_ONCE", 5)
    earlier = drawn(chance, ["a", "b", "c"], chance.random() < 0.5)
    own = drawn(chance, ["b", "c", "d"], chance.random() < 0.5)
    assert shared_columns(earlier, own)
    found, expected = comparing.compared(earlier, own), slow(earlier, own)
    for name in ("shared", "possible", "certain", "new"):
        assert set(np.flatnonzero(getattr(found, name)).tolist()) == expected[name], name
    assert set(np.flatnonzero(found.exposed["key"]).tolist()) == expected["exposed"]
