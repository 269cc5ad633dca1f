"""The audit trails of several projects on one page: filtered, exported, verified; and nothing of other projects."""

import csv
from collections.abc import Callable
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import policies, selectors
from riskapp.models import Actor, AuditEvent, Membership, Project, Role, User
from riskapp.services import audit, projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def others(person: Callable[..., User]) -> list[Project]:
    """Two projects of somebody else."""
    by = Actor(person("owen", may_create_projects=True), "127.0.0.1")
    return [projects.create(by=by, name=name, purpose="", role=Role.OFFICER) for name in ("Clinic", "Library")]


@pytest.fixture
def auditor(person: Callable[..., User], project: Project, others: list[Project]) -> Client:
    """Of the project Members and of Clinic, not of Library."""
    user = person("audrey")
    for place in (project, others[0]):
        Membership.objects.create(project=place, user=user, role=Role.AUDITOR)
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def shown(client: Client, **asked: str) -> set[str]:
    page = client.get(reverse("audit-projects"), asked)
    assert page.status_code == 200
    return {str(page.context["names"].get(event.project_id)) for event in page.context["page"]}


def test_keepers_are_those_whose_role_audits() -> None:
    assert set(selectors.KEEPERS) == policies.ABILITIES["audit"]


def test_it_shows_the_projects_whose_trail_one_reads_and_no_other(auditor: Client) -> None:
    assert shown(auditor) == {"Members", "Clinic"}
    page = auditor.get(reverse("audit-projects")).content.decode()
    assert "Library" not in page
    assert '<a href="/audit/projects/"' in page


def test_it_is_filtered_by_project_person_kind_and_time(auditor: Client, project: Project, by: Actor) -> None:
    with audit.writing():
        audit.record("refused", by=by, on=project, page="uploads")
    clinic = Project.objects.get(name="Clinic")
    today = timezone.localdate()
    assert shown(auditor, project=str(clinic.pk)) == {"Clinic"}
    assert shown(auditor, who="owen") == {"Clinic"}
    assert shown(auditor, show="refusals") == {"Members"}
    assert shown(auditor, since=today.isoformat()) == {"Members", "Clinic"}
    assert shown(auditor, until=today.replace(year=today.year - 1, day=1).isoformat()) == set()


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "9999-99-99"])
@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Etc/GMT-14"])
def test_a_day_at_the_end_of_the_calendar_is_said_to_make_no_sense(auditor: Client, day: str, zone: str) -> None:
    User.objects.update(time_zone=zone)
    project = Project.objects.get(name="Clinic")
    for name, *where in (("audit-projects",), ("project-audit", project.pk)):
        for field in ("since", "until"):
            page = auditor.get(reverse(name, args=where), {field: day})
            assert page.status_code == 200
            assert field in page.context["form"].errors
    assert auditor.get(reverse("audit-projects-export"), {"until": day}).status_code == 200


def test_a_project_that_is_not_ones_own_filters_nothing_in(auditor: Client) -> None:
    library = Project.objects.get(name="Library")
    assert shown(auditor, project=str(library.pk)) == {"Members", "Clinic"}
    assert "Library" not in auditor.get(reverse("audit-projects"), {"project": str(library.pk)}).content.decode()


def test_it_is_exported_as_it_is_filtered_and_that_is_recorded(auditor: Client) -> None:
    clinic = Project.objects.get(name="Clinic")
    sent = auditor.get(reverse("audit-projects-export"), {"project": str(clinic.pk)})
    rows = list(csv.DictReader(StringIO(b"".join(sent.streaming_content).decode("utf-8-sig"))))  # type: ignore[attr-defined]
    assert {row["project"] for row in rows} == {"Clinic"}
    exported = AuditEvent.objects.filter(action="audit exported")
    assert [event.project_id for event in exported] == [clinic.pk]


def test_it_is_verified_in_one_click(auditor: Client) -> None:
    told = auditor.post(reverse("audit-projects-verify")).content.decode()
    assert "The chain is whole." in told
    assert AuditEvent.objects.filter(action="audit verified").exists()
