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
from redis import Redis

from riskapp import bridge
from riskapp.models import (
    Actor,
    Attacker,
    Attribute,
    Invitation,
    Membership,
    Project,
    Proposal,
    Release,
    Role,
    Run,
    Setup,
    ShelvedHierarchy,
    Template,
    Upload,
    User,
)
from riskapp.services import assessing, invitations, rehearsing, setups, templates
from tests.app.working import work_off

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
shelf_readers = lambda ok: row(IN, GONE, GONE, GONE, ok, ok, ok, ok)  # noqa: E731
shelf_keepers = lambda ok: row(IN, GONE, GONE, GONE, NO, NO, ok, ok)  # noqa: E731  (the owner put it there)
trail_readers = lambda ok: row(IN, GONE, GONE, ok, GONE, ok, GONE, GONE)  # noqa: E731
WRONG = 405

TABLE: dict[str, dict[str, dict[str, int]]] = {
    # Everybody's
    "healthz": {"GET": everybody(200)},
    "readyz": {"GET": everybody(200)},
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
    "api": {"GET": everybody(200), "POST": everybody(WRONG)},
    "help": {"GET": everybody(200), "POST": everybody(WRONG)},
    "help-page": {"GET": everybody(200), "POST": everybody(WRONG)},
    "help-picture": {"GET": everybody(200), "POST": everybody(WRONG)},
    # One's own
    "account": {"GET": signed_in(200), "POST": signed_in(200)},
    "account-password": {"GET": signed_in(200), "POST": signed_in(200)},
    "second-factor": {"GET": signed_in(200), "POST": everybody(WRONG)},
    "second-factor-start": {"GET": everybody(302), "POST": signed_in(422)},
    "second-factor-confirm": {"GET": everybody(302), "POST": signed_in(422)},
    "second-factor-cancel": {"GET": everybody(302), "POST": signed_in(302)},
    "second-factor-off": {"GET": everybody(302), "POST": signed_in(422)},
    "recovery-codes": {"GET": everybody(302), "POST": signed_in(422)},
    "tokens": {"GET": signed_in(200), "POST": signed_in(422)},
    "token-withdraw": {"GET": everybody(WRONG), "POST": signed_in(GONE)},
    "notices": {"GET": signed_in(200), "POST": everybody(302)},
    "notices-badge": {"GET": signed_in(200), "POST": everybody(WRONG)},
    # The administrator's
    "people": {"GET": administrators(200), "POST": everybody(WRONG)},
    "people-invite": {"GET": administrators(302), "POST": administrators(422)},
    "people-withdraw": {"GET": everybody(WRONG), "POST": administrators(302)},
    "person": {"GET": administrators(200), "POST": everybody(WRONG)},
    "person-reset-link": {"GET": administrators(302), "POST": administrators(200)},
    "person-act": {"GET": administrators(200), "POST": administrators(302)},
    "site-audit": {"GET": administrators(200), "POST": everybody(WRONG)},
    "site-audit-verify": {"GET": administrators(302), "POST": administrators(200)},
    "audit-projects": {"GET": trail_readers(200), "POST": everybody(WRONG)},
    "audit-projects-verify": {"GET": trail_readers(302), "POST": trail_readers(200)},
    "audit-projects-export": {"GET": trail_readers(200), "POST": everybody(WRONG)},
    "classes": {"GET": administrators(200), "POST": administrators(200)},
    # Projects
    "projects": {"GET": signed_in(200), "POST": everybody(WRONG)},
    "project-new": {"GET": signed_in(NO) | {"administrator": 200}, "POST": signed_in(NO) | {"administrator": 200}},
    "project-sample": {"GET": signed_in(NO) | {"administrator": 302}, "POST": signed_in(NO) | {"administrator": 302}},
    "project": {"GET": visitors(200), "POST": everybody(WRONG)},
    "sample-progress": {"GET": readers(204), "POST": everybody(WRONG)},
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
    "release-class": {"GET": readers(200), "POST": workers(200)},
    "attributes": {"GET": readers(200), "POST": everybody(WRONG)},
    "attributes-accept": {"GET": everybody(WRONG), "POST": workers(302)},
    "attributes-bulk": {"GET": everybody(WRONG), "POST": workers(302)},
    "attributes-undo": {"GET": everybody(WRONG), "POST": workers(302)},
    "dataset": {"GET": readers(302), "POST": workers(302)},
    "dataset-leave-out": {"GET": readers(302), "POST": workers(302)},
    "attribute": {"GET": readers(200), "POST": workers(422)},
    "attribute-order": {"GET": everybody(WRONG), "POST": workers(422)},
    "attribute-values": {"GET": everybody(WRONG), "POST": workers(200)},
    "templates": {"GET": readers(200), "POST": workers(422)},
    "templates-undo": {"GET": everybody(WRONG), "POST": workers(302)},
    "template": {"GET": readers(200), "POST": everybody(WRONG)},
    "template-apply": {"GET": readers(302), "POST": workers(302)},
    "hierarchy": {"GET": readers(200), "POST": workers(422)},
    "hierarchy-preview": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-examples": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-order": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-uncovered": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-tree": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-edit": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-homes": {"GET": everybody(WRONG), "POST": workers(200)},
    "hierarchy-upload": {"GET": everybody(WRONG), "POST": workers(422)},
    "hierarchy-files": {"GET": workers(200), "POST": workers(422)},  # no file is sent
    "hierarchy-download": {"GET": everybody(WRONG), "POST": workers(422)},
    "hierarchy-shelve": {"GET": everybody(WRONG), "POST": workers(422)},
    "hierarchy-take": {"GET": workers(200), "POST": workers(GONE)},  # nothing was chosen
    "shelf": {"GET": shelf_readers(200), "POST": everybody(WRONG)},
    "shelf-item": {"GET": shelf_readers(200), "POST": shelf_keepers(422)},
    "shelf-remove": {"GET": shelf_keepers(200), "POST": shelf_keepers(302) | {"administrator": GONE}},  # gone by then
    "harm": {"GET": readers(200), "POST": workers(422)},
    "harm-examples": {"GET": readers(200), "POST": workers(302)},
    "harm-real": {"GET": everybody(WRONG), "POST": workers(200)},
    "harm-values": {"GET": everybody(WRONG), "POST": workers(200)},
    "attackers": {"GET": readers(200), "POST": workers(422)},
    "attacker-add": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-restore": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-bounds": {"GET": readers(302), "POST": workers(302)},
    "attacker": {"GET": readers(200), "POST": workers(422)},
    "attacker-know": {"GET": everybody(WRONG), "POST": workers(422)},
    "attacker-accept": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-suggestions": {"GET": readers(302), "POST": workers(302)},
    "attacker-coverage": {"GET": readers(302), "POST": workers(302)},
    "attacker-likeness": {"GET": readers(200), "POST": workers(200)},
    "attacker-examples": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-what-if": {"GET": readers(200), "POST": workers(200)},
    "attacker-adopt": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-duplicate": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-move": {"GET": everybody(WRONG), "POST": workers(302)},
    "attacker-remove": {"GET": everybody(WRONG), "POST": row(IN, GONE, NO, NO, 302, GONE, GONE, GONE)},
    "linkage": {"GET": readers(200), "POST": workers(200)},
    "runs": {"GET": readers(200), "POST": workers(422)},
    "rehearsal": {"GET": readers(200), "POST": workers(302)},
    "runs-compare": {"GET": readers(200), "POST": everybody(WRONG)},
    "run": {"GET": readers(200), "POST": everybody(WRONG)},
    "run-row": {"GET": readers(200), "POST": everybody(WRONG)},
    "run-export": {"GET": readers(200), "POST": workers(200)},
    "assessment-import": {"GET": workers(200), "POST": workers(422)},
    "run-setup": {"GET": workers(200), "POST": workers(422)},  # the version that was seen is not sent
    "run-repeat": {"GET": everybody(WRONG), "POST": workers(302)},
    "run-cancel": {"GET": everybody(WRONG), "POST": workers(302)},
    "frontier": {"GET": readers(200), "POST": everybody(WRONG)},
    "frontier-plane": {"GET": readers(200), "POST": everybody(WRONG)},
    "frontier-rules": {"GET": readers(200), "POST": everybody(WRONG)},
    "rule": {"GET": readers(200), "POST": everybody(WRONG)},
    "rule-detail": {"GET": readers(200), "POST": workers(302)},
    "rule-stability": {"GET": readers(200), "POST": workers(302)},
    "rule-together": {"GET": readers(200), "POST": workers(302)},
    "rule-attacker": {"GET": readers(409), "POST": workers(409)},  # no record is named
    "rule-entries": {"GET": everybody(WRONG), "POST": workers(409)},
    "rule-record": {"GET": everybody(WRONG), "POST": workers(409)},
    "rule-sample": {"GET": everybody(WRONG), "POST": workers(200)},
    "rule-subgroups": {"GET": everybody(WRONG), "POST": workers(200)},
    "compare": {"GET": readers(200), "POST": everybody(WRONG)},
    # Decisions and releases; the release in these tests is ready, is meant for nobody, and has no file
    "propose": {"GET": workers(200), "POST": workers(GONE)},  # no rule is named in what is posted
    "proposals": {"GET": readers(200), "POST": everybody(WRONG)},
    "proposal": {"GET": readers(200), "POST": everybody(WRONG)},
    "proposal-warnings": {"GET": readers(200), "POST": workers(302)},
    "proposal-decide": {"GET": everybody(WRONG), "POST": row(IN, GONE, NO, NO, NO, 422, NO, GONE)},
    "proposal-withdraw": {"GET": everybody(WRONG), "POST": workers(422)},
    "proposal-comment": {"GET": everybody(WRONG), "POST": workers(422)},
    "proposal-answer": {"GET": everybody(WRONG), "POST": workers(302)},
    "proposal-answers": {"GET": everybody(WRONG), "POST": workers(422)},
    "proposal-advise": {"GET": everybody(WRONG), "POST": workers(422)},
    "proposal-followed": {"GET": everybody(WRONG), "POST": workers(422)},
    "releases": {"GET": readers(200), "POST": everybody(WRONG)},
    "release": {"GET": row(IN, GONE, GONE, 200, 200, 200, 200, GONE), "POST": everybody(WRONG)},
    "release-terms": {"GET": everybody(WRONG), "POST": row(IN, GONE, GONE, NO, 302, 302, 302, GONE)},
    "release-download": {"GET": everybody(WRONG), "POST": row(IN, GONE, GONE, NO, 302, 302, 302, GONE)},
    "release-report": {"GET": signed_in(GONE), "POST": everybody(WRONG)},
    "release-part": {"GET": signed_in(GONE), "POST": everybody(WRONG)},
    "release-build": {"GET": everybody(WRONG), "POST": workers(409)},
    "release-revoke": {"GET": everybody(WRONG), "POST": row(IN, GONE, NO, NO, NO, 422, NO, GONE)},
    "release-purge": {"GET": owners(200), "POST": owners(409)},
    "release-file": {"GET": row(IN, GONE, GONE, NO, GONE, GONE, GONE, GONE), "POST": everybody(WRONG)},
    "project-decisions": {"GET": owners(200), "POST": owners(422)},
    "register": {"GET": row(IN, GONE, GONE, 200, GONE, 200, GONE, 200), "POST": everybody(WRONG)},
    "register-export": {"GET": row(IN, GONE, GONE, 200, GONE, 200, GONE, 200), "POST": everybody(WRONG)},
    "verify": {"GET": everybody(200), "POST": everybody(WRONG)},
    "project-audit": {"GET": trail(200), "POST": everybody(WRONG)},
    "project-audit-verify": {"GET": trail(302), "POST": trail(200)},
    "project-audit-export": {"GET": trail(200), "POST": everybody(WRONG)},
}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            if part.namespace == "api":  # has a table of its own, for tokens: test_api_policies.py
                continue
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
    """A project with everybody in it, an upload that has been read, and an assessment of it that has ended."""

    def __init__(self, person: Callable[..., User], project: Project, arrive: Callable[..., Upload]) -> None:
        self.project = project
        self.upload = arrive()
        work_off("read")
        self.run = self._assessed(project)
        self.attribute = Attribute.objects.filter(setup_id=project.pk)[0]
        self.template = self._saved(project)
        self.people: dict[str, User | None] = {"nobody": None, "stranger": person("stranger")}
        for role in ("recipient", "auditor", "steward", "officer"):
            self.people[role] = self._member(person(role), role)
        self.people["owner"] = self._member(person("owner"), "steward", owner=True)
        self.people["administrator"] = person("root", is_administrator=True)
        self.shelved = ShelvedHierarchy.objects.create(name="Ages", made_by=self.people["owner"])
        self.target = Membership.objects.create(project=project, user=person("target"), role=Role.AUDITOR)
        invitations.invite(project, "new@example.org", Role.AUDITOR, by=Actor(self.people["owner"]))
        self.invitation = Invitation.objects.get()
        self.proposal, self.release = self._released()
        links = {"email": "other@example.org", "invited_by": self.people["administrator"]}
        self.own_invitation = Invitation.objects.create(
            token_hash="x", expires_at=timezone.now() + timedelta(days=1), **links
        )

    def _assessed(self, project: Project) -> Run:
        by, setup = Actor(self.upload.uploaded_by), Setup.objects.get(pk=project.pk)
        setups.choose_dataset(setup, Upload.objects.get(pk=self.upload.pk), setup.version, by=by)
        setups.plan(setup, setup.version, by=by, search={"rules": ["full-domain"]}, risk={}, utility={})
        rehearsing.ask(setup, by=by)
        work_off("rehearse")
        run = assessing.start(setup, by=by)
        work_off("assess")
        return run

    def _saved(self, project: Project) -> Template:
        by, setup = Actor(self.upload.uploaded_by), Setup.objects.get(pk=project.pk)
        setups.accept_all(setup, by=by)
        return templates.save(setup, "Members", "", by=by)

    def _released(self) -> tuple[Proposal, Release]:
        day = timezone.localdate() + timedelta(days=1)
        evidence = bridge.evidence(Run.objects.get(pk=self.run.pk), self.run.outcome.summary["best"])
        said = {"purpose": "A study", "recipient": "University", "reason": "Enough", "expires_on": day}
        proposal = Proposal.objects.create(
            project=self.project,
            run=self.run,
            rule=evidence["rule"],
            evidence=evidence,
            evidence_sha256=bridge.fingerprint(evidence),
            proposed_by=self.people["owner"],
            **said,
        )
        release = Release.objects.create(
            project=self.project,
            proposal=proposal,
            state="ready",
            expires_on=day,
            ready_at=timezone.now(),
            size=1,
            people=evidence["people"],
            expected_found=1.0,
        )
        return proposal, release

    def _member(self, user: User, role: str, owner: bool = False) -> User:
        Membership.objects.create(project=self.project, user=user, role=role, owner=owner)
        return user

    def address(self, name: str) -> str:
        known: dict[str, Any] = {
            "project_id": self.project.pk,
            "upload_id": self.upload.pk,
            "run_id": self.run.pk,
            "attribute_id": Attribute.objects.get(setup_id=self.project.pk, column="town").pk,
            "shelved_id": self.shelved.pk,
            "attacker_id": Attacker.objects.filter(setup_id=self.project.pk).values_list("pk", flat=True).first(),
            "column": 0,
            "member_id": self.target.pk,
            "invitation_id": self.own_invitation.pk if name == "people-withdraw" else self.invitation.pk,
            "person_id": self.target.user_id,
            "name": "unlock",
            "token": "no-such-token",
            "uidb64": "eA",
            "template_id": self.template.pk,
            "page": "reference/roles",
            "token_id": uuid4(),
            "proposal_id": self.proposal.pk,
            "release_id": self.release.pk,
            "remark_id": 1,
            "picture": "images/profile.png",
        }
        ways = [way for ways, *_ in get_resolver().reverse_dict.getlist(name) for way in ways]
        wanted = {parameter for _, parameters in ways for parameter in parameters}
        query = f"?rule={self.run.outcome.summary['best']}" if name.partition("-")[0] in ("rule", "propose") else ""
        return reverse(name, kwargs={parameter: known[parameter] for parameter in wanted}) + query


@pytest.fixture
def house(person: Callable[..., User], project: Project, arrive: Callable[..., Upload]) -> House:
    return House(person, project, arrive)


@pytest.mark.parametrize("name", TABLE)
def test_everybody_gets_what_the_table_says(house: House, name: str, redis_server: Redis) -> None:
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
    answer = client.generic(method, address, content_type="application/x-www-form-urlencoded")
    answer.close()
    return int(answer.status_code)


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
    attacker = Attacker.objects.get(setup_id=house.project.pk)
    things = {
        **dict.fromkeys(["upload", "upload-row", "upload-purge"], ("GET", [house.upload.pk])),
        **dict.fromkeys(["upload-read", "upload-retry"], ("POST", [house.upload.pk])),
        "upload-values": ("POST", [house.upload.pk, 0]),
        "harm-values": ("POST", [house.attribute.pk]),
        **dict.fromkeys(["run", "run-row", "run-export", "run-setup"], ("GET", [house.run.pk])),
        **dict.fromkeys(["run-cancel", "run-repeat"], ("POST", [house.run.pk])),
        "attribute": ("GET", [house.attribute.pk]),
        **dict.fromkeys(["attribute-order", "attribute-values"], ("POST", [house.attribute.pk])),
        **dict.fromkeys(["attacker", "attacker-coverage", "attacker-what-if"], ("GET", [attacker.pk])),
        **dict.fromkeys(["attacker-know", "attacker-examples", "attacker-remove"], ("POST", [attacker.pk])),
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
