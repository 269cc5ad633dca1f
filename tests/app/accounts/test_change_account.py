"""What people do with their own account."""

from collections.abc import Callable
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client

from riskapp.models import AuditEvent, User
from riskapp.services import accounts

PASSWORD = "correct horse battery"
NEW = "six quiet green tables"


@pytest.fixture
def olga(person: Callable[..., User]) -> User:
    return person("olga")


def change(browser: Client, password: str = PASSWORD, new: str = NEW, again: str | None = None) -> Any:
    return browser.post("/account/password/", {"password": password, "new": new, "again": again or new})


def test_a_changed_password_works_and_is_audited(olga: User, signed_in: Callable[[User], Client]) -> None:
    assert change(signed_in(olga))["Location"] == "/account/"
    olga.refresh_from_db()
    assert olga.check_password(NEW)
    event = AuditEvent.objects.get()
    assert (event.action, event.actor) == ("password changed", "olga@example.org")


def test_this_session_stays_and_the_others_end(olga: User, signed_in: Callable[[User], Client]) -> None:
    here, elsewhere = signed_in(olga), signed_in(olga)
    change(here)
    assert here.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


def test_a_changed_password_ends_reset_links(client: Client, olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    olga.refresh_from_db()
    path = accounts.reset_path(olga)
    assert client.get(path).status_code == 302
    change(browser)
    assert Client().get(path).status_code == 410


@pytest.mark.parametrize(
    ("password", "new", "again", "field"),
    [
        ("not my password", NEW, None, "password"),
        (PASSWORD, NEW, "another one altogether", "again"),
        (PASSWORD, "short", None, "new"),
        (PASSWORD, "olga@example.org", None, "new"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(
    olga: User, signed_in: Callable[[User], Client], password: str, new: str, again: str | None, field: str
) -> None:
    response = change(signed_in(olga), password, new, again)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)


def test_no_password_reaches_the_table_of_failures(olga: User, signed_in: Callable[[User], Client]) -> None:
    change(signed_in(olga), "a wrong old one")
    kept = AccessAttempt.objects.get().post_data
    assert NEW not in kept
    assert "a wrong old one" not in kept


def test_the_name_can_be_changed(olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    assert browser.post("/account/", {"name": "Olga Q."})["Location"] == "/account/"
    assert "Olga Q." in browser.get("/account/").content.decode()
    assert AuditEvent.objects.get().action == "name changed"


def test_an_empty_name_is_refused(olga: User, signed_in: Callable[[User], Client]) -> None:
    assert signed_in(olga).post("/account/", {"name": "  "}).status_code == 422


def test_a_name_is_text_and_not_markup(olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    browser.post("/account/", {"name": "<script>alert(1)</script>"})
    assert "<script>alert" not in browser.get("/account/").content.decode()


@pytest.mark.parametrize("path", ["/account/", "/account/password/", "/account/second-factor/"])
def test_the_pages_are_for_who_is_signed_in(client: Client, db: None, path: str) -> None:
    assert client.get(path)["Location"] == f"/sign-in/?next={path}"
