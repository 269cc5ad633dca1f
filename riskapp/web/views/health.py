"""How the product is: the database, the broker and the storage, each tried for real. The answers hold no details."""

import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse

from riskapp.celery import app

OK = "ok"
FAILING = "failing"
BROKER_SECONDS = 2

log = logging.getLogger(__name__)


def healthz(request: HttpRequest) -> JsonResponse:
    """The web server lives, whatever the rest does: always 200, so that nobody restarts it for another's fault."""
    return JsonResponse(_state())


def readyz(request: HttpRequest) -> JsonResponse:
    """The product can work: 200 when everything it needs is there, otherwise 503."""
    state = _state()
    return JsonResponse(state, status=200 if set(state.values()) == {OK} else 503)


def _state() -> dict[str, str]:
    tries = {"database": _try_database, "broker": _try_broker, "storage": _try_storage}
    return {name: _outcome(name, attempt) for name, attempt in tries.items()}


def _outcome(name: str, attempt: Callable[[], None]) -> str:
    try:
        attempt()
    except Exception as trouble:  # whatever it is, it is not ok; its text may hold addresses and passwords
        log.warning("%s is failing: %s", name, type(trouble).__name__)
        return FAILING
    return OK


def _try_database() -> None:
    """Our tables are there: an empty database answers too, but is no use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM django_migrations WHERE app = %s", ["riskapp"])
        if cursor.fetchone() is None:
            raise LookupError("no migration has run")


def _try_broker() -> None:
    """A connection of its own: one from the pool could look alive after its Redis has gone."""
    short = {"socket_timeout": BROKER_SECONDS, "socket_connect_timeout": BROKER_SECONDS}
    options = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, **short}
    with app.connection_for_write(transport_options=options) as broker:
        broker.transport.create_channel(broker.transport.establish_connection()).close()


def _try_storage() -> None:
    """Bytes reach the disk. The file has no name, so nothing remains of it however we end."""
    folder = Path(settings.FILES)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(b"\0" * 4096)
        probe.flush()
        os.fsync(probe.fileno())
