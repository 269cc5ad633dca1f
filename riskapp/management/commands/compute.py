import logging
import os
import queue
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand

from riskapp import environment, storage
from riskapp.core import compiled
from riskapp.core.warm import warming
from riskapp.services import runs, works

log = logging.getLogger(__name__)
WAITING, COMPUTING = "riskapp waits", "riskapp runs"
LONGEST_LINE = 200


class Command(BaseCommand):
    help = "Wait for a claimed run, named on standard input, and compute it in this process. Started by a worker."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Nothing here may touch the database before there is a run: who waits holds no connection."""
        _be_called(WAITING)
        orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=[orders], daemon=True).start()
        _get_ready(orders)
        run, claim = (UUID(word) for word in orders.get().decode().split())
        _be_called(COMPUTING)
        # What a killed process leaves lies where it is found and shredded.
        environment.lay_temporary_files(storage.scratch_place(claim))
        try:
            runs.compute(run, claim)
        except Exception:  # Python would print its words, which may quote data; our log tells only its kind and place
            log.exception("run %s could not be ended", run)
            sys.exit(1)


def _get_ready(orders: "queue.SimpleQueue[bytes]") -> None:
    """Import what any run may need, and load its compiled loops where they are kept, until there is a run."""
    works.import_works()
    if compiled.KEPT:
        for _ in warming():
            if not orders.empty():
                break


def _listen(orders: "queue.SimpleQueue[bytes]") -> None:
    """Pass on the line that names the run. The pipe closes when the watcher dies; without one we must not go on.

    It is read below Python's own buffer, whose lock would be in the way when this process ends in good order.
    """
    line = b""
    while part := os.read(0, LONGEST_LINE):
        line += part
        if line.endswith(b"\n"):
            orders.put(line)
    os._exit(1)


def _be_called(name: str) -> None:
    """What `top` and `ps` show, where the system has such names."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)
