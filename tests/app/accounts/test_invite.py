"""Making, mailing and withdrawing invitations."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from riskapp import policies
from riskapp.models import Actor, AuditEvent, Invitation, Project, Role, User
from riskapp.services import accounts, invitations, links, projects


@pytest.fixture
def admin(administrator: User, signed_in: Callable[[User], Client]) -> Client:
    return signed_in(administrator)


def invite(browser: Client, email: str = "Nina@Example.org", **more: str) -> Any:
    """The page to which making an invitation leads."""
    return browser.post("/people/invite/", {"email": email, **more}, follow=True)


def test_the_link_is_shown_once_and_only_its_hash_is_kept(admin: Client) -> None:
    response = invite(admin)
    token = response.context["made"]["link"].strip("/").split("/")[-1]
    row = Invitation.objects.get()
    assert response.redirect_chain == [("/people/", 302)]
    assert response.context["made"]["link"] in response.content.decode()
    assert row.token_hash == Invitation.hashed(token)
    assert row.email == "nina@example.org"
    assert token not in admin.get("/people/").content.decode()


def test_the_link_stands_on_the_address_of_the_request(admin: Client) -> None:
    assert invite(admin).context["made"]["link"].startswith("http://testserver/join/")


def test_the_link_stands_on_the_address_of_the_house_where_it_has_one(admin: Client, settings: Any) -> None:
    settings.ORIGIN = "https://risk.example.org"
    assert invite(admin).context["made"]["link"].startswith("https://risk.example.org/join/")


def test_an_invitation_is_audited_with_whom_and_as_what(admin: Client) -> None:
    invite(admin, may_create_projects="on")
    event = AuditEvent.objects.get()
    assert (event.action, event.actor) == ("invited", "ada@example.org")
    assert event.details == {"email": "nina@example.org", "administrator": False, "may_create_projects": True}


def test_who_has_an_account_is_not_invited_again(admin: Client, person: Callable[..., User]) -> None:
    person("nina")
    response = invite(admin)
    assert response.status_code == 422
    assert "already an account" in response.context["form"].errors["email"][0]
    assert not Invitation.objects.exists()


def test_what_is_no_address_is_told_at_the_field(admin: Client) -> None:
    response = invite(admin, "nina at example")
    assert response.status_code == 422
    assert "email" in response.context["form"].errors


def test_a_newer_invitation_replaces_the_older(admin: Client) -> None:
    invite(admin)
    invite(admin)
    assert [row.is_open for row in Invitation.objects.order_by("created_at")] == [False, True]
    assert AuditEvent.objects.filter(action="invitation withdrawn").count() == 1


def test_the_first_link_is_said_to_replace_none(admin: Client) -> None:
    assert "This replaces" not in invite(admin).content.decode()


def test_a_link_that_replaces_an_open_one_says_so(admin: Client) -> None:
    made_at = invite(admin) and Invitation.objects.get().created_at
    response = invite(admin, "NINA@example.org ")
    assert response.context["made"]["replaced"] == made_at
    assert "This replaces the link made at" in response.content.decode()


def test_loading_the_page_again_makes_no_other_link(admin: Client) -> None:
    link = invite(admin).context["made"]["link"]
    page = admin.get("/people/")
    assert page.context["made"] is None
    assert link not in page.content.decode()
    assert not [value for value in admin.session.values() if link in str(value)]
    assert Invitation.objects.get().is_open


def test_who_loads_the_address_of_the_form_is_led_to_the_list(admin: Client) -> None:
    assert admin.get("/people/invite/")["Location"] == "/people/"


def test_open_invitations_are_listed_and_withdrawn(admin: Client) -> None:
    invite(admin)
    row = Invitation.objects.get()
    assert "nina@example.org" in admin.get("/people/").content.decode()
    assert admin.post(f"/people/invitations/{row.pk}/withdraw/")["Location"] == "/people/"
    row.refresh_from_db()
    assert row.withdrawn_at
    assert AuditEvent.objects.get(action="invitation withdrawn").subject_id == str(row.pk)
    assert list(admin.get("/people/").context["invitations"]) == []


def test_an_invitation_is_withdrawn_once(admin: Client) -> None:
    invite(admin)
    row = Invitation.objects.get()
    admin.post(f"/people/invitations/{row.pk}/withdraw/")
    assert admin.post(f"/people/invitations/{row.pk}/withdraw/").status_code == 409


@pytest.mark.parametrize("path", ["/people/invite/", "/people/invitations/{row}/withdraw/"])
def test_only_an_administrator_does_this(
    admin: Client, person: Callable[..., User], signed_in: Callable[[User], Client], path: str
) -> None:
    invite(admin)
    address = path.format(row=Invitation.objects.get().pk)
    assert signed_in(person("otto")).post(address, {"email": "x@example.org"}).status_code == 404
    assert Client().post(address, {"email": "x@example.org"})["Location"].startswith("/sign-in/")
    assert Invitation.objects.get().is_open


# Into a project


def test_an_owner_invites_into_the_project(project: Project, by: Actor) -> None:
    token = invitations.invite(project, " Nina@Example.org ", Role.AUDITOR, by=by)
    row = invitations.find(token)
    assert row
    assert (row.email, row.project, row.role, row.invited_by) == ("nina@example.org", project, "auditor", by.user)
    event = AuditEvent.objects.get(action="invited")
    assert (event.project_id, event.details["role"]) == (project.pk, "auditor")


def test_a_member_who_is_no_owner_may_not_invite(project: Project, member: Callable[..., User]) -> None:
    with pytest.raises(policies.Refused):
        invitations.invite(project, "nina@example.org", Role.AUDITOR, by=Actor(member("steward")))


def test_a_stranger_learns_nothing_of_the_project(project: Project, administrator: User) -> None:
    with pytest.raises(policies.Hidden):
        invitations.invite(project, "nina@example.org", Role.AUDITOR, by=Actor(administrator))
    with pytest.raises(policies.Hidden):
        invitations.invite(project, "nina@example.org", Role.AUDITOR, by=Actor(None))


def test_a_member_is_not_invited_again(project: Project, by: Actor, member: Callable[..., User]) -> None:
    with pytest.raises(invitations.AlreadyThere):
        invitations.invite(project, member("steward").email, Role.AUDITOR, by=by)


def test_an_unknown_role_is_a_bug(project: Project, by: Actor) -> None:
    with pytest.raises(ValueError, match="king"):
        invitations.invite(project, "nina@example.org", "king", by=by)


def test_the_link_into_a_project_is_headed_by_whom_and_as_what(
    project: Project, officer: User, signed_in: Callable[[User], Client]
) -> None:
    browser, wanted = signed_in(officer), {"email": "bob@example.org", "role": "officer"}
    response = browser.post(f"/projects/{project.pk}/members/invite/", wanted, follow=True)
    assert response.redirect_chain == [(f"/projects/{project.pk}/members/", 302)]
    page = response.content.decode()
    assert "The link for bob@example.org, as officer" in page
    assert "This replaces" not in page
    again = browser.post(f"/projects/{project.pk}/members/invite/", wanted, follow=True).content.decode()
    assert "This replaces the link made at" in again
    assert "/join/" not in browser.get(f"/projects/{project.pk}/members/").content.decode()


def test_a_link_is_shown_only_where_it_was_made(
    project: Project, by: Actor, signed_in: Callable[[User], Client]
) -> None:
    assert by.user
    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    browser = signed_in(by.user)
    browser.post(f"/projects/{project.pk}/members/invite/", {"email": "bob@example.org", "role": "officer"})
    assert browser.get(f"/projects/{other.pk}/members/").context["made"] is None
    assert browser.get(f"/projects/{project.pk}/members/").context["made"]["email"] == "bob@example.org"


def test_who_may_withdraw(
    project: Project, by: Actor, member: Callable[..., User], administrator: User, person: Callable[..., User]
) -> None:
    row = invitations.find(invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by))
    assert row
    with pytest.raises(policies.Refused):
        invitations.withdraw(row, by=Actor(member("officer")))
    with pytest.raises(policies.Hidden):
        invitations.withdraw(row, by=Actor(person("stranger")))
    invitations.withdraw(row, by=Actor(administrator))
    with pytest.raises(links.Closed):
        invitations.withdraw(row, by=by)


def test_an_owner_may_not_withdraw_what_an_administrator_offered(by: Actor, administrator: User) -> None:
    row = invitations.find(invitations.invite_person("nina@example.org", by=Actor(administrator)))
    assert row
    with pytest.raises(policies.Hidden):
        invitations.withdraw(row, by=by)


def test_the_administrator_sees_no_project_name(project: Project, by: Actor, admin: Client) -> None:
    invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by)
    page = admin.get("/people/").content.decode()
    assert "into a project" in page
    assert project.name not in page


# By mail


def test_the_letter_holds_names_and_the_link_and_nothing_else(project: Project, by: Actor, letterbox: Any) -> None:
    token = invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by)
    assert invitations.post(token, "https://risk.example.org/join/x/") is True
    letter = letterbox.take()
    body = letter.get_content()
    assert letter["To"] == "nina@example.org"
    assert letter["Subject"] == "Olga invites you to riskapp: Members"
    assert re.findall(r"https?://\S+", body) == ["https://risk.example.org/join/x/"]
    assert "olga@example.org" not in body
    assert "auditor" not in body


def test_a_name_cannot_forge_a_header(project: Project, by: Actor, letterbox: Any) -> None:
    Project.objects.update(name="Members\nBcc: eve@example.org")
    token = invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by)
    assert invitations.post(token, "https://risk.example.org/join/x/") is True
    letter = letterbox.take()
    assert letter["Bcc"] is None
    assert letter["Subject"].startswith("Olga invites you to riskapp: Members")


def test_with_a_mail_server_the_link_is_mailed_and_shown(admin: Client, letterbox: Any) -> None:
    response = invite(admin)
    assert "also mailed" in response.content.decode()
    assert response.context["made"]["link"] in letterbox.take().get_content()


def test_a_letter_that_is_refused_is_told_and_the_link_still_shown(admin: Client, letterbox: Any) -> None:
    letterbox.refuses = True
    response = invite(admin)
    assert "could not be sent" in response.content.decode()
    assert response.context["made"]["link"] in response.content.decode()
    assert Invitation.objects.get().is_open


@pytest.mark.usefixtures("no_mail_server")
def test_a_mail_server_that_is_away_is_told_and_the_link_still_shown(admin: Client) -> None:
    response = invite(admin)
    assert "could not be sent" in response.content.decode()
    assert response.context["made"]["link"] in response.content.decode()


def test_without_a_mail_server_nothing_is_said_of_mail(admin: Client) -> None:
    response = invite(admin)
    assert response.context["made"]["mailed"] is None
    assert "mailed" not in response.content.decode()


def test_an_account_made_meanwhile_is_noticed_by_the_service(administrator: User, person: Callable[..., User]) -> None:
    person("nina")
    with pytest.raises(accounts.AddressTaken):
        invitations.invite_person("NINA@example.org", by=Actor(administrator))
