"""Places in a project: changing them, leaving, and that an owner always stays."""

from collections.abc import Callable

import pytest
from django.test import Client

from riskapp.models import Membership, Project, User
from riskapp.services import projects


@pytest.fixture
def browser(officer: User) -> Client:
    return _browser(officer)


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _address(project: Project, user: User, more: str = "") -> str:
    place = Membership.objects.get(project=project, user=user)
    return f"/projects/{project.pk}/members/{place.pk}/{more}"


def test_taking_the_tick_from_the_last_owner_is_told_at_the_field(
    browser: Client, project: Project, officer: User
) -> None:
    answer = browser.post(_address(project, officer), {"role": "steward"})
    assert answer.status_code == 422
    assert "Make somebody else an owner first" in answer.context["form"].errors["owner"][0]
    place = Membership.objects.get(user=officer)
    assert (place.role, place.owner) == ("officer", True)


def test_with_another_owner_the_tick_can_be_given_away(
    browser: Client, project: Project, officer: User, member: Callable[..., User]
) -> None:
    member("steward", owner=True)
    assert browser.post(_address(project, officer), {"role": "steward"}).status_code == 302
    assert not Membership.objects.get(user=officer).owner


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_last_owner_who_wants_to_leave_is_told_on_their_own_page(
    browser: Client, project: Project, officer: User, method: str
) -> None:
    own = _address(project, officer)
    answer = getattr(browser, method)(_address(project, officer, "remove/"), follow=True)
    assert answer.redirect_chain == [(own, 302)]
    assert "Make somebody else an owner first" in answer.content.decode()
    assert Membership.objects.filter(user=officer).exists()


def test_the_service_keeps_the_last_owner(project: Project, officer: User, by: object) -> None:
    with pytest.raises(projects.LastOwner):
        projects.remove_member(Membership.objects.get(user=officer), by=by)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["recipient", "auditor", "steward", "officer"])
def test_leaving_asks_first(project: Project, member: Callable[..., User], role: str) -> None:
    user = member(role)
    address, browser = _address(project, user, "remove/"), _browser(user)
    page = browser.get(address).content.decode()
    assert "Leave this project?" in page
    assert ('members/"' in page) == (role != "recipient")
    assert Membership.objects.filter(user=user).exists()
    assert browser.post(address)["Location"] == "/projects/"
    assert not Membership.objects.filter(user=user).exists()


def test_removing_asks_first(browser: Client, project: Project, member: Callable[..., User]) -> None:
    user = member("steward")
    address = _address(project, user, "remove/")
    assert "Remove Steward?" in browser.get(address).content.decode()
    assert browser.post(address)["Location"] == f"/projects/{project.pk}/members/"
    assert not Membership.objects.filter(user=user).exists()


def test_ones_own_page_speaks_to_oneself(
    browser: Client, project: Project, officer: User, member: Callable[..., User]
) -> None:
    own = browser.get(_address(project, officer)).content.decode()
    other = browser.get(_address(project, member("steward"))).content.decode()
    assert ("Leave this project" in own, "Remove Steward" in own) == (True, False)
    assert ("Leave this project" in other, "Remove Steward" in other) == (False, True)


# What could not be done has a way back


@pytest.mark.parametrize(
    ("came", "back"),
    [
        ("http://testserver/projects/", "http://testserver/projects/"),
        ("http://evil.example.org/projects/", "/projects/{project}/"),
        ("javascript:alert(1)", "/projects/{project}/"),
        ("", "/projects/{project}/"),
        ("http://testserver{itself}", "/projects/{project}/"),
    ],
)
def test_a_conflict_leads_back_to_a_page_of_ours(
    browser: Client, project: Project, arrive: Callable[..., object], came: str, back: str
) -> None:
    upload = arrive()
    itself = f"/projects/{project.pk}/uploads/{upload.pk}/columns/0/values/"  # type: ignore[attr-defined]
    answer = browser.post(itself, headers={"Referer": came.format(itself=itself)})
    assert answer.status_code == 409
    assert answer.context["back"] == back.format(project=project.pk)
    assert f'href="{answer.context["back"]}"' in answer.content.decode()


def test_an_owner_whose_account_is_deactivated_does_not_count(
    project: Project, officer: User, by: object, member: Callable[..., User]
) -> None:
    other = member("steward", owner=True)
    User.objects.filter(pk=other.pk).update(is_active=False)
    with pytest.raises(projects.LastOwner):
        projects.remove_member(project.memberships.get(user=officer), by=by)  # type: ignore[arg-type]
