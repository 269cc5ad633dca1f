"""From a file to a coded table: its time as a ratio to `pyarrow.csv.read_csv` alone, and its peak memory.

Run as `python benchmarks/reading.py [rows]`; with BENCH_LARGE=1 also for files of about 2 GB, one typical and one with
a column whose values are all long and distinct.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv as csv

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tables import long_and_distinct, typical, write_csv
from riskapp.engine.coded import CodedTable
from riskapp.engine.reading import Wishes, read

ROUNDS = 7
AT_MOST = 4.0
LARGE = {"typical": (typical, 27_000_000), "long and distinct": (long_and_distinct, 18_500_000)}
LARGE_AT_MOST_MB = 1_500


def main(rows: int = 1_000_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_csv(Path(folder, "table.csv"), rows)
        _report_time(path, Path(folder), rows)
        _report_memory(path, Path(folder))
        if os.environ.get("BENCH_LARGE") == "1":
            for title, (make, many) in LARGE.items():
                _report_large(title, write_csv(Path(folder, "large.csv"), many, make), Path(folder))


def _report_time(path: Path, folder: Path, rows: int) -> None:
    """Both in turn, so that a busy machine slows both."""
    alone, whole = [], []
    for turn in range(ROUNDS):
        alone.append(_timed(lambda: csv.read_csv(path)))
        whole.append(_timed(lambda: read(path, path.name, Wishes(), folder / f"coded {turn}")))  # noqa: B023
    table = CodedTable.open(folder / "coded 0")
    ratio = statistics.median(mine / theirs for mine, theirs in zip(whole, alone, strict=True))
    print(f"reading, {rows:,} rows x {len(table.names)} columns, {path.stat().st_size / 1e6:.0f} MB, {ROUNDS} rounds")
    print(f"  pyarrow.csv.read_csv            {statistics.median(alone):8.2f} s")
    print(f"  file to coded table             {statistics.median(whole):8.2f} s")
    print(f"  ratio (median of rounds)        {ratio:8.2f}     at most {AT_MOST:.0f}")
    print(f"  ratio (best against best)       {min(whole) / min(alone):8.2f}")


def _report_memory(path: Path, folder: Path) -> None:
    seconds, peak = _in_a_child(path, folder / "in a child")
    print(f"  in a process of its own         {seconds:8.2f} s   peak memory {peak:,.0f} MB")


def _report_large(title: str, path: Path, folder: Path) -> None:
    seconds, peak = _in_a_child(path, folder / title)
    print(f"reading, {title}, {path.stat().st_size / 1e9:.2f} GB")
    print(f"  file to coded table             {seconds:8.2f} s")
    print(f"  peak memory                     {peak:8,.0f} MB  at most {LARGE_AT_MOST_MB:,}")


def _in_a_child(path: Path, into: Path) -> tuple[float, float]:
    """Seconds and peak memory in MB of a process that reads the file and does nothing else."""
    command = [sys.executable, __file__, "--child", str(path), str(into)]
    seconds, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(peak)


def child(path: Path, into: Path) -> None:
    seconds = _timed(lambda: read(path, path.name, Wishes(), into))
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(*(int(argument) for argument in sys.argv[1:]))
