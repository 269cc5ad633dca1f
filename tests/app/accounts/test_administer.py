"""What an administrator does with other people's accounts."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from riskapp import policies
from riskapp.models import Actor, AuditEvent, User
from riskapp.services import people

PASSWORD = "correct horse battery"
ACTIONS = {
    "make-administrator": "made administrator",
    "withdraw-administrator": "administrator withdrawn",
    "allow-projects": "allowed to start projects",
    "forbid-projects": "no longer allowed to start projects",
    "deactivate": "account deactivated",
    "reactivate": "account reactivated",
    "unlock": "unlocked",
    "turn-off-second-factor": "second factor turned off",
}


@pytest.fixture
def olga(person: Callable[..., User]) -> User:
    return person("olga")


@pytest.fixture
def admin(administrator: User, signed_in: Callable[[User], Client]) -> Client:
    return signed_in(administrator)


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


def test_the_list_tells_state_second_factor_and_last_sign_in(
    admin: Client, olga: User, person: Callable[..., User], device: Callable[[User], Any]
) -> None:
    person("gone", is_active=False)
    device(olga)
    page = admin.get("/people/")
    rows = {row.user.name: row for row in page.context["people"]}
    assert set(rows) == {"Ada", "Olga", "Gone"}
    assert (rows["Olga"].second_factor, rows["Ada"].second_factor) == (True, False)
    text = page.content.decode()
    assert "deactivated" in text
    assert "never" in text


@pytest.mark.parametrize(("name", "event"), ACTIONS.items())
def test_every_action_asks_first_and_is_audited(admin: Client, olga: User, name: str, event: str) -> None:
    path = f"/people/{olga.pk}/{name}/"
    assert admin.get(path).status_code == 200
    assert not AuditEvent.objects.exists()
    assert admin.post(path)["Location"] == f"/people/{olga.pk}/"
    row = AuditEvent.objects.get()
    assert (row.action, row.actor, row.subject_id) == (event, "ada@example.org", str(olga.pk))
    assert admin.get(f"/people/{olga.pk}/").status_code == 200


def test_an_action_that_does_not_exist_is_not_found(admin: Client, olga: User) -> None:
    assert admin.post(f"/people/{olga.pk}/promote/").status_code == 404


@pytest.mark.parametrize("name", ["", "reset-link/", *(f"{name}/" for name in ACTIONS)])
def test_for_others_the_pages_do_not_exist(
    client: Client, olga: User, person: Callable[..., User], signed_in: Callable[[User], Client], name: str
) -> None:
    before = User.objects.filter(pk=olga.pk).values().get()
    path, browser = f"/people/{olga.pk}/{name}", signed_in(person("otto"))
    verb = "get" if name == "" else "post"
    assert getattr(browser, verb)(path).status_code == 404
    assert getattr(client, verb)(path)["Location"].startswith("/sign-in/")
    assert User.objects.filter(pk=olga.pk).values().get() == before
    assert [event.action for event in AuditEvent.objects.all()] == ["turned away"]


def test_a_person_who_does_not_exist_is_not_found(admin: Client) -> None:
    assert admin.get("/people/00000000-0000-0000-0000-000000000000/").status_code == 404


def test_administrators_are_made_and_unmade(admin: Client, olga: User) -> None:
    admin.post(f"/people/{olga.pk}/make-administrator/")
    assert fresh(olga).is_administrator
    admin.post(f"/people/{olga.pk}/withdraw-administrator/")
    assert not fresh(olga).is_administrator


def test_starting_projects_is_allowed_and_forbidden(admin: Client, olga: User) -> None:
    admin.post(f"/people/{olga.pk}/allow-projects/")
    assert policies.can_create_projects(fresh(olga))
    admin.post(f"/people/{olga.pk}/forbid-projects/")
    assert not policies.can_create_projects(fresh(olga))


def test_deactivation_ends_sessions_and_reactivation_does_not_bring_them_back(
    admin: Client, olga: User, signed_in: Callable[[User], Client]
) -> None:
    browser = signed_in(olga)
    admin.post(f"/people/{olga.pk}/deactivate/")
    assert browser.get("/account/").status_code == 302
    assert admin.get("/people/").status_code == 200
    admin.post(f"/people/{olga.pk}/reactivate/")
    assert browser.get("/account/").status_code == 302
    answer = Client().post("/sign-in/", {"username": "olga@example.org", "password": PASSWORD})
    assert answer["Location"] == "/projects/"


@pytest.mark.parametrize("name", ["deactivate", "withdraw-administrator"])
def test_the_last_active_administrator_stays(
    admin: Client, administrator: User, person: Callable[..., User], name: str
) -> None:
    person("former", is_administrator=True, is_active=False)
    response = admin.post(f"/people/{administrator.pk}/{name}/", follow=True)
    assert response.redirect_chain == [(f"/people/{administrator.pk}/", 302)]
    assert "last active administrator" in response.content.decode()
    assert fresh(administrator).is_administrator
    assert fresh(administrator).is_active
    assert not AuditEvent.objects.exists()


def test_one_of_two_administrators_may_go(admin: Client, administrator: User, person: Callable[..., User]) -> None:
    person("second", is_administrator=True)
    assert admin.post(f"/people/{administrator.pk}/withdraw-administrator/")["Location"] == "/projects/"
    assert admin.get("/people/").status_code == 404


def test_services_ask_the_policy_themselves(olga: User, person: Callable[..., User]) -> None:
    otto = Actor(person("otto"))
    for action in (people.make_administrator, people.deactivate, people.unlock, people.turn_off_second_factor):
        for by in (otto, Actor(None, label="visitor")):
            with pytest.raises(policies.Hidden):
                action(olga, by=by)
    with pytest.raises(policies.Hidden):
        people.reset_path(olga, by=otto)


def test_rights_that_were_just_taken_away_do_not_count(
    administrator: User, olga: User, person: Callable[..., User]
) -> None:
    """The actor's row was read at the beginning of the request; what counts is what is true now."""
    person("second", is_administrator=True)
    User.objects.filter(pk=administrator.pk).update(is_administrator=False)
    with pytest.raises(policies.Hidden):
        people.make_administrator(olga, by=Actor(administrator))


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_demote_each_other_at_once(person: Callable[..., User]) -> None:
    pair = [person("ada", is_administrator=True), person("bea", is_administrator=True)]
    together, troubles = threading.Barrier(2), []

    def demote(number: int) -> None:
        together.wait()
        try:
            people.withdraw_administrator(pair[1 - number], by=Actor(pair[number]))
        except (people.LastAdministrator, policies.Hidden) as trouble:
            troubles.append(trouble)
        finally:
            connection.close()

    threads = [threading.Thread(target=demote, args=[number]) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(troubles) == 1
    assert User.objects.filter(is_administrator=True).count() == 1


def test_unlocking_is_offered_only_where_there_is_something_to_forget(
    admin: Client, olga: User, client: Client, device: Callable[[User], Any]
) -> None:
    def offered() -> bool:
        return "unlock" in dict(admin.get(f"/people/{olga.pk}/").context["actions"])

    assert not offered()
    client.post("/sign-in/", {"username": olga.email, "password": "wrong"})
    assert offered()
    admin.post(f"/people/{olga.pk}/unlock/")
    assert not offered()
    device(olga).throttle_increment()
    assert offered()


def test_every_button_says_what_it_does(admin: Client, olga: User) -> None:
    page = admin.get(f"/people/{olga.pk}/").content.decode()
    assert "Continue" not in page
    assert ">Make administrator</a>" in page
