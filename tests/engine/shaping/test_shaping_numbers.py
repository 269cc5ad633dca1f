"""Numbers with a decimal comma or thousands apart: intervals of them are written out, value by value."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping import hierarchies, numbers, opened, preview
from riskapp.engine.shaping.fitting import Column
from tests.engine.shaping.shaping_tables import is_tree, table_of

WAYS: dict[str, Callable[[Decimal], str]] = {
    "comma": lambda number: f"{number:.2f}".replace(".", ","),
    "comma and points": lambda number: f"{number:,.2f}".translate(str.maketrans(",.", ".,")),
    "comma and blanks": lambda number: f"{number:,.2f}".translate(str.maketrans(",.", "\u202f,")),
    "thousands": lambda number: f"{number:,.2f}",
    "apostrophes": lambda number: f"{number:,.2f}".replace(",", "'"),
}
AMOUNTS = st.decimals(-99_999, 99_999, places=2, allow_nan=False)


def column(values: list[str]) -> Column:
    return Column("pay", pa.array(values, pa.large_string()), np.ones(len(values), np.int64), len(values))


def rule(start: int, *widths: int) -> dict[str, Any]:
    return {"intervals": {"from": start, "widths": list(widths), "unit": 0.01}}


@pytest.mark.parametrize("way", WAYS)
@given(amounts=st.lists(AMOUNTS, min_size=1, max_size=12, unique=True))
def test_they_lie_in_the_intervals_that_plain_numbers_lie_in(way: str, amounts: list[Decimal]) -> None:
    spelled = [WAYS[way](number) for number in (*amounts, Decimal("-12345.67"))]
    found = numbers.ready(column(spelled), rule(-100_000, 500, 5_000))
    assert found is not None
    assert is_tree(found)
    rows = {row[0]: row[1:] for row in found["rows"]}
    for number, value in zip(amounts, spelled, strict=False):
        lows = [-100_000 + (int(number + 100_000) // width) * width for width in (500, 5_000)]
        assert rows[value] == [*(f"[{low},{low + width})" for low, width in zip(lows, (500, 5_000), strict=True)), "*"]


def test_plain_numbers_keep_their_rule() -> None:
    for values in (["1.5", "2", "unknown"], ["1.234", "2.5"], ["007", "1e3"], ["north", "south"]):
        assert numbers.ready(column(values), rule(0, 5)) == rule(0, 5)
    assert numbers.ready(column(["1,5"]), {"mask": 3, "from": "right"}) == {"mask": 3, "from": "right"}


def test_what_is_below_the_beginning_or_no_number_has_no_place() -> None:
    told = preview.of_column(column(["1,5", "-2,5", "unknown"]), numbers.ready(column(["1,5", "-2,5"]), rule(0, 5)))
    assert (told.uncovered.values, told.levels[0].groups) == (2, 1)


def test_one_number_written_in_two_ways_is_two_rows_of_one_group() -> None:
    found = numbers.ready(column(["1,5", "1,50"]), rule(0, 5))
    assert found == {"rows": [["1,5", "[0,5)", "*"], ["1,50", "[0,5)", "*"]], "header": None}


def test_round_widths_are_proposed_for_them() -> None:
    with table_of(pay=[f"{pay},50" for pay in range(900, 9_000, 50)]) as table:
        found, outside, placed = hierarchies.with_all(table, 0, "intervals")
    assert (outside, placed) == (0, True)
    assert found is not None
    assert found["rows"][0] == ["900,50", "[500,1000)", "[0,1000)", "[0,5000)", "*"]


def test_of_too_many_it_is_said_how_to_write_them() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "MOST_LEAVES", 1)
        with pytest.raises(BadSetting, match="with a decimal point"):
            numbers.ready(column(["1,5", "2,5"]), rule(0, 5))
    assert opened.MOST_LEAVES == numbers.MOST_LEAVES
