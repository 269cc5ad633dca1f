"""Records as codes, keys and multiplicities, against comparing rows one by one."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.faults import OutsideHierarchy
from riskapp.core.table.keys import Once, folded, once
from riskapp.core.table.value_list import ValueList

Table = list[tuple[int, ...]]

RACE = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"], "African": ["Black"]})
SEX = flat("sex", [ValueList.of(["F", "M"])])
DAYS = [None, "1975-05-10", "1975-05-11", "1975-06-01", "1976-01-01"]
BORN = from_dates("born", [ValueList.of(DAYS), ValueList.of(["1980"], "year")])
RECORDS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)), max_size=30)
NODES = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3))


def columns_of(rows: Table, width: int) -> list[npt.NDArray[np.int32]]:
    return list(np.array(rows, dtype=np.int32).reshape(len(rows), width).T)


def coded(rows: Table) -> CodedRecords:
    hierarchies = (RACE, SEX, BORN)
    return CodedRecords.of([CodedColumn(*pair) for pair in zip(hierarchies, columns_of(rows, 3), strict=True)])


def by_hand(rows: Table, node: tuple[int, ...]) -> Table:
    return [
        tuple(int(h.ancestors[level, code]) for h, level, code in zip((RACE, SEX, BORN), node, row, strict=True))
        for row in rows
    ]


def same(numbers: npt.NDArray[np.int64], rows: list[object]) -> bool:
    """Whether equal numbers stand exactly at equal rows."""
    pairs = set(zip(numbers.tolist(), rows, strict=True))
    return len(pairs) == len({number for number, _ in pairs}) == len({row for _, row in pairs})


@settings(deadline=None)
@given(RECORDS, NODES)
def test_records_at_a_node_are_their_ancestors_there(rows: Table, node: tuple[int, ...]) -> None:
    records = coded(rows)
    assert list(zip(*(codes.tolist() for codes in records.at(node)), strict=True)) == by_hand(rows, node)
    assert same(records.keys(node).numbers, by_hand(rows, node))
    assert records.lattice.heights == (2, 1, 3)


@settings(deadline=None)
@given(RECORDS, NODES)
def test_groups_are_records_that_show_the_same_with_missing_as_a_star(rows: Table, node: tuple[int, ...]) -> None:
    records = coded(rows)
    shown = [
        [label or "*" for label in column.shown(level).to_pylist()]
        for column, level in zip(records.columns, node, strict=True)
    ]
    assert same(records.group_keys(node).numbers, list(zip(*shown, strict=True)))


@settings(deadline=None)
@given(RECORDS, NODES)
def test_equal_at_a_node_is_equal_above_it(rows: Table, node: tuple[int, ...]) -> None:
    records = coded(rows)
    fine = records.keys(node).numbers.tolist()
    for coarser in records.lattice.generalisations(node):
        pairs = set(zip(fine, records.keys(coarser).numbers.tolist(), strict=True))
        assert len(pairs) == len(set(fine))


@settings(deadline=None)
@given(RECORDS)
def test_equal_records_are_found_once_with_their_multiplicities(rows: Table) -> None:
    distinct = coded(rows).once()
    kept = list(zip(*(column.codes.tolist() for column in distinct.records.columns), strict=True))
    assert dict(zip(kept, distinct.records.times.tolist(), strict=True)) == Counter(rows)
    assert kept == sorted(set(rows))
    assert [kept[kind] for kind in distinct.kind] == rows
    again = distinct.records.once()
    assert again.records.times.tolist() == distinct.records.times.tolist()


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=6),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_keys_are_equal_exactly_for_equal_rows_of_all_tables_and_sort_like_them(
    sizes: list[int], few: int, many: int, seed: int, tight: bool
) -> None:
    draw = np.random.default_rng(seed)
    tables = [[tuple(int(draw.integers(size)) for size in sizes) for _ in range(rows)] for rows in (few, many)]
    largest = 250 if tight else 1 << 62
    keys = folded([columns_of(rows, len(sizes)) for rows in tables], sizes, largest=largest)
    numbers, rows = np.concatenate(keys.tables), tables[0] + tables[1]
    assert same(numbers, rows)
    assert [rows[place] for place in np.argsort(numbers, kind="stable")] == sorted(rows)
    assert all(0 <= number < keys.size for number in numbers)
    assert keys.size <= largest


def test_keys_do_not_overflow() -> None:
    rows = 1_000
    columns = [np.random.default_rng(place).integers(0, 2**31 - 1, rows, dtype=np.int32) for place in range(12)]
    columns = [np.concatenate([column, column]) for column in columns]
    keys = folded([columns], [2**31 - 1] * 12)
    assert keys.size < 2**63
    assert (keys.numbers[:rows] == keys.numbers[rows:]).all()
    assert len(set(keys.numbers.tolist())) == rows


def slow_once(numbers: list[int]) -> tuple[list[int], list[int], list[int]]:
    kinds = sorted(set(numbers))
    return (
        [numbers.index(kind) for kind in kinds],
        [numbers.count(kind) for kind in kinds],
        [kinds.index(n) for n in numbers],
    )


@given(st.lists(st.integers(0, 40)), st.sampled_from([41, 10**9]))
def test_equal_keys_are_found_by_counting_and_by_sorting_alike(numbers: list[int], size: int) -> None:
    found: Once = once(np.array(numbers, dtype=np.int64), size)
    assert (found.first.tolist(), found.times.tolist(), found.kind.tolist()) == slow_once(numbers)


def test_tables_need_their_columns() -> None:
    for tables, sizes in [([[]], []), ([[np.zeros(1, np.int32)]], [1, 1])]:
        with pytest.raises(ValueError, match="a column for every size"):
            folded(tables, sizes)


# Columns


def test_a_column_known_at_a_coarser_level_stays_there_or_goes_up() -> None:
    register = CodedColumn.of(BORN, [None, "1975", "1980"], np.array([1, 2, 0, 2]), level="year")
    assert register.level == 2
    assert (
        register.at(0).tolist() == register.at(2).tolist() == BORN.codes_at(2, ["1975", "1980", None, "1980"]).tolist()
    )
    assert register.at(3).tolist() == [1, 1, 0, 1]
    assert register.shown(1).to_pylist() == ["1975", "1980", None, "1980"]
    assert (register.size(0), register.size(3)) == (BORN.groups[2] + 1, 2)
    assert register.grouped(3).tolist() == [0, 0, 0, 0]


def test_a_column_with_uncovered_values_cannot_be_coded() -> None:
    with pytest.raises(OutsideHierarchy, match=r'column "sex at birth" \(3 rows\)'):
        CodedColumn.of(SEX, ["F", "?"], np.array([0, 1, 1, 1]), rows=np.array([1, 3]), column="sex at birth")


@pytest.mark.parametrize("codes", [[0, 3], [-1, 0]])
def test_codes_that_the_level_does_not_have_are_refused(codes: list[int]) -> None:
    with pytest.raises(ValueError, match='not codes of level 0 of "sex"'):
        CodedColumn(SEX, np.array(codes, dtype=np.int32))


def test_codes_are_narrow_and_in_one_dimension() -> None:
    for codes in (np.zeros(2, dtype=np.int64), np.zeros((2, 2), dtype=np.int32)):
        with pytest.raises(ValueError, match="32-bit"):
            CodedColumn(SEX, codes)  # type: ignore[arg-type]


def test_columns_of_records_have_one_length() -> None:
    short, long = (CodedColumn(SEX, np.zeros(length, dtype=np.int32)) for length in (1, 2))
    for columns in ([short, long], []):
        with pytest.raises(ValueError, match="one length"):
            CodedRecords.of(columns)
