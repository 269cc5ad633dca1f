"""Somebody who is signed in and sends requests without a browser, and a look into the server's database."""

import fcntl
import http.client
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from tests.journey.serving import ROOT, Server, clean_environment

MAKE_PERSON = """
import json, sys, django; django.setup()
from riskapp.models import Actor, Role, User
from riskapp.services import projects
from tests.journey.visitor import session_of
user, _ = User.objects.get_or_create(email="ines@example.org", name="Ines", may_create_projects=True)
project = projects.create(by=Actor(user), name="Members", purpose="", role=Role.OFFICER)
print(json.dumps({"session": session_of(user), "project": str(project.pk)}))
"""


@dataclass(frozen=True)
class Visitor:
    """The owner of a project of their own, made directly in the server's database."""

    server: Server
    session: str
    project: str
    csrf: str = "a" * 32

    @classmethod
    def of(cls, server: Server) -> "Visitor":
        environment = clean_environment(RISKAPP_VAR=str(server.var), DJANGO_SETTINGS_MODULE="riskapp.settings")
        command = [sys.executable, "-c", MAKE_PERSON]
        made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return cls(server, **json.loads(made.stdout))

    def send(self, body: Iterator[bytes] | bytes, name: str, size: int) -> tuple[int, Any]:
        """Upload a file of `size` bytes as the page's script does it; status 0 when the connection breaks."""
        border = uuid4().hex
        head = (
            f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        tail = f"\r\n--{border}--\r\n".encode()
        headers = self._headers() | {
            "Content-Type": f"multipart/form-data; boundary={border}",
            "Content-Length": str(len(head) + size + len(tail)),
        }

        def parts() -> Iterator[bytes]:
            yield head
            yield from [body] if isinstance(body, bytes) else body
            yield tail

        return self._ask("POST", f"/projects/{self.project}/uploads/", headers, parts())

    def post(self, path: str, **fields: str) -> int:
        body = urlencode(fields).encode()
        about = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
        return self._ask("POST", path, self._headers() | about, iter([body]))[0]

    def _headers(self) -> dict[str, str]:
        return {
            "Cookie": f"sessionid={self.session}; csrftoken={self.csrf}",
            "X-CSRFToken": self.csrf,
            "Accept": "application/json",
        }

    def _ask(self, method: str, path: str, headers: dict[str, str], body: Iterator[bytes]) -> tuple[int, Any]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)) as line:
            try:
                line.request(method, path, body=body, headers=headers)
                answer = line.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                return 0, None
        return answer.status, json.loads(text) if text.startswith(b"{") else None


def session_of(user: Any) -> str:
    """A session in which somebody is signed in; in a process that has the server's database."""
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session["_auth_user_id"], session["_auth_user_hash"] = str(user.pk), user.get_session_auth_hash()
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session.create()
    return str(session.session_key)


def rows(var: Path, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """What the server's database says now."""
    with closing(sqlite3.connect(var / "riskapp.sqlite3", timeout=30)) as database:
        return database.execute(query, parameters).fetchall()


def locked(var: Path) -> bool:
    """Whether somebody is in the middle of writing into the server's database, or of moving the head of its trail.

    The head is moved after the writing has ended, under a lock of its own.
    """
    with closing(sqlite3.connect(var / "riskapp.sqlite3", timeout=0.5)) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
    with (var / "audit" / "head.lock").open("a") as head:
        try:
            fcntl.flock(head, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def files(var: Path) -> list[Path]:
    """Everything in the store that is a file."""
    return [path for path in (var / "files").rglob("*") if path.is_file()]
