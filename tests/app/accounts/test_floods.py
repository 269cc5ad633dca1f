"""Nobody fills the audit trail from outside: what anybody can do without an account is recorded so many times."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from riskapp.models import Actor, AuditEvent, User
from riskapp.services import accounts, floods

pytestmark = pytest.mark.django_db
ELSEWHERE = "203.0.113.7"


def fail(client: Client, email: str, **extra: Any) -> int:
    return client.post("/sign-in/", {"username": email, "password": "wrong"}, **extra).status_code


def ask(client: Client, email: str, **extra: Any) -> Any:
    return client.post("/forgotten/", {"email": email}, **extra)


def recorded(action: str, **only: Any) -> int:
    return AuditEvent.objects.filter(action=action, **only).count()


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next time of a lock-out: rows of the trail cannot be made older, so the clock goes ahead."""
    then = timezone.now() + timedelta(hours=settings.AXES_COOLOFF_TIME, seconds=1)
    monkeypatch.setattr(floods.timezone, "now", lambda: then)


@pytest.fixture
def _flooded(client: Client) -> None:
    for number in range(floods.AT_MOST + 5):
        assert fail(client, f"nobody{number}@example.org") == 422


@pytest.mark.usefixtures("_flooded")
def test_made_up_addresses_are_recorded_so_many_times_and_the_last_record_says_so() -> None:
    events = list(AuditEvent.objects.order_by("number").values_list("action", "details"))
    ordinary = ("sign-in failed", {"locked_out": False})
    last = ("sign-in failed", {"locked_out": False, "further": "not recorded for a while"})
    assert events == [ordinary] * (floods.AT_MOST - 1) + [last]


@pytest.mark.usefixtures("_flooded")
def test_a_flood_hides_no_failure_on_a_real_account(client: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    statuses = [fail(client, "olga@example.org") for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert statuses[-1] == 429
    assert recorded("sign-in failed", subject_id=str(olga.pk)) == settings.AXES_FAILURE_LIMIT
    assert recorded("locked out", subject_id=str(olga.pk)) == 1


@pytest.mark.usefixtures("_flooded")
def test_a_flood_from_one_network_address_leaves_room_for_the_others(client: Client) -> None:
    fail(client, "nobody@example.org", REMOTE_ADDR=ELSEWHERE)
    assert recorded("sign-in failed", address=ELSEWHERE) == 1


@pytest.mark.usefixtures("_flooded")
def test_after_the_time_of_a_lock_out_it_is_recorded_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    fail(client, "nobody@example.org")
    assert recorded("sign-in failed") == floods.AT_MOST + 1


@pytest.mark.usefixtures("_flooded")
def test_a_made_up_address_is_still_locked_out(client: Client) -> None:
    statuses = [fail(client, "again@example.org") for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert statuses == [422] * (settings.AXES_FAILURE_LIMIT - 1) + [429]


def test_trying_on_while_locked_out_is_recorded_so_many_times(client: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    for _ in range(settings.AXES_FAILURE_LIMIT + floods.AT_MOST + 5):
        fail(client, "olga@example.org")
    assert recorded("sign-in failed", subject_id=str(olga.pk), details__locked_out=True) == floods.AT_MOST
    assert recorded("sign-in failed", subject_id=str(olga.pk), details__locked_out=False) > 0


@pytest.mark.parametrize("email", ["olga@example.org", "nobody@example.org"])
def test_asking_for_a_new_password_ends_for_known_and_unknown_alike(
    client: Client, person: Callable[..., User], email: str, letterbox: Any
) -> None:
    person("olga")
    for number in range(floods.AT_MOST):
        assert ask(client, f"nobody{number}@example.org").status_code == 200
    answer = ask(client, email)
    assert answer.status_code == 409
    assert "asked for too often from your network" in answer.content.decode()
    assert recorded(accounts.ASKED) == floods.AT_MOST
    assert letterbox.letters.empty()


def test_asking_is_possible_again_later_and_always_from_elsewhere(
    client: Client, person: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    olga = person("olga")
    for _ in range(floods.AT_MOST):
        accounts.ask_for_reset("nobody@example.org", by=Actor(None, "127.0.0.1", "visitor"))
    with pytest.raises(accounts.AskedTooOften):
        accounts.ask_for_reset("olga@example.org", by=Actor(None, "127.0.0.1", "visitor"))
    assert accounts.ask_for_reset("olga@example.org", by=Actor(None, ELSEWHERE, "visitor")) == olga
    later(monkeypatch)
    assert ask(client, "olga@example.org").status_code == 200


def test_only_the_youngest_events_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "LOOKED_BACK", floods.AT_MOST)
    for number in range(floods.AT_MOST):
        fail(client, f"nobody{number}@example.org")
    assert floods.room("127.0.0.1", "sign-in failed") == 0
    ask(client, "nobody@example.org")
    assert floods.room("127.0.0.1", "sign-in failed") == 1
