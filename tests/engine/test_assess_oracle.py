"""`assess` equals the oracle, which shares no code with it, on random assessments that use every option."""

import itertools
import time
from collections import Counter
from pathlib import Path
from typing import Any

from riskapp.engine.assess import assess
from tests import oracle
from tests.oracle import reading
from tests.oracle.assessment import same, written
from tests.oracle.building import build
from tests.oracle.instances import draw
from tests.oracle.options import as_table, counted, used
from tests.oracle.people import share_above
from tests.oracle.release import full_domain

MOST_DRAWN, LEAST = 500, 20
REPLAYED = 3
"""One in so many is replayed by the oracle over all completions, in the others its closedness is used."""
COMPARED = ("dataset", "coverage", "rules", "frontier", "optimum")
TAGS = ("number", "holds_against", "conditions", "search")


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """The parts of a result that both sides have, and of the words of an infeasible question what they name."""
    kept = {key: result[key] for key in COMPARED}
    kept["rules"] = [{key: value for key, value in rule.items() if key not in TAGS} for rule in result["rules"]]
    best = result["optimum"]
    if best and "infeasible" in best:
        missed = best["infeasible"].removeprefix("No rule will do. The nearest misses: ").removesuffix(".")
        kept["optimum"] = {**best, "infeasible": missed}
    return kept


def with_shares(result: dict[str, Any], path: Path) -> dict[str, Any]:
    """The oracle's result with the shares of people above the limit, which it counts only to compare them."""
    problem = build(reading.assessment(path), path.parent)
    limit = (problem.search.get("limits") or {}).get("share_above")
    for rule, dictionary in itertools.product(result["rules"] if limit else [], problem.dictionaries):
        rows = full_domain(problem, tuple(rule["node"].values()))
        share = share_above(problem, dictionary, rows, limit["chance"])
        figures = rule["people"][dictionary.name]
        figures["share_above"] = figures["by_replay"]["share_above"] = share
    return result


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Where two results differ, for the message."""
    if same(ours, theirs):
        return []
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [line for key in ours for line in differences(ours[key], theirs[key], f"{where}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [
            line
            for place, pair in enumerate(zip(ours, theirs, strict=True))
            for line in differences(*pair, f"{where}.{place}")
        ]
    return [f"{where}: {ours} is not {theirs}"]


def drawn(folder: Path) -> list[Path]:
    """Random assessments, of which those stay that use an option value which fewer than twenty before them used."""
    seen, kept = Counter[tuple[str, str]](), []
    for seed in range(MOST_DRAWN):
        (folder / str(seed)).mkdir()
        path = draw(seed, folder / str(seed))
        uses = set(used(path))
        if any(seen[use] < LEAST for use in uses):
            seen.update(uses)
            kept.append(path)
    return kept


def test_assess_equals_the_oracle_whatever_the_options(tmp_path: Path) -> None:
    paths, wrong = drawn(tmp_path), {}
    outcomes, seconds = Counter[str](), Counter[str]()
    for number, path in enumerate(paths):
        start = time.perf_counter()
        theirs = written(with_shares(oracle.assess(path, replay=number % REPLAYED == 0), path))
        between = time.perf_counter()
        ours = assess(path).mapping()
        seconds.update({"oracle": between - start, "assess": time.perf_counter() - between})
        if found := differences(compared(ours), compared(theirs)):
            wrong[path.parent.name] = found[:3]
        best = ours["optimum"]
        outcomes["no question" if best is None else "infeasible" if "infeasible" in best else "found"] += 1
        outcomes["rules"] += len(ours["rules"])
    counts = counted(paths)
    print(f"{len(paths)} assessments: {dict(outcomes)}, seconds {dict(seconds)}", as_table(counts), sep="\n")
    rare = {(option, value) for option, found in counts.items() for value, count in found.items() if count < LEAST}
    assert not rare
    assert min(outcomes[kind] for kind in ("no question", "infeasible", "found")) >= LEAST
    assert not wrong
