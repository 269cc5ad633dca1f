"""How busy the machine is right now."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

NUMBERS = 1 << 16


def slowdown(threads: int, seconds: float) -> float:
    """How many times longer work takes now than if each thread had a core to itself.

    So many threads sort numbers for a moment, outside Python's lock. The time that passes is held against the time
    that the processor gave them.

    >>> 1 <= slowdown(2, 0.01) < 1000
    True
    """
    with ThreadPoolExecutor(threads) as pool:
        spent = list(pool.map(_spent, [seconds] * threads))
    passed, given = sum(clock for clock, _ in spent), sum(processor for _, processor in spent)
    return max(1.0, float(passed / max(given, 1e-9)))


def _spent(seconds: float) -> tuple[float, float]:
    """The seconds that passed, and those of the processor."""
    numbers = np.random.default_rng(0).integers(0, 1 << 62, NUMBERS)
    clock, processor = time.perf_counter(), time.thread_time()
    while time.perf_counter() - clock < seconds:
        np.sort(numbers)
    return time.perf_counter() - clock, time.thread_time() - processor
