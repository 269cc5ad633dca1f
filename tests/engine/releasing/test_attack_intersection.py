"""The intersection attack: two releases that are each 4-anonymous and have single people in common."""

import random
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.attack.footprint import Footprint, footprint, hashed
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

KEY = b"a key of the house"
ROWS = "".join(f"p{4 * x + y},{'abcd'[x]},{'wxyz'[y]},ill{(x + y) % 4}\n" for x in range(4) for y in range(4))
SPEC = """
dataset: {file: members.csv, identifier: who}
attributes: {east: {}, north: {}, illness: {role: keep, sensitive: true}}
"""


def release(folder: Path, rule: str, rows: str = ROWS, **more: object) -> tuple[Ruling, Footprint]:
    found = Ruling.of(prepare(small(folder, SPEC, f"who,east,north,illness\n{rows}")), rule)
    return found, footprint(found, rule, KEY, **more)


def test_two_4_anonymous_releases_single_out_everybody(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1")
    other_rule, other = release(tmp_path, "full-domain:1.0")
    found = intersected([one, other])
    assert [told["smallest_group"] for told in found["releases"]] == [4, 4]
    assert (found["shared"], found["singled_out"], found["newly_singled_out"]) == (16, 16, 16)
    assert found["candidates"] == {"1": 16, "2-3": 0, "4-10": 0, ">10": 0}
    told = attacked(other_rule, earlier=[one], own=other)
    assert told["intersection"]["newly_singled_out"] == 16


def test_the_same_release_twice_singles_out_nobody_new(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1")
    assert intersected([one, one])["candidates"] == {"1": 0, "2-3": 0, "4-10": 16, ">10": 0}


def test_people_in_one_release_only_are_not_shared_and_no_candidates(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1")
    _, other = release(tmp_path, "full-domain:0.1", rows="".join(ROWS.splitlines(keepends=True)[:2]))
    found = intersected([one, other])
    assert (found["shared"], found["candidates"]["2-3"]) == (2, 2)


def test_values_of_people_stand_for_them_where_there_is_no_identifier(tmp_path: Path) -> None:
    by = ["east", "north"]
    (_, one), (_, other) = (release(tmp_path, rule, by=by) for rule in ("full-domain:0.1", "full-domain:1.0"))
    assert intersected([one, other])["newly_singled_out"] == 16
    twins = ROWS + ROWS.replace("p", "q")
    (_, one), (_, other) = (release(tmp_path, rule, twins, by=by) for rule in ("full-domain:0.1", "full-domain:1.0"))
    found = intersected([one, other])
    assert (found["shared"], found["singled_out"], found["candidates"]["2-3"]) == (32, 0, 32)


def slow(footprints: list[Footprint]) -> dict[str, object]:
    """Person by person, as the algorithm is printed."""
    groups = [
        {
            who: {g for w, g in zip(one.person.tolist(), one.group.tolist(), strict=True) if w == who and g >= 0}
            for who in set(one.person.tolist())
        }
        for one in footprints
    ]
    people = [{who for who in some if some[who]} for some in groups]
    shared = [who for who in set().union(*people) if sum(who in some for some in people) > 1]
    left, alone, exposed, newly = [], [], 0, 0
    for who in shared:
        here = [at for at in range(len(footprints)) if who in people[at]]
        everybody = set.intersection(*(people[at] for at in here))
        (own,) = [[next(iter(groups[at][who])) for at in here]]
        left.append(sum(all(own[place] in groups[at][other] for place, at in enumerate(here)) for other in everybody))
        alone.append(min(sum(own[place] in groups[at][other] for other in people[at]) for place, at in enumerate(here)))
        sets = [
            {
                v
                for g, v in zip(footprints[at].group.tolist(), footprints[at].sensitive["s"].tolist(), strict=True)
                if g == own[place]
            }
            for place, at in enumerate(here)
        ]
        exposed += len(set.intersection(*sets)) == 1
        newly += len(set.intersection(*sets)) == 1 and all(len(some) > 1 for some in sets)
    return {
        "shared": len(shared),
        "singled_out": left.count(1),
        "newly_singled_out": sum(a == 1 and b > 1 for a, b in zip(left, alone, strict=True)),
        "exposed": exposed,
        "newly_exposed": newly,
    }


@pytest.mark.parametrize("seed", range(40))
def test_releases_drawn_at_random_are_counted_as_person_by_person(seed: int) -> None:
    chance = random.Random(seed)
    everybody = [f"p{number}" for number in range(12)]
    footprints = []
    for number in range(chance.randint(2, 3)):
        people = chance.sample(everybody, chance.randint(3, 12))
        group = np.array([chance.randint(-1 if chance.random() < 0.2 else 0, 2) for _ in people])
        values = hashed([f"v{int(who[1:]) % 3}" for who in people], KEY)
        footprints.append(Footprint(f"r{number}", hashed(people, KEY), group, {"s": values}))
    found, expected = intersected(footprints), slow(footprints)
    assert {key: found[key] for key in ("shared", "singled_out", "newly_singled_out")} == {
        key: expected[key] for key in ("shared", "singled_out", "newly_singled_out")
    }
    assert {key: found["sensitive"]["s"][key] for key in ("exposed", "newly_exposed")} == {
        key: expected[key] for key in ("exposed", "newly_exposed")
    }


def test_a_footprint_is_the_same_after_a_file_and_holds_no_value(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1")
    one.save(tmp_path / "footprint.parquet")
    again = Footprint.open(tmp_path / "footprint.parquet")
    assert intersected([one, again]) == intersected([one, one])
    contents = (tmp_path / "footprint.parquet").read_bytes()
    assert b"ill1" not in contents
    assert b"p13" not in contents
    _, other_key = release(tmp_path, "full-domain:0.1")
    assert (footprint(release(tmp_path, "full-domain:0.1")[0], "x", b"other").person != other_key.person).all()


def test_several_rows_of_a_person_count_once(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1", rows=ROWS + "p0,a,w,ill0\n")
    found = intersected([one, one])
    assert (found["shared"], found["releases"][0]["people"]) == (16, 16)


def test_no_release_and_one_release_share_nobody(tmp_path: Path) -> None:
    _, one = release(tmp_path, "full-domain:0.1")
    assert intersected([one])["shared"] == 0


def one_by_one(footprints: list[Footprint]) -> dict[str, int]:
    """Every person with every choice of one of their groups in each release, as the algorithm is printed for one."""
    several = footprints[0].rows_are_people
    groups: list[dict[bytes, Counter[int]]] = []
    for one in footprints:
        found: dict[bytes, Counter[int]] = {}
        for who, group in zip(one.person.tolist(), one.group.tolist(), strict=True):
            if group >= 0:
                found.setdefault(who, Counter())[group] += 1
        groups.append({who: own if several else Counter(set(own)) for who, own in found.items()})

    def values(at: int, group: int) -> set[bytes]:
        one = footprints[at]
        return {v for g, v in zip(one.group.tolist(), one.sensitive["s"].tolist(), strict=True) if g == group}

    told: Counter[str] = Counter()
    for who in set().union(*groups):
        here = [at for at in range(len(groups)) if who in groups[at]]
        if len(here) < 2:
            continue
        most = min(groups[at][who].total() for at in here) if several else 1
        counts: Counter[str] = Counter()
        alone = [sum(own[g] for own in groups[at].values()) for at in here for g in groups[at][who]]
        for choice in product(*(groups[at][who] for at in here)):
            placed = list(zip(here, choice, strict=True))
            many = {
                other: min(groups[at].get(other, Counter())[g] for at, g in placed) for other in set().union(*groups)
            }
            sets = [values(at, g) for at, g in placed]
            sizes = [sum(own[g] for own in groups[at].values()) for at, g in placed]
            left = len(set.intersection(*sets))
            counts["shared"] += many[who]
            counts["singled_out"] += many[who] * (sum(many.values()) == 1)
            fresh = min(sizes if several else alone) > 1
            counts["newly_singled_out"] += many[who] * (sum(many.values()) == 1 and fresh)
            counts["exposed"] += many[who] * (left == 1)
            counts["newly_exposed"] += many[who] * (left == 1 and all(len(some) > 1 for some in sets))
            counts["nearly"] += many[who] * (left == 2)
            counts["inconsistent"] += many[who] * (left == 0)
        for name, number in counts.items():
            told[name] += min(most, number)
    return dict(told)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_people_with_several_rows_and_values_of_several_people_are_counted_once_each(seed: int, several: bool) -> None:
    chance = random.Random(seed)
    footprints = []
    for number in range(chance.randint(2, 3)):
        people = chance.choices([f"p{one}" for one in range(8)], k=chance.randint(2, 14))
        group = np.array([chance.randint(-1 if chance.random() < 0.2 else 0, 3) for _ in people])
        values = hashed([f"v{chance.randint(0, 3)}" for _ in people], KEY)
        footprints.append(Footprint(f"r{number}", hashed(people, KEY), group, {"s": values}, several))
    found, expected = intersected(footprints), one_by_one(footprints)
    for name in ("shared", "singled_out", "newly_singled_out"):
        assert found[name] == expected.get(name, 0), name
    for name in ("exposed", "newly_exposed", "nearly", "inconsistent"):
        assert found["sensitive"]["s"][name] == expected.get(name, 0), name
    assert sum(found["candidates"].values()) == found["shared"]


def test_the_value_of_somebody_with_two_rows_is_known_once() -> None:
    """Both groups of p0 in the first release betray the value, and p0 is one person."""
    values = hashed(["a", "b", "a", "c", "a", "d"], KEY)
    one = Footprint("1", hashed(["p0", "p1", "p0", "p2", "p3", "p4"], KEY), np.array([0, 0, 1, 1, 2, 2]), {"s": values})
    two = Footprint("2", hashed(["p0", "p5"], KEY), np.array([0, 0]), {"s": hashed(["a", "e"], KEY)})
    assert intersected([one, two])["sensitive"]["s"]["newly_exposed"] == 1
