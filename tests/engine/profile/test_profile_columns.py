"""The figures of one column, its commonest values, and the bounds on what is looked at."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.engine.profile import look, top_values
from riskapp.engine.profile.columns import measured
from tests.engine.profile import slow_profile as slow

Columns = dict[str, list[str | None]]


@settings(max_examples=60, deadline=None)
@given(slow.small_tables(most_columns=2))
def test_missing_distinct_and_alone_are_what_counting_by_hand_gives(columns: Columns) -> None:
    told = slow.profile_of(columns)
    for column, cells in zip(told.columns, columns.values(), strict=True):
        assert column.missing.count == sum(1 for cell in cells if cell is None)
        assert column.distinct == len(set(cells) - {None})
        assert column.alone.count == slow.alone(cells)
        assert column.alone.share == (slow.alone(cells) / len(cells) if cells else 0)


@settings(max_examples=60, deadline=None)
@given(slow.small_tables(most_columns=1), st.integers(1, 5))
def test_top_values_are_the_commonest_with_their_counts(columns: Columns, most: int) -> None:
    with slow.table_of(columns) as table:
        assert top_values(table, 0, most) == slow.top(columns["column 0"], most)


def test_a_column_says_as_many_bits_as_it_takes_to_name_its_value() -> None:
    assert measured(np.array([0, 4, 4, 4, 4]), lambda: None).bits == pytest.approx(2)
    assert measured(np.array([0, 9]), lambda: None).bits == 0
    assert measured(np.array([0, 1, 2, 1]), lambda: None).bits == pytest.approx(1.5)
    assert measured(np.array([1, 1]), lambda: None).bits == pytest.approx(1)


def test_a_table_without_rows_has_a_profile() -> None:
    told = slow.profile_of({"a": [], "b": []})
    assert (told.rows, told.columns[0].type.kind, told.pairs.known) == (0, "empty", 1)


def test_beyond_the_bound_a_sample_is_looked_at_and_the_profile_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "VALUES_MOST", 50)
    monkeypatch.setattr(look, "VALUES_AT_ONCE", 64)
    cells = [f"person{number}@example.org" for number in range(1000)]
    first, again = slow.profile_of({"contact": cells}), slow.profile_of({"contact": cells})
    column = first.columns[0]
    assert first == again
    assert (column.looked_at.values, column.looked_at.all, column.distinct, column.alone.count) == (
        50,
        False,
        1000,
        1000,
    )
    assert column.suggestions[0].reason == "All filled cells looked at have the form of an e-mail address."
    assert first.notes == (
        "Column contact: type and suggestions were found from 50 of its 1\u00a0000\u00a0different values; "
        "all counts of rows are exact.",
    )


def test_long_values_make_the_sample_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "BYTES_MOST", 20_000)
    column = slow.column_of("story", [f"{number} " + "long words " * 100 for number in range(300)])
    assert not column.looked_at.all
    assert 10 <= column.looked_at.values <= 60


@given(st.integers(1, 3000), st.integers(1, 3000))
def test_sampled_positions_are_rising_all_different_and_spread(of: int, some: int) -> None:
    positions = look._spread(of, some)
    assert len(positions) == min(of, some)
    assert (np.diff(positions) > 0).all()
    assert positions[0] >= 0
    assert positions[-1] < of
    assert positions[0] <= of / min(of, some)


def test_the_pilot_shows_what_half_of_the_cells_hold_in_a_single_value() -> None:
    cells = [f"word {number}" for number in range(3000)] + ["someone@example.org"] * 12_500
    assert slow.kinds("c", cells)["email"] == "likely"
