"""Signing in with a password, and out again."""

from collections.abc import Callable

import pytest
from django.test import Client

from riskapp.models import AuditEvent, User

PASSWORD = "correct horse battery"


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str):  # type: ignore[no-untyped-def]
    return client.post("/sign-in/", {"username": email, "password": password, **more})


def test_the_right_password_signs_in_and_is_audited(client: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    response = sign_in(client, "olga@example.org")
    assert response.status_code == 302
    assert response["Location"] == "/projects/"
    assert client.session["_auth_user_id"] == str(olga.pk)
    event = AuditEvent.objects.get()
    assert (event.action, event.actor, event.address) == ("signed in", "olga@example.org", "127.0.0.1")


def test_the_case_of_the_address_does_not_matter(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    assert sign_in(client, "OLGA@Example.org").status_code == 302


def test_the_sign_in_is_remembered_on_the_account(client: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    sign_in(client, "olga@example.org")
    olga.refresh_from_db()
    assert olga.last_login is not None


def test_the_session_gets_a_new_key(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    client.get("/join/some-token/")
    before = client.session.session_key
    sign_in(client, "olga@example.org")
    assert before
    assert client.session.session_key != before


@pytest.mark.parametrize("email", ["olga@example.org", "nobody@example.org", "gone@example.org"])
def test_wrong_password_unknown_and_deactivated_account_get_the_same_answer(
    client: Client, person: Callable[..., User], email: str
) -> None:
    person("olga")
    person("gone", is_active=False)
    password = PASSWORD if email.startswith("gone") else "not the right one"
    response = sign_in(client, email, password)
    assert response.status_code == 422
    assert "_auth_user_id" not in client.session
    assert response.context["form"].non_field_errors() == ["The e-mail address or the password is not right."]
    assert AuditEvent.objects.get().action == "sign-in failed"


def test_an_unknown_address_is_not_recorded(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    sign_in(client, "my-secret-password@example.org", "x")
    event = AuditEvent.objects.get()
    assert (event.actor, event.subject_id, event.details) == ("visitor", "", {"locked_out": False})


def test_a_failure_on_a_known_account_names_the_account(client: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    sign_in(client, "olga@example.org", "x")
    assert AuditEvent.objects.get().subject_id == str(olga.pk)


def test_a_known_and_an_unknown_address_cost_one_password_hash_each(
    client: Client, person: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.auth.hashers import Argon2PasswordHasher

    person("olga")
    costs: list[str] = []
    encode, verify = Argon2PasswordHasher.encode, Argon2PasswordHasher.verify

    def counted_encode(self, password, salt):  # type: ignore[no-untyped-def]
        costs.append("hash")
        return encode(self, password, salt)

    def counted_verify(self, password, encoded):  # type: ignore[no-untyped-def]
        costs.append("hash")
        return verify(self, password, encoded)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted_encode)
    monkeypatch.setattr(Argon2PasswordHasher, "verify", counted_verify)
    sign_in(client, "olga@example.org", "wrong")
    known = len(costs)
    sign_in(client, "nobody@example.org", "wrong")
    assert (known, len(costs)) == (1, 2)


def test_next_leads_to_our_own_page(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    page = client.get("/sign-in/?next=/account/")
    assert '<input type="hidden" name="next" value="/account/">' in page.content.decode()
    assert sign_in(client, "olga@example.org", next="/account/")["Location"] == "/account/"


@pytest.mark.parametrize(
    "evil", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "http:evil.example"]
)
def test_next_never_leads_elsewhere(client: Client, person: Callable[..., User], evil: str) -> None:
    person("olga")
    assert sign_in(client, "olga@example.org", next=evil)["Location"] == "/projects/"


def test_who_is_signed_in_is_sent_on(person: Callable[..., User], signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(person("olga"))
    assert browser.get("/sign-in/?next=/account/")["Location"] == "/account/"


def test_a_page_behind_the_door_leads_to_the_door(client: Client, db: None) -> None:
    assert client.get("/account/")["Location"] == "/sign-in/?next=/account/"


def test_the_form_says_what_browsers_may_fill_in(client: Client, db: None) -> None:
    page = client.get("/sign-in/").content.decode()
    assert 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page


def test_an_answer_is_not_kept_by_any_cache(client: Client, db: None) -> None:
    assert "no-store" in client.get("/sign-in/")["Cache-Control"]


def test_signing_out_ends_the_session_and_is_audited(
    person: Callable[..., User], signed_in: Callable[[User], Client], actions: Callable[[], list[str]]
) -> None:
    browser = signed_in(person("olga"))
    assert browser.post("/sign-out/")["Location"] == "/sign-in/"
    assert "_auth_user_id" not in browser.session
    assert actions() == ["signed out"]


def test_signing_out_needs_a_post(person: Callable[..., User], signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(person("olga"))
    assert browser.get("/sign-out/")["Location"] == "/projects/"
    assert "_auth_user_id" in browser.session


def test_signing_out_twice_is_harmless(client: Client, actions: Callable[[], list[str]]) -> None:
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert actions() == []


def test_a_form_without_its_token_is_refused(person: Callable[..., User]) -> None:
    person("olga")
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict, "olga@example.org").status_code == 403
