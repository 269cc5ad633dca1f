"""Solving large integer programmes in a process of its own, which is ended when the time is over.

The solver looks at the clock only now and then: of a programme of some hundred thousand entries two seconds become ten.
The process stays for the next programme. It ends when who started it does, and by itself when it has worked for long
after its time.
"""

import atexit
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from math import ceil
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from scipy.optimize import milp

Task = Mapping[str, Any]
"""What SciPy's `milp` takes."""
TIME_IS_UP = 1
GRACE = 0.2
"""So many seconds after its time it may still answer."""
ROOT = Path(__file__).parents[3]


class Reply(NamedTuple):
    """What the solver says: how it ended, the values, the goal, and what the goal is not below, as far as is known."""

    status: int
    x: Any
    fun: float | None
    bound: float | None


NOTHING = Reply(TIME_IS_UP, None, None, None)
"""The time was over before anything was known."""


def answered(task: Task) -> Reply:
    """Solve a programme here."""
    found = milp(**task)
    return Reply(int(found.status), found.x, found.fun, getattr(found, "mip_dual_bound", None))


class Apart:
    """The other process, begun when it is needed; it says when it is ready, which takes a second or so."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._ready = False

    def prepare(self) -> None:
        """Start it, so that it is there when the first programme is."""
        with suppress(OSError):
            self._begun()

    def _begun(self) -> Connection:
        if self._pipe is None or self._process is None or self._process.poll() is not None:
            self.end()
            self._pipe, theirs = Pipe()
            words = [sys.executable, "-m", "riskapp.core.search.solver", str(theirs.fileno())]
            self._process = subprocess.Popen(words, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
            theirs.close()
        return self._pipe

    def solve(self, task: Task, end: float) -> Reply:
        """The reply, or that the time was over; `end` is when that is, by the monotonic clock."""
        try:
            if not self._is_ready(end):
                return NOTHING
            pipe = self._begun()
            pipe.send((task, end))
            if _answers(pipe, end + GRACE):
                return Reply(*pipe.recv())
        except (EOFError, OSError):
            pass
        self.end()
        return NOTHING

    def _is_ready(self, end: float) -> bool:
        """Who is not there yet would not take what is sent; it is left to become so."""
        pipe = self._begun()
        if not self._ready and _answers(pipe, end):
            self._ready = bool(pipe.recv())
        return self._ready

    def end(self) -> None:
        """End it, whatever it does."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process, self._pipe, self._ready = None, None, False


def _answers(pipe: Connection, end: float) -> bool:
    return pipe.poll(max(end - time.monotonic(), 0.0))


APART = Apart()
atexit.register(APART.end)


def serve(pipe: Connection) -> None:
    """Solve one programme after the other, as they come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe.send(True)
    while True:
        task, end = pipe.recv()
        # The clock is that of the machine, so it is the same here.
        left = max(end - time.monotonic(), 0.01)
        worked = time.process_time() + left * (os.cpu_count() or 1)
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(worked + 2), resource.RLIM_INFINITY))
        pipe.send(tuple(answered({**task, "options": {**task["options"], "time_limit": left}})))


if __name__ == "__main__":
    with suppress(EOFError, OSError):  # nobody is left to ask
        serve(Connection(int(sys.argv[1])))
