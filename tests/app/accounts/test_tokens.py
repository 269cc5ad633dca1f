"""Tokens for programs, as their owners make and withdraw them."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp.models import Actor, ApiToken, AuditEvent, User
from riskapp.services import tokens

pytestmark = pytest.mark.django_db

SAID = {"name": "nightly script", "scopes": ["upload", "run"], "days": "30", "password": "correct horse battery"}


@pytest.fixture
def olga(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_token_is_made_with_the_password_and_shown_once(olga: Client, officer: User) -> None:
    shown = olga.post(reverse("tokens"), SAID).content.decode()
    found = re.search(r'value="(riskapp_[\w-]{43})"', shown)
    assert found
    token = ApiToken.objects.get()
    assert (token.user, token.scopes) == (officer, ["read", "upload", "run"])
    assert timedelta(days=29) < token.expires_at - timezone.now() < timedelta(days=31)
    assert tokens.find(found[1]) == token
    assert found[1] not in olga.get(reverse("tokens")).content.decode()


def test_only_the_hash_of_a_token_is_kept(olga: Client) -> None:
    shown = olga.post(reverse("tokens"), SAID).content.decode()
    secret = re.findall(r"riskapp_[\w-]{43}", shown)[0]
    kept = str(ApiToken.objects.values().get()) + str(list(AuditEvent.objects.values()))
    assert secret not in kept
    assert secret.removeprefix(tokens.PREFIX) not in kept


@pytest.mark.parametrize(
    "wrong", [{"password": "guessed"}, {"password": ""}, {"name": ""}, {"scopes": ["everything"]}, {"days": "9999"}]
)
def test_a_form_that_is_not_right_makes_no_token(olga: Client, wrong: dict[str, Any]) -> None:
    assert olga.post(reverse("tokens"), SAID | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_making_and_withdrawing_stand_in_the_trail(olga: Client) -> None:
    olga.post(reverse("tokens"), SAID)
    olga.post(reverse("token-withdraw", args=[ApiToken.objects.get().pk]))
    events = {event.action: event.details for event in AuditEvent.objects.filter(subject_kind="apitoken")}
    assert events == {
        "token made": {"name": "nightly script", "scopes": ["read", "upload", "run"], "days": 30},
        "token withdrawn": {"name": "nightly script"},
    }


def test_a_withdrawn_token_stays_in_the_list_and_opens_nothing(olga: Client, by: Actor) -> None:
    secret, token = tokens.make("script", ["read"], 7, by=by)
    olga.post(reverse("token-withdraw", args=[token.pk]))
    assert tokens.find(secret) is None
    assert "withdrawn" in olga.get(reverse("tokens")).content.decode()
    assert olga.post(reverse("token-withdraw", args=[token.pk])).status_code == 409


def test_nobody_withdraws_or_sees_the_token_of_somebody_else(olga: Client, person: Callable[..., User]) -> None:
    _, token = tokens.make("secret plan", ["read"], 7, by=Actor(person("otto")))
    assert olga.post(reverse("token-withdraw", args=[token.pk])).status_code == 404
    assert ApiToken.objects.get().is_open
    assert "secret plan" not in olga.get(reverse("tokens")).content.decode()


def test_the_list_says_when_a_token_was_last_used(olga: Client, by: Actor) -> None:
    _, token = tokens.make("script", ["read"], 7, by=by)
    assert "never used" in olga.get(reverse("tokens")).content.decode()
    tokens.used(token)
    assert "last used" in olga.get(reverse("tokens")).content.decode()


def test_a_use_is_written_at_most_once_a_minute(by: Actor) -> None:
    _, token = tokens.make("script", ["read"], 7, by=by)
    tokens.used(token)
    first = ApiToken.objects.get()
    tokens.used(first)
    assert ApiToken.objects.get().last_used_at == first.last_used_at
    first.last_used_at = timezone.now() - timedelta(minutes=2)
    tokens.used(first)
    again = ApiToken.objects.get().last_used_at
    assert again is not None
    assert again > first.last_used_at


def test_nobody_keeps_more_tokens_than_they_can_know(olga: Client, by: Actor) -> None:
    for number in range(tokens.MOST_OPEN):
        tokens.make(f"script {number}", ["read"], 7, by=by)
    answer = olga.post(reverse("tokens"), SAID)
    assert answer.status_code == 422
    assert "Withdraw one" in answer.content.decode()
