"""What must hold for any table, any block size and any memory: the fast way gives what the slow way gives."""

import csv
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from riskapp.core.errors import Unreadable
from riskapp.engine.coded import values_path
from riskapp.engine.reading import Limits, Wishes
from riskapp.engine.reading.hashing import parts_of
from tests.engine.reading import corpus
from tests.engine.reading.twin import by_csv_module, is_sound, read_bytes, rows_of, with_missing

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
TRICKY = st.text(st.sampled_from("ab \"',;\t|\r\n\ufeffé"), max_size=6)
TINY = Limits(block_bytes=64, max_line_bytes=64, first_window_bytes=200, window_bytes=200)
SPILLING = Limits(
    block_bytes=64,
    max_line_bytes=64,
    first_window_bytes=400,
    window_bytes=400,
    column_bytes=40,
    values_bytes=90,
    part_bytes=4_000,
)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(CELLS | TRICKY, min_size=width, max_size=width), min_size=1, max_size=12))


@given(
    rows=tables(),
    delimiter=st.sampled_from([",", ";", "\t", "|", "^", ":", " ", "x", "\x1f"]),
    quote=st.sampled_from(['"', "'", "`"]),
    style=st.sampled_from(
        [(csv.QUOTE_MINIMAL, "\r\n"), (csv.QUOTE_ALL, "\r\n"), (csv.QUOTE_ALL, "\n"), (csv.QUOTE_ALL, "\r")]
    ),
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-16-be", "utf-32"]),
)
@settings(max_examples=150, deadline=None)
def test_any_table_written_by_the_csv_module_reads_back_equal(
    rows: list[list[str]], delimiter: str, quote: str, style: tuple[int, str], encoding: str
) -> None:
    names = [f"name {position}" for position in range(len(rows[0]))]
    text = corpus.written(
        [names, *rows], delimiter=delimiter, quotechar=quote, quoting=style[0], lineterminator=style[1]
    )
    wishes = Wishes(encoding=encoding, delimiter=delimiter, quote=quote, header="names", missing=())
    with _folder() as folder:
        _, table = read_bytes(folder, "a.csv", text.encode(encoding), wishes)
        assert rows_of(table) == rows
        is_sound(table)


@given(
    text=st.text(st.sampled_from('ab",\n\r é'), max_size=60).filter(str.strip),
    limits=st.sampled_from([Limits(), TINY, SPILLING]),
)
@example(text='"\n', limits=TINY)
@settings(max_examples=300, deadline=None)
def test_any_text_is_split_as_the_csv_module_splits_it_or_refused(text: str, limits: Limits) -> None:
    wishes = Wishes(encoding="utf-8", delimiter=",", quote='"', header="none")
    records = by_csv_module(text)
    with _folder() as folder:
        closed = by_csv_module(f"{text}\nend,of,file\n")[-1] == ["end", "of", "file"]
        if closed and len({len(record) for record in records}) == 1:
            _, table = read_bytes(folder, "a.csv", text.encode(), wishes, limits)
            assert rows_of(table) == with_missing(records)
            is_sound(table)
        else:
            with pytest.raises(Unreadable) as refused:
                read_bytes(folder, "a.csv", text.encode(), wishes, limits)
            assert refused.value.code == ("ragged" if closed else "unclosed-quote")


@given(
    columns=st.lists(
        st.lists(
            st.integers(0, 30).map(lambda number: "" if number == 3 else f"value {number}"), min_size=60, max_size=60
        ),
        min_size=1,
        max_size=4,
    ),
    limits=st.sampled_from([TINY, SPILLING]),
)
@settings(max_examples=25, deadline=None)
def test_borders_between_blocks_and_lists_on_disk_change_nothing(columns: list[list[str]], limits: Limits) -> None:
    rows = [list(row) for row in zip(*columns, strict=True)]
    names = [f"name {position}" for position in range(len(columns))]
    with _folder() as folder:
        _, table = read_bytes(folder, "a.tsv", corpus.written([names, *rows], delimiter="\t").encode(), limits=limits)
        assert rows_of(table) == with_missing(rows)
        is_sound(table)


def test_a_list_on_disk_holds_long_short_and_repeated_values(tmp_path: Path) -> None:
    rows = [
        [str(row), str(row % 7), "x" * (row % 50) + str(row % 900), ["", "NA", "q"][row % 3]] for row in range(3_000)
    ]
    rows += [["y" * 3_000 + str(row % 5), "a", "b", "c"] for row in range(50)]
    limits = Limits(
        block_bytes=4_000,
        max_line_bytes=4_000,
        first_window_bytes=9_000,
        window_bytes=9_000,
        column_bytes=2_000,
        part_bytes=2_000,
    )
    text = corpus.written([["a", "b", "c", "d"], *rows])
    _, table = read_bytes(tmp_path, "a.csv", text.encode(), limits=limits)
    assert rows_of(table) == with_missing(rows)
    is_sound(table)
    assert sorted(entry.name for entry in table.folder.iterdir()) == ["codes.parquet", "table.json", "values"]
    parts = [pq.ParquetFile(values_path(table.folder, position)).num_row_groups for position in range(4)]
    assert [count > 2 for count in parts] == [True, False, True, False]  # one row group per part of a list on disk


@given(
    values=st.lists(st.text(max_size=40) | st.text(min_size=1, max_size=3).map(lambda text: text * 600), max_size=30)
)
def test_equal_texts_fall_into_the_same_part_wherever_they_stand(values: list[str]) -> None:
    values = [value.encode(errors="ignore").decode() for value in values]
    array = pa.array([*values, "between", *values], pa.string())
    parts = parts_of(array, 7)
    assert (parts[: len(values)] == parts[len(values) + 1 :]).all()
    assert (parts_of(array.slice(1), 7) == parts[1:]).all()
    assert (parts_of(array.cast(pa.large_string()), 7) == parts).all()
    assert ((parts >= 0) & (parts < 7)).all()


def test_parts_are_of_like_size() -> None:
    for values in ([f"{number:09d}" for number in range(20_000)], ["a" * number for number in range(1, 2_000)]):
        counts = np.bincount(parts_of(pa.array(values), 16), minlength=16)
        assert counts.max() < 1.5 * len(values) / 16


@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_other_formats_survive_small_windows_and_lists_on_disk(kind: str, tmp_path: Path) -> None:
    rows = [[f"value {row % 300}", str(row % 11), ""] for row in range(12_000)]
    names = ["a", "b", "c"]
    columns = {name: [row[position] for row in rows] for position, name in enumerate(names)}
    content = corpus.xlsx([names, *rows]) if kind == "xlsx" else corpus.parquet(columns, row_group_size=900)
    limits = Limits(first_window_bytes=2_000, window_bytes=2_000, column_bytes=500, part_bytes=500)
    _, table = read_bytes(tmp_path, f"a.{kind}", content, limits=limits)
    assert rows_of(table) == with_missing(rows)
    is_sound(table)
