"""What a run will cost is told as a range, or it is said plainly that the officer must set a time."""

import os
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from riskapp.core.rolled.pace import slowdown
from riskapp.core.search import region_pass
from riskapp.core.search.plan import planned
from riskapp.core.search.region_pass import Pass
from riskapp.core.search.region_tree import finest
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem
from riskapp.engine import memory
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


def least(told: Callable[[], float | None]) -> float:
    """Of several tries the one that others disturbed least."""
    return min(found for found in (told() for _ in range(4)) if found is not None)


def test_rules_by_region_are_foreseen_by_nodes_that_were_tried() -> None:
    few, many = (table(columns, 3, rows=3000) for columns in (3, 8))
    assert 8 * least(lambda: foreseen(few).regional) < least(lambda: foreseen(many).regional), "32 times the nodes"


def test_rules_by_region_that_cannot_be_searched_have_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_pass, "MOST", 7)
    assert foreseen(table(3, 3)).regional is None, "eight nodes"


def test_the_time_of_rules_by_region_is_that_of_going_through_the_nodes() -> None:
    asked = table(7, 3, rows=3000)

    def took() -> float:
        start = time.perf_counter()
        Pass(asked, finest(asked, 8)).run()
        return time.perf_counter() - start

    assert least(took) / 8 < least(lambda: foreseen(asked).regional) < 12 * least(took)


def test_the_memory_holds_what_the_process_has_in_it_already() -> None:
    before = memory.held()
    told = foreseen(table(4, 3)).bytes
    assert told is not None
    assert before < told
