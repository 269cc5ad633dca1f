"""When the ground itself gives way, a page still says so, with a number, and the log has the same number."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from riskapp.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def database_away(officer: User) -> Any:
    """Every question to the database fails, as when its server is gone."""
    client = Client(raise_request_exception=False)
    client.force_login(officer)

    def refuse(*args: Any) -> Any:
        raise OSError("secret words of a library")

    with connection.execute_wrapper(refuse):
        yield client


@pytest.mark.parametrize("address", ["/projects/", "/account/", "/nothing-here/"])
def test_with_the_database_away_a_page_with_a_number_is_shown(
    database_away: Client, address: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = database_away.get(address)
    text = answer.content.decode()
    assert answer.status_code == 500
    found = re.search(r"<code>([0-9a-f]{8})</code>", text)
    assert found
    assert found[1] in caplog.text
    assert "secret words" not in text


def test_the_version_is_the_same_everywhere() -> None:
    import tomllib
    from pathlib import Path

    from django.conf import settings

    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]
    assert project["version"] == settings.VERSION
