"""`manage.py serve`: the whole product in one command, on one machine."""

import os
import shlex
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseTrouble
from django.db import connections
from django.http.request import validate_host

from riskapp.serving import parts, ports, probe
from riskapp.serving.errors import CannotServe
from riskapp.serving.folders import only_one, private
from riskapp.serving.parts import Part
from riskapp.serving.supervisor import Supervisor

READY_SECONDS = 60


class Command(BaseCommand):
    help = "Run riskapp: its Redis, worker, beat and web server. Ctrl-C stops them all."
    # Those of pages and templates would load everything that computes into a process that only watches others.
    requires_system_checks = (
        Tags.models,
        Tags.caches,
        Tags.compatibility,
        Tags.files,
        Tags.security,
        Tags.staticfiles,
        Tags.translation,
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
        parser.add_argument("--port", default=8000, type=int, help="the port to listen on (8000)")
        parser.add_argument("--print-parts", action="store_true", help="say which commands would run, and end")

    def handle(self, *args: Any, host: str, port: int, print_parts: bool, **options: Any) -> None:
        os.umask(0o077)
        try:
            if print_parts:
                return self._print(_parts(host, port))
            with only_one(settings.VAR):
                self._serve(host, port)
        except CannotServe as trouble:
            raise CommandError(str(trouble)) from None

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _print(self, chosen: list[Part]) -> None:
        for part in chosen:
            self._say(f"{part.name}: {shlex.join(part.command)}")

    def _serve(self, host: str, port: int) -> None:
        _check_address(host, port)
        supervisor = Supervisor(settings.BASE_DIR, settings.LOGS, self._say)
        supervisor.listen()
        _prepare()
        try:
            self._start(supervisor, host, port)
            supervisor.tend_for_ever()
        finally:
            self._say("stopping …")
            supervisor.stop(parts.STOPPING_ORDER)
        self._say("stopped")

    def _start(self, supervisor: Supervisor, host: str, port: int) -> None:
        for part in _parts(host, port):
            if supervisor.stopping:
                return
            supervisor.start(part)
            if part.name == "redis":
                self._await_redis(supervisor)
        self._await_web(supervisor, host, port)

    def _await_redis(self, supervisor: Supervisor) -> None:
        answers = partial(probe.redis_answers, settings.REDIS_SOCKET)
        if not supervisor.tend_until(answers, seconds=READY_SECONDS) and not supervisor.stopping:
            raise CannotServe(f"The Redis that comes with riskapp does not start; see {settings.LOGS / 'redis.log'}.")

    def _await_web(self, supervisor: Supervisor, host: str, port: int) -> None:
        address = ports.url(host, port).removeprefix("http://")
        if supervisor.tend_until(lambda: probe.page(address, "/healthz") == 200, seconds=READY_SECONDS):
            self._say_ready(settings.ORIGIN or ports.url(host, port))
        elif not supervisor.stopping:
            self._say(f"The web server does not answer yet; see {settings.LOGS / 'web.log'}. It is tried on.")

    def _say_ready(self, base_url: str) -> None:
        self._say(f"riskapp is ready at {base_url}/  (Ctrl-C stops it; logs in {_shown(settings.LOGS)})")
        link = _setup_link(base_url)
        if link:
            self._say(f"There is no administrator yet. Open this one-time link to become it: {link}")


def _check_address(host: str, port: int) -> None:
    ports.check(host, port)
    named = f"[{host}]" if ":" in host else host
    if host not in ports.EVERY_ADDRESS and not validate_host(named, settings.ALLOWED_HOSTS):
        raise CannotServe(f"riskapp would refuse every request to {host}. Add {named} to RISKAPP_HOSTS.")


def _prepare() -> None:
    """The folders, the database and the static files as this version wants them."""
    for folder in {settings.VAR / "redis", settings.REDIS_SOCKET.parent} if settings.REDIS_EMBEDDED else ():
        private(folder)
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseTrouble as trouble:
        kind = type(trouble).__name__
        raise CannotServe(f"The database cannot be used ({kind}). Check DATABASE_URL and its server.") from None
    finally:
        connections.close_all()
    call_command("collectstatic", interactive=False, verbosity=0)


def _parts(host: str, port: int) -> list[Part]:
    own = [parts.redis(settings.VAR / "redis", settings.REDIS_SOCKET)] if settings.REDIS_EMBEDDED else []
    return [*own, parts.worker(settings.WORKERS), parts.beat(), parts.web(ports.bind(host, port))]


def _setup_link(base_url: str) -> str | None:
    from riskapp.services import accounts

    try:
        return accounts.setup_link(base_url)
    finally:
        connections.close_all()


def _shown(path: Path) -> str:
    """A path as short as it can be written from here."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
