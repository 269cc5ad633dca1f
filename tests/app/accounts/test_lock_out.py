"""Too many wrong passwords."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.test import Client
from django.utils import timezone

from riskapp.models import AuditEvent, User
from riskapp.services import entrance

PASSWORD = "correct horse battery"


def attempt(client: Client, password: str, email: str = "olga@example.org", **extra: Any) -> Any:
    return client.post("/sign-in/", {"username": email, "password": password}, **extra)


def fail(client: Client, times: int = settings.AXES_FAILURE_LIMIT, **extra: Any) -> Any:
    for _ in range(times):
        response = attempt(client, "wrong", **extra)
    return response


def test_the_last_failure_locks_and_says_when_to_try_again(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    response = fail(client)
    text = response.content.decode()
    assert response.status_code == 429
    assert "An administrator can unlock it" in text
    assert f"Try again in {round(settings.AXES_COOLOFF_TIME * 60)} minutes." in text
    assert 0 < int(response["Retry-After"]) <= settings.AXES_COOLOFF_TIME * 3600


def test_one_failure_less_does_not_lock(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    assert fail(client, settings.AXES_FAILURE_LIMIT - 1).status_code == 422
    assert attempt(client, PASSWORD).status_code == 302


def test_while_locked_even_the_right_password_is_refused(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client)
    assert attempt(client, PASSWORD).status_code == 429
    assert "_auth_user_id" not in client.session


def test_the_case_of_the_address_is_no_way_round(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    for email in ["olga@example.org", "Olga@example.org", "OLGA@example.org", "oLGA@example.org", "olgA@example.org"]:
        response = attempt(client, "wrong", email)
    assert response.status_code == 429


def test_an_unknown_address_is_locked_just_the_same(client: Client, db: None) -> None:
    assert fail(client).status_code == 429


def test_somebody_elsewhere_is_not_locked(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client, REMOTE_ADDR="203.0.113.7")
    assert attempt(client, PASSWORD).status_code == 302


def test_a_right_password_forgets_the_failures(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client, settings.AXES_FAILURE_LIMIT - 1)
    attempt(client, PASSWORD)
    client.post("/sign-out/")
    assert fail(client, settings.AXES_FAILURE_LIMIT - 1).status_code == 422


def test_the_lock_ends_by_itself(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME, seconds=1))
    assert attempt(client, PASSWORD).status_code == 302


def test_trying_again_does_not_prolong_the_lock(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client)
    before = entrance.locked_until("olga@example.org", "127.0.0.1")
    attempt(client, "wrong")
    assert before
    assert entrance.locked_until("olga@example.org", "127.0.0.1") == before


def test_locking_is_audited_once_and_each_attempt_is(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    fail(client)
    attempt(client, "wrong")
    events = list(AuditEvent.objects.order_by("number").values_list("action", "details"))
    assert [action for action, _ in events].count("locked out") == 1
    assert [action for action, _ in events].count("sign-in failed") == settings.AXES_FAILURE_LIMIT + 1
    assert events[-1] == ("sign-in failed", {"locked_out": True})


@pytest.mark.parametrize("field", ["username", "password", "csrfmiddlewaretoken"])
def test_axes_keeps_nothing_of_what_was_typed(client: Client, person: Callable[..., User], field: str) -> None:
    person("olga")
    client.post("/sign-in/", {"username": "olga@example.org", "password": "SECRET", field: "secret@example.org"})
    assert "secret" not in AccessAttempt.objects.get().post_data.lower()


def test_axes_keeps_no_second_book_of_sign_ins(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    attempt(client, PASSWORD)
    assert not AccessLog.objects.exists()


def test_an_administrator_unlocks(
    client: Client, person: Callable[..., User], administrator: User, signed_in: Callable[[User], Client]
) -> None:
    olga = person("olga")
    fail(client)
    browser = signed_in(administrator)
    assert "locked out" in browser.get("/people/").content.decode()
    assert browser.post(f"/people/{olga.pk}/unlock/").status_code == 302
    assert AuditEvent.objects.filter(action="unlocked", subject_id=str(olga.pk)).exists()
    assert attempt(client, PASSWORD).status_code == 302


def test_the_password_asked_for_on_the_account_page_counts_too(
    person: Callable[..., User], signed_in: Callable[[User], Client]
) -> None:
    browser = signed_in(person("olga"))
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = browser.post("/account/second-factor/start/", {"password": "guess"})
    assert response.status_code == 429
    assert AuditEvent.objects.filter(action="password confirmation failed").count() == settings.AXES_FAILURE_LIMIT
