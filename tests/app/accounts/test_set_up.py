"""The first start: a one-time link makes the first administrator."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp.models import Actor, AuditEvent, Invitation, Project, User
from riskapp.services import accounts, invitations, people

WANTED = {
    "name": "Ada",
    "email": "Ada@Example.org",
    "password": "six quiet green tables",
    "again": "six quiet green tables",
}


def path(base: str = "http://localhost:8000") -> str:
    link = accounts.setup_link(base)
    assert link
    return link.removeprefix(base)


def opened(client: Client) -> Client:
    client.get(path())
    return client


def test_the_link_is_long_and_only_its_hash_is_kept(db: None) -> None:
    token = path().strip("/").split("/")[1]
    row = Invitation.objects.get()
    assert len(token) >= 43
    assert row.token_hash == Invitation.hashed(token)
    assert token not in str(row.__dict__)
    assert AuditEvent.objects.get().actor == "server"


def test_the_link_stands_on_the_given_address(db: None) -> None:
    link = str(accounts.setup_link("https://risk.example.org/"))
    token = link.rstrip("/").rpartition("/")[2]
    assert link == "https://risk.example.org" + reverse("setup-link", args=[token])


def test_there_is_no_link_once_there_is_an_administrator(administrator: User) -> None:
    assert accounts.setup_link("http://localhost") is None
    assert not Invitation.objects.exists()


def test_a_deactivated_administrator_does_not_count(person: Callable[..., User]) -> None:
    person("ada", is_administrator=True, is_active=False)
    assert accounts.setup_link("http://localhost")


def test_a_newer_link_replaces_the_older(client: Client, db: None) -> None:
    older = path()
    path()
    response = client.get(older, follow=True)
    assert response.status_code == 410
    assert "withdrawn" in response.content.decode()


def test_the_token_leaves_the_address(client: Client, db: None) -> None:
    response = client.get(path())
    assert response["Location"] == "/setup/"
    assert client.get("/setup/").status_code == 200


def test_set_up_makes_an_administrator_and_signs_in(client: Client, db: None) -> None:
    response = opened(client).post("/setup/", WANTED)
    ada = User.objects.get()
    assert response["Location"] == "/projects/"
    assert (ada.email, ada.name, ada.is_administrator, ada.is_active) == ("ada@example.org", "Ada", True, True)
    assert ada.password.startswith("argon2$argon2id$")
    assert client.session["_auth_user_id"] == str(ada.pk)
    assert "setup_token" not in client.session
    assert Invitation.objects.get().accepted_by == ada
    said = list(AuditEvent.objects.order_by("number").values_list("action", flat=True))
    assert said == ["set-up link made", "account created", "set up", "signed in"]


def test_without_the_tick_there_is_no_sample(client: Client, db: None) -> None:
    opened(client).post("/setup/", WANTED)
    assert not Project.objects.exists()


def test_the_sample_is_ticked_from_the_start(client: Client, db: None) -> None:
    assert opened(client).get("/setup/").context["form"]["sample"].value() is True


def test_the_tick_loads_the_sample(client: Client, db: None) -> None:
    opened(client).post("/setup/", WANTED | {"sample": "on"})
    project = Project.objects.get()
    assert project.created_by.email == "ada@example.org"
    assert project.uploads.exists()


def test_a_store_that_cannot_be_written_leaves_the_account_and_says_that_the_sample_is_missing(
    client: Client, db: None, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = tmp_path / "a file where the folder should be"
    settings.FILES.write_text("")
    response = opened(client).post("/setup/", WANTED | {"sample": "on"}, follow=True)
    assert User.objects.count() == 1
    assert "The sample project could not be loaded." in response.content.decode()


def test_a_used_link_says_so_and_makes_nothing(client: Client, db: None) -> None:
    used = path()
    client.get(used)
    client.post("/setup/", WANTED)
    stranger = Client()
    response = stranger.get(used, follow=True)
    assert response.status_code == 410
    assert "already been used" in response.content.decode()
    stranger.post("/setup/", WANTED | {"email": "eve@example.org"})
    assert User.objects.count() == 1


def test_an_expired_link_says_so(client: Client, db: None) -> None:
    opened(client)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    response = client.post("/setup/", WANTED)
    assert response.status_code == 410
    assert "expired" in response.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("address", ["/setup/", "/setup/not-a-token/"])
def test_no_link_or_a_made_up_one_is_not_known(client: Client, db: None, address: str) -> None:
    assert client.get(address, follow=True).status_code == 404


def test_an_invitation_is_no_set_up_link(client: Client, administrator: User) -> None:
    token = invitations.invite_person("eve@example.org", by=Actor(administrator), administrator=True)
    assert client.get(f"/setup/{token}/", follow=True).status_code == 404


def test_an_open_link_stops_working_when_an_administrator_came_another_way(
    client: Client, person: Callable[..., User]
) -> None:
    opened(client)
    person("ada", is_administrator=True)
    assert client.get("/setup/").status_code == 410
    assert client.post("/setup/", WANTED | {"email": "eve@example.org"}).status_code == 410
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("again", "six quiet green chairs", "again"),
        ("password", "short", "password"),
        ("password", "ada@example.org", "password"),
        ("password", "1qaz2wsx3edc", "password"),
        ("password", "739105628841", "password"),
        ("email", "not an address", "email"),
        ("name", "", "name"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(client: Client, db: None, field: str, value: str, where: str) -> None:
    wanted = WANTED | {field: value} | ({"again": value} if field == "password" else {})
    response = opened(client).post("/setup/", wanted)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [where]
    assert not User.objects.exists()


def test_an_address_that_has_an_account_is_told_at_its_field(client: Client, person: Callable[..., User]) -> None:
    person("ada", is_administrator=True, is_active=False)
    response = opened(client).post("/setup/", WANTED)
    assert response.status_code == 422
    assert "already an account" in response.context["form"].errors["email"][0]
    assert Invitation.objects.get().is_open


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_uses_one_wins_and_the_other_is_told() -> None:
    address = path()
    browsers = [Client(), Client()]
    for browser in browsers:
        browser.get(address)
    together, answers = threading.Barrier(2), {}

    def use(number: int) -> None:
        together.wait()
        answers[number] = browsers[number].post("/setup/", WANTED | {"email": f"ada{number}@example.org"})
        connection.close()

    threads = [threading.Thread(target=use, args=[number]) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers.values()) == [302, 410]
    assert User.objects.count() == 1


def test_the_house_can_be_set_up_again_only_when_nobody_administers(client: Client, administrator: User) -> None:
    with pytest.raises(people.LastAdministrator):
        people.deactivate(administrator, by=Actor(administrator))
    assert accounts.setup_link("http://localhost") is None


def test_a_short_password_that_differs_too_is_told_both(client: Client, db: None) -> None:
    errors = opened(client).post("/setup/", WANTED | {"password": "short", "again": "shorter"}).context["form"].errors
    assert set(errors) == {"password", "again"}
