"""The sample project: from a click to a frontier, whatever happens in between."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.bridge import outcomes
from riskapp.models import Actor, AuditEvent, Membership, Project, Role, Run, RunState, Setup, User
from riskapp.services import runs, samples, setups, uploads
from riskapp.services.audit import verify
from tests.app.programs import Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sample(by: Actor) -> Project:
    return samples.load(by=by)


STEPS = ("read", "prepare-sample", "rehearse", "assess")


def lived(project: Project, until: str = "assess") -> Run:
    """The last run of the sample, after the worker and the beat have done what they do."""
    for kind in STEPS[: STEPS.index(until) + 1]:
        work_off(kind)
        samples.go_on_everywhere()
    return Run.objects.get(project=project, kind=until)


def test_a_sample_is_set_up_checked_and_assessed_by_the_workers_alone(sample: Project) -> None:
    run = lived(sample)
    assert run.state == RunState.SUCCEEDED
    summary = run.outcome.summary
    assert 300 <= summary["rules"] <= 5000
    assert set(summary["families"]) == {"full-domain", "regional", "k-anonymity"}
    assert len(summary["frontier"]) >= 15
    assert summary["optimum"]["rule"]
    assert set(summary["coverage"]) == {"neighbour", "register"}
    with outcomes.opened(run.outcome) as rules:
        within = sum(rule["within_limits"] for rule in rules.values())
    assert 20 <= within < summary["rules"]
    assert verify().whole


def test_the_sample_stands_in_the_trail_like_a_persons_work_and_without_values(sample: Project, officer: User) -> None:
    lived(sample, until="prepare-sample")
    events = AuditEvent.objects.filter(project_id=sample.pk, actor_id=officer.pk)
    done = {event.action for event in events}
    assert {"release class set", "dataset chosen", "column described", "attacker added", "harm described"} <= done
    told = json.dumps([event.details for event in AuditEvent.objects.all()])
    assert not any(word in told for word in ("Aldersee", "nurse", "M100", "Northmark"))


def test_every_column_of_the_sample_is_confirmed_and_no_identifier_released(sample: Project) -> None:
    lived(sample, until="prepare-sample")
    attributes = {one.column: one for one in Setup.objects.get(pk=sample.pk).attributes.all()}
    assert all(one.confirmed for one in attributes.values())
    assert not any(attributes[name].released for name in ("member_id", "email", "note"))


def test_asking_twice_does_nothing_twice(sample: Project) -> None:
    work_off("read")
    for kind in ("prepare-sample", "rehearse", "assess"):
        for _ in range(3):
            samples.go_on(sample)
            samples.go_on_everywhere()
        assert Run.objects.filter(project=sample, kind=kind).count() == 1
        work_off(kind)
    samples.go_on(sample)
    assert Run.objects.filter(project=sample).count() == 5


def test_a_worker_that_dies_while_setting_up_leaves_nothing_half_said(sample: Project) -> None:
    work_off("read")
    samples.go_on(sample)
    run = Run.objects.get(kind="prepare-sample")
    runs.claim(run.pk)
    run.refresh_from_db()
    runs.lose(run, by=runs.WORKER)
    assert Setup.objects.get(pk=sample.pk).version == 0
    assert lived(sample, until="prepare-sample").state == RunState.SUCCEEDED


def test_who_goes_on_by_themselves_is_left_alone(sample: Project, by: Actor) -> None:
    setup = Setup.objects.get(pk=sample.pk)
    setups.set_class(setup, "public", None, setup.version, by=by)
    work_off("read")
    samples.go_on_everywhere()
    assert not Run.objects.filter(kind="prepare-sample").exists()
    assert samples.stage(sample) is None


def test_a_shredded_file_ends_the_preparation_and_the_page_says_so(sample: Project, by: Actor, officer: User) -> None:
    work_off("read")
    uploads.purge(sample.uploads.get(name="register.csv"), by=by)
    samples.go_on_everywhere()
    assert not Run.objects.filter(kind="prepare-sample").exists()
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    assert "was shredded" in client.get(reverse("project", args=[sample.pk])).content.decode()


def test_the_page_says_what_is_going_on_until_the_frontier_is_there(sample: Project, officer: User) -> None:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    page, progress = reverse("project", args=[sample.pk]), reverse("sample-progress", args=[sample.pk])
    seen = []
    for kind in STEPS:
        seen.append(client.get(progress).content.decode())
        work_off(kind)
        samples.go_on_everywhere()
    words = ("Reading its two files", "Setting it up", "Checking the set-up", "Measuring its rules")
    assert all(word in text for word, text in zip(words, seen, strict=True))
    assert client.get(progress)["HX-Refresh"] == "true"
    run = Run.objects.get(kind="assess")
    assert reverse("frontier", args=[sample.pk, run.pk]) in client.get(page).content.decode()


def test_a_project_that_is_no_sample_is_never_touched(project: Project) -> None:
    samples.go_on_everywhere()
    assert samples.stage(project) is None
    assert not Run.objects.filter(project=project).exists()


# Where it is found


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def offered(browser: Client) -> list[bool]:
    """Whether the list of projects and the page for a new one offer the sample."""
    pages = [browser.get(reverse(name)).content.decode() for name in ("projects", "project-new")]
    return ["Load a sample project" in page for page in pages]


def test_the_sample_is_offered_to_whoever_has_other_projects_and_not_to_whoever_has_it(
    project: Project, browser: Client, by: Actor
) -> None:
    assert offered(browser) == [True, True]
    made = browser.post(reverse("project-sample"))["Location"]
    assert offered(browser) == [False, False]
    assert made in browser.get(reverse("project-new")).content.decode()
    again = browser.post(reverse("project-sample"), follow=True)
    assert again.redirect_chain == [(made, 302)]
    assert "You have it already" in again.content.decode()
    assert samples.load(by=by).pk == Project.objects.get(sample=True).pk


def test_who_has_left_the_sample_or_whose_sample_came_to_nothing_gets_another(sample: Project, browser: Client) -> None:
    Membership.objects.filter(project=sample).delete()
    assert offered(browser) == [True, True]
    browser.post(reverse("project-sample"))
    second = Project.objects.exclude(pk=sample.pk).get(sample=True)
    assert offered(browser) == [False, False]
    second.uploads.update(state="rejected")
    assert offered(browser) == [True, True]
    browser.post(reverse("project-sample"))
    assert Project.objects.filter(sample=True).count() == 3


def test_who_may_not_start_projects_is_not_offered_the_sample(project: Project, person: Callable[..., User]) -> None:
    auditor = person("ada")
    Membership.objects.create(project=project, user=auditor, role=Role.AUDITOR)
    client = Client()
    client.force_login(auditor, backend="django.contrib.auth.backends.ModelBackend")
    assert "Load a sample project" not in client.get(reverse("projects")).content.decode()


def test_a_program_gets_the_sample_that_is_there_already(officer: User) -> None:
    program = Program(officer)
    first, second = (program.ask("POST", "/projects/sample") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert json.loads(first.content)["id"] == json.loads(second.content)["id"]
