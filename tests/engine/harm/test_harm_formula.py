"""Φ of an example record is, digit for digit, what the assessment gives the record."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.plain import PlainColumn
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.weights import Weights
from riskapp.engine.assessment import build, read
from riskapp.engine.assessment.settings import Assessment
from riskapp.engine.harm.examples import seen_real
from riskapp.engine.harm.formula import Cell, Harm, Number, Weighing, phi
from tests.engine.small_assessment import SPEC, changed, written

WEIGHT = st.sampled_from([0.0, 0.1, 0.3, 1.0, 7.0, 250.0, 700.0, 1e308, math.inf])
VALUES = ("a", "b", None)


@st.composite
def harms(draw: st.DrawFn) -> Harm:
    names = ["p", "q", "r"][: draw(st.integers(1, 3))]
    attributes = {
        name: Weighing(draw(WEIGHT), draw(st.dictionaries(st.sampled_from(["a", "b"]), WEIGHT))) for name in names
    }
    pairs = [("p", "q", draw(WEIGHT))] if "q" in names and draw(st.booleans()) else []
    total = draw(st.none() | st.tuples(st.sampled_from(["scale", "cap"]), st.sampled_from([0.0, 0.5, 1.0, 3.0])))
    return Harm(attributes, pairs, draw(st.sampled_from(["linear", "multiplicative"])), total)


def harm_of(assessment: Assessment, sensitivity: Sensitivity) -> Harm:
    """The settings of a built assessment; values are spelt as the hierarchies show them."""
    attributes = {
        weighed.name: Weighing(assessment.attributes[weighed.name].weight, _values(weighed, assessment))
        for weighed in sensitivity.columns
    }
    pairs = [(pair.one, pair.other, pair.weight) for pair in sensitivity.pairs]
    return Harm(attributes, pairs, sensitivity.family, _total(sensitivity.person_total))


def _values(weighed: Weighed, assessment: Assessment) -> dict[str, Number]:
    """The values that weigh something of their own; of those in a file, the ones that differ from the attribute."""
    given, hierarchy, weights = assessment.attributes[weighed.name], weighed.column.hierarchy, weighed.weights.levels[0]
    in_file = isinstance(given.weights, str)
    codes = np.flatnonzero(weights != given.weight) if in_file else hierarchy.found_at(0, given.weights)
    return {hierarchy.labels[0][int(code)].as_py(): float(weights[code]) for code in codes if code > 0}


def _total(given: PersonTotal | None) -> tuple[str, Number] | None:
    return None if given is None else (given.how, given.most)


def by_the_core(harm: Harm, record: dict[str, Cell]) -> float:
    """The same from the mathematics, with the record as the whole dataset."""
    columns = []
    for name, given_ in harm.attributes.items():
        cells = PlainColumn.of(name, pad(record[name].value))
        hierarchy = flat(name, [cells.listed()])
        known = {value: float(weight) for value, weight in given_.weights.items() if value == record[name].value}
        weights = Weights.of(hierarchy, float(given_.weight), known)
        own = record[name].personal
        personal = None if own is None else cells.codes[:1] * 0 + float(own)
        columns.append(Weighed(CodedColumn.of(hierarchy, cells.values, cells.codes[:1]), weights, personal))
    pairs = tuple(Pair(one, other, float(weight)) for one, other, weight in harm.pairs)
    total = None if harm.person_total is None else PersonTotal(harm.person_total[0], float(harm.person_total[1]))
    sensitivity = Sensitivity(tuple(columns), pairs, harm.family, total)
    return float(sensitivity.at(sensitivity.lattice.bottom)[0])


def pad(value: str | None) -> list[str | None]:
    """A column that is never without any text, so that it is one of texts."""
    return [value, "z"]


@settings(deadline=None, max_examples=200)
@given(harms(), st.data())
def test_phi_is_the_sensitivity_of_the_record(harm: Harm, data: st.DataObject) -> None:
    record = {}
    for name in harm.attributes:
        value = data.draw(st.sampled_from(VALUES))
        record[name] = Cell(value, value, data.draw(st.none() | WEIGHT))
    found = phi(harm, record)
    assert found.phi == by_the_core(harm, record)
    if math.isfinite(found.sum):
        parts = [*found.attributes.values(), *found.pairs]
        assert sum(parts) == pytest.approx(found.sum)


def test_phi_of_every_real_record_is_the_assessment_s(tmp_path: Path) -> None:
    for spec in (SPEC, changed("sensitivity.person_total", None), changed("sensitivity.family", "multiplicative")):
        built = build(read(written(tmp_path, spec)))
        problem = built.problem
        harm = harm_of(built.assessment, problem.sensitivity)
        real = seen_real(problem, len(problem))
        found = sorted(phi(harm, record).phi for record in real.records)
        assert found == sorted(problem.sensitivity.at(problem.lattice.bottom).tolist())


def test_weights_from_a_file_are_in_the_settings(tmp_path: Path) -> None:
    built = build(read(written(tmp_path, changed("attributes.race.weights", {"file": "weights.csv"}))))
    assert harm_of(built.assessment, built.problem.sensitivity).attributes["race"].weights == {
        "Klingon": 2.0,
        "Vulcan": 0.5,
    }


def test_a_weight_that_equals_the_attribute_s_is_kept_for_when_that_moves(tmp_path: Path) -> None:
    built = build(read(written(tmp_path, changed("attributes.race.weights", {"Klingon": 1}))))
    assert harm_of(built.assessment, built.problem.sensitivity).attributes["race"].weights == {"Klingon": 1.0}


def test_each_reason_is_told() -> None:
    harm = Harm({name: Weighing(2.0, {"a": 5.0}) for name in "pqrs"})
    record = {"p": Cell("a", "a", 9.0), "q": Cell("a", "a"), "r": Cell("b", "b"), "s": Cell(None)}
    found = phi(harm, record)
    assert dict(found.reasons) == {"p": "personal", "q": "value", "r": "attribute", "s": "missing"}
    assert dict(found.attributes) == {"p": 9.0, "q": 5.0, "r": 2.0, "s": 0.0}


def test_a_rare_value_weighs_what_the_attribute_does() -> None:
    assert phi(Harm({"p": Weighing(2.0, {"(rare)": 5.0})}), {"p": Cell("(rare)")}).phi == 2.0


def test_never_is_infinite_whatever_the_total_and_is_a_word_in_json() -> None:
    harm = Harm({"p": Weighing("inf"), "q": Weighing(1)}, person_total=("scale", 1.0))
    found = phi(harm, {"p": Cell("a", "a"), "q": Cell("b", "b")})
    said = json.loads(json.dumps(found.facts(), allow_nan=False))
    assert (said["phi"], said["attributes"]) == ("inf", {"p": "inf", "q": 1.0})
    assert json.loads(json.dumps(harm.facts(), allow_nan=False))["attributes"]["p"]["weight"] == "inf"


def test_beyond_all_numbers_is_infinite() -> None:
    found = phi(Harm({"p": Weighing(1e6)}, family="multiplicative"), {"p": Cell("a", "a")})
    assert (found.sum, found.phi) == (1e6, math.inf)
