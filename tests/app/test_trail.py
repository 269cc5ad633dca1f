"""The audit trail as people read it: what happened, to what, in words."""

import csv
import re
from collections.abc import Callable
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from riskapp import selectors
from riskapp.models import Actor, Attacker, AuditEvent, Membership, Project, Role, Run, Upload, User
from riskapp.services import audit, invitations, projects, runs, setups, upkeep, uploads
from riskapp.web.forms.harm import USUAL
from riskapp.web.page_words import PAGES
from riskapp.web.templatetags.steps import WHAT
from riskapp.web.templatetags.trail import told
from tests.app.test_policy_table import GONE, NO, TABLE

pytestmark = pytest.mark.django_db(transaction=True)
TICKS = ["administrator", "is_administrator", "may_create_projects", "owner", "locked_out", "known", "whole"]
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend=BACKEND)
    return client


@pytest.fixture
def administrator(person: Callable[..., User]) -> Client:
    client = Client()
    client.force_login(person("ada", is_administrator=True), backend=BACKEND)
    return client


def sentence(event: AuditEvent) -> str:
    words = told(selectors.with_subjects([event])[0])
    return re.sub(r" +", " ", f"{words.who} {words.before} {words.on}{words.after}").strip()


def sentences() -> list[str]:
    return [sentence(event) for event in AuditEvent.objects.order_by("number")]


def read(upload: Upload) -> Upload:
    run = Run.objects.get(upload=upload)
    token = runs.claim(run.pk)
    assert token
    runs.compute(run.pk, token)
    upload.refresh_from_db()
    return upload


# It tells what happened


def test_a_cancelled_reading_does_not_look_like_an_upload(arrive: Callable[..., Upload], by: Actor) -> None:
    arrive()
    run = Run.objects.get()
    runs.claim(run.pk)
    runs.cancel(run, by=by)
    actions = list(AuditEvent.objects.order_by("number").values_list("action", flat=True))
    assert actions[-2:] == ["run cancelled", "upload set back"]
    assert actions.count("upload received") == 1
    assert sentences()[-1] == "olga@example.org set people.csv back to unread"


def test_a_lost_worker_does_not_look_like_somebody_asking(arrive: Callable[..., Upload]) -> None:
    arrive()
    run = Run.objects.get()
    runs.claim(run.pk)
    run.refresh_from_db()
    runs.lose(run, by=upkeep.BEAT)
    actions = list(AuditEvent.objects.order_by("number").values_list("action", flat=True))
    assert actions[-2:] == ["run queued again", "upload set back"]
    assert actions.count("run queued") == actions.count("upload received") == 1


def test_a_reading_is_told_with_the_name_of_the_file(arrive: Callable[..., Upload], by: Actor) -> None:
    upload = read(arrive())
    uploads.look_at_values(upload, 1, by=by)
    assert sentences()[1:] == [
        "olga@example.org uploaded people.csv",
        "olga@example.org queued a run on people.csv",
        "A worker took up the run on people.csv",
        "A worker began to read people.csv",
        "A worker finished the run on people.csv",
        "A worker read people.csv",
        "olga@example.org looked at values of the column town in people.csv",
    ]


def test_members_are_told_by_name(project: Project, by: Actor, member: Callable[..., User]) -> None:
    place = Membership.objects.get(user=member("steward"))
    invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by)
    projects.change_member(place, by=by, role=Role.OFFICER, owner=False)
    projects.remove_member(place, by=Actor(place.user))
    assert sentences()[1:] == [
        "olga@example.org invited nina@example.org",
        "olga@example.org changed the place of Steward (steward@example.org)",
        "steward@example.org left the project",
    ]


def test_a_wrong_password_is_told_with_the_account(client: Client, person: Callable[..., User]) -> None:
    person("olga")
    for email in ("olga@example.org", "nobody@example.org"):
        client.post("/sign-in/", {"username": email, "password": "wrong"})
    assert sentences() == [
        "Somebody not signed in gave a wrong password for Olga (olga@example.org)",
        "Somebody not signed in gave a wrong password for an address without an account",
    ]


# On the page


def test_the_file_is_a_link_until_it_is_shredded(
    browser: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    upload = read(arrive())
    link = f'<a href="/projects/{project.pk}/uploads/{upload.pk}/">people.csv</a>'
    assert link in browser.get(f"/projects/{project.pk}/audit/").content.decode()
    uploads.purge(upload, by=by)
    page = browser.get(f"/projects/{project.pk}/audit/").content.decode()
    assert link not in page
    assert "shredded <b>people.csv</b>" in page


def test_the_site_trail_links_to_the_account(administrator: Client, person: Callable[..., User]) -> None:
    olga = person("olga")
    administrator.post(f"/people/{olga.pk}/deactivate/")
    page = administrator.get("/audit/").content.decode()
    assert f'deactivated the account of <a href="/people/{olga.pk}/">Olga (olga@example.org)</a>' in page


def test_the_trail_prints_no_values_of_the_program(
    browser: Client, project: Project, arrive: Callable[..., Upload], by: Actor, member: Callable[..., User]
) -> None:
    read(arrive())
    place = Membership.objects.get(user=member("steward"))
    projects.change_member(place, by=by, role=Role.OFFICER, owner=True)
    browser.post(f"/projects/{project.pk}/audit/verify/")
    page = browser.get(f"/projects/{project.pk}/audit/").content.decode()
    assert not re.search(r"True|False|None|\[&#x27;|upload [0-9a-f]{8}-", page)
    assert "3 rows · 3 columns · SHA-256" in page
    assert "role: officer · an owner" in page


def test_times_have_seconds_and_a_zone(browser: Client, project: Project) -> None:
    page = browser.get(f"/projects/{project.pk}/audit/").content.decode()
    assert re.search(r"<time [^>]+>\d+ \w+ \d{4} <span>\d\d:\d\d:\d\d</span></time>", page)
    assert "times in UTC" in page


def test_one_more_event_is_not_one_more_query(browser: Client, project: Project, arrive: Callable[..., Upload]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            browser.get(f"/projects/{project.pk}/audit/")
        return len(asked)

    read(arrive())
    few = queries()
    for number in range(5):
        arrive(name=f"more-{number}.csv")
    assert queries() == few


def test_a_row_somebody_tampered_with_is_still_shown(browser: Client, project: Project) -> None:
    with audit.writing():
        audit.record("upload ready", by=runs.WORKER, project=project, rows="x", size=[1], sha256=7, odd=True)
    AuditEvent(number=9, at=AuditEvent.objects.get(number=1).at, actor="x", action="invented", subject_kind="upload",
               subject_id="no id", project_id=project.pk, previous="p", seal="s").save(force_insert=True)  # fmt: skip
    page = browser.get(f"/projects/{project.pk}/audit/").content.decode()
    assert "rows: x · size: 1 · sha256: 7 · odd: yes" in page
    assert "invented" in page


def test_every_page_that_can_be_refused_has_words() -> None:
    told_otherwise = {"setup", "join"}
    refusing = {
        name
        for name, methods in TABLE.items()
        for statuses in methods.values()
        if {GONE, NO} & set(statuses.values()) and name not in told_otherwise
    }
    assert set(PAGES) == refusing


@pytest.mark.parametrize("key", [*TICKS, "one that nobody knows"])
@pytest.mark.parametrize("value", [True, False])
def test_no_detail_shows_a_truth_value(key: str, value: bool) -> None:
    event = AuditEvent(action="signed in", details={key: value})
    assert not {"True", "False"} & set(re.findall(r"\w+", told(event).more))


# Only some of it


@pytest.fixture
def eventful(
    browser: Client, project: Project, arrive: Callable[..., Upload], by: Actor, member: Callable[..., User]
) -> str:
    uploads.look_at_values(read(arrive()), 0, by=by)
    invitations.invite(project, "nina@example.org", Role.AUDITOR, by=by)
    outsider = Client()
    outsider.force_login(member("recipient"), backend=BACKEND)
    outsider.get(f"/projects/{project.pk}/members/")
    return f"/projects/{project.pk}/audit/"


@pytest.mark.parametrize(
    ("kind", "actions"),
    [
        ("values", {"values seen"}),
        ("people", {"invited"}),
        ("refusals", {"refused"}),
        ("files", {"upload received", "upload reading", "upload ready", "values seen", "run queued", "run running",
                   "run succeeded"}),
    ],
)  # fmt: skip
def test_a_kind_of_events_is_shown_alone(browser: Client, eventful: str, kind: str, actions: set[str]) -> None:
    answer = browser.get(eventful, {"show": kind})
    assert {event.action for event in answer.context["page"]} == actions
    assert f'href="{eventful}?show={kind}" aria-current="true"' in answer.content.decode()


@pytest.mark.parametrize("kind", ["", "everything", "'; --"])
def test_an_unknown_kind_shows_everything(browser: Client, eventful: str, kind: str) -> None:
    shown = browser.get(eventful, {"show": kind}).context["page"]
    assert len(shown) == AuditEvent.objects.count()


def test_leafing_and_verifying_keep_the_kind(browser: Client, project: Project) -> None:
    with audit.writing():
        for _ in range(51):
            audit.record("values seen", by=Actor(None, label="x"), project=project, column="town")
    address = f"/projects/{project.pk}/audit/"
    page = browser.get(address, {"show": "values"}).content.decode()
    assert 'href="?show=values&amp;page=2"' in page
    verified = browser.post(f"{address}verify/?show=values")
    assert (verified.context["shown"], verified.context["verdict"].whole) == ("values", True)
    assert browser.get(f"{address}verify/?show=values&page=2")["Location"] == f"{address}?show=values&page=2"
    assert browser.get(f"{address}verify/")["Location"] == address


def test_the_site_trail_offers_what_can_happen_there(administrator: Client, person: Callable[..., User]) -> None:
    administrator.post("/people/invite/", {"email": "nina@example.org"})
    Client().post("/sign-in/", {"username": "ada@example.org", "password": "wrong"})
    answer = administrator.get("/audit/", {"show": "refusals"})
    assert [event.action for event in answer.context["page"]] == ["sign-in failed"]
    assert [kind for kind, _ in answer.context["kinds"]] == ["", "people", "refusals"]
    assert administrator.get("/audit/verify/")["Location"] == "/audit/"


# As a table


def test_the_export_names_what_it_was_done_to(
    browser: Client, project: Project, arrive: Callable[..., Upload], by: Actor, member: Callable[..., User]
) -> None:
    arrive(name="=people.csv")
    place = Membership.objects.get(user=member("steward"))
    projects.change_member(place, by=by, role=Role.OFFICER, owner=True)
    body = b"".join(browser.get(f"/projects/{project.pk}/audit/export/"))  # type: ignore[arg-type]
    rows = list(csv.DictReader(StringIO(body.decode())))
    assert [(row["action"], row["name"]) for row in rows] == [
        ("project created", "Members"),
        ("upload received", "'=people.csv"),
        ("run queued", "'=people.csv"),
        ("member changed", "Steward (steward@example.org)"),
        ("audit exported", "Members"),
    ]
    assert rows[3]["details"] == "role: officer; owner: yes"


def test_a_long_export_is_whole(browser: Client, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riskapp.web.views.audit.BATCH", 2)
    for _ in range(5):
        browser.get(f"/projects/{project.pk}/audit/export/")
    body = b"".join(browser.get(f"/projects/{project.pk}/audit/export/"))  # type: ignore[arg-type]
    assert [row["number"] for row in csv.DictReader(StringIO(body.decode()))] == [str(n) for n in range(1, 8)]


def test_everything_that_can_change_in_the_set_up_has_words() -> None:
    of_attackers = {field.name for field in Attacker._meta.fields} - {
        *("id", "version", "changed_at", "changed_by", "setup", "position", "kind", "prior"),
    }
    assert {*setups.FIELDS, *of_attackers, *USUAL, "person_total", "pairs"} <= WHAT.keys()
