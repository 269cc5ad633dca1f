"""Matching by likeness: 20,000 different names of a dictionary against 100,000 of a dataset, in under a minute.

Run as `python benchmarks/fuzzy.py [values] [labels]`. A plain loop over all pairs, on a sample, says what is saved; it
must find the same first.
"""

import resource
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from riskapp.core.table import jaro
from riskapp.core.table.alike import alike
from riskapp.core.table.build_masks import flat
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList, texts

THRESHOLD = "0.8"
SAMPLE = (40, 2_500)
AT_MOST_SECONDS = 60
SYLLABLES = "an be ca do el fi ga ha is jo ka la ma ni o pe qui ra sa ta u ve wi xa yo za st er on th".split()


def main(values: int = 20_000, labels: int = 100_000) -> None:
    loop = _plain_rate(values, labels)
    command = [sys.executable, __file__, "--child", str(values), str(labels)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    seconds, peak, found = float(answer[0]), float(answer[1]), int(answer[2])
    rate = values * labels / seconds
    print(f"likeness, {values:,} names against {labels:,}, threshold {THRESHOLD}, {found:,} pairs alike")
    print(f"  seconds                         {seconds:8.1f} s   at most {AT_MOST_SECONDS}")
    print(f"  pairs per second                {rate / 1e6:8.1f} million")
    print(f"  peak memory                     {peak:8,.0f} MB")
    print(f"  ratio to a loop over pairs      {rate / loop:8.0f}     the same found in {SAMPLE[0] * SAMPLE[1]:,} pairs")


def child(values: int, labels: int) -> None:
    """Seconds, peak memory in MB and pairs found, of a process that does nothing else."""
    some, hierarchy = names(values, 1), _hierarchy(names(labels, 2))
    start = time.perf_counter()
    found = alike(hierarchy, 0, texts([None, *some]), THRESHOLD)
    seconds = time.perf_counter() - start
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(found.codes))


def names(many: int, seed: int) -> list[str]:
    """Different made-up surnames of two to six syllables."""
    draw = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < many:
        found["".join(draw.choice(SYLLABLES, draw.integers(2, 7))).capitalize()] = None
    return list(found)


def _hierarchy(labels: list[str]) -> Hierarchy:
    return flat("surname", [ValueList.of(labels)])


def _plain_rate(values: int, labels: int) -> float:
    """Pairs per second of the plain loop, which has to find what `alike` finds."""
    some, hierarchy = names(min(values, SAMPLE[0]), 1), _hierarchy(names(min(labels, SAMPLE[1]), 2))
    listed, least = hierarchy.labels[0][1:].to_pylist(), Fraction(THRESHOLD)
    start = time.perf_counter()
    slow = [code for value in some for code, label in enumerate(listed, 1) if jaro.similarity(value, label) >= least]
    seconds = time.perf_counter() - start
    if slow != alike(hierarchy, 0, texts([None, *some]), THRESHOLD).codes.tolist():
        raise SystemExit("The loop finds other pairs.")
    return len(some) * len(listed) / seconds


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main(*(int(argument) for argument in sys.argv[1:]))
