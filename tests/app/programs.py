"""A program that holds a token, for the tests of the API."""

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from riskapp.models import Actor, Role, User
from riskapp.services import tokens
from tests.app.working import work_off

ALL = list(tokens.SCOPES)
TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ROWS = "\n".join(f"p{i},{TOWNS[i % 3]},{1950 + i % 40},{'mf'[i % 2]},{20 + i % 7}" for i in range(120))
PEOPLE = f"id,town,born,sex,visits\n{ROWS}\n"
REGISTER = "name,where,year\n" + "".join(f"n{i},{TOWNS[i % 3]},{1945 + i % 50}\n" for i in range(300))


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


class Journey:
    """A project made by a program, step by step."""

    def __init__(self, user: User) -> None:
        self.program = Program(user)
        made = self.program.send("POST", "/projects", {"name": "By a script", "role": Role.OFFICER})
        self.home = f"/projects/{made['id']}"

    def get(self, path: str) -> Any:
        return self.program.get(f"{self.home}{path}")

    def send(self, method: str, path: str, body: Any = None) -> Any:
        return self.program.send(method, f"{self.home}{path}", body)

    def change(self, part: str, **said: Any) -> Any:
        return self.send("PUT", f"/setup/{part}", {"version": self.get("/setup")["version"], **said})

    def upload(self, name: str, content: str) -> str:
        answer = self.program.upload(f"{self.home}/uploads", name, content)
        assert answer.status_code == 201, answer.content
        work_off("read")
        told = self.get(f"/uploads/{json.loads(answer.content)['id']}")
        assert told["state"] == "ready", told
        return str(told["id"])

    def describe(self, column: str, **said: Any) -> Any:
        one = next(one for one in self.get("/attributes") if one["column"] == column)
        return self.send("PATCH", f"/attributes/{one['id']}", {"version": one["version"], **said})

    def start(self) -> str:
        self.send("POST", "/rehearsal")
        work_off("rehearse")
        assert self.get("/rehearsal")["figures"]["about"]["records"] == 120
        run = self.send("POST", "/runs", {"name": "first"})
        assert run["state"] == "queued"
        return f"/runs/{run['id']}"

    @classmethod
    def complete(cls, user: User) -> "Journey":
        """A project whose set-up is complete."""
        made = cls(user)
        dataset, register = made.upload("people.csv", PEOPLE), made.upload("register.csv", REGISTER)
        made.change("class", release_class="contract", limits={"largest_chance": 0.5})
        made.change("dataset", upload=dataset)
        made.describe(
            "town", role="generalised", knowable=True, hierarchy={"groups": {"north": TOWNS[:2], "south": TOWNS[2:]}}
        )
        made.describe(
            "born", role="generalised", knowable=True, hierarchy={"intervals": {"from": 1900, "widths": [5, 20]}}
        )
        made.describe("sex", role="generalised", knowable=True, weight=3)
        made.describe("visits", role="dropped")
        made.send("POST", "/attributes/accept")
        match = {"where": "town", "year": "born"}
        made.send("POST", "/attackers", {"name": "register", "kind": "register", "upload": register, "match": match})
        made.change("harm", sensitivity={"family": "linear", "pairs": [{"attributes": ["town", "born"], "weight": 2}]})
        made.change("plan", search={"rules": ["full-domain", "regional"], "regions": {"auto": 4}})
        return made
