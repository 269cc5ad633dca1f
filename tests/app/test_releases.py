"""Releases: built from an approved proposal, measured again, downloaded by whom they are for, ended."""

import json
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import escape
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import bridge, storage
from riskapp.bridge import decisions
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
    Setup,
    Upload,
    User,
)
from riskapp.services import downloads, notices, proposals, releases, remarks, retention, untouched, warnings
from riskapp.services.states import Overtaken
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


def test_the_report_tells_what_the_runs_figures_rest_on(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    noted = [line + (f",note {at}" if at else ",note") for at, line in enumerate(PEOPLE.splitlines())]
    release = way(project, by, person, arrive, "\n".join(noted), hurting=("ill", "note")).release()
    conditions = release.proposal.evidence["conditions"]
    assert conditions
    report = (folder_of(release) / "report.html").read_text()
    assert "They are conditional: see the assumptions." in report
    assert all(f"<li>{escape(one)}</li>" in report for one in conditions)


def test_the_manifest_tells_what_the_decision_rests_on(on_the_way: Way) -> None:
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"largest_chance": 0.5, "smallest_group": 3})
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    given = remarks.advise(proposal, "Only under contract.", "Dora Dahl", by=on_the_way.steward)
    remarks.answer_advice(given, followed=False, why="There is none yet.", by=on_the_way.steward)
    on_the_way.approve(proposal)
    work_off("build")
    release = Release.objects.get()
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    evidence, listed = proposal.evidence, proposal.evidence["listed"]
    assert manifest["format"] == 3
    assert manifest["limits"] == {"limits": evidence["limits"], "broken": evidence["broken"]}
    assert manifest["limits"]["limits"]["smallest_group"] == 3
    assert manifest["tags"]["holds_against"] == listed["holds_against"]
    assert manifest["tags"]["conditions"] == [*listed["conditions"], *evidence["conditions"]]
    warned = release.proposal.warned["warnings"]
    assert [one["about"] for one in manifest["warnings"]] == [one["words"] for one in warned]
    assert {one["answer"] for one in manifest["warnings"]} == {"It is known and accepted."}
    (advice,) = manifest["advice"]
    assert (advice["by"], advice["followed"], advice["why"]) == ("Dora Dahl", False, "There is none yet.")
    assert manifest["sources"] == decisions.sources(release)


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
    forged = {**proposal.evidence, "listed": listed}
    Proposal.objects.filter(pk=proposal.pk).update(evidence=forged, evidence_sha256=bridge.fingerprint(forged))
    proposal.refresh_from_db()
    on_the_way.approve(proposal)
    work_off("build")
    release = Release.objects.get()
    assert release.state == ReleaseState.FAILED
    assert "risk" in release.fault["message"]
    assert release.folder is None


def fetched(release: Release, user: User) -> bytes:
    by = Actor(user, "127.0.0.1")
    served = downloads.fetch(downloads.link(release, by=by), release.project, by=by)
    with served.file:
        return served.file.read()


def test_a_recipient_accepts_the_terms_and_downloads(on_the_way: Way) -> None:
    release = on_the_way.release()
    with pytest.raises(Refused, match="Accept the terms"):
        fetched(release, on_the_way.recipient)
    downloads.accept_terms(release.project, by=Actor(on_the_way.recipient))
    assert fetched(release, on_the_way.recipient) == (folder_of(release) / release.name).read_bytes()
    assert Download.objects.count() == 1
    assert AuditEvent.objects.filter(action="release downloaded").count() == 1


def test_a_link_works_once_and_not_for_long(on_the_way: Way) -> None:
    release, by = on_the_way.release(), on_the_way.officer
    token = downloads.link(release, by=by)
    downloads.fetch(token, release.project, by=by).file.close()
    with pytest.raises(Refused, match="used or its time is over"):
        downloads.fetch(token, release.project, by=by)
    late = downloads.link(release, by=by)
    DownloadLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="used or its time is over"):
        downloads.fetch(late, release.project, by=by)


def test_a_link_is_nobody_elses(on_the_way: Way) -> None:
    release = on_the_way.release()
    token = downloads.link(release, by=on_the_way.officer)
    with pytest.raises(Hidden):
        downloads.fetch(token, release.project, by=on_the_way.second)


def test_a_recipient_for_whom_it_is_not_does_not_see_it(on_the_way: Way, person: Callable[..., User]) -> None:
    release = on_the_way.release()
    other = person("other")
    Membership.objects.create(project=release.project, user=other, role=Role.RECIPIENT)
    with pytest.raises(Hidden):
        downloads.link(release, by=Actor(other))


def test_a_file_that_was_tampered_with_is_never_served(on_the_way: Way) -> None:
    release = on_the_way.release()
    path = folder_of(release) / release.name
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(untouched.Withheld):
        fetched(release, on_the_way.officer.user)  # type: ignore[arg-type]
    release.refresh_from_db()
    assert release.state == ReleaseState.REVOKED
    assert not Download.objects.exists()


def test_revoked_is_gone(on_the_way: Way) -> None:
    release = on_the_way.release()
    releases.revoke(release, "A mistake in the data.", by=on_the_way.officer)
    with pytest.raises(Refused, match="revoked"):
        downloads.link(release, by=on_the_way.officer)


def test_the_page_of_a_closed_release_does_not_say_that_it_may_be_downloaded(on_the_way: Way) -> None:
    release, client = on_the_way.release(), Client()
    assert on_the_way.officer.user is not None
    client.force_login(on_the_way.officer.user, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("release", args=[release.project_id, release.pk])
    assert "who may download" in client.get(address).content.decode()
    releases.revoke(release, "The contract ended.", by=on_the_way.officer)
    page = client.get(address).content.decode()
    assert "who could download" in page
    assert "was to be open until" in page
    listed = client.get(reverse("releases", args=[release.project_id])).content.decode()
    assert "closed " in listed
    assert "until " not in listed
    assert "who may download" not in page
    assert "downloaded it yet" not in page


def test_the_seed_of_a_release_is_on_no_command_line(on_the_way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    run, commands = subprocess.run, []

    def watched(command: list[str], **wishes: Any) -> Any:
        commands.append(command)
        return run(command, **wishes)

    monkeypatch.setattr(subprocess, "run", watched)
    release = on_the_way.release()
    seed = release.proposal.seed
    assert [command for command in commands if "riskapp.engine.releasing.measured" in command]
    assert not {seed, str(int(seed, 16))} & {word for command in commands for word in command}


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
    said = {"vote": "approve", "decide-reason": "Good."}
    unseen = officer.post(decide, said)
    assert (unseen.status_code, "An approval names what was seen" in unseen.content.decode()) == (422, True)
    assert officer.post(decide, said | {"seen": page.context["basis"]}).status_code == 302
    work_off("build")
    release = Release.objects.get()
    there = reverse("release", args=[project.pk, release.pk])
    for client in (steward, officer, recipient):
        assert client.get(there).status_code == 200
    for name in ("proposals", "releases", "register"):
        address = reverse(name) if name == "register" else reverse(name, args=[project.pk])
        assert officer.get(address).status_code == 200, name
    assert recipient.get(reverse("project", args=[project.pk])).status_code == 200
    recipient.post(reverse("release-terms", args=[project.pk, release.pk]), {"accept": "on"})
    got = recipient.post(reverse("release-download", args=[project.pk, release.pk]), follow=True)
    assert b"".join(got.streaming_content) == (folder_of(release) / release.name).read_bytes()  # type: ignore[attr-defined]
    got.close()
    report = recipient.get(reverse("release-report", args=[project.pk, release.pk]))
    assert "default-src 'none'" in report["Content-Security-Policy"]
    manifest = recipient.get(reverse("release-part", args=[project.pk, release.pk, "manifest"]))
    assert json.loads(b"".join(manifest.streaming_content))["rule"] == rule  # type: ignore[attr-defined]
    manifest.close()


def test_the_page_that_waits_for_a_release_is_loaded_anew_when_it_is_built(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    release = Release.objects.get()
    officer, there = signed_in(on_the_way.officer.user), reverse("release", args=[release.project_id, release.pk])
    waits = officer.get(there, headers={"HX-Request": "true"})
    assert b"hx-trigger" in waits.content
    assert "HX-Refresh" not in waits
    work_off("build")
    assert officer.get(there, headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_what_is_revoked_while_its_file_is_hashed_is_not_sent(on_the_way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    release = on_the_way.release()
    token = downloads.link(release, by=on_the_way.steward)
    hashed = untouched.released

    def slowly(one: Release, *, by: Actor) -> untouched.Served:
        served = hashed(one, by=by)
        releases.revoke(Release.objects.get(pk=one.pk), "A mistake.", by=on_the_way.officer)
        return served

    monkeypatch.setattr(untouched, "released", slowly)
    with pytest.raises(Refused, match="revoked"):
        downloads.fetch(token, release.project, by=on_the_way.steward)
    assert not release.downloads.exists()


def test_who_loses_their_place_while_the_file_is_hashed_gets_nothing(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, rita = on_the_way.release(), Actor(on_the_way.recipient)
    downloads.accept_terms(release.project, by=rita)
    token = downloads.link(release, by=rita)
    hashed, opened = untouched.released, list[untouched.Served]()

    def slowly(one: Release, *, by: Actor) -> untouched.Served:
        opened.append(hashed(one, by=by))
        Membership.objects.filter(user=on_the_way.recipient).delete()
        return opened[0]

    monkeypatch.setattr(untouched, "released", slowly)
    with pytest.raises(Hidden):
        downloads.fetch(token, release.project, by=rita)
    assert opened[0].file.closed
    assert not release.downloads.exists()
    assert DownloadLink.objects.get().used_at is None


def test_of_two_who_follow_one_link_at_once_one_gets_the_file(on_the_way: Way) -> None:
    release, by = on_the_way.release(), on_the_way.steward
    token, project = downloads.link(release, by=by), release.project

    def follow(_: int) -> str:
        try:
            downloads.fetch(token, project, by=by).file.close()
        except Refused as trouble:
            return str(trouble)[:20]
        finally:
            connection.close()
        return "served"

    with ThreadPoolExecutor(4) as pool:
        told = sorted(pool.map(follow, range(4)))
    assert told == ["This link is used or"] * 3 + ["served"]
    assert release.downloads.count() == 1


def test_what_expires_while_it_is_built_is_never_open(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    Release.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    work_off("build")
    release = Release.objects.get()
    assert not release.is_open
    with pytest.raises(Refused, match="expired"):
        downloads.link(release, by=on_the_way.steward)
    retention.tend()
    release.refresh_from_db()
    assert release.state == ReleaseState.EXPIRED


def test_of_what_is_shredded_while_it_is_downloaded_nothing_more_is_sent(on_the_way: Way) -> None:
    release, by = on_the_way.release(), on_the_way.officer
    served, folder = downloads.fetch(downloads.link(release, by=by), release.project, by=by), folder_of(release)
    releases.revoke(release, "A mistake.", by=by)
    releases.shred(release, by=by)
    assert not folder.exists()
    with served.file, pytest.raises(untouched.Withheld, match="changed while it was sent"):
        served.file.read()


@pytest.mark.parametrize("change", ["a byte", "shorter", "longer"])
def test_of_a_file_that_is_changed_in_place_after_it_was_hashed_no_changed_byte_is_sent(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(untouched, "BLOCK", 64)
    release, by = on_the_way.release(), on_the_way.steward
    path = folder_of(release) / release.name
    whole = path.read_bytes()
    served = downloads.fetch(downloads.link(release, by=by), release.project, by=by)
    first = served.file.read(64)
    with path.open("r+b") as file:
        if change == "a byte":
            file.seek(200)
            file.write(bytes([whole[200] ^ 1]))
        else:
            file.truncate(len(whole) - 1) if change == "shorter" else (file.seek(0, 2), file.write(b"x"))
    got = [first]
    with served.file, pytest.raises(untouched.Withheld, match="changed while it was sent"):
        while block := served.file.read(64):
            got.append(block)
    sent = b"".join(got)
    assert whole.startswith(sent)
    assert 64 <= len(sent) <= (192 if change == "a byte" else len(whole))
    release.refresh_from_db()
    assert release.state == ReleaseState.REVOKED
    assert "while it was sent" in release.why_ended


def test_an_approved_proposal_cannot_be_withdrawn_while_its_file_is_built(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    proposal.refresh_from_db()
    with pytest.raises(Overtaken):
        proposals.withdraw(proposal, "A mistake.", by=on_the_way.steward)
    work_off("build")
    assert Release.objects.get().state == ReleaseState.READY


@pytest.mark.parametrize("good", [True, False])
def test_whoever_approved_it_hears_how_the_building_ended(
    on_the_way: Way, good: bool, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.MAIL_WORKS = True
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    if not good:
        listed = {**proposal.evidence["listed"], "risk": 0.123}
        Proposal.objects.filter(pk=proposal.pk).update(evidence={**proposal.evidence, "listed": listed})
    work_off("build")
    release, officer = Release.objects.get(), signed_in(on_the_way.officer.user)
    there = reverse("release", args=[release.project_id, release.pk])
    words = "The release is ready" if good else "The release could not be built"
    assert f'<a href="{there}">{words}</a>' in officer.get(reverse("notices")).content.decode()
    assert mailoutbox[0].to == [release.proposal.votes.get().officer.email]
    assert len(mailoutbox) == (2 if good else 1), "recipients hear of what is there for them, and of nothing else"
    assert "building of a release that you approved" in str(mailoutbox[0].body)
    assert officer.get(there).status_code == 200
    assert notices.unseen(release.proposal.votes.get().officer) == 0


def test_recipients_hear_that_a_release_is_there_for_them_and_that_it_was_revoked(
    on_the_way: Way, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.MAIL_WORKS = True
    release, rita = on_the_way.release(), on_the_way.recipient
    there, letter = reverse("release", args=[release.project_id, release.pk]), mailoutbox[-1]
    assert letter.to == [rita.email]
    assert "you can download it" in str(letter.body)
    assert f'<a href="{there}">The release is ready</a>' in signed_in(rita).get(reverse("notices")).content.decode()
    assert signed_in(rita).get(there).status_code == 200
    assert notices.unseen(rita) == 0
    releases.revoke(release, "The contract was ended.", by=on_the_way.officer)
    letter = mailoutbox[-1]
    assert letter.to == [rita.email]
    assert "was revoked" in letter.subject
    assert "The contract was ended." not in str(letter.body)


def test_why_it_could_not_be_built_is_said_without_keys_of_the_assessment(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    upload = Upload.objects.get()
    storage.place(upload.project_id, upload.sha256).unlink()
    on_the_way.approve(proposal)
    work_off("build")
    release, steward = Release.objects.get(), signed_in(on_the_way.steward.user)
    assert release.state == ReleaseState.FAILED
    page = steward.get(reverse("release", args=[release.project_id, release.pk])).content.decode()
    assert "The file could not be built" in page
    assert "dataset.file" not in page
    assert ">Build it again<" in page
