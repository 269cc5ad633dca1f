"""A worker's watch over one run.

The run is computed in a fresh process of its own: threads of numeric libraries do not survive a fork, a crash takes
nothing else with it, and a cancelled run is stopped whatever it is doing. The child lives only as long as its
watcher: it reads a pipe whose other end closes when the watcher dies. It was started beforehand and is used once.

Long runs leave one place free, so that an upload is read and a page is answered whatever else is going on. A long run
for which there is no place stays queued; its id is sent again when one has ended, and by the beat.
"""

import logging
import subprocess
import threading
from contextlib import suppress
from itertools import count
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection

from riskapp import storage
from riskapp.models import Run, RunState
from riskapp.services import runs
from riskapp.services.spares import Spare
from riskapp.services.states import Overtaken
from riskapp.services.works import LONG

LOOK_EVERY = 0.5
LONGEST_FAREWELL = 3 * settings.EMAIL_TIMEOUT
"""Seconds for what follows the end of a run; a mail server may be slow at each step of a letter."""
log = logging.getLogger(__name__)
stopping = threading.Event()
spare = Spare()
long_places = threading.BoundedSemaphore(max(1, settings.WORKERS - 1))


def carry_out(run_id: str) -> None:
    """See a run through, if there is a place for it."""
    if not Run.objects.filter(pk=run_id, kind__in=LONG).exists():
        _see_through(run_id)
    elif long_places.acquire(blocking=False):
        try:
            _see_through(run_id)
        finally:
            long_places.release()
        _send_next()


def _send_next() -> None:
    waiting = Run.objects.filter(state=RunState.QUEUED, kind__in=LONG).order_by("queued_at").first()
    if waiting is not None and not stopping.is_set():
        runs.send(waiting)


def _see_through(run_id: str) -> None:
    """Claim a run and watch it to its end. A run that is not waiting any more is left alone."""
    token = None if stopping.is_set() else runs.claim(run_id)
    if token is None:
        return
    scratch = storage.scratch_place(token)
    scratch.mkdir(parents=True, mode=0o700)
    try:
        with spare.give(run_id, token) as child:
            try:
                ended_well = _watch(child, run_id, token)
            finally:
                child.kill()
    finally:
        storage.shred(scratch)
    spare.prepare()
    if not ended_well:
        _child_died(run_id, token)


def stop() -> None:
    """Give back the runs that are under way, and take no more."""
    stopping.set()
    spare.end()


def _watch(child: subprocess.Popen[bytes], run_id: str, token: UUID) -> bool:
    """Wait for the child's end, saying that we live. Not when the run is ours no more, or we are being stopped."""
    looks_per_beat = max(1, round(settings.HEARTBEAT_SECONDS / LOOK_EVERY))
    for look in count(1):
        try:
            return child.wait(LOOK_EVERY) == 0
        except subprocess.TimeoutExpired:
            spare.prepare()  # not before: a short answer is not to be slowed by it
        if stopping.is_set():
            runs.give_back(run_id, token)
            return True
        if not _owned(run_id, token, beat=look % looks_per_beat == 0):
            _let_it_end(child, run_id)
            return True
    raise AssertionError("counting never ends")


def _let_it_end(child: subprocess.Popen[bytes], run_id: str) -> None:
    """Who has ended the run still writes letters and clears up; who only lost it is of no use any more."""
    with suppress(DatabaseError, subprocess.TimeoutExpired):
        if Run.objects.filter(pk=run_id, state__in=[RunState.SUCCEEDED, RunState.FAILED]).exists():
            child.wait(LONGEST_FAREWELL)


def _owned(run_id: str, token: UUID, *, beat: bool) -> bool:
    """Looking is cheap and done often, so that a cancelled run stops at once; the heartbeat is a write and is rarer.

    A database that does not answer says nothing about whose the run is.
    """
    try:
        if beat:
            return runs.still_ours(run_id, token)
        return Run.objects.filter(pk=run_id, claim=token).exists()
    except DatabaseError as trouble:
        log.warning("run %s: the database does not answer: %s", run_id, type(trouble).__name__)
        connection.close()
        return True


def _child_died(run_id: str, token: UUID) -> None:
    run = Run.objects.filter(pk=run_id, claim=token).first()
    if run is None:
        return
    log.warning("run %s: its process died", run_id)
    try:
        runs.lose(run, by=runs.WORKER)
    except Overtaken:
        pass
