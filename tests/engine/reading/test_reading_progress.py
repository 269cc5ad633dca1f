"""A reading says how far it is, stops when told to, and leaves everything or nothing."""

import gzip
from pathlib import Path

import pytest

from riskapp.core.errors import Stopped, Unreadable
from riskapp.engine.coded import CodedTable
from riskapp.engine.reading import Limits, Wishes, read
from tests.engine.reading import containers, corpus

EAGER = Limits(
    block_bytes=2_000,
    max_line_bytes=2_000,
    first_window_bytes=8_000,
    window_bytes=8_000,
    column_bytes=500,
    report_seconds=0,
)
TEXT = corpus.table(3_000).encode()
FILES = {
    "a.csv": TEXT,
    "a.csv.gz": gzip.compress(TEXT),
    "a.zip": containers.zipped(("x.csv", TEXT)),
    "a.parquet": corpus.parquet({"a": [f"v{row}" for row in range(3_000)]}, row_group_size=300),
    "a.xlsx": corpus.xlsx([["a"], *([f"v{row}"] for row in range(9_000))]),
    "late.csv": TEXT + "Jürgen,b,c\n".encode("latin-1"),
}


class Told:
    """Remembers what it was told; stops at a chosen call."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.calls: list[tuple[int, int, str]] = []
        self._stop_at = stop_at

    def __call__(self, done: int, total: int, words: str) -> None:
        self.calls.append((done, total, words))
        if len(self.calls) == self._stop_at:
            raise Stopped


def _store(folder: Path, name: str) -> Path:
    stored = folder / "stored"
    stored.write_bytes(FILES[name])
    return stored


@pytest.mark.parametrize("name", FILES)
def test_progress_never_goes_back_and_ends_at_the_total(name: str, tmp_path: Path) -> None:
    told = Told()
    read(_store(tmp_path, name), name, Wishes(), tmp_path / "t", limits=EAGER, report=told)
    done = [call[0] for call in told.calls]
    assert done == sorted(done)
    assert {call[1] for call in told.calls} == {len(FILES[name])}
    assert done[-1] == len(FILES[name])
    assert len(set(done)) > 3
    assert all(call[2] for call in told.calls)


@pytest.mark.parametrize("name", FILES)
def test_stopping_at_any_call_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    stored, counting = _store(tmp_path, name), Told()
    read(stored, name, Wishes(), tmp_path / "t", limits=EAGER, report=counting)
    last = len(counting.calls)
    for stop_at in sorted({1, 2, 3, last // 3, last // 2, last * 2 // 3, last - 2}):
        with pytest.raises(Stopped):
            read(stored, name, Wishes(), tmp_path / "u", limits=EAGER, report=Told(stop_at))
        assert {entry.name for entry in tmp_path.iterdir()} == {"stored", "t"}


def test_a_report_is_not_made_more_often_than_asked_for(tmp_path: Path) -> None:
    told = Told()
    patient = Limits(
        block_bytes=2_000, max_line_bytes=2_000, first_window_bytes=8_000, window_bytes=8_000, report_seconds=1_000
    )
    read(_store(tmp_path, "a.csv"), "a.csv", Wishes(), tmp_path / "t", limits=patient, report=told)
    assert len(told.calls) == 3


def test_a_table_that_is_there_is_not_touched(tmp_path: Path) -> None:
    stored = _store(tmp_path, "a.csv")
    read(stored, "a.csv", Wishes(), tmp_path / "t")
    with pytest.raises(FileExistsError):
        read(stored, "a.csv", Wishes(), tmp_path / "t")
    assert CodedTable.open(tmp_path / "t").rows == 3_000


def test_an_unexpected_error_comes_through_as_it_is_and_leaves_nothing(tmp_path: Path) -> None:
    def broken(done: int, total: int, words: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(_store(tmp_path, "a.csv"), "a.csv", Wishes(), tmp_path / "t", report=broken)
    assert [entry.name for entry in tmp_path.iterdir()] == ["stored"]


def test_a_refusal_carries_no_error_of_a_library_with_it(tmp_path: Path) -> None:
    stored = tmp_path / "stored"
    stored.write_bytes(corpus.with_line(7, f"{corpus.CANARY},b\n").encode())
    with pytest.raises(Unreadable) as caught:
        read(stored, "a.csv", Wishes(), tmp_path / "t")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
