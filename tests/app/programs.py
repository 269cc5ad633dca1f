"""A program that holds a token, for the tests of the API."""

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from riskapp.models import Actor, User
from riskapp.services import tokens

ALL = list(tokens.SCOPES)


class Program:
    """Sends requests to the API with a token of somebody."""

    def __init__(self, user: User | None, scopes: list[str] = ALL) -> None:
        self.secret = tokens.make("script", scopes, 30, by=Actor(user))[0] if user else ""
        self.client = Client(headers={"Authorization": f"Bearer {self.secret}"} if user else {})

    def ask(self, method: str, path: str, body: Any = None) -> HttpResponse:
        """The answer, whatever its status."""
        content = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, f"/api/v1{path}", content, content_type="application/json")

    def get(self, path: str) -> Any:
        return self._good(self.ask("GET", path))

    def send(self, method: str, path: str, body: Any = None) -> Any:
        return self._good(self.ask(method, path, {} if body is None else body))

    def upload(self, path: str, name: str, content: str) -> HttpResponse:
        return self.client.post(f"/api/v1{path}", {"file": SimpleUploadedFile(name, content.encode())})

    def _good(self, answer: HttpResponse) -> Any:
        assert answer.status_code < 300, (answer.status_code, answer.content)
        return json.loads(answer.content) if answer.content else None
