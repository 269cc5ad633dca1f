"""Lists are searched and sorted by the server; times are in one's own zone; notices tell of runs that ended."""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from riskapp.bridge import outcomes
from riskapp.engine.assessment.settings import RiskKey, SensitivityKey, UtilityKey
from riskapp.models import Actor, AuditEvent, Membership, Notice, Project, Role, Run, Setup, Template, Upload, User
from riskapp.services import assessing, notices, projects, rehearsing, runs, setups, shelf
from riskapp.web import comparing_runs, rule_words
from riskapp.web.templatetags.rules import share_words
from riskapp.web.templatetags.runs import flat
from tests.app.assessed import finished_run
from tests.app.test_homes_of_others import told
from tests.app.test_register import released
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visit(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def setup(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    upload = arrive("id,town\n" + "\n".join(f"p{i},t{i % 5}" for i in range(40)) + "\n")
    work_off("read")
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, Upload.objects.get(pk=upload.pk), found.version, by=by)
    for one in found.attributes.all():
        role = "identifier" if one.column == "id" else "generalised"
        setups.describe(one, one.version, by=by, role=role, knowable=role == "generalised", keep_reason="a test")
    return found


def started(setup: Setup, by: Actor, name: str, **search: object) -> Run:
    plan = {"rules": ["full-domain"], **search}
    setups.plan(setup, setup.version, by=by, search=plan, risk={}, utility={})
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    return assessing.start(setup, by=by, name=name)


def in_order(page: str, *words: str) -> bool:
    places = [page.index(f">{word}<") for word in words]
    return places == sorted(places)


def test_projects_are_searched_and_sorted(visit: Client, by: Actor) -> None:
    for name in ("Beta", "alpha", "Gamma", "Delta"):
        projects.create(by=by, name=name, purpose="", role=Role.OFFICER)
    page = visit.get(reverse("projects"), {"sort": "name"}).content.decode()
    assert in_order(page, "alpha", "Beta", "Delta", "Gamma")
    page = visit.get(reverse("projects"), {"q": "ALPH"}).content.decode()
    assert ">alpha<" in page
    assert ">Beta<" not in page
    assert "None of this name" in visit.get(reverse("projects"), {"q": "nothing"}).content.decode()


def test_uploads_are_searched_and_sorted(visit: Client, project: Project, arrive: Callable[..., Upload]) -> None:
    for name, rows in (("b.csv", 3), ("a.csv", 9), ("c.csv", 5)):
        arrive("x\n" + "1\n" * rows, name)
    address = reverse("project", args=[project.pk])
    assert in_order(visit.get(address, {"sort": "name"}).content.decode(), "a.csv", "b.csv", "c.csv")
    assert in_order(visit.get(address, {"sort": "size"}).content.decode(), "a.csv", "c.csv", "b.csv")
    found = visit.get(address, {"q": "c.c"}).content.decode()
    assert ">c.csv<" in found
    assert ">a.csv<" not in found


def test_runs_are_searched_and_sorted_and_the_query_is_kept(visit: Client, setup: Setup, by: Actor) -> None:
    for name in ("second", "first", "third"):
        started(setup, by, name)
    runs.cancel(Run.objects.get(parameters__name="third"), by=by)
    address = reverse("runs", args=[setup.pk])
    assert in_order(visit.get(address, {"sort": "name"}).content.decode(), "first", "second", "third")
    assert in_order(visit.get(address, {"sort": "state"}).content.decode(), "third", "first", "second")
    page = visit.get(address, {"q": "fir", "sort": "name"})
    assert page.context["listing"].query == "q=fir&sort=name&"
    assert ">second<" not in page.content.decode()


def test_an_order_that_does_not_exist_is_the_usual_one(visit: Client) -> None:
    assert visit.get(reverse("projects"), {"sort": "password"}).context["listing"].sort == "new"


def _named(visit: Client, address: str, by: str, **asked: str) -> list[str]:
    """What a list shows, by its names, and every order it offers works."""
    page = visit.get(address, asked)
    for sort in page.context["listing"].sorts:
        assert visit.get(address, asked | {"sort": sort}).context["listing"].sort == sort
    return [str(attrgetter(by)(row)) for row in page.context["page"]]


def test_people_and_members_are_searched_and_sorted(
    visit: Client, officer: User, project: Project, person: Callable[..., User]
) -> None:
    User.objects.filter(pk=officer.pk).update(is_administrator=True, name="Olga")
    for name, role in (("berta", "auditor"), ("anton", "steward"), ("claire", "recipient")):
        Membership.objects.create(project=project, user=person(name), role=role)
    people, members = reverse("people"), reverse("members", args=[project.pk])
    addresses = _named(visit, people, "email", sort="email")
    assert addresses == sorted(addresses)
    assert len(addresses) == 4
    assert _named(visit, people, "email", q="ANT") == ["anton@example.org"]
    assert [one.user.email for one in visit.get(people, {"q": "ANT"}).context["people"]] == ["anton@example.org"]
    assert "Nobody has these words" in visit.get(people, {"q": "nobody"}).content.decode()
    assert [name.lower() for name in _named(visit, members, "user.name", sort="name")] == [
        *("anton", "berta", "claire", "olga")
    ]
    assert _named(visit, members, "role", sort="role") == sorted(_named(visit, members, "role"))
    assert _named(visit, members, "user.email", q="berta example.org") == ["berta@example.org"]


def test_the_shelf_and_templates_are_searched_and_sorted(visit: Client, project: Project, by: Actor) -> None:
    ages = {"intervals": {"from": 0, "widths": [5, 10], "unit": 1}}
    for place, name in enumerate(("Weights", "ages", "Heights", "Incomes")):
        shelf.add(name, f"in steps, no. {place}", ages, by=by, open_to_all=False)
        Template.objects.create(name=name, version=1, about=f"no. {place}", document={}, made_by=by.user)
    address = reverse("shelf")
    assert _named(visit, address, "name") == ["ages", "Heights", "Incomes", "Weights"]
    assert _named(visit, address, "name", sort="new") == ["Incomes", "Heights", "ages", "Weights"]
    assert _named(visit, address, "name", q="steps 2") == ["Heights"]
    address = reverse("templates", args=[project.pk])
    shown = visit.get(address, {"sort": "new"}).context
    assert [name for name, _ in shown["named"]] == ["Incomes", "Heights", "ages", "Weights"]
    found = visit.get(address, {"q": "AGE no."})
    assert [name for name, _ in found.context["named"]] == ["ages"]
    assert "Weights" in found.context["names"], "what can be typed does not shrink with the list"
    assert [name for name, _ in visit.get(address).context["named"]] == ["ages", "Heights", "Incomes", "Weights"]
    assert "Nothing has these words" in visit.get(address, {"q": "other"}).content.decode()


def test_proposals_releases_and_the_register_are_searched_and_sorted(
    visit: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    run = finished_run(project, arrive, by)
    for name in ("University", "ministry", "Bureau", "Hospital"):
        released(run, name)
    for view, by_name in (("proposals", "recipient"), ("releases", "proposal.recipient")):
        address = reverse(view, args=[project.pk])
        assert _named(visit, address, by_name) == ["Hospital", "Bureau", "ministry", "University"]
        assert _named(visit, address, by_name, sort="recipient") == ["Bureau", "Hospital", "ministry", "University"]
        assert _named(visit, address, by_name, q="MINI") == ["ministry"]
        assert "Nothing has these words" in visit.get(address, {"q": "nobody"}).content.decode()
    address = reverse("register")
    assert _named(visit, address, "proposal.recipient", sort="recipient") == [
        *("Bureau", "Hospital", "ministry", "University")
    ]
    assert _named(visit, address, "proposal.recipient", q="bur", sort="found") == ["Bureau"]
    lines = visit.get(reverse("register-export"), {"sort": "recipient", "q": "i"}).getvalue().decode().splitlines()
    assert [line.split(",")[2] for line in lines[1:]] == ["Hospital", "ministry", "University"]


# Runs


def test_a_run_can_be_repeated_with_a_change(visit: Client, setup: Setup, by: Actor) -> None:
    run = started(setup, by, "the first", least_share=0.25, seed=7)
    setups.plan(setup, setup.version, by=by, search={"rules": ["mondrian"]}, risk={}, utility={})
    page = visit.get(reverse("runs", args=[setup.pk]), {"from": run.pk})
    shown = page.context["form"].initial
    assert (shown["rules"], shown["share"], shown["seed"], shown["name"]) == (["full-domain"], 25, 7, "the first")
    assert "with a change" in page.content.decode()


def test_runs_stand_side_by_side_with_what_differs(visit: Client, setup: Setup, by: Actor) -> None:
    runs_made = [started(setup, by, name, **asked) for name, asked in (("wide", {}), ("narrow", {"least_share": 0.5}))]
    waiting = started(setup, by, "waiting")
    work_off("assess")
    Run.objects.filter(pk=waiting.pk).update(state="cancelled")
    Run.objects.get(pk=waiting.pk).outcome.delete()
    listed = visit.get(reverse("runs", args=[setup.pk])).content.decode()
    assert listed.count('form="compare-runs"') == 2
    assert "Compare the ticked runs" in listed
    address = reverse("runs-compare", args=[setup.pk])
    page = visit.get(address, {"run": [str(run.pk) for run in (*runs_made, waiting)]})
    told = {row.name: row for row in page.context["rows"]}
    assert [run.parameters["name"] for run in page.context["runs"]] == ["wide", "narrow"]
    assert page.context["left_out"]
    assert told["rules measured"].cells[0].value == Run.objects.get(pk=runs_made[0].pk).outcome.summary["rules"]
    [asked] = [row for name, row in told.items() if name.endswith("least_utility")]
    assert (asked.cells[0].value, asked.differs, asked.part) == ("as usual", True, "What differs")
    assert "2 runs side by side" in page.content.decode()
    assert "Nothing to compare" in visit.get(address, {"run": "no-id"}).content.decode()


def test_what_is_usual_is_what_the_assessment_file_means_by_saying_nothing() -> None:
    keys = {"risk": RiskKey, "utility": UtilityKey, "sensitivity": SensitivityKey}
    for path, told_as in comparing_runs.USUAL.items():
        section, _, name = path.partition(" › ")
        [meant] = [one.default for one in fields(keys[section]) if one.name == name]
        assert told_as == meant
    said, unsaid = {"risk › model": "sensitivity"}, dict[str, str]()
    assert comparing_runs._said("risk › model")(said) == comparing_runs._said("risk › model")(unsaid)


def test_a_run_alone_is_not_offered_to_be_compared(visit: Client, setup: Setup, by: Actor) -> None:
    for many in (1, 2):
        run = started(setup, by, f"run {many}")
        work_off("assess")
        listed = visit.get(reverse("runs", args=[setup.pk])).content.decode()
        row = visit.get(reverse("run-row", args=[setup.pk, run.pk])).content.decode()
        assert (listed.count('form="compare-runs"'), row.count('form="compare-runs"')) == ((0, 0), (2, 1))[many - 1]


def test_a_question_that_cannot_be_met_is_named_with_the_nearest_rule(visit: Client, setup: Setup, by: Actor) -> None:
    setups.set_class(setup, "safe", {"smallest_group": 30}, setup.version, by=by)
    run = started(setup, by, "too much", least_share=0.9)
    work_off("assess")
    page = visit.get(reverse("run", args=[setup.pk, run.pk])).content.decode()
    assert "None of these rules does what was asked for" in page
    assert "The nearest misses: the detail to keep." in page
    near = Run.objects.get(pk=run.pk).outcome
    [rule] = outcomes.rules(near, [near.summary["optimum"]["nearest"]]).values()
    for address in ("run", "frontier"):
        page = visit.get(reverse(address, args=[setup.pk, run.pk])).content.decode()
        assert f"The nearest rule keeps {told(share_words(rule['utility_share']))} of the detail" in told(page)
        assert rule_words.short(rule, near.summary["words"]) in told(page)


def test_a_run_shows_every_parameter_it_was_made_from(visit: Client, setup: Setup, by: Actor) -> None:
    run = started(setup, by, "all")
    page = visit.get(reverse("run", args=[setup.pk, run.pk])).content.decode()
    for path, _ in flat(assessing.frozen(run).document["assessment"]):
        assert path in page


def test_parameters_are_told_however_deep_they_lie() -> None:
    told = {"a": {"b": [{"c": 1}, {"c": "inf"}], "d": [1, 2]}, "e": True, "f": {}}
    found = [("a › b › 1 › c", "1"), ("a › b › 2 › c", "never"), ("a › d", "1, 2"), ("e", "yes"), ("f", "as usual")]
    assert flat(told) == found


@pytest.mark.parametrize("stage", ["queued", "running", "over"])
def test_a_run_cancelled_at_any_stage_ends_in_a_message(visit: Client, setup: Setup, by: Actor, stage: str) -> None:
    run = started(setup, by, "one")
    if stage == "running":
        runs.claim(run.pk)
    if stage == "over":
        work_off("assess")
    page = visit.post(reverse("run-cancel", args=[setup.pk, run.pk]), follow=True).content.decode()
    assert ("Too late" if stage == "over" else "Nothing is lost") in page
    assert visit.post(reverse("run-repeat", args=[setup.pk, run.pk])).status_code == 302


# Notices


def test_the_end_of_a_run_is_told_in_the_header_and_by_mail(
    visit: Client, setup: Setup, by: Actor, settings: Any
) -> None:
    settings.MAIL_WORKS = True
    run = started(setup, by, "mine")
    assert 'hx-trigger="every 15s"' in visit.get(reverse("notices")).content.decode()
    work_off("assess")
    badge = visit.get(reverse("notices-badge")).content.decode()
    assert 'class="notice-count">1<' in badge
    assert "every 15s" not in badge
    assert [letter.to for letter in mail.outbox] == [[by.name]]
    assert "mine" in visit.get(reverse("notices")).content.decode()
    again = started(setup, by, "again")
    work_off("assess")
    assert notices.unseen(run.started_by) == 2
    visit.get(reverse("run", args=[setup.pk, run.pk]))
    assert notices.unseen(run.started_by) == 1
    visit.get(reverse("frontier", args=[setup.pk, again.pk]))
    assert notices.unseen(run.started_by) == 0, "where the notice of a run that has succeeded leads"


def test_all_notices_are_marked_as_seen_at_once(visit: Client, setup: Setup, by: Actor) -> None:
    started(setup, by, "mine")
    work_off("assess")
    visit.post(reverse("notices"))
    assert Notice.objects.filter(seen_at=None).count() == 0


def test_notices_of_a_project_that_somebody_has_left_are_gone(setup: Setup, by: Actor) -> None:
    run = started(setup, by, "mine")
    work_off("assess")
    setup.project.memberships.all().delete()
    assert list(notices.of(run.started_by)) == []


# Times


def test_times_are_shown_in_ones_own_zone(visit: Client, project: Project, officer: User) -> None:
    Project.objects.filter(pk=project.pk).update(created_at="2026-01-15T23:30:00Z")
    assert "15 Jan 2026, 23:30" in visit.get(reverse("projects")).content.decode()
    visit.post(reverse("account"), {"name": officer.name, "time_zone": "Asia/Tokyo"})
    page = visit.get(reverse("projects")).content.decode()
    assert "16 Jan 2026, 08:30" in page
    assert "JST" in page
    assert [event.action for event in AuditEvent.objects.filter(subject_id=officer.pk)] == ["time zone changed"]


def test_a_zone_that_does_not_exist_is_refused(visit: Client, officer: User) -> None:
    assert visit.post(reverse("account"), {"name": officer.name, "time_zone": "Atlantis/City"}).status_code == 422
