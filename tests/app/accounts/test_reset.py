"""A forgotten password, with and without a mail server."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.models import Actor, AuditEvent, User
from riskapp.services import accounts, people

PASSWORD = "correct horse battery"
NEW = "six quiet green tables"


@pytest.fixture
def olga(person: Callable[..., User]) -> User:
    return person("olga")


def ask(client: Client, email: str = "olga@example.org") -> Any:
    return client.post("/forgotten/", {"email": email})


def follow(client: Client, path: str) -> Any:
    return client.get(path, follow=True)


def choose(client: Client, path: str, password: str = NEW, again: str | None = None) -> Any:
    page = follow(client, path)
    where = page.redirect_chain[-1][0] if page.redirect_chain else path
    return client.post(where, {"new": password, "again": again or password})


def sign_in(client: Client, password: str) -> Any:
    return client.post("/sign-in/", {"username": "olga@example.org", "password": password})


# Asking


def test_without_mail_the_administrator_sees_who_asked(
    client: Client, olga: User, administrator: User, signed_in: Callable[[User], Client]
) -> None:
    response = ask(client, "OLGA@example.org")
    assert "ask an administrator" in response.content.decode()
    olga.refresh_from_db()
    assert olga.reset_asked_at
    assert "asked for a new password" in signed_in(administrator).get("/people/").content.decode()


@pytest.mark.parametrize("mail", [True, False])
def test_the_answer_is_the_same_for_known_unknown_and_deactivated(
    client: Client, olga: User, person: Callable[..., User], request: pytest.FixtureRequest, mail: bool
) -> None:
    letterbox = request.getfixturevalue("letterbox") if mail else None
    person("gone", is_active=False)
    pages = [ask(client, f"{name}@example.org") for name in ("olga", "nobody", "gone")]
    assert {page.status_code for page in pages} == {200}
    assert len({re.sub(r'"X-CSRFToken": "\w+"', "", page.content.decode()) for page in pages}) == 1
    assert AuditEvent.objects.filter(action="password reset asked for").count() == 3
    if letterbox:
        assert letterbox.take()["To"] == "olga@example.org"
        assert letterbox.letters.empty()


def test_an_unknown_address_is_not_recorded(client: Client, db: None) -> None:
    ask(client, "secret-word@example.org")
    event = AuditEvent.objects.get()
    assert (event.actor, event.subject_id, event.details) == ("visitor", "", {"known": False})


def test_with_mail_a_letter_with_a_working_link_goes_out(client: Client, olga: User, letterbox: Any) -> None:
    assert "a letter" in ask(client).content.decode()
    letter = letterbox.take()
    (link,) = re.findall(r"https?://\S+", letter.get_content())
    assert letter["To"] == "olga@example.org"
    assert choose(client, link.removeprefix("http://testserver")).status_code == 302
    assert sign_in(client, NEW).status_code == 302


def test_the_link_stands_on_the_address_of_the_house(client: Client, olga: User, letterbox: Any, settings: Any) -> None:
    settings.ORIGIN = "https://risk.example.org"
    ask(client)
    assert "https://risk.example.org/reset/" in letterbox.take().get_content()


def test_nobody_is_flooded_with_letters(client: Client, olga: User, letterbox: Any) -> None:
    ask(client)
    ask(client)
    ask(client, "nobody@example.org")
    letterbox.take()
    User.objects.update(reset_asked_at=timezone.now() - timedelta(minutes=6))
    ask(client)
    letterbox.take()
    assert letterbox.letters.empty()


def test_asking_again_and_again_does_not_put_off_the_next_letter(client: Client, olga: User, letterbox: Any) -> None:
    sent = timezone.now() - timedelta(minutes=4)
    User.objects.update(reset_asked_at=sent)
    ask(client)
    olga.refresh_from_db()
    assert olga.reset_asked_at == sent
    assert letterbox.letters.empty()
    User.objects.update(reset_asked_at=sent - timedelta(minutes=2))
    ask(client)
    assert letterbox.take()["To"] == "olga@example.org"


def test_without_mail_the_administrator_sees_when_somebody_asked_last(client: Client, olga: User) -> None:
    earlier = timezone.now() - timedelta(minutes=4)
    User.objects.update(reset_asked_at=earlier)
    ask(client)
    olga.refresh_from_db()
    assert olga.reset_asked_at
    assert olga.reset_asked_at > earlier


@pytest.mark.usefixtures("no_mail_server")
def test_a_mail_server_that_is_away_breaks_nothing(client: Client, olga: User) -> None:
    assert ask(client).status_code == 200
    olga.refresh_from_db()
    assert olga.reset_asked_at


# Using the link


def test_a_reset_changes_the_password_and_is_audited(client: Client, olga: User) -> None:
    User.objects.update(reset_asked_at=timezone.now())
    response = choose(client, accounts.reset_path(olga))
    assert response["Location"] == "/sign-in/"
    olga.refresh_from_db()
    assert olga.check_password(NEW)
    assert olga.reset_asked_at is None
    event = AuditEvent.objects.get()
    assert (event.action, event.actor, event.subject_id) == ("password reset", "olga@example.org", str(olga.pk))


def test_the_token_leaves_the_address(client: Client, olga: User) -> None:
    assert client.get(accounts.reset_path(olga))["Location"].endswith("/set-password/")


def test_a_reset_signs_nobody_in_and_does_not_bypass_the_second_factor(
    client: Client, olga: User, device: Callable[[User], TOTPDevice]
) -> None:
    device(olga)
    choose(client, accounts.reset_path(olga))
    assert "_auth_user_id" not in client.session
    assert sign_in(client, NEW)["Location"] == "/sign-in/code/"
    assert client.get("/account/").status_code == 302


def test_a_reset_ends_every_session(client: Client, olga: User, signed_in: Callable[[User], Client]) -> None:
    elsewhere = signed_in(olga)
    olga.refresh_from_db()
    choose(client, accounts.reset_path(olga))
    assert elsewhere.get("/account/")["Location"].startswith("/sign-in/")


def test_a_reset_ends_a_lock_out(client: Client, olga: User) -> None:
    for _ in range(configured.AXES_FAILURE_LIMIT):
        sign_in(client, "wrong")
    choose(client, accounts.reset_path(olga))
    assert sign_in(client, NEW).status_code == 302


@pytest.mark.parametrize("what", ["used", "signed in since", "deactivated", "another account", "made up"])
def test_a_link_that_does_not_work_says_so(client: Client, olga: User, person: Callable[..., User], what: str) -> None:
    path = accounts.reset_path(olga)
    match what:
        case "used":
            choose(Client(), path)
        case "signed in since":
            sign_in(Client(), PASSWORD)
        case "deactivated":
            User.objects.update(is_active=False)
        case "another account":
            path = path.replace(path.split("/")[2], accounts.reset_path(person("otto")).split("/")[2])
        case "made up":
            path = "/reset/abc/def/"
    response = follow(client, path)
    assert response.status_code == 410
    assert "does not work" in response.content.decode()
    assert client.post(path, {"new": NEW, "again": NEW}).status_code == 410


@pytest.mark.parametrize(("age", "status"), [(timedelta(days=2, hours=23), 200), (timedelta(days=3, hours=1), 410)])
def test_a_link_works_for_three_days(client: Client, olga: User, age: timedelta, status: int) -> None:
    class Earlier(PasswordResetTokenGenerator):
        def _now(self) -> datetime:
            return datetime.now() - age

    path = accounts.reset_path(olga)
    made_then = path.replace(path.split("/")[3], Earlier().make_token(olga))
    assert follow(client, made_then).status_code == status


@pytest.mark.parametrize(
    ("password", "again", "field"),
    [(NEW, "another one altogether", "again"), ("short", None, "new"), ("olga@example.org", None, "new")],
)
def test_a_bad_new_password_is_told_at_its_field(
    client: Client, olga: User, password: str, again: str | None, field: str
) -> None:
    response = choose(client, accounts.reset_path(olga), password, again)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)


# Made by an administrator


def test_an_administrator_makes_a_link_to_copy(
    client: Client, olga: User, administrator: User, signed_in: Callable[[User], Client]
) -> None:
    response = signed_in(administrator).post(f"/people/{olga.pk}/reset-link/")
    link = response.context["link"]
    assert link.startswith("http://testserver/reset/")
    assert link in response.content.decode()
    assert AuditEvent.objects.get().action == "reset link made"
    choose(client, link.removeprefix("http://testserver"))
    assert sign_in(client, NEW).status_code == 302


def test_there_is_no_link_for_a_deactivated_account(
    person: Callable[..., User], administrator: User, signed_in: Callable[[User], Client]
) -> None:
    gone = person("gone", is_active=False)
    assert signed_in(administrator).post(f"/people/{gone.pk}/reset-link/").status_code == 409
    with pytest.raises(people.NotActive):
        people.reset_path(gone, by=Actor(administrator))
