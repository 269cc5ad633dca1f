"""Who gets what at every address: one table, gone through for everybody. A new address must be put into it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from riskapp.models import Actor, Invitation, Membership, Project, Role, Run, Upload, User
from riskapp.services import invitations, runs

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = ["nobody", "stranger", "recipient", "auditor", "steward", "officer", "owner", "administrator"]
IN, GONE, NO = 302, 404, 403  # to the sign-in page; not there for you; not allowed to you


def row(nobody: int, stranger: int, recipient: int, auditor: int, steward: int, officer: int, owner: int,
        administrator: int) -> dict[str, int]:  # fmt: skip
    return dict(
        zip(PEOPLE, (nobody, stranger, recipient, auditor, steward, officer, owner, administrator), strict=True)
    )


def everybody(status: int) -> dict[str, int]:
    return dict.fromkeys(PEOPLE, status)


def signed_in(status: int, nobody: int = IN) -> dict[str, int]:
    return everybody(status) | {"nobody": nobody}


def administrators(status: int) -> dict[str, int]:
    return everybody(GONE) | {"nobody": IN, "administrator": status}


#                                  nobody stranger recipient auditor steward officer owner administrator
visitors = lambda ok: row(IN, GONE, ok, ok, ok, ok, ok, GONE)  # noqa: E731
readers = lambda ok: row(IN, GONE, NO, ok, ok, ok, ok, GONE)  # noqa: E731
workers = lambda ok: row(IN, GONE, NO, NO, ok, ok, ok, GONE)  # noqa: E731
trail = lambda ok: row(IN, GONE, NO, ok, NO, ok, NO, GONE)  # noqa: E731  (the owner here is a steward)
owners = lambda ok: row(IN, GONE, NO, NO, NO, NO, ok, GONE)  # noqa: E731
WRONG = 405

TABLE: dict[str, dict[str, dict[str, int]]] = {
    # Everybody's
    "healthz": {"GET": everybody(200)},
    "readyz": {"GET": everybody(503)},  # there is no broker in these tests
    "home": {"GET": everybody(302)},
    "sign-in": {"GET": signed_in(302, nobody=200), "POST": signed_in(302, nobody=200)},
    "sign-in-code": {"GET": everybody(302), "POST": everybody(302)},
    "sign-out": {"GET": everybody(302), "POST": everybody(302)},
    "setup": {"GET": everybody(404), "POST": everybody(404)},
    "setup-link": {"GET": everybody(302)},
    "join": {"GET": everybody(404), "POST": everybody(404)},
    "join-link": {"GET": everybody(302)},
    "forgotten": {"GET": everybody(200), "POST": everybody(200)},
    "reset-link": {"GET": everybody(410), "POST": everybody(410)},
    # One's own
    "account": {"GET": signed_in(200), "POST": signed_in(200)},
    "account-password": {"GET": signed_in(200), "POST": signed_in(200)},
    "second-factor": {"GET": signed_in(200), "POST": everybody(WRONG)},
    "second-factor-start": {"GET": everybody(302), "POST": signed_in(422)},
    "second-factor-confirm": {"GET": everybody(302), "POST": signed_in(422)},
    "second-factor-cancel": {"GET": everybody(302), "POST": signed_in(302)},
    "second-factor-off": {"GET": everybody(302), "POST": signed_in(422)},
    "recovery-codes": {"GET": everybody(302), "POST": signed_in(422)},
    # The administrator's
    "people": {"GET": administrators(200), "POST": everybody(WRONG)},
    "people-invite": {"GET": administrators(302), "POST": administrators(422)},
    "people-withdraw": {"GET": everybody(WRONG), "POST": administrators(302)},
    "person": {"GET": administrators(200), "POST": everybody(WRONG)},
    "person-reset-link": {"GET": administrators(302), "POST": administrators(200)},
    "person-act": {"GET": administrators(200), "POST": administrators(302)},
    "site-audit": {"GET": administrators(200), "POST": everybody(WRONG)},
    "site-audit-verify": {"GET": administrators(302), "POST": administrators(200)},
    # Projects
    "projects": {"GET": signed_in(200), "POST": everybody(WRONG)},
    "project-new": {"GET": signed_in(NO) | {"administrator": 200}, "POST": signed_in(NO) | {"administrator": 200}},
    "project-sample": {"GET": signed_in(NO) | {"administrator": 302}, "POST": signed_in(NO) | {"administrator": 302}},
    "project": {"GET": visitors(200), "POST": everybody(WRONG)},
    "project-settings": {"GET": owners(200), "POST": owners(200)},
    "members": {"GET": readers(200), "POST": everybody(WRONG)},
    "member-invite": {"GET": owners(302), "POST": owners(422)},
    "member": {"GET": owners(200), "POST": owners(200)},
    "member-remove": {"GET": owners(200), "POST": row(IN, GONE, NO, NO, NO, NO, 302, GONE)},
    "invitation-withdraw": {"GET": everybody(WRONG), "POST": owners(302)},
    "upload-add": {"GET": everybody(WRONG), "POST": workers(302)},
    "upload-check": {"GET": everybody(WRONG), "POST": workers(415)},
    "upload": {"GET": readers(200), "POST": everybody(WRONG)},
    "upload-row": {"GET": readers(200), "POST": everybody(WRONG)},
    "upload-read": {"GET": everybody(WRONG), "POST": workers(302)},
    "upload-retry": {"GET": everybody(WRONG), "POST": workers(302)},
    "upload-values": {"GET": everybody(WRONG), "POST": workers(200)},
    "upload-purge": {"GET": owners(200), "POST": owners(302)},
    "run-cancel": {"GET": everybody(WRONG), "POST": workers(302)},
    "project-audit": {"GET": trail(200), "POST": everybody(WRONG)},
    "project-audit-verify": {"GET": trail(302), "POST": trail(200)},
    "project-audit-export": {"GET": trail(200), "POST": everybody(WRONG)},
}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield from patterns(part)
        else:
            yield part


def test_the_table_has_every_address_and_no_other() -> None:
    assert {pattern.name for pattern in patterns(get_resolver())} == set(TABLE)


def test_the_table_says_what_everybody_gets_for_looking_and_for_doing() -> None:
    links = {"healthz", "readyz", "home", "setup-link", "join-link"}
    for name, methods in TABLE.items():
        assert set(methods) == ({"GET"} if name in links else {"GET", "POST"}), name
        assert all(set(statuses) == set(PEOPLE) for statuses in methods.values()), name


class House:
    """A project with everybody in it, and an upload that has been read."""

    def __init__(self, person: Callable[..., User], project: Project, arrive: Callable[..., Upload]) -> None:
        self.project = project
        self.upload = arrive()
        self.run = Run.objects.get()
        token = runs.claim(self.run.pk)
        assert token
        runs.compute(self.run.pk, token)
        self.people: dict[str, User | None] = {"nobody": None, "stranger": person("stranger")}
        for role in ("recipient", "auditor", "steward", "officer"):
            self.people[role] = self._member(person(role), role)
        self.people["owner"] = self._member(person("owner"), "steward", owner=True)
        self.people["administrator"] = person("root", is_administrator=True)
        self.target = Membership.objects.create(project=project, user=person("target"), role=Role.AUDITOR)
        invitations.invite(project, "new@example.org", Role.AUDITOR, by=Actor(self.people["owner"]))
        self.invitation = Invitation.objects.get()
        links = {"email": "other@example.org", "invited_by": self.people["administrator"]}
        self.own_invitation = Invitation.objects.create(
            token_hash="x", expires_at=timezone.now() + timedelta(days=1), **links
        )

    def _member(self, user: User, role: str, owner: bool = False) -> User:
        Membership.objects.create(project=self.project, user=user, role=role, owner=owner)
        return user

    def address(self, name: str) -> str:
        known: dict[str, Any] = {
            "project_id": self.project.pk,
            "upload_id": self.upload.pk,
            "run_id": self.run.pk,
            "column": 0,
            "member_id": self.target.pk,
            "invitation_id": self.own_invitation.pk if name == "people-withdraw" else self.invitation.pk,
            "person_id": self.target.user_id,
            "name": "unlock",
            "token": "no-such-token",
            "uidb64": "eA",
        }
        ways = [way for ways, *_ in get_resolver().reverse_dict.getlist(name) for way in ways]
        wanted = {parameter for _, parameters in ways for parameter in parameters}
        return reverse(name, kwargs={parameter: known[parameter] for parameter in wanted})


@pytest.fixture
def house(person: Callable[..., User], project: Project, arrive: Callable[..., Upload]) -> House:
    return House(person, project, arrive)


@pytest.mark.parametrize("name", TABLE)
def test_everybody_gets_what_the_table_says(house: House, name: str) -> None:
    address = house.address(name)
    got: dict[str, dict[str, int]] = {method: {} for method in TABLE[name]}
    for method in got:
        for who in PEOPLE:
            Upload.objects.filter(state="reading").update(state="ready")
            Run.objects.exclude(pk=house.run.pk).update(state="cancelled")
            got[method][who] = _status(house.people[who], method, address)
    assert got == TABLE[name]


def _status(user: User | None, method: str, address: str) -> int:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return int(client.generic(method, address, content_type="application/x-www-form-urlencoded").status_code)


def test_a_deactivated_member_is_signed_out(house: House) -> None:
    officer = house.people["officer"]
    assert officer is not None
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    User.objects.filter(pk=officer.pk).update(is_active=False)
    answer = client.get(reverse("project", args=[house.project.pk]))
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("who", ["stranger", "officer"])
def test_what_is_not_there_looks_like_what_is_hidden(house: House, who: str) -> None:
    user = house.people[who]
    missing = _status(user, "GET", reverse("project", args=[uuid4()]))
    hidden = _status(house.people["stranger"], "GET", reverse("project", args=[house.project.pk]))
    assert missing == hidden == 404


def test_things_of_another_project_are_not_reached_through_ones_own(house: House, by: Actor) -> None:
    from riskapp.services import projects

    officer = house.people["officer"]
    assert officer is not None
    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    Membership.objects.create(project=other, user=officer, role=Role.OFFICER, owner=True)
    things = {
        **dict.fromkeys(["upload", "upload-row", "upload-purge"], ("GET", [house.upload.pk])),
        **dict.fromkeys(["upload-read", "upload-retry"], ("POST", [house.upload.pk])),
        "upload-values": ("POST", [house.upload.pk, 0]),
        "run-cancel": ("POST", [house.run.pk]),
        "member": ("GET", [house.target.pk]),
        "member-remove": ("POST", [house.target.pk]),
        "invitation-withdraw": ("POST", [house.invitation.pk]),
    }
    for name, (method, ids) in things.items():
        assert _status(officer, method, reverse(name, args=[other.pk, *ids])) == 404, name


def test_a_refusal_is_audited_without_the_address(house: House) -> None:
    from riskapp.models import AuditEvent

    _status(house.people["auditor"], "POST", reverse("upload-values", args=[house.project.pk, house.upload.pk, 0]))
    event = AuditEvent.objects.get(action="refused")
    assert (event.details, event.actor) == ({"page": "upload-values"}, "auditor@example.org")
    assert event.project_id == UUID(str(house.project.pk))


def test_a_stranger_who_is_turned_away_is_audited(house: House) -> None:
    from riskapp.models import AuditEvent

    _status(house.people["stranger"], "GET", reverse("upload", args=[house.project.pk, house.upload.pk]))
    event = AuditEvent.objects.get(action="turned away")
    assert (event.details, event.actor) == ({"page": "upload"}, "stranger@example.org")


def test_signed_out_people_are_led_back_after_signing_in(house: House) -> None:
    address = reverse("project", args=[house.project.pk])
    answer = Client().get(address)
    assert answer["Location"] == f"{reverse(settings.LOGIN_URL)}?next={address}"
