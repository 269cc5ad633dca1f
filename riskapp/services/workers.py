"""A worker's watch over one run.

The run is computed in a fresh process of its own: threads of numeric libraries do not survive a fork, a crash takes
nothing else with it, and a cancelled run is stopped whatever it is doing. The child lives only as long as its
watcher: it reads a pipe whose other end closes when the watcher dies.
"""

import logging
import subprocess
import sys
from pathlib import Path
from uuid import UUID

from django.conf import settings

from riskapp.models import Run
from riskapp.services import runs
from riskapp.services.states import Overtaken

LOOK_EVERY = 0.5
log = logging.getLogger(__name__)


def carry_out(run_id: str) -> None:
    """Claim a run and see it through. A run that is not waiting any more is left alone."""
    token = runs.claim(run_id)
    if token is None:
        return
    child = _start(run_id, token)
    if _watch(child, run_id, token) != 0:
        _child_died(run_id, token)


def _start(run_id: str, token: UUID) -> subprocess.Popen[bytes]:
    manage = Path(settings.BASE_DIR) / "manage.py"
    return subprocess.Popen(
        [sys.executable, str(manage), "compute", str(run_id), str(token)], stdin=subprocess.PIPE, cwd=settings.BASE_DIR
    )


def _watch(child: subprocess.Popen[bytes], run_id: str, token: UUID) -> int:
    """Wait for the child's end, saying that we live; end it when the run is ours no more."""
    looks_per_beat = max(1, round(settings.HEARTBEAT_SECONDS / LOOK_EVERY))
    looks = 0
    while True:
        try:
            return child.wait(LOOK_EVERY)
        except subprocess.TimeoutExpired:
            looks += 1
        if not _owned(run_id, token, beat=looks % looks_per_beat == 0):
            child.kill()
            child.wait()
            return 0


def _owned(run_id: str, token: UUID, *, beat: bool) -> bool:
    """Looking is cheap and done often, so that a cancelled run stops at once; the heartbeat is a write and is rarer."""
    if beat:
        return runs.still_ours(run_id, token)
    return Run.objects.filter(pk=run_id, claim=token).exists()


def _child_died(run_id: str, token: UUID) -> None:
    run = Run.objects.filter(pk=run_id, claim=token).first()
    if run is None:
        return
    log.warning("run %s: its process died", run_id)
    try:
        runs.lose(run, by=runs.WORKER)
    except Overtaken:
        pass
