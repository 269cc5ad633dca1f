"""The audit trail is held for moments only: what is slow comes before."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from riskapp.models import Actor, User
from riskapp.services import accounts, audit, invitations, people, second_factor

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "six quiet green tables"


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each password hashed, whether the trail was held meanwhile."""
    held: list[bool] = []
    plain = Argon2PasswordHasher.encode

    def encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        held.append(connection.in_atomic_block)
        return plain(self, password, salt)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)
    return held


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Each session looked into, and whether the trail was held meanwhile."""
    held: list[tuple[str, bool]] = []
    plain = Session.get_decoded

    def get_decoded(self: Session) -> dict[str, Any]:
        held.append((self.pk, connection.in_atomic_block))
        return plain(self)

    monkeypatch.setattr(Session, "get_decoded", get_decoded)
    return held


def key(browser: Client) -> str:
    return str(browser.session.session_key)


def test_the_first_administrators_password_is_hashed_before(hashes: list[bool]) -> None:
    token = str(accounts.setup_link("http://testserver")).rstrip("/").rpartition("/")[2]
    user = accounts.set_up(token, name="Ada", email="Ada@example.org", password=NEW, address="127.0.0.1")
    assert hashes == [False]
    user.refresh_from_db()
    assert (user.email, user.is_administrator, user.check_password(NEW)) == ("ada@example.org", True, True)


def test_a_changed_password_is_hashed_before(person: Callable[..., User], hashes: list[bool]) -> None:
    olga = person("olga")
    accounts.change_password(olga, NEW, by=Actor(olga))
    accounts.reset_password(olga, NEW, address="127.0.0.1")
    assert hashes == [False, False, False]
    olga.refresh_from_db()
    assert olga.check_password(NEW)


def test_the_password_of_who_accepts_an_invitation_is_hashed_before(
    person: Callable[..., User], hashes: list[bool]
) -> None:
    ada = person("ada", is_administrator=True)
    invitation = invitations.find(invitations.invite_person("olga@example.org", by=Actor(ada)))
    assert invitation
    invitations.accept_as_new(invitation, name="Olga", password=NEW, address="127.0.0.1")
    assert hashes == [False, False]


@pytest.mark.parametrize("how", [people.deactivate, people.turn_off_second_factor, second_factor.turn_off])
def test_whoever_ends_sessions_looks_for_them_before(
    person: Callable[..., User],
    signed_in: Callable[[User], Client],
    looks: list[tuple[str, bool]],
    how: Callable[..., None],
) -> None:
    ada, olga = person("ada", is_administrator=True), person("olga")
    kept = key(signed_in(ada))
    assert key(signed_in(olga))
    how(olga, by=Actor(ada))
    assert not any(held for _, held in looks)
    assert [row.pk for row in Session.objects.all()] == [kept]


def test_sessions_are_looked_for_before_and_only_those_saved_since_again(
    person: Callable[..., User], signed_in: Callable[[User], Client], looks: list[tuple[str, bool]]
) -> None:
    olga, otto = person("olga"), person("otto")
    early, others = key(signed_in(olga)), key(signed_in(otto))
    found = accounts.find_sessions(olga)
    since = key(signed_in(olga))
    with audit.writing():
        accounts.end_sessions(olga, found=found)
    assert {pk for pk, held in looks if not held} >= {early, others}
    assert [pk for pk, held in looks if held] == [since]
    assert [row.pk for row in Session.objects.all()] == [others]


def test_the_kept_session_stays(person: Callable[..., User], signed_in: Callable[[User], Client]) -> None:
    olga = person("olga")
    kept, ended = key(signed_in(olga)), key(signed_in(olga))
    accounts.end_sessions(olga, keep=kept)
    assert ended != kept
    assert [row.pk for row in Session.objects.all()] == [kept]
