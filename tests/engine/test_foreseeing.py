"""What a run will cost is told as a range, or it is said plainly that the officer must set a time."""

import os
import threading

import numpy as np

from riskapp.core.rolled.pace import slowdown
from riskapp.core.search.plan import planned
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem
from riskapp.engine.foreseeing import foreseen


def table(columns: int, values: int, rows: int = 300) -> Problem:
    draw = np.random.default_rng(1)
    drawn = draw.integers(0, values, (rows, columns)).astype(str)
    return problem({f"c{place}": drawn[:, place].tolist() for place in range(columns)}, hierarchies={})


def test_a_table_that_is_counted_by_groups_has_a_range_of_time() -> None:
    told = foreseen(table(4, 3))
    assert (told.nodes, told.by_records) == (16, False)
    assert told.seconds is not None
    assert told.at_most is not None
    assert 0 < told.seconds < told.at_most
    assert told.bytes


def test_a_table_whose_columns_need_too_many_bits_has_one_too() -> None:
    wide = table(9, 250)
    assert planned(wide) is None
    told = foreseen(wide)
    assert (told.nodes, told.by_records) == (512, True)
    assert told.seconds is not None
    assert told.at_most is not None
    assert 0 < told.seconds < told.at_most
    assert told.bytes


def test_rules_that_are_too_many_have_no_time_of_their_own() -> None:
    told = foreseen(table(21, 2, rows=20))
    assert told.nodes == 1 << 21
    assert told.seconds is told.at_most is told.bytes is None


def test_a_busy_machine_is_found_to_be_slower() -> None:
    over = threading.Event()

    def busy() -> None:
        numbers = np.random.default_rng(0).integers(0, 1 << 62, 1 << 16)
        while not over.is_set():
            np.sort(numbers)

    cores = len(os.sched_getaffinity(0))
    others = [threading.Thread(target=busy) for _ in range(3 * cores)]
    for other in others:
        other.start()
    try:
        assert slowdown(cores, 0.3) > 1.5
    finally:
        over.set()
        for other in others:
            other.join()
