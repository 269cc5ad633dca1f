"""Every full-domain rule of large tables, against the same done rule by rule in pandas, DuckDB and Polars.

Run as `python benchmarks/lattice.py [case|growth|wide|adult] [share of the records]`. All is measured in a process
of its own, one after the other. The other programs get their columns generalised and Φ ready made; only counting the
dictionary, joining and summing are timed, for ten of the rules, and only after they have given the same risks.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import people
from riskapp.core.rolled.warm import warm
from riskapp.core.search.plan import planned
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

RECORDS, ENTRIES, CENSUS = 5_667_004, 9_857_623, 1_185_424
TIMED = 10
FROM_PANDAS, FROM_OTHERS, PLAIN_SECONDS, CASE_MB = 30, 5, 22, 6_000
GROWTH = 1.1
ARX_SECONDS, WIDE_MB, ADULT_SECONDS = 44, 3_000, 3
KNOWN = ("city", "sex", "birth")


def main(only: str = "", share: str = "1") -> None:
    for name, report in {"case": _case, "growth": _growth, "wide": _wide, "adult": _adult}.items():
        if only in ("", name):
            report(float(share))


def _case(share: float) -> None:
    ours = _child("ours", "case", share)
    print(f"case study, {int(RECORDS * share):,} records x 4 against {int(ENTRIES * share):,} entries x 3")
    _table(ours)
    print(f"  a plain count of all projections took {PLAIN_SECONDS} s; peak at most {CASE_MB:,} MB")
    others = {name: _child(name, "case", share) for name in BASELINES}
    for name, found in others.items():
        rows = (int(RECORDS * share) + int(ENTRIES * share)) * TIMED / found["seconds"]
        scaled = found["seconds"] / TIMED * ours["rules"]
        gap = max(abs(mine - theirs) for mine, theirs in zip(ours["sample"], found["sample"], strict=True))
        assert gap < 1e-9, f"{name} finds other risks"
        least = FROM_PANDAS if name == "pandas" else FROM_OTHERS
        ratio = scaled / ours["seconds"]
        print(f"  {name:8} {scaled:9.0f} s   {rows / 1e6:6.1f} M rows/s   {ratio:6.1f} times ours, at least {least}")
        print("           " + " ".join(found["code"].split()))


def _growth(share: float) -> None:
    sizes = [share * part for part in (0.25, 0.5, 1.0)]
    seconds = [_child("ours", "case", size)["seconds"] for size in sizes]
    exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    told = ", ".join(f"{taken:.2f} s" for taken in seconds)
    print(f"growth, 1, 2 and 4 times the records: {told}: exponent {exponent:.2f}, at most {GROWTH}")


def _wide(share: float) -> None:
    ours = _child("ours", "wide", share)
    print(f"wide, {int(CENSUS * share):,} records x 9, the dataset as its own dictionary")
    _table(ours)
    print(f"  ARX finds its one optimum in {ARX_SECONDS} s; peak at most {WIDE_MB:,} MB")


def _adult(share: float) -> None:
    ours = _child("ours", "adult", share)
    print(f"Adult-sized, {int(30_162 * share):,} records x 9")
    _table(ours)
    print(f"  at most {ADULT_SECONDS} s")


def _table(found: dict[str, Any]) -> None:
    rows = found["classes"]
    print(f"  {found['rules']:,} rules in {found['seconds']:.2f} s: {found['rules'] / found['seconds']:,.0f} a second")
    each, copies = found["seconds"] / rows * 1e9, found["seconds"] / found["copy"]
    print(f"  {rows:,} classes, {each:.1f} ns each: {copies:.1f} copies of them")
    print(f"  peak memory {found['peak']:,.0f} MB")
    print(f"  predicted {found['told_seconds']:.2f} s: {found['told_seconds'] / found['walked']:.2f} of what it took")
    print(f"  predicted {found['told_peak']:,.0f} MB: {found['told_peak'] / found['peak']:.2f} of what it took")


def _child(who: str, which: str, share: float) -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", who, which, str(share)]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def child(who: str, which: str, share: float) -> None:
    problem = _problem(which, share)
    found = _ours(problem) if who == "ours" else _theirs(problem, BASELINES[who])
    print(json.dumps(found))


def _problem(which: str, share: float) -> Problem:
    if which == "case":
        columns, entries = people.case_study(int(RECORDS * share), int(ENTRIES * share))
        return people.problem(columns, entries, family="multiplicative")
    made = people.census(int(CENSUS * share)) if which == "wide" else people.adult_sized(int(30_162 * share))
    return people.own_problem(made)


def _ours(problem: Problem) -> dict[str, Any]:
    warm()
    start = time.perf_counter()
    plan = planned(problem)
    assert plan is not None
    ready = time.perf_counter()
    forecast, used = plan.forecast(), _used()
    forecast_seconds = time.perf_counter() - ready
    begun = time.perf_counter()
    found = plan.run(lambda done, total: None, lambda: False)
    walked = time.perf_counter() - begun
    seconds = time.perf_counter() - start - forecast_seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    classes = found.classes
    return {
        "rules": len(found),
        "seconds": seconds,
        "walked": walked,
        "classes": classes,
        "copy": _copied(classes),
        "peak": peak,
        "told_seconds": forecast.seconds,
        "told_peak": used + forecast.bytes / 2**20,
        "sample": [float(found.risks[place]) for place in _sample(len(found))],
    }


def _used() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _copied(rows: int) -> float:
    """Seconds for `np.copy` of as many rows of a key and a count, a part at a time."""
    part = np.zeros(1 << 20, np.int64), np.zeros(1 << 20, np.int32)
    start = time.perf_counter()
    for _ in range(20):
        for column in part:
            np.copy(column)
    return (time.perf_counter() - start) / 20 * rows / (1 << 20)


def _sample(size: int) -> list[int]:
    return sorted(np.random.default_rng(7).choice(size, TIMED, replace=False).tolist())


def _theirs(problem: Problem, baseline: "Baseline") -> dict[str, Any]:
    """Ten rules, each with its generalised columns and Φ made before the clock starts."""
    risks, seconds = [], 0.0
    for place in _sample(problem.lattice.size):
        node = problem.lattice.node(place)
        left, right = _generalised(problem, node)
        run, names = baseline[0](left, right), list(right)
        start = time.perf_counter()
        risks.append(run(names) / len(problem))
        seconds += time.perf_counter() - start
    return {"seconds": seconds, "sample": risks, "code": baseline[1]}


def _generalised(problem: Problem, node: Node) -> tuple[dict[str, Any], dict[str, Any]]:
    names = [
        name for name in KNOWN if node[problem.names.index(name)] < problem.lattice.heights[problem.names.index(name)]
    ]
    places = {name: problem.names.index(name) for name in names}
    records = {name: problem.column(place).at(node[place]) for name, place in places.items()}
    records["phi"] = problem.sensitivity.at(node)
    known = {one.place: one for one in problem.dictionaries[0].known}
    entries = {name: known[place].hierarchy.up(0, node[place])[known[place].codes] for name, place in places.items()}
    if not names:
        records["all"], entries["all"] = (
            np.zeros(len(problem), np.int32),
            np.zeros(len(problem.dictionaries[0]), np.int32),
        )
    return records, entries


Run = Callable[[Sequence[str]], float]
Baseline = tuple[Callable[[dict[str, Any], dict[str, Any]], Run], str]
SQL = "SELECT sum(phi / n) FROM records JOIN (SELECT {by}, count(*) AS n FROM entries GROUP BY {by}) AS d USING ({by})"


def _pandas(left: dict[str, Any], right: dict[str, Any]) -> Run:
    import pandas as pd

    records, entries = pd.DataFrame(left), pd.DataFrame(right)

    def run(by: Sequence[str]) -> float:
        counts = entries.groupby(list(by), as_index=False).size()
        joined = records.merge(counts, on=list(by))
        return float((joined["phi"] / joined["size"]).sum())

    return run


def _duckdb(left: dict[str, Any], right: dict[str, Any]) -> Run:
    import duckdb
    import pyarrow as pa

    database = duckdb.connect()
    database.register("_records", pa.table(left))
    database.register("_entries", pa.table(right))
    database.execute("CREATE TABLE records AS SELECT * FROM _records; CREATE TABLE entries AS SELECT * FROM _entries")

    def run(by: Sequence[str]) -> float:
        found = database.execute(SQL.format(by=", ".join(f'"{name}"' for name in by))).fetchone()
        return float(found[0] or 0.0) if found else 0.0

    return run


def _polars(left: dict[str, Any], right: dict[str, Any]) -> Run:
    import polars as pl

    context = pl.SQLContext(records=pl.DataFrame(left), entries=pl.DataFrame(right), eager=True)

    def run(by: Sequence[str]) -> float:
        found = context.execute(SQL.format(by=", ".join(f'"{name}"' for name in by)))
        return float(found.item() or 0.0)

    return run


BASELINES: dict[str, Baseline] = {
    "pandas": (
        _pandas,
        "counts = entries.groupby(by, as_index=False).size(); joined = records.merge(counts, on=by); "
        "(joined.phi / joined.size).sum()",
    ),
    "duckdb": (_duckdb, SQL),
    "polars": (_polars, SQL),
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], float(sys.argv[4]))
    else:
        main(*sys.argv[1:])
