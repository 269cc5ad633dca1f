"""Large programmes are solved in another process: the same answers, and none when the time is over."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint

from riskapp.core.optimum import Question
from riskapp.core.search import programme, solver
from riskapp.core.search.answer import Options
from riskapp.core.search.crowd import Meets
from riskapp.core.search.milp import milp
from riskapp.core.search.record import Record
from riskapp.core.search.solver import NOTHING, Apart, answered

LONG = 300.0


@pytest.fixture
def apart() -> Iterator[Apart]:
    found = Apart()
    yield found
    found.end()


def task(seed: int = 3) -> dict[str, Any]:
    """A knapsack."""
    draw = np.random.default_rng(seed)
    row = LinearConstraint(draw.integers(1, 30, (1, 20)), ub=90)
    options = {"mip_rel_gap": 0.0, "time_limit": LONG}
    worth = -draw.integers(1, 30, 20)
    return {"c": worth, "integrality": np.ones(20), "bounds": Bounds(0, 1), "constraints": [row], "options": options}


def process(apart: Apart) -> "subprocess.Popen[bytes]":
    apart.prepare()
    assert apart._process is not None
    return apart._process


def test_what_is_solved_apart_is_what_is_solved_here_by_one_process_for_all(apart: Apart) -> None:
    first = process(apart)
    for seed in range(4):
        here, there = answered(task(seed)), apart.solve(task(seed), time.monotonic() + LONG)
        assert (here.status, here.fun, here.bound) == (there.status, there.fun, there.bound)
        assert here.x.tolist() == there.x.tolist()
    assert process(apart) is first


def test_who_does_not_answer_in_time_is_ended_and_another_one_answers_the_next(apart: Apart) -> None:
    assert apart.solve(task(), time.monotonic() + LONG).fun == answered(task()).fun
    first = process(apart)
    os.kill(first.pid, signal.SIGSTOP)
    assert apart.solve(task(), time.monotonic() + 0.1) == NOTHING
    assert first.poll() == -signal.SIGKILL
    assert apart.solve(task(), time.monotonic() + LONG).fun == answered(task()).fun


def test_who_is_not_ready_yet_is_waited_for_no_longer_than_there_is_time(apart: Apart) -> None:
    assert apart.solve(task(), time.monotonic()) == NOTHING
    assert process(apart).poll() is None
    assert apart.solve(task(), time.monotonic() + LONG).fun == answered(task()).fun


def test_one_that_was_killed_is_started_again(apart: Apart) -> None:
    process(apart).kill()
    process(apart).wait()
    assert apart.solve(task(), time.monotonic() + LONG).fun == answered(task()).fun


def test_it_ends_when_nobody_is_left_to_ask_it(apart: Apart) -> None:
    one = process(apart)
    assert apart._pipe is not None
    apart._pipe.close()
    assert one.wait(LONG) == 0


def a_record(seed: int) -> Record:
    draw = np.random.default_rng(seed)
    meets = np.vstack([np.zeros((1, 4), np.int64), draw.integers(0, 3, (40, 4))])
    weights = [np.array([2.0, 1.0, 0.0]) * weight for weight in draw.integers(1, 5, 4)]
    return Record((2,) * 4, weights, [[2.0, 1.0, 0.0]] * 4, (Meets.of(meets),))


@pytest.mark.parametrize(("kind", "bound"), [("least_utility", 3), ("most_risk", 0.4)])
def test_nodes_found_apart_are_the_nodes_found_here(monkeypatch: pytest.MonkeyPatch, kind: str, bound: float) -> None:
    asked = list[float]()
    solve = solver.APART.solve

    def counted(task: solver.Task, end: float) -> solver.Reply:
        asked.append(end)
        return solve(task, end)

    monkeypatch.setattr(programme, "MANY", 0)
    monkeypatch.setattr(solver.APART, "solve", counted)
    for seed in range(12):
        here, there = (milp(a_record(seed), Question(kind, bound), Options(seconds=each)) for each in (None, LONG))
        assert here == there
    assert len(asked) >= 12
