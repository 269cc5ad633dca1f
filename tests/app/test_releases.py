"""Releases: built from an approved proposal, measured again, downloaded by whom they are for, ended."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import storage
from riskapp.core.errors import Hidden, Refused
from riskapp.engine.releasing import differing
from riskapp.models import (
    Actor,
    AuditEvent,
    Download,
    DownloadLink,
    Membership,
    Project,
    Proposal,
    Release,
    ReleaseState,
    Role,
    Upload,
    User,
)
from riskapp.services import releases, retention, warnings
from tests.app.deciding import PEOPLE, Way, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


def folder_of(release: Release) -> Path:
    assert release.folder is not None
    return storage.release_place(release.project_id, release.folder)


def test_an_approved_rule_is_built_measured_attacked_and_sealed(on_the_way: Way, tmp_path: Path) -> None:
    release = on_the_way.release()
    assert (release.state, release.fault) == (ReleaseState.READY, None)
    folder = folder_of(release)
    parts = {path.name for path in folder.iterdir()}
    assert {release.name, "manifest.json", "report.html", "codebook.json", "codebook.html"} <= parts
    listed = release.proposal.evidence["listed"]
    own = {key: value for key, value in listed.items() if key in release.figures}
    assert list(differing.differing(own, release.figures)) == []
    assert "neighbour" in release.attacks["dictionaries"]
    call_command("verify_release", str(folder / release.name), str(folder / "manifest.json"))
    report = (folder / "report.html").read_text()
    assert "University" in report
    assert "The figures convince me." in report
    assert "It is known and accepted." in report


def test_the_file_is_written_as_the_proposal_asked(on_the_way: Way) -> None:
    asked = {"format": "csv", "keep_order": True, "defuse": True, "details": True}
    release = on_the_way.release(rule=on_the_way.rule(4), options=asked)
    assert (release.state, release.fault) == (ReleaseState.READY, None)
    header, *rows = (folder_of(release) / release.name).read_text().splitlines()
    assert {"from", "to", "level"} & {word for name in header.split(",") for word in name.replace("_", " ").split()}
    sick = header.split(",").index("ill")
    kept = [row.split(",")[sick] for row in rows]
    assert kept == [line.split(",")[-1] for line in PEOPLE.splitlines()[1:]], "in the order of the dataset"
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    assert manifest["order"] == "kept"
    assert manifest["file"]["choices"]["details"]


def test_no_identifier_is_in_the_file(on_the_way: Way) -> None:
    release = on_the_way.release()
    text = (folder_of(release) / release.name).read_text()
    assert "id" not in text.splitlines()[0].split(",")
    assert "p17" not in text


def test_figures_that_are_not_the_approved_ones_fail_closed(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    listed = {**proposal.evidence["listed"], "risk": 0.123}
    Proposal.objects.filter(pk=proposal.pk).update(evidence={**proposal.evidence, "listed": listed})
    proposal.refresh_from_db()
    on_the_way.approve(proposal)
    work_off("build")
    release = Release.objects.get()
    assert release.state == ReleaseState.FAILED
    assert "risk" in release.fault["message"]
    assert release.folder is None


def fetched(release: Release, user: User) -> bytes:
    by = Actor(user, "127.0.0.1")
    served = releases.fetch(releases.link(release, by=by), release.project, by=by)
    with served.file:
        return served.file.read()


def test_a_recipient_accepts_the_terms_and_downloads(on_the_way: Way) -> None:
    release = on_the_way.release()
    with pytest.raises(Refused, match="Accept the terms"):
        fetched(release, on_the_way.recipient)
    releases.accept_terms(release.project, by=Actor(on_the_way.recipient))
    assert fetched(release, on_the_way.recipient) == (folder_of(release) / release.name).read_bytes()
    assert Download.objects.count() == 1
    assert AuditEvent.objects.filter(action="release downloaded").count() == 1


def test_a_link_works_once_and_not_for_long(on_the_way: Way) -> None:
    release, by = on_the_way.release(), on_the_way.officer
    token = releases.link(release, by=by)
    releases.fetch(token, release.project, by=by).file.close()
    with pytest.raises(Refused, match="used or its time is over"):
        releases.fetch(token, release.project, by=by)
    late = releases.link(release, by=by)
    DownloadLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="used or its time is over"):
        releases.fetch(late, release.project, by=by)


def test_a_link_is_nobody_elses(on_the_way: Way) -> None:
    release = on_the_way.release()
    token = releases.link(release, by=on_the_way.officer)
    with pytest.raises(Hidden):
        releases.fetch(token, release.project, by=on_the_way.second)


def test_a_recipient_for_whom_it_is_not_does_not_see_it(on_the_way: Way, person: Callable[..., User]) -> None:
    release = on_the_way.release()
    other = person("other")
    Membership.objects.create(project=release.project, user=other, role=Role.RECIPIENT)
    with pytest.raises(Hidden):
        releases.link(release, by=Actor(other))


def test_a_file_that_was_tampered_with_is_never_served(on_the_way: Way) -> None:
    release = on_the_way.release()
    path = folder_of(release) / release.name
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(releases.Withheld):
        fetched(release, on_the_way.officer.user)  # type: ignore[arg-type]
    release.refresh_from_db()
    assert release.state == ReleaseState.REVOKED
    assert not Download.objects.exists()


def test_revoked_is_gone(on_the_way: Way) -> None:
    release = on_the_way.release()
    releases.revoke(release, "A mistake in the data.", by=on_the_way.officer)
    with pytest.raises(Refused, match="revoked"):
        releases.link(release, by=on_the_way.officer)


def test_the_beat_expires_and_shreds_on_schedule(on_the_way: Way, project: Project) -> None:
    release = on_the_way.release()
    folder = folder_of(release)
    Release.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    retention.tend()
    release.refresh_from_db()
    assert release.state == ReleaseState.EXPIRED
    Project.objects.update(keep_releases_days=5)
    Release.objects.update(ended_at=timezone.now() - timedelta(days=6))
    retention.tend()
    release.refresh_from_db()
    assert release.state == ReleaseState.PURGED
    assert not folder.exists()
    assert release.sha256


def test_two_releases_that_single_people_out_together_are_warned_about(on_the_way: Way) -> None:
    names = list(on_the_way.run.outcome.summary["words"])
    heights = [len(on_the_way.run.outcome.summary["words"][name]) - 1 for name in names]
    rules = []
    for kept in range(2):
        levels = [0 if place == kept else height for place, height in enumerate(heights)]
        rules.append("full-domain:" + ".".join(map(str, levels)))
    first = on_the_way.release(rule=rules[0])
    assert first.state == ReleaseState.READY
    second = on_the_way.propose(rule=rules[1])
    found = warnings.of(second).figures
    assert found is not None
    together = next(one for one in found["warnings"] if "intersect" in one["key"])
    assert together["count"] == 240
    assert "240" in together["words"]


def signed_in(user: User | None) -> Client:
    client = Client()
    assert user is not None
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_pages_lead_from_the_rule_to_the_download(on_the_way: Way, by: Actor) -> None:
    people = (on_the_way.steward.user, on_the_way.officer.user, on_the_way.recipient)
    steward, officer, recipient = (signed_in(user) for user in people)
    project, rule = on_the_way.project, on_the_way.rule()
    address = reverse("propose", args=[project.pk, on_the_way.run.pk])
    assert steward.get(address, {"rule": rule}).status_code == 200
    until = (timezone.localdate() + timedelta(days=9)).isoformat()
    said = {"rule": rule, "purpose": "A study", "recipient": "University", "reason": "Good", "expires_on": until}
    said |= {"format": "csv", "recipients": str(on_the_way.recipient.pk), "exception": "Agreed", "defuse": "on"}
    answer = steward.post(address, said)
    assert answer.status_code == 302, answer.content.decode()
    work_off("warn")
    proposal = Proposal.objects.get()
    page = steward.get(answer["Location"])
    assert page.status_code == 200
    assert b'value="approve"' not in page.content
    on_the_way.answer(proposal)
    page = officer.get(answer["Location"])
    assert b'value="approve"' in page.content
    decide = reverse("proposal-decide", args=[project.pk, proposal.pk])
    assert officer.post(decide, {"vote": "approve", "decide-reason": ""}).status_code == 422
    assert officer.post(decide, {"vote": "approve", "decide-reason": "Good."}).status_code == 302
    work_off("build")
    release = Release.objects.get()
    there = reverse("release", args=[project.pk, release.pk])
    for client in (steward, officer, recipient):
        assert client.get(there).status_code == 200
    for name in ("proposals", "releases", "register"):
        address = reverse(name) if name == "register" else reverse(name, args=[project.pk])
        assert officer.get(address).status_code == 200, name
    assert recipient.get(reverse("project", args=[project.pk])).status_code == 200
    recipient.post(reverse("release-terms", args=[project.pk, release.pk]))
    got = recipient.post(reverse("release-download", args=[project.pk, release.pk]), follow=True)
    assert b"".join(got.streaming_content) == (folder_of(release) / release.name).read_bytes()  # type: ignore[attr-defined]
    got.close()
    report = recipient.get(reverse("release-report", args=[project.pk, release.pk]))
    assert "default-src 'none'" in report["Content-Security-Policy"]
    manifest = recipient.get(reverse("release-part", args=[project.pk, release.pk, "manifest"]))
    assert json.loads(b"".join(manifest.streaming_content))["rule"] == rule  # type: ignore[attr-defined]
    manifest.close()
