"""The arithmetic of the Harm page in a browser gives what the reference in Python gives."""

import json
import math
import random
from typing import Any

import pytest
from playwright.sync_api import Browser

from riskapp.engine.harm.formula import Cell, Harm, Weighing, phi
from tests.journey.serving import ROOT

WEIGHTS = [0, 0.1, 0.37, 1, 2.5, 10, 33, 100, "inf"]
COLUMNS = ["town", "illness", "born", "__proto__"]
VALUES = ["a", "b", "toString", "(rare)"]


def case(draw: random.Random) -> tuple[Harm, dict[str, Cell]]:
    attributes = {
        name: Weighing(draw.choice(WEIGHTS), {value: draw.choice(WEIGHTS) for value in draw.sample(VALUES, 2)})
        for name in COLUMNS[: draw.randint(2, 3)]
    }
    names = list(attributes)
    pairs = [(*draw.sample(names, 2), draw.choice(WEIGHTS)) for _ in range(draw.randint(0, 2))]
    total = draw.choice([None, ("scale", 3), ("cap", 5), ("cap", "inf")])
    record = {name: cell(draw) for name in names}
    return Harm(attributes, pairs, draw.choice(["linear", "multiplicative"]), total), record


def cell(draw: random.Random) -> Cell:
    shown = draw.choice([*VALUES, None])
    return Cell(shown, draw.choice([shown, None]), draw.choice([None, None, draw.choice(WEIGHTS)]))


def as_json(record: dict[str, Cell]) -> dict[str, Any]:
    return {name: {"shown": one.shown, "value": one.value, "personal": one.personal} for name, one in record.items()}


def flat(found: Any) -> list[Any]:
    """All numbers and words in an order of ours."""
    if isinstance(found, dict):
        return [part for key in sorted(found) for part in flat(found[key])]
    if isinstance(found, list):
        return [part for inner in found for part in flat(inner)]
    return [found]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and one not in ("inf",):
        return bool(one == other)
    return math.isclose(float(one), float(other), rel_tol=1e-12)


def test_a_thousand_random_records_weigh_the_same_in_the_browser(browser: Browser) -> None:
    draw = random.Random(7)
    cases = [case(draw) for _ in range(1000)]
    sent = [[harm.facts(), as_json(record)] for harm, record in cases]
    module = (ROOT / "static/js/harm/formula.js").read_text()
    script = f"""async (text) => {{
      const address = URL.createObjectURL(new Blob([{json.dumps(module)}], {{type: "text/javascript"}}));
      const {{ phi }} = await import(address);
      const plain = (key, told) => told === Infinity ? "inf" : told;
      return JSON.stringify(JSON.parse(text).map(([harm, record]) => phi(harm, record)), plain);
    }}"""
    page = browser.new_page()
    found = json.loads(page.evaluate(script, json.dumps(sent)))
    page.close()
    for (harm, record), there in zip(cases, found, strict=True):
        here = phi(harm, record).facts()
        assert here.keys() == there.keys()
        pairs = list(zip(flat(here), flat(there), strict=True))
        assert all(same(one, other) for one, other in pairs), (harm, record, here, there)


@pytest.mark.parametrize("one", ["x", 1.0])
def test_a_difference_would_be_seen(one: Any) -> None:
    assert not same(one, "y" if isinstance(one, str) else 1.0000001)
