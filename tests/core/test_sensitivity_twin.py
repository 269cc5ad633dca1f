"""Φ of all records at once against the slow twin that takes one leaf of the domain at a time."""

import datetime
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_file import from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.lattice import generalises
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.sensitivity_walk import walk
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights
from tests.core.slow_hierarchy import Chain, date_chain, interval_chain
from tests.core.slow_sensitivity import SlowAttribute, SlowRecord, slow_phi

RACES = {"European": ["White"], "Asian": ["Chinese", "Japanese"]}
RACE_CHAINS = {race: (race, group, "*") for group, races in RACES.items() for race in races}
DAYS = ["1975-05-10", "1975-05-11", "1975-06-01"]
YEAR = [(datetime.date(1975, 1, 1) + datetime.timedelta(days)).isoformat() for days in range(365)]
INCOMES = ["7", "3", "12"]


def born_chain(day: str) -> Chain:
    return date_chain(day, ["month", "year"])


def income_chain(number: str) -> Chain:
    return interval_chain(number, ["5", "10"], "0")


@dataclass(frozen=True)
class Known:
    """A hierarchy beside the same as chains."""

    hierarchy: Hierarchy
    values: list[str]
    domain: list[Chain]
    chain: Any
    kept: bool = False


ATTRIBUTES = [
    Known(from_groups("race", RACES), list(RACE_CHAINS), list(RACE_CHAINS.values()), RACE_CHAINS.__getitem__),
    Known(from_text("alone", "a;b"), ["a"], [("a", "b", "*")], lambda leaf: ("a", "b", "*")),
    Known(from_dates("born", [ValueList.of(DAYS)]), DAYS, [born_chain(day) for day in YEAR], born_chain),
    Known(
        from_intervals("income", [ValueList.of(INCOMES)], [5, 10]),
        INCOMES,
        [income_chain(str(unit)) for unit in range(20)],
        income_chain,
    ),
    Known(
        flat("note", [ValueList.of(["n", "m"])]), ["n", "m"], [("n", "*"), ("m", "*")], lambda n: (n, "*"), kept=True
    ),
]
HEIGHTS = [2, 2, 3, 3, 0]

WEIGHTS = st.sampled_from([0.0, 0.01, 1.0, 2.0, math.inf]) | st.floats(1e-6, 1e3)


@dataclass
class Instance:
    fast: Sensitivity
    slow: list[SlowAttribute]
    records: list[SlowRecord]
    pairs: list[tuple[int, int, float]]
    family: str
    person_total: tuple[str, float] | None

    def slow_at(self, nodes: list[tuple[int, ...]]) -> list[float]:
        return [
            slow_phi(self.slow, record, node, self.pairs, self.family, self.person_total)
            for record, node in zip(self.records, nodes, strict=True)
        ]


def weighed(known: Known, slow: SlowAttribute, place: int, records: list[SlowRecord]) -> Weighed:
    codes = known.hierarchy.coded([record.values[place] for record in records])
    own = [record.personal[place] for record in records]
    personal = np.array([math.nan if weight is None else weight for weight in own])
    weights = Weights.of(known.hierarchy, slow.weight, slow.weights, fall=slow.fall)
    column = CodedColumn(known.hierarchy, codes)
    return Weighed(column, weights, None if np.isnan(personal).all() else personal, known.kept)


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    slow = [
        SlowAttribute(
            known.domain,
            known.chain,
            draw(WEIGHTS),
            draw(st.dictionaries(st.sampled_from(known.values), WEIGHTS, max_size=3)),
            draw(st.sampled_from(["step", "harmonic"])),
        )
        for known in ATTRIBUTES
    ]
    value = st.tuples(*(st.none() | st.sampled_from(known.values) for known in ATTRIBUTES))
    personal = st.tuples(*(st.none() | st.none() | WEIGHTS for _ in ATTRIBUTES))
    records = draw(st.lists(st.builds(SlowRecord, value, personal), min_size=1, max_size=6))
    places = st.permutations(range(5)).map(lambda order: order[:2])
    pairs = draw(st.lists(st.builds(lambda two, weight: (*two, weight), places, WEIGHTS), max_size=2))
    family = draw(st.sampled_from(["linear", "multiplicative"]))
    goals = st.tuples(st.sampled_from(["scale", "cap"]), st.sampled_from([0.0, 0.5, 1.0, 30.0]))
    person_total = draw(st.none() | goals)
    columns = [weighed(known, slow[place], place, records) for place, known in enumerate(ATTRIBUTES)]
    names = [known.hierarchy.attribute for known in ATTRIBUTES]
    fast = Sensitivity(
        tuple(columns),
        tuple(Pair(names[one], names[other], weight) for one, other, weight in pairs),
        family,
        PersonTotal(*person_total) if person_total else None,
    )
    return Instance(fast, slow, records, pairs, family, person_total)


NODES = st.tuples(*(st.integers(0, height) for height in HEIGHTS))


def close(fast: npt.NDArray[np.float64], slow: list[float]) -> bool:
    return bool(np.allclose(fast, slow, rtol=1e-9, atol=0))


@settings(deadline=None, max_examples=150)
@given(instances(), NODES)
def test_phi_at_a_node_is_that_of_the_slow_twin(instance: Instance, node: tuple[int, ...]) -> None:
    assert close(instance.fast.at(node), instance.slow_at([node] * len(instance.records)))


@settings(deadline=None, max_examples=80)
@given(instances(), st.data())
def test_phi_at_each_record_s_own_node_is_that_of_the_slow_twin(instance: Instance, data: st.DataObject) -> None:
    count = len(instance.records)
    nodes = data.draw(st.lists(NODES, min_size=count, max_size=count))
    kept_or_not = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    nodes = [(*node[:4], last) for node, last in zip(nodes, kept_or_not, strict=True)]
    assert close(instance.fast.at_each(np.array(nodes)), instance.slow_at(nodes))


@settings(deadline=None, max_examples=60)
@given(instances(), st.lists(NODES, min_size=1, max_size=12))
def test_walking_from_node_to_node_changes_no_digit(instance: Instance, nodes: list[tuple[int, ...]]) -> None:
    walked = list(walk(instance.fast, sorted(nodes[:6]) + nodes[6:]))
    alone = [instance.fast.at(node) for node in sorted(nodes[:6]) + nodes[6:]]
    assert [phi.tolist() for phi in walked] == [phi.tolist() for phi in alone]


def test_a_walk_stays_inside_the_lattice() -> None:
    race = ATTRIBUTES[0].hierarchy
    phi = Sensitivity((Weighed(CodedColumn(race, np.array([1], dtype=np.int32)), Weights.of(race)),))
    assert [found.tolist() for found in walk(phi, phi.lattice)] == [[1], [1], [0]]
    with pytest.raises(ValueError, match="not in the lattice"):
        list(walk(phi, [(3,)]))


@settings(deadline=None, max_examples=60)
@given(instances(), NODES, NODES)
def test_phi_never_rises_when_values_are_generalised(
    instance: Instance, one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    above = tuple(map(max, one, other))
    assert generalises(above, one)
    fine, coarse = instance.fast.at(one), instance.fast.at(above)
    assert (coarse * (1 - 1e-12) <= fine).all()


@settings(deadline=None, max_examples=50)
@given(instances())
def test_what_is_all_suppressed_weighs_only_what_is_kept(instance: Instance) -> None:
    everything = np.tile([2, 2, 3, 3, 1], (len(instance.records), 1))
    nothing = 0.0 if instance.family == "linear" else 1.0
    assert instance.fast.at_each(everything).tolist() == [nothing] * len(instance.records)


@pytest.mark.parametrize("fall", ["step", "harmonic"])
def test_equal_records_weigh_the_same_and_their_order_does_not_matter(fall: str) -> None:
    race = ATTRIBUTES[0].hierarchy
    weights = Weights.of(race, 2.0, {"Chinese": 0.3}, fall=fall)
    codes = np.array([2, 1, 2, 0], dtype=np.int32)
    forth = Sensitivity((Weighed(CodedColumn(race, codes), weights),)).at((1,))
    back = Sensitivity((Weighed(CodedColumn(race, codes[::-1].copy()), weights),)).at((1,))
    assert forth.tolist() == back[::-1].tolist()
    assert forth[0] == forth[2]
