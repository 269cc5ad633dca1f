"""Coming by an invitation."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.models import Actor, AuditEvent, Invitation, Membership, Project, Role, User
from riskapp.services import accounts, invitations, people

WANTED = {"name": "Nina", "password": "six quiet green tables", "again": "six quiet green tables"}
PASSWORD = "correct horse battery"


@pytest.fixture
def link(project: Project, by: Actor) -> str:
    """Nina's invitation into the project, as an auditor."""
    return f"/join/{invitations.invite(project, 'nina@example.org', Role.AUDITOR, by=by)}/"


def place(project: Project, email: str = "nina@example.org") -> str | None:
    return Membership.objects.filter(project=project, user__email=email).values_list("role", flat=True).first()


def test_the_token_leaves_the_address(client: Client, link: str) -> None:
    assert client.get(link)["Location"] == "/join/"


def test_a_newcomer_makes_an_account_and_is_in_the_project(client: Client, project: Project, link: str) -> None:
    page = client.get(link, follow=True).content.decode()
    assert "Members" in page
    assert "nina@example.org" in page
    response = client.post("/join/", WANTED)
    assert response["Location"] == f"/projects/{project.pk}/"
    nina = User.objects.get(email="nina@example.org")
    assert client.session["_auth_user_id"] == str(nina.pk)
    assert (nina.name, nina.is_administrator, nina.may_create_projects) == ("Nina", False, False)
    assert place(project) == "auditor"
    assert "join_token" not in client.session


def test_everything_about_it_is_audited(client: Client, link: str) -> None:
    client.get(link)
    client.post("/join/", WANTED)
    nina = list(AuditEvent.objects.filter(actor="nina@example.org").order_by("number"))
    said = [event.action for event in nina]
    assert said == ["account created", "invitation accepted", "member added", "signed in"]


def test_the_address_is_the_invited_one_whatever_is_posted(client: Client, link: str) -> None:
    client.get(link)
    client.post("/join/", WANTED | {"email": "eve@example.org", "administrator": "on", "is_administrator": "on"})
    assert not User.objects.filter(email="eve@example.org").exists()
    assert not User.objects.get(email="nina@example.org").is_administrator


def test_a_weak_password_is_told_at_its_field(client: Client, link: str) -> None:
    client.get(link)
    response = client.post("/join/", WANTED | {"password": "nina@example.org", "again": "nina@example.org"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["password"]
    assert Invitation.objects.get().is_open


def test_who_has_the_account_signs_in_and_accepts(
    client: Client, project: Project, link: str, person: Callable[..., User]
) -> None:
    person("nina")
    page = client.get(link, follow=True).content.decode()
    assert 'href="/sign-in/?next=/join/"' in page
    answer = client.post("/sign-in/", {"username": "nina@example.org", "password": PASSWORD, "next": "/join/"})
    assert answer["Location"] == "/join/"
    assert "Accept" in client.get("/join/").content.decode()
    assert place(project) is None
    assert client.post("/join/")["Location"] == f"/projects/{project.pk}/"
    assert place(project) == "auditor"


def test_a_link_is_no_way_round_the_second_factor(
    client: Client, project: Project, link: str, person: Callable[..., User], device: Callable[[User], TOTPDevice],
    code: Callable[..., str],
) -> None:  # fmt: skip
    app = device(person("nina"))
    client.get(link)
    client.post("/sign-in/", {"username": "nina@example.org", "password": PASSWORD, "next": "/join/"})
    client.post("/join/")
    assert place(project) is None
    assert client.post("/sign-in/code/", {"code": code(app)})["Location"] == "/join/"
    client.post("/join/")
    assert place(project) == "auditor"


def test_a_stranger_with_the_link_gets_no_new_account_for_an_address_that_has_one(
    client: Client, project: Project, link: str, person: Callable[..., User]
) -> None:
    nina = person("nina")
    client.get(link)
    client.post("/join/", WANTED)
    nina.refresh_from_db()
    assert nina.check_password(PASSWORD)
    assert place(project) is None


def test_a_deactivated_account_is_told_whom_to_ask(client: Client, link: str, person: Callable[..., User]) -> None:
    person("nina", is_active=False)
    assert "deactivated" in client.get(link, follow=True).content.decode()


def test_somebody_else_is_told_and_the_link_stays_open(
    project: Project, link: str, person: Callable[..., User], signed_in: Callable[[User], Client]
) -> None:
    browser = signed_in(person("otto"))
    response = browser.get(link, follow=True)
    assert response.status_code == 403
    assert "for somebody else" in response.content.decode()
    assert browser.post("/join/").status_code == 403
    assert place(project, "otto@example.org") is None
    assert Invitation.objects.get().is_open


def test_the_service_refuses_somebody_else_too(project: Project, link: str, person: Callable[..., User]) -> None:
    with pytest.raises(invitations.SomebodyElse):
        invitations.accept(Invitation.objects.get(), by=Actor(person("otto")))
    assert Invitation.objects.get().is_open


def test_who_is_in_the_project_already_keeps_their_role(
    project: Project, link: str, person: Callable[..., User], signed_in: Callable[[User], Client]
) -> None:
    nina = person("nina")
    Membership.objects.create(project=project, user=nina, role=Role.OFFICER)
    browser = signed_in(nina)
    browser.get(link)
    browser.post("/join/")
    assert place(project) == "officer"


# Links that no longer work


def close_by(how: str, link: str, project: Project, by: Actor, person: Callable[..., User]) -> None:
    row = Invitation.objects.get()
    match how:
        case "used":
            invitations.accept(row, by=Actor(person("nina")))
        case "withdrawn":
            invitations.withdraw(row, by=by)
        case "expired":
            Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "no longer an owner":
            Membership.objects.filter(user=by.user).update(owner=False)
        case "deactivated inviter":
            User.objects.filter(pk=by.user.pk if by.user else None).update(is_active=False)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("used", "already been used"),
        ("withdrawn", "was withdrawn"),
        ("expired", "has expired"),
        ("no longer an owner", "may no longer invite"),
        ("deactivated inviter", "may no longer invite"),
    ],
)
def test_a_closed_link_says_why_and_what_to_do(
    client: Client, link: str, project: Project, by: Actor, person: Callable[..., User], how: str, words: str
) -> None:
    client.get(link)
    close_by(how, link, project, by, person)
    people_before = User.objects.count()
    for response in (client.get("/join/"), client.post("/join/", WANTED)):
        text = response.content.decode()
        assert response.status_code == 410
        assert words in text
        assert "Ask the person who invited you" in text or "tell the person who invited you" in text
    assert User.objects.count() == people_before


@pytest.mark.parametrize("address", ["/join/", "/join/not-a-token/"])
def test_no_link_or_a_made_up_one_is_not_known(client: Client, db: None, address: str) -> None:
    response = client.get(address, follow=True)
    assert response.status_code == 404
    assert "Copy the whole link" in response.content.decode()


def test_the_set_up_link_is_no_invitation(client: Client, db: None) -> None:
    link = accounts.setup_link("")
    assert link
    token = link.strip("/").split("/")[1]
    assert client.get(f"/join/{token}/", follow=True).status_code == 404
    client.post("/join/", WANTED)
    assert not User.objects.exists()


# Into the house


def test_an_administrators_invitation_gives_what_it_promises(client: Client, administrator: User) -> None:
    token = invitations.invite_person("nina@example.org", by=Actor(administrator), administrator=True)
    client.get(f"/join/{token}/")
    assert client.post("/join/", WANTED)["Location"] == "/projects/"
    assert User.objects.get(email="nina@example.org").is_administrator
    assert AuditEvent.objects.get(action="invitation accepted").details == {"is_administrator": True}


def test_an_account_that_came_meanwhile_gets_it_too(
    administrator: User, person: Callable[..., User], signed_in: Callable[[User], Client]
) -> None:
    token = invitations.invite_person("nina@example.org", by=Actor(administrator), may_create_projects=True)
    nina = person("nina")
    browser = signed_in(nina)
    browser.get(f"/join/{token}/")
    browser.post("/join/")
    nina.refresh_from_db()
    assert (nina.may_create_projects, nina.is_administrator) == (True, False)


def test_a_demoted_administrators_invitation_no_longer_works(
    client: Client, administrator: User, person: Callable[..., User]
) -> None:
    token = invitations.invite_person("nina@example.org", by=Actor(administrator), administrator=True)
    people.withdraw_administrator(administrator, by=Actor(person("other", is_administrator=True)))
    assert client.get(f"/join/{token}/", follow=True).status_code == 410


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_uses_one_wins_and_the_other_is_told(person: Callable[..., User]) -> None:
    ada = person("ada", is_administrator=True)
    address = f"/join/{invitations.invite_person('nina@example.org', by=Actor(ada))}/"
    browsers: list[Any] = [Client(), Client()]
    for browser in browsers:
        browser.get(address)
    together, answers = threading.Barrier(2), {}

    def use(number: int) -> None:
        together.wait()
        answers[number] = browsers[number].post("/join/", WANTED)
        connection.close()

    threads = [threading.Thread(target=use, args=[number]) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers.values()) == [302, 410]
    assert User.objects.filter(email="nina@example.org").count() == 1
    assert AuditEvent.objects.filter(action="invitation accepted").count() == 1
