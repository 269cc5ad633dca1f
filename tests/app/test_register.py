"""The register of releases: who got what, for whom it exists, searched and exported; and what an auditor reads."""

import csv
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from riskapp import bridge, selectors
from riskapp.models import Actor, AuditEvent, Membership, Project, Proposal, Release, Role, Run, Upload, User
from riskapp.services import projects
from tests.app.assessed import finished_run

pytestmark = pytest.mark.django_db(transaction=True)
REPLAYED = {"expected_found": 4.0, "singled_out": 3, "largest_chance": 0.5}
PEOPLE = {"neighbour": {"expected_found": 2.5, "singled_out": 1, "largest_chance": 0.5, "by_replay": REPLAYED}}


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    return finished_run(project, arrive, by)


def released(run: Run, recipient: str, purpose: str = "A study", project: Project | None = None) -> Release:
    """A line of the register, without a file."""
    today = timezone.localdate()
    rule = run.outcome.summary["frontier"][0]
    said = {"purpose": purpose, "recipient": recipient, "reason": "r", "expires_on": today}
    where = project or run.project
    evidence = bridge.evidence(run, rule)
    figures = {**evidence["listed"], "people": PEOPLE}
    proposal = Proposal.objects.create(
        project=where, run=run, rule=rule, evidence=evidence, state="approved", proposed_by=run.started_by, **said
    )
    about = {"state": "expired", "ready_at": timezone.now(), "expires_on": today, "figures": figures}
    about |= selectors.for_register(evidence, figures, {})
    digests = {"sha256": recipient.encode().hex()[:8] + "0" * 56, "digest": "d" * 64}
    return Release.objects.create(project=where, proposal=proposal, **about, **digests)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def auditor(member: Callable[[str], User]) -> Client:
    return signed_in(member("auditor"))


def names(client: Client, words: str = "") -> set[str]:
    page = client.get(reverse("register"), {"q": words})
    assert page.status_code == 200
    return {release.proposal.recipient for release in page.context["page"]}


def test_it_is_searched_by_recipient_project_purpose_and_hash(auditor: Client, run: Run) -> None:
    one, _ = released(run, "University"), released(run, "Ministry", "A census")
    assert names(auditor) == {"University", "Ministry"}
    assert names(auditor, "univ") == {"University"}
    assert names(auditor, "CENSUS") == {"Ministry"}
    assert names(auditor, one.sha256[:8]) == {"University"}
    Release.objects.filter(pk=one.pk).update(digest="ab" * 32)
    assert names(auditor, "ABABAB") == {"University"}, "the digest of the manifest, as the report tells it"
    assert names(auditor, "members") == {"University", "Ministry"}
    assert names(auditor, "nobody") == set()
    released(run, "Ärztekammer Österreich", "Für die Übersicht")
    for words in ("ärzte", "ÄRZTEKAMMER", "ÖSTER", "kammer ö", "für", "übersicht"):
        assert names(auditor, words) == {"Ärztekammer Österreich"}, words


def test_it_has_the_releases_of_ones_own_projects_and_for_administrators_all(
    auditor: Client, run: Run, person: Callable[..., User]
) -> None:
    elsewhere = projects.create(
        by=Actor(person("owen", may_create_projects=True)), name="Clinic", purpose="", role=Role.OFFICER
    )
    released(run, "University")
    released(run, "Insurer", project=elsewhere)
    assert names(auditor) == {"University"}
    root = signed_in(person("root", is_administrator=True))
    assert names(root) == {"University", "Insurer"}
    assert f"/projects/{elsewhere.pk}/" not in root.get(reverse("register")).content.decode(), "no page of hers"


def test_what_a_recipient_holds_is_added_up_whatever_the_spelling(auditor: Client, run: Run) -> None:
    for name in ("University", "university ", "Ministry"):
        released(run, name)
    held = {one.recipient.strip().lower(): one for one in auditor.get(reverse("register")).context["held"]}
    assert (held["university"].releases, held["university"].expected_found) == (2, 8.0)
    assert held["ministry"].expected_found == 4.0, "the larger of definition and replay"
    assert held["ministry"].singled_out == 3


def test_whom_an_earlier_release_singled_out_is_not_forgotten_over_a_later_one(auditor: Client, run: Run) -> None:
    first, later = released(run, "University"), released(run, "University")
    Release.objects.filter(pk=first.pk).update(singled_out=7, would_be_singled_out=2)
    Release.objects.filter(pk=later.pk).update(singled_out=0, would_be_singled_out=5)
    (held,) = auditor.get(reverse("register")).context["held"]
    assert (held.singled_out, held.would_be, held.releases, held.projects) == (7, 5, 2, 1)


def test_no_releases_figures_are_loaded_however_many_there_are(auditor: Client, run: Run) -> None:
    for place in range(3):
        released(run, f"Recipient {place}")
    with CaptureQueriesContext(connection) as few:
        auditor.get(reverse("register"))
    released(run, "One more")
    with CaptureQueriesContext(connection) as more:
        page = auditor.get(reverse("register"))
    assert len(more) == len(few)
    assert not [one["sql"] for one in more if re.search(r'"(figures|attacks|analyses|evidence)"', one["sql"])]
    assert page.content.decode().count('<td class="num">4</td>') == 8, "found in each, and by each recipient"


def test_releases_from_before_the_register_had_columns_are_filled_in(run: Run) -> None:
    """As the migration finds them: figures, and nothing for the register."""
    before = released(run, "University")
    held = Release.objects.filter(pk=before.pk)
    held.update(attacks={"same_recipient": {"singled_out": 7}}, people=None, expected_found=None, singled_out=None)
    import_module("riskapp.migrations.0007_register_figures").fill(apps, None)
    people = before.proposal.evidence["people"]
    assert held.values_list("people", "expected_found", "singled_out").get() == (people, 4.0, 7)


def exported(client: Client, **asked: str) -> list[dict[str, Any]]:
    sent = client.get(reverse("register-export"), asked)
    lines: Iterator[bytes] = sent.streaming_content  # type: ignore[attr-defined]
    return list(csv.DictReader(StringIO(b"".join(lines).decode("utf-8-sig"))))


def test_it_is_exported_as_it_is_searched_defused_and_recorded(auditor: Client, run: Run) -> None:
    released(run, "=HYPERLINK(1)")
    released(run, "Ministry")
    (line,) = exported(auditor, q="hyperlink")
    assert line["recipient"] == "'=HYPERLINK(1)"
    assert (line["expected found"], line["digest of the manifest"]) == ("4.0", "d" * 64)
    assert AuditEvent.objects.filter(action="register exported").count() == 1


def test_each_exported_line_tells_what_its_recipient_holds_however_spelled(auditor: Client, run: Run) -> None:
    for name in ("University", " UNIVERSITY\u00a0", "Ｕniversity"):
        released(run, name)
    Release.objects.update(singled_out=2, would_be_singled_out=5)
    first, second, third = exported(auditor)
    assert (first["singled out"], first["would be singled out"]) == ("2", "5")
    for line in (first, second, third):
        assert (line["releases its recipient holds"], line["in projects"]) == ("3", "1")
        assert (line["expected found, summed"], line["singled out at least, together"]) == ("12.0", "2")
        assert line["more if they are in several"] == "5"
    (held,) = auditor.get(reverse("register")).context["held"]
    assert held.releases == 3


def test_an_auditor_reads_everything_but_data_and_changes_nothing(auditor: Client, run: Run) -> None:
    release = released(run, "University")
    proposal, project = release.proposal, run.project
    there = [
        *(("proposals",), ("releases",), ("project-audit",), ("runs",), ("attributes",), ("harm",), ("attackers",)),
        *(("proposal", proposal.pk), ("release", release.pk), ("frontier", run.pk), ("run", run.pk)),
    ]
    for name, *more in there:
        page = auditor.get(reverse(name, args=[project.pk, *more]))
        assert page.status_code == 200, name
        assert "Aldersee" not in page.content.decode(), name
    assert auditor.get(reverse("rule", args=[project.pk, run.pk]), {"rule": proposal.rule}).status_code == 200
    assert auditor.get(reverse("register")).status_code == 200
    before = AuditEvent.objects.count()
    for name in ("proposal-decide", "proposal-withdraw", "proposal-answer", "proposal-answers"):
        assert auditor.post(reverse(name, args=[project.pk, proposal.pk])).status_code == 403, name
    for name in ("release-download", "release-revoke", "release-build"):
        assert auditor.post(reverse(name, args=[project.pk, release.pk])).status_code == 403, name
    refused = AuditEvent.objects.filter(action="refused").count()
    assert refused == AuditEvent.objects.count() - before == 7


def test_who_keeps_no_register_does_not_learn_of_it(run: Run, person: Callable[..., User]) -> None:
    steward = person("stella")
    Membership.objects.create(project=run.project, user=steward, role=Role.STEWARD)
    for name in ("register", "register-export"):
        assert signed_in(steward).get(reverse(name)).status_code == 404
