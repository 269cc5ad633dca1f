"""Φ at every node of small assessments, against the independent oracle that reads them from files."""

import math
import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riskapp.core.table.build import build
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights
from tests.oracle.release import full_domain
from tests.oracle.sensitivity import sensitivity as oracle_phi
from tests.oracle.tables import problem

RACES = {"groups": {"Dark": ["Black"], "Light": ["White", "Pale"]}}
HIERARCHIES: dict[str, dict[str, Any] | None] = {
    "race": RACES,
    "born": {"dates": ["month", "year"]},
    "zip": {"mask": 3},
    "income": {"intervals": {"from": 0, "widths": [2, 6], "unit": 1}},
    "note": None,
}
VALUES = {
    "race": ["Black", "White", "Pale", ""],
    "born": ["1975-05-10", "1975-05-11", "1976-02-01", ""],
    "zip": ["101", "102", "111", ""],
    "income": ["1", "3", "7", ""],
    "note": ["a", "b", ""],
}
AMOUNTS = [0.0, 0.01, 0.5, 1.0, 2.0, 10.0, math.inf]


class Drawn:
    """An assessment drawn at random, as files for the oracle and as values for us."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.rows = [{name: chance.choice(values) for name, values in VALUES.items()} for _ in range(6)]
        self.personal = [chance.choice(["", "", "0", "3", "inf"]) for _ in self.rows]
        self.attributes = {name: self._attribute(chance, name) for name in VALUES}
        self.personal_of = chance.choice(list(VALUES))
        self.attributes[self.personal_of]["personal_weight"] = "pw"
        one, other = chance.sample(list(VALUES), 2)
        self.harm: dict[str, Any] = {
            "family": chance.choice(["linear", "multiplicative"]),
            "pairs": [{"attributes": [one, other], "weight": chance.choice(AMOUNTS)}],
        }
        if chance.random() < 0.6:
            self.harm["person_total"] = {chance.choice(["scale", "cap"]): chance.choice([0.5, 2.0])}

    def _attribute(self, chance: random.Random, name: str) -> dict[str, Any]:
        seen = sorted({row[name] for row in self.rows} - {""})
        weights = {value: chance.choice(AMOUNTS) for value in seen if chance.random() < 0.4}
        shape = {"role": "keep"} if name == "note" else {"hierarchy": HIERARCHIES[name]}
        fall = chance.choice(["step", "harmonic"])
        return {**shape, "weight": chance.choice(AMOUNTS), "weights": weights, "fall": fall}

    def file(self) -> str:
        rows = [",".join([*row.values(), own]) for row, own in zip(self.rows, self.personal, strict=True)]
        return "\n".join([",".join([*VALUES, "pw"]), *rows, ""])

    def ours(self) -> Sensitivity:
        pairs = tuple(Pair(pair["attributes"][0], pair["attributes"][1], pair["weight"]) for pair in self.harm["pairs"])
        totals = [PersonTotal(how, most) for how, most in self.harm.get("person_total", {}).items()]
        columns = tuple(self._weighed(name) for name in VALUES)
        return Sensitivity(columns, pairs, self.harm["family"], totals[0] if totals else None)

    def _weighed(self, name: str) -> Weighed:
        values = [row[name] or None for row in self.rows]
        lists = [ValueList.of(sorted({value for value in values if value}))]
        hierarchy = flat(name, lists) if name == "note" else build(name, HIERARCHIES[name], lists, text_of=str)
        given = self.attributes[name]
        weights = Weights.of(hierarchy, given["weight"], given["weights"], fall=given["fall"])
        own = np.array([float(cell or "nan") for cell in self.personal]) if name == self.personal_of else None
        return Weighed(CodedColumn(hierarchy, hierarchy.coded(values)), weights, own, kept=name == "note")


@pytest.mark.parametrize("seed", range(25))
def test_phi_is_the_oracle_s_at_every_node(tmp_path: Path, seed: int) -> None:
    drawn = Drawn(seed)
    theirs = problem(tmp_path, {"dataset.csv": drawn.file()}, attributes=drawn.attributes, sensitivity=drawn.harm)
    ours = drawn.ours()
    nodes = list(product(*(range(height + 1) for height in ours.lattice.heights[:-1])))
    for node in random.Random(seed).sample(nodes, 20):
        rows = full_domain(theirs, node)
        phi = [oracle_phi(theirs, record, row.cells) for record, row in zip(theirs.records, rows, strict=True)]
        assert ours.at((*node, 0)) == pytest.approx(phi, rel=1e-9, abs=0), node
