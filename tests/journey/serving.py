"""A real server for the tests: `manage.py serve` as a person starts it, watched from outside."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from riskapp.serving.leash import on_leash

ROOT = Path(__file__).resolve().parents[2]
PATCHING = Path(__file__).parent / "patching"
OWN = re.compile(r"^(RISKAPP_|DATABASE_URL$|REDIS_URL$|DJANGO_)")
MARKS = {"redis": "redis-server", "worker": " worker ", "beat": " beat", "web": "gunicorn"}


def wait_until(holds: Callable[[], Any], what: object, *, seconds: float = 30) -> Any:
    """The first true answer of `holds`; fails when there is none in time. Not a sleep: it goes on as soon as it can."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = holds()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain: {what}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def clean_environment(**wishes: str) -> dict[str, str]:
    """The environment without the settings of whoever runs the tests."""
    return {**{name: value for name, value in os.environ.items() if not OWN.match(name)}, **wishes}


def manage(*words: str, **wishes: str) -> subprocess.CompletedProcess[str]:
    """Run a command of manage.py to its end."""
    command = [sys.executable, "manage.py", *words]
    environment = clean_environment(**wishes)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


class Server:
    """A running `manage.py serve`: its lines, its parts and its pages."""

    def __init__(self, var: Path, **wishes: str) -> None:
        self.var, self.port = var, free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        # On our leash: tests that are killed leave no server behind.
        command = on_leash([sys.executable, "manage.py", "serve", "--port", str(self.port)])
        environment = clean_environment(RISKAPP_VAR=str(var), **wishes)
        self.supervisor = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.supervisor.stdout is not None
        for line in self.supervisor.stdout:
            self.lines.append(line.rstrip("\n"))

    def line(self, pattern: str, *, seconds: float = 60) -> re.Match[str]:
        """The first line that matches, waited for."""
        found = re.compile(pattern)

        def look() -> re.Match[str] | None:
            return next((hit for line in list(self.lines) if (hit := found.search(line))), None)

        wait_until(lambda: look() or self.supervisor.poll() is not None, (pattern, self.lines), seconds=seconds)
        if self.supervisor.poll() is not None:
            self._reader.join(10)
        hit = look()
        assert hit, f"the server ended without a line {pattern!r}: {self.lines}"
        return hit

    def ready(self) -> "Server":
        self.line(r"^riskapp is ready at ")
        return self

    def setup_link(self) -> str:
        return self.line(rf"({re.escape(self.base_url)}/\S+)$")[1]

    def pid(self, part: str) -> int | None:
        """The process of a part, None while it has none."""
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.supervisor.pid).children():
                with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                    if MARKS[part] in " ".join(child.cmdline()) and child.status() != psutil.STATUS_ZOMBIE:
                        return int(child.pid)
        return None

    def pids(self) -> dict[str, int]:
        return {part: pid for part in MARKS if (pid := self.pid(part)) is not None}

    def processes(self) -> list[psutil.Process]:
        """Every process that works on our folder, whoever its parent is by now."""
        return [process for process in psutil.process_iter() if _works_on(process, self.var)]

    def get(self, path: str) -> tuple[int, Any]:
        """Status and JSON of a page; status 0 when nobody answers."""
        try:
            with urllib.request.urlopen(self.base_url + path, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, json.load(answer)
        except OSError:
            return 0, None

    def visit(self, url: str) -> int:
        """Open a page as a browser does, with its cookies; the status where that ends."""
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with visitor.open(url, timeout=20) as answer:
            return int(answer.status)

    def stop(self, number: int = signal.SIGINT, *, seconds: float = 90) -> int:
        """Ask the server to stop; its exit code."""
        if self.supervisor.poll() is None:
            self.supervisor.send_signal(number)
        code = self.supervisor.wait(seconds)
        self._close()
        return code

    def kill(self) -> None:
        """End everything at once, whatever state it is in."""
        self.supervisor.kill()
        self.supervisor.wait()
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._close()

    def _close(self) -> None:
        self._reader.join(10)
        assert self.supervisor.stdout is not None
        self.supervisor.stdout.close()


def _works_on(process: psutil.Process, var: Path) -> bool:
    """By its environment, or by its name: Redis writes its name over its environment."""
    with suppress(psutil.Error):
        ours = process.environ().get("RISKAPP_VAR") == str(var) or f"{var}/redis" in " ".join(process.cmdline())
        return ours and process.status() != psutil.STATUS_ZOMBIE
    return False
