"""A release built, measured again in a process of its own and attacked beside an earlier one, at two sizes.

Run as `python benchmarks/building.py`: 20 000 and 200 000 people with six columns, as CSV and as Parquet; with
BENCH_LARGE=1 200 000 and 2 000 000. Each step is a process of its own. What counts are ratios in one run: time for each
row at ten times the size, writing against pyarrow's plain write of the same table, memory for each row against the
file. It fails where writing takes more memory than promised.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

ROOT = Path(__file__).parents[1]
SMALL, LARGE = (20_000, 200_000), (200_000, 2_000_000)
RULE, EARLIER, SEED = "full-domain:2.3.0.1", "full-domain:1.4.0.2", 7
STEPS = ("read", "written", "measured", "attacked")
MOST_TIMES_FILE = 0.5
"""Writing holds a block of rows and the order of all of them; never more than half of what it writes as CSV."""
ROOM = 64_000_000
"""What a block of rows needs, however many there are."""
ASSESSMENT = """
dataset: {file: people.csv, identifier: id}
attributes:
  born: {hierarchy: {dates: [month, year]}}
  zip: {hierarchy: {mask: 5}}
  sex: {}
  job: {role: keep, sensitive: true}
  income: {hierarchy: {intervals: {from: 0, widths: [1000, 10000], unit: 100}}}
  score: {role: keep}
dictionaries: [{self: true, knows: [born, zip, sex]}]
search: {seed: 3}
"""


def main() -> None:
    sizes = LARGE if os.environ.get("BENCH_LARGE") else SMALL
    print(f"releases of {sizes[0]:,} and {sizes[1]:,} people x 6, an earlier one beside them")
    with tempfile.TemporaryDirectory() as folder:
        found = {rows: _of_size(rows, Path(folder) / str(rows)) for rows in sizes}
    for ending in (".csv", ".parquet"):
        _table(ending, {rows: one[ending] for rows, one in found.items()})
    written = found[sizes[1]][".csv"]["written"]
    if written["more"] > MOST_TIMES_FILE * written["size"] + ROOM:
        raise SystemExit(f"Writing took {written['more'] / 1e6:,.0f} MB for a file of {written['size'] / 1e6:,.0f} MB.")


def _of_size(rows: int, folder: Path) -> dict[str, dict[str, Any]]:
    folder.mkdir()
    (folder / "assessment.yaml").write_text(ASSESSMENT, encoding="utf-8")
    _child("people", folder, str(rows))
    read = _child("earlier", folder)
    return {ending: {"read": read} | _of_ending(folder, ending) for ending in (".csv", ".parquet")}


def _of_ending(folder: Path, ending: str) -> dict[str, Any]:
    return {step: _child(step, folder, ending) for step in STEPS[1:]}


def _child(step: str, *words: object) -> dict[str, Any]:
    """What a step tells, with the highest memory of its process."""
    command = [sys.executable, str(Path(__file__)), step, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def _table(ending: str, found: dict[int, dict[str, Any]]) -> None:
    small, large = found
    size = found[large]["written"]["size"]
    print(f"\n{ending[1:]}: {size / 1e6:,.1f} MB, {size / large:,.0f} bytes a row")
    print(f"  {'':10} {small:>9,}   {large:>9,}   time a row   peak memory   more a row")
    for step in STEPS:
        one, other = found[small][step], found[large][step]
        more = (other["peak"] - one["peak"]) / (large - small)
        print(
            f"  {step:10} {one['seconds']:7.1f} s   {other['seconds']:7.1f} s   "
            f"{other['seconds'] / large / (one['seconds'] / small):8.2f} x   {other['peak'] / 1e6:8,.0f} MB   "
            f"{more:5,.0f} bytes"
        )
    told = found[large]["written"]
    print(
        f"  writing took {told['seconds'] / told['plain']:.1f} times pyarrow's plain write of the same table, and "
        f"{told['more'] / 1e6:,.0f} MB on top of the table that was read: {told['more'] / size:.2f} times the file"
    )


# The steps, each in a process of its own


def _people(folder: Path, rows: str) -> dict[str, Any]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv as csv

    many, draw = int(rows), np.random.default_rng(5)
    days = np.datetime64("1930-01-01") + draw.integers(0, 80 * 365, many).astype("timedelta64[D]")
    table = {
        "id": [f"P{number:08d}" for number in range(many)],
        "born": pa.array(days).cast(pa.string()),
        "zip": [f"{code:05d}" for code in 1000 + draw.zipf(1.3, many) % 8000],
        "sex": draw.choice(np.array(["f", "m", "x", ""]), many, p=[0.49, 0.48, 0.01, 0.02]),
        "job": draw.choice(np.array([f"job {number}" for number in range(400)]), many),
        "income": (draw.lognormal(10, 0.6, many) // 100 * 100).astype(int),
        "score": draw.normal(50, 10, many).round(2),
    }
    csv.write_csv(pa.table(table), folder / "people.csv")
    return {}


def _earlier(folder: Path) -> dict[str, Any]:
    from riskapp.engine.assess import prepare
    from riskapp.engine.releasing.attack.footprint import footprint
    from riskapp.engine.ruling import Ruling

    ready, seconds = _timed(lambda: prepare(folder / "assessment.yaml"))
    peak = _peak()
    footprint(Ruling.of(ready, EARLIER), "earlier", b"key").save(folder / "earlier.parquet")
    return {"seconds": seconds, "peak": peak}


def _written(folder: Path, ending: str) -> dict[str, Any]:
    from riskapp.engine.assess import prepare
    from riskapp.engine.releasing.building import build
    from riskapp.engine.ruling import Ruling

    ready, to = prepare(folder / "assessment.yaml"), folder / f"release{ending}"
    found, peak = Ruling.of(ready, RULE), _peak()
    before = _forgotten()
    _, seconds = _timed(lambda: build(ready, found.found, to, _choices()))
    peak, more = max(peak, _peak()), _status("VmHWM") - before
    plain = _plainly(to, folder / f"plain{ending}")
    return {"seconds": seconds, "peak": peak, "more": more, "plain": plain, "size": to.stat().st_size}


def _plainly(file: Path, to: Path) -> float:
    """How long pyarrow takes for the table of a file, all in memory."""
    import pyarrow.csv as csv
    import pyarrow.parquet as pq

    if file.suffix == ".csv":
        table = csv.read_csv(file)
        return _timed(lambda: csv.write_csv(table, to))[1]
    table = pq.read_table(file)
    return _timed(lambda: pq.write_table(table, to, compression="zstd"))[1]


def _measured(folder: Path, ending: str) -> dict[str, Any]:
    """As the product has it measured."""
    command = [sys.executable, "-m", "riskapp.engine.releasing.measured", f"{folder}/release{ending}"]
    command += [f"{folder}/assessment.yaml", "--rule", RULE, "--seed", str(SEED)]
    command += ["--defused", "--analysts", "--details", "--out", f"{folder}/figures.json"]
    _, seconds = _timed(lambda: subprocess.run(command, cwd=ROOT, check=True))
    return {"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024}


def _attacked(folder: Path, ending: str) -> dict[str, Any]:
    from riskapp.engine.assess import prepare
    from riskapp.engine.releasing.attack.attack import attacked
    from riskapp.engine.releasing.attack.footprint import Footprint, footprint
    from riskapp.engine.releasing.measured import ruling_in

    ready = prepare(folder / "assessment.yaml")
    found = ruling_in(ready, RULE, folder / f"release{ending}", _choices())

    def attack() -> None:
        own = footprint(found, "own", b"key")
        attacked(found, earlier=[Footprint.open(folder / "earlier.parquet")], own=own, seed=SEED)

    _, seconds = _timed(attack)
    return {"seconds": seconds, "peak": _peak()}


def _choices() -> Any:
    from riskapp.engine.releasing.choices import Choices

    return Choices(seed=SEED, defuse=True, analysts=True, details=True)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _forgotten() -> int:
    """The memory in use, from which on its height is told anew."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


CHILDREN: dict[str, Callable[..., dict[str, Any]]] = {
    "people": _people,
    "earlier": _earlier,
    "written": _written,
    "measured": _measured,
    "attacked": _attacked,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(CHILDREN[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])))
    else:
        main()
