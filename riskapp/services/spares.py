"""The spare child of a worker: a fresh process that has imported everything and waits for one run.

Starting Python and importing the libraries takes longer than most questions of a page. So the process that computes
the next run is started beforehand. It is used once, and holds neither a run nor a connection while it waits.
"""

import subprocess
import sys
import threading
from pathlib import Path
from uuid import UUID

from django.conf import settings

Child = subprocess.Popen[bytes]


def start() -> Child:
    """A process that will compute the run named on its standard input, and ends when that closes."""
    manage = Path(settings.BASE_DIR) / "manage.py"
    return subprocess.Popen(
        [sys.executable, str(manage), "compute"], stdin=subprocess.PIPE, cwd=settings.BASE_DIR, bufsize=0
    )


class Spare:
    """At most one waiting child for all threads of a worker."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._ended = False
        # A signal can ask for the end in the middle of what this very thread is doing.
        self._lock = threading.RLock()

    def prepare(self) -> None:
        """See to it that a child is waiting."""
        with self._lock:
            if self._ended or (self._child is not None and self._child.poll() is None):
                return
            self._child = start()
            if self._ended:
                self._end_child()

    def give(self, run_id: str, token: UUID) -> Child:
        """The child that computes the run from now on: the spare, or where there is none a new one."""
        with self._lock:
            child, self._child = self._child, None
        if child is None or not _told(child, run_id, token):
            child = start()
            _told(child, run_id, token)
        return child

    def end(self) -> None:
        """Have no child waiting, now and later."""
        with self._lock:
            self._ended = True
            self._end_child()

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            with child:
                child.kill()


def _told(child: Child, run_id: str, token: UUID) -> bool:
    """Whether the child could be told which run is its own; one that was killed while it waited cannot."""
    assert child.stdin is not None
    try:
        child.stdin.write(f"{run_id} {token}\n".encode())
    except BrokenPipeError:
        child.wait()
        return False
    return child.poll() is None
