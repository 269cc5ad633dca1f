"""Rows shared out among other processes, and what is found in their order.

The others hear no Ctrl-C: who started them decides. They hold the end of a pipe, and end themselves when its other end
is gone, be it closed because nothing more is wanted, or because the process that held it was killed.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, TypeVar

from riskapp.core.errors import Stopped
from riskapp.core.watching import Stop

Found = TypeVar("Found")
Work = Callable[[range], list[Found]]

LISTENING = 0.1
"""So many seconds pass between two looks whether to stop."""

_work: list[Work[Any]] = []
"""What this process was started for."""


def shared_out(work: Work[Found], parts: Iterator[range], processes: int, stop: Stop) -> Iterator[list[Found]]:
    """What the work finds in each part, in the order of the parts.

    Parameters
    ----------
    work : is sent to the others once
    parts : of the rows; no more are handed out than a few ahead
    processes : how many others there are
    stop : is asked several times a second

    Raises
    ------
    Stopped
        If `stop` says so; the others end at once.
    """
    with _others(work, processes) as pool:
        with _children_deaf_to_ctrl_c():
            waiting = deque(pool.submit(_worked, part) for part in islice(parts, 2 * processes))
        while waiting:
            yield _ended(waiting.popleft(), stop)
            waiting.extend(pool.submit(_worked, part) for part in islice(parts, 1))


def _ended(future: "Future[list[Found]]", stop: Stop) -> list[Found]:
    while not wait([future], LISTENING).done:
        if stop():
            raise Stopped
    return future.result()


@contextmanager
def _others(work: Work[Any], processes: int) -> Iterator[ProcessPoolExecutor]:
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(work, theirs))
    try:
        yield pool
    except BaseException:
        ours.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        ours.close()
        theirs.close()


@contextmanager
def _children_deaf_to_ctrl_c() -> Iterator[None]:
    """A process begins with the signals blocked that its parent has blocked; ours comes when we hear again."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(work: Work[Any], pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(pipe,), daemon=True).start()
    _work.append(work)


def _end_with(pipe: Connection) -> None:
    pipe.poll(None)
    os._exit(0)


def _worked(part: range) -> list[Any]:
    return _work[0](part)
