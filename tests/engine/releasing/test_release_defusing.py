"""Formulas in cells: every one of the corpus is made harmless, comes back as it was, and what is none stays."""

import random
import re

import pytest

from riskapp.core.table.value_list import texts
from riskapp.engine.releasing.defusing import dangerous, defused, fused
from tests.engine.releasing.injections import FORMULAS, HARMLESS

BEGINS = "=+-@\t\r\n\0＝＋－＠"
SEPARATORS = ";\t\r\n"


def computes(cell: str) -> bool:
    """Whether some spreadsheet could take a piece of the cell for a formula, looked at sign by sign."""
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", cell):
        return False
    starts = [0, *(place + 1 for place, sign in enumerate(cell) if sign in SEPARATORS)]
    return any(cell[start:].lstrip(" ")[:1] and cell[start:].lstrip(" ")[0] in BEGINS for start in starts)


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_formula_is_made_harmless_and_comes_back(cell: str) -> None:
    (safe,) = defused(texts([cell])).to_pylist()
    assert not computes(safe)
    assert safe != cell
    assert fused(texts([safe])).to_pylist() == [cell]


@pytest.mark.parametrize("cell", HARMLESS)
def test_what_is_no_formula_stays(cell: str) -> None:
    assert defused(texts([cell])).to_pylist() == [cell] == fused(texts([cell])).to_pylist()


def test_any_text_comes_back() -> None:
    chance = random.Random(4)
    signs = "=+-@'; \tab5\n\r\0"
    cells = ["".join(chance.choices(signs, k=chance.randint(0, 7))) for _ in range(4000)]
    safe = defused(texts(cells)).to_pylist()
    assert fused(texts(safe)).to_pylist() == cells
    assert not any(map(computes, safe))
    assert [one != other for one, other in zip(cells, safe, strict=True)] == dangerous(texts(cells)).tolist()
