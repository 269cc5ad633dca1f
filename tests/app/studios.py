"""Somebody at the hierarchy studio, for the tests of it and of the shelf."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.models import Actor, Attribute, AuditEvent, Project, Setup, Upload, User
from riskapp.services import setups
from tests.app.working import work_off

TABLE = "who,city,born,age,zip\n" + "".join(
    f"p{row},{city},19{70 + row % 9}-0{1 + row % 9}-11,{20 + row},{10100 + row % 4}\n"
    for row, city in enumerate(["Rome", "Rome", "Milan", "Paris", "Lyon", "Oslo", "Oslo", "Paris"] * 4)
)
GROUPS = {
    "header": None,
    "rows": [["Rome", "Italy", "*"], ["Milan", "Italy", "*"], ["Paris", "France", "*"], ["Oslo", "Norway", "*"]],
}


class Studio:
    """Somebody at the studio of one column."""

    def __init__(self, client: Client, project: Project, column: str) -> None:
        self.client, self.project = client, project
        self.attribute = Attribute.objects.get(setup_id=project.pk, column=column)

    def url(self, name: str = "hierarchy") -> str:
        return reverse(name, args=[self.project.pk, self.attribute.pk])

    def get(self) -> str:
        answer = self.client.get(self.url())
        assert answer.status_code == 200
        return answer.content.decode()

    def post(self, name: str, **fields: Any) -> Any:
        self.attribute.refresh_from_db()
        return self.client.post(self.url(name), {"seen": self.attribute.version} | fields)

    def open(self) -> str:
        """The draft of the tree of what is saved."""
        kind = "own" if self.attribute.hierarchy and "rows" in self.attribute.hierarchy else "none"
        return draft_in(self.post("hierarchy-tree", kind=kind, was=kind).content.decode())

    def edit(self, draft: str, **step: Any) -> str:
        answer = self.post("hierarchy-edit", kind="own", was="own", draft=draft, step=json.dumps(step))
        assert answer.status_code == 200
        return str(answer.content.decode())

    def saved(self) -> Any:
        self.attribute.refresh_from_db()
        return self.attribute.hierarchy


def draft_in(page: str) -> str:
    found = re.search(r'name="draft" value="([^"]*)"', page)
    assert found
    return found[1]


def lines_in(page: str) -> list[tuple[int, str]]:
    found = re.findall(r'data-level="(\d)" data-label="([^"]*)" data-parent', page)
    return [(int(level), html.unescape(label)) for level, label in found]


def looks() -> int:
    return AuditEvent.objects.filter(action="values seen").count()


@pytest.fixture
def described(project: Project, by: Actor, arrive: Callable[..., Upload]) -> Setup:
    upload = arrive(TABLE, "table.csv")
    work_off("read")
    upload.refresh_from_db()
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, upload, setup.version, by=by)
    return setup


@pytest.fixture
def at(described: Setup, project: Project, officer: User) -> Callable[..., Studio]:
    def sit(column: str, hierarchy: Any = ..., user: User = officer) -> Studio:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        if hierarchy is not ...:
            Attribute.objects.filter(setup=described, column=column).update(hierarchy=hierarchy, role="generalised")
        return Studio(client, project, column)

    return sit
