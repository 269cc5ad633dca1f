"""Downloads that must not be: each is refused, and each stands in the audit trail with who, what and why."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import storage
from riskapp.core.errors import Hidden
from riskapp.core.table.value_list import texts
from riskapp.engine.releasing.defusing import fused
from riskapp.models import (
    Actor,
    AuditEvent,
    Download,
    DownloadLink,
    Membership,
    Project,
    Release,
    ReleaseState,
    Role,
    Setup,
    TermsAccepted,
    Upload,
    User,
    today,
)
from riskapp.services import downloads, projects, releases, tokens
from tests.app.deciding import PEOPLE, Way, way

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


@pytest.fixture
def release(on_the_way: Way) -> Release:
    """A release for Rita, who has accepted the terms."""
    made = on_the_way.release()
    downloads.accept_terms(made.project, by=Actor(on_the_way.recipient))
    return made


def signed_in(user: User | None) -> Client:
    client = Client()
    assert user is not None
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def asked(client: Client, release: Release) -> HttpResponse:
    """The answer to somebody who presses *Download*."""
    address = reverse("release-download", args=[release.project_id, release.pk])
    return client.post(address)  # type: ignore[return-value]


def link_of(client: Client, release: Release) -> str:
    answer = asked(client, release)
    assert answer.status_code == 302
    return answer["Location"]


def beside(release: Release) -> list[str]:
    """The addresses of the report and of the manifest."""
    there = [release.project_id, release.pk]
    return [reverse("release-report", args=there), reverse("release-part", args=[*there, "manifest"])]


def path_of(release: Release) -> Path:
    assert release.folder is not None
    return storage.release_place(release.project_id, release.folder) / release.name


def tries() -> list[tuple[str, str, str]]:
    """Who tried in vain to get which release, and why it was in vain."""
    found = AuditEvent.objects.filter(action="download refused").order_by("number")
    return [(event.actor, event.subject_id, event.details["reason"]) for event in found]


RITA = "rita@example.org"


def test_a_used_link_and_an_old_one_are_refused_and_audited(on_the_way: Way, release: Release) -> None:
    rita = signed_in(on_the_way.recipient)
    used, old = link_of(rita, release), link_of(rita, release)
    rita.get(used).close()
    assert rita.get(used).status_code == 403
    DownloadLink.objects.filter(used_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert rita.get(old).status_code == 403
    why = "This link is used or its time is over. Ask for a new one on the release's page."
    assert tries() == [(RITA, str(release.pk), why)] * 2
    assert Download.objects.count() == 1
    assert not AuditEvent.objects.filter(action="refused").exists(), "told once, not twice"


def test_who_asks_only_whether_the_file_is_there_does_not_use_the_link_up(on_the_way: Way, release: Release) -> None:
    rita = signed_in(on_the_way.recipient)
    link = link_of(rita, release)
    assert rita.head(link).status_code == 405
    assert not Download.objects.exists()
    got = rita.get(link)
    assert got.status_code == 200
    got.close()


def test_a_register_is_searched_for_any_words(on_the_way: Way, release: Release) -> None:
    officer = signed_in(on_the_way.officer.user)
    for words in ("\0", "%", "' OR 1=1 --", "<script>", "\ud7ff" * 200):
        assert officer.get(reverse("register"), {"q": words}).status_code == 200


def test_another_persons_link_is_not_there_for_anybody_else(on_the_way: Way, release: Release) -> None:
    link = link_of(signed_in(on_the_way.recipient), release)
    assert signed_in(on_the_way.officer.user).get(link).status_code == 404
    assert tries() == [("oscar@example.org", str(release.pk), "The link is somebody else's.")]
    assert DownloadLink.objects.get().used_at is None, "who may have it still can"


def test_a_recipient_of_another_project_or_for_whom_it_is_not_gets_nothing(
    on_the_way: Way, release: Release, by: Actor, person: Callable[..., User]
) -> None:
    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    stranger, neighbour = person("xaver"), person("nora")
    Membership.objects.create(project=other, user=stranger, role=Role.RECIPIENT)
    Membership.objects.create(project=release.project, user=neighbour, role=Role.RECIPIENT)
    link = link_of(signed_in(on_the_way.recipient), release)
    assert asked(signed_in(stranger), release).status_code == 404
    assert signed_in(stranger).get(link).status_code == 404
    there = reverse("release-download", args=[other.pk, release.pk])
    assert signed_in(stranger).post(there).status_code == 404
    away = AuditEvent.objects.filter(action="turned away", actor="xaver@example.org").order_by("number")
    told = [event.details for event in away]
    named = {"page": "release-download", "release": str(release.pk)}
    assert told == [named, {"page": "release-file"}, named]
    assert asked(signed_in(neighbour), release).status_code == 404
    assert tries() == [("nora@example.org", str(release.pk), "It is not for them.")]


def test_guessed_ids_and_tokens_lead_nowhere_and_are_told(on_the_way: Way, release: Release) -> None:
    rita, guess = signed_in(on_the_way.recipient), uuid4()
    assert rita.post(reverse("release-download", args=[release.project_id, guess])).status_code == 404
    assert rita.post(reverse("release-download", args=[guess, release.pk])).status_code == 404
    for token in ("x", "A" * 43, str(release.pk), "..%2f..%2fmanifest.json"):
        assert rita.get(reverse("release-file", args=[release.project_id, token])).status_code == 404
    events = list(AuditEvent.objects.filter(action="turned away", actor=RITA).order_by("number"))
    assert [event.details.get("release") for event in events[:2]] == [str(guess), str(release.pk)]
    assert [event.details for event in events[2:]] == [{"page": "release-file"}] * 4, "no token is kept"
    for part in ("..", "footprint", "footprint.parquet", "manifest.json", "%2e%2e%2fx"):
        assert rita.get(reverse("release-part", args=[release.project_id, release.pk, part])).status_code == 404


def test_whoever_is_signed_out_or_deactivated_is_led_to_the_sign_in_and_told(on_the_way: Way, release: Release) -> None:
    rita = signed_in(on_the_way.recipient)
    link = link_of(rita, release)
    User.objects.filter(pk=on_the_way.recipient.pk).update(is_active=False)
    for client in (rita, Client()):
        for answer in (client.get(link), asked(client, release), *(client.get(one) for one in beside(release))):
            assert answer["Location"].startswith(reverse("sign-in"))
    assert tries() == [("visitor", str(release.pk), "They were not signed in.")] * 8
    Client().get(reverse("release-file", args=[release.project_id, "guessed"]))
    Client().post(reverse("release-download", args=[release.project_id, uuid4()]))
    assert len(tries()) == 8, "what does not exist adds nothing"
    for _ in range(25):
        asked(Client(), release)
    assert len(tries()) == 20, "nobody can flood the trail"


def test_who_is_deactivated_while_their_file_is_hashed_gets_nothing(on_the_way: Way, release: Release) -> None:
    """Their request came in before, and goes by the account as it was then."""
    rita = Actor(User.objects.get(pk=on_the_way.recipient.pk))
    token = downloads.link(release, by=rita)
    User.objects.filter(pk=on_the_way.recipient.pk).update(is_active=False)
    with pytest.raises(Hidden):
        downloads.fetch(token, release.project, by=rita)
    assert not Download.objects.exists()
    assert tries() == [(RITA, str(release.pk), "It is not for them.")]


@pytest.mark.parametrize("end", ["revoked", "expired", "overdue", "shredded"])
def test_a_release_that_has_ended_is_gone_for_recipients(on_the_way: Way, release: Release, end: str) -> None:
    rita, project = signed_in(on_the_way.recipient), [release.project_id, release.pk]
    link = link_of(rita, release)
    parts = [reverse("release-report", args=project), reverse("release-part", args=[*project, "codebook"])]
    for address in parts:
        rita.get(address).close()
    if end in ("revoked", "shredded"):
        releases.revoke(release, "A mistake.", by=on_the_way.officer)
    if end == "expired":
        releases.expire(release, by=on_the_way.officer)
    if end == "overdue":
        Release.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    if end == "shredded":
        releases.shred(release, by=on_the_way.officer)
    assert asked(rita, release).status_code == 403
    assert rita.get(link).status_code == 403
    assert [rita.get(address).status_code for address in parts] == [404, 404]
    words = {"overdue": "expired"}.get(end, end)
    assert tries() == [(RITA, str(release.pk), f"This release is {words}.")] * 2
    assert not Download.objects.exists()


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Etc/GMT-14"])
def test_the_last_day_is_the_servers_whatever_zone_somebody_chose(on_the_way: Way, release: Release, zone: str) -> None:
    """At any hour one of these zones has another day than the server."""
    User.objects.filter(pk=on_the_way.recipient.pk).update(time_zone=zone)
    rita, page = signed_in(on_the_way.recipient), reverse("project", args=[release.project_id])
    for day, status in ((today(), 302), (today() - timedelta(days=1), 403)):
        Release.objects.update(expires_on=day)
        assert asked(rita, release).status_code == status, day
        assert (release.name in rita.get(page).content.decode()) == (status == 302)


def test_a_program_without_a_token_that_holds_is_refused_and_told(on_the_way: Way, release: Release) -> None:
    there = f"/api/v1/projects/{release.project_id}/releases/{release.pk}"
    words, token = tokens.make("Fetch", ["read", "download"], 7, by=Actor(on_the_way.recipient))
    tokens.withdraw(token, by=Actor(on_the_way.recipient))
    for header in ({}, {"authorization": f"Bearer {words}"}, {"authorization": "Bearer riskapp_guessed"}):
        assert Client(headers=header).post(f"{there}/file").status_code == 401
        assert Client(headers=header).get(f"{there}/parts/manifest").status_code == 401
    assert tries() == [("visitor", str(release.pk), "They were not signed in.")] * 6
    assert Client().post(f"{there.replace(str(release.pk), str(uuid4()))}/file").status_code == 401
    assert len(tries()) == 6, "what does not exist adds nothing"


def test_a_token_for_reading_fetches_no_labels_of_the_data(on_the_way: Way, release: Release) -> None:
    words, _ = tokens.make("Look", ["read"], 7, by=Actor(on_the_way.recipient))
    program = Client(headers={"authorization": f"Bearer {words}"})
    there = f"/api/v1/projects/{release.project_id}/releases/{release.pk}"
    for part, status in {"manifest": 200, "report": 200, "codebook": 403, "codes": 403}.items():
        answer = program.get(f"{there}/parts/{part}")
        answer.close()
        assert answer.status_code == status, part
    assert program.post(f"{there}/file").status_code == 403
    refused = AuditEvent.objects.filter(action="refused", actor=RITA)
    assert [event.details["release"] for event in refused] == [str(release.pk)] * 3


def test_an_auditor_is_refused_and_that_is_told(on_the_way: Way, release: Release, person: Callable[..., User]) -> None:
    auditor = person("anton")
    Membership.objects.create(project=release.project, user=auditor, role=Role.AUDITOR)
    assert asked(signed_in(auditor), release).status_code == 403
    event = AuditEvent.objects.get(action="refused")
    assert (event.actor, event.details["release"]) == ("anton@example.org", str(release.pk))


def test_terms_are_accepted_by_a_tick_and_in_the_wording_that_was_read(on_the_way: Way) -> None:
    release, user = on_the_way.release(), on_the_way.recipient
    rita, address = signed_in(user), reverse("release", args=[release.project_id, release.pk])
    read = rita.get(address).context["wording"]
    said = rita.post(f"{address}terms/", {"wording": read}, follow=True)
    assert "Tick that you accept the terms." in said.content.decode()
    Project.objects.filter(pk=release.project_id).update(terms="You pay for each download.")
    said = rita.post(f"{address}terms/", {"wording": read, "accept": "on"}, follow=True)
    assert "The terms have changed since you opened this page." in said.content.decode()
    assert not TermsAccepted.objects.exists()
    rita.post(f"{address}terms/", {"wording": said.context["wording"], "accept": "on"})
    assert downloads.has_accepted(user, Project.objects.get(pk=release.project_id))


def test_without_the_terms_nothing_is_sent(on_the_way: Way) -> None:
    release = on_the_way.release()
    assert asked(signed_in(on_the_way.recipient), release).status_code == 403
    assert tries() == [(RITA, str(release.pk), "Accept the terms first.")]


@pytest.mark.parametrize("part", ["manifest", "report", "codebook", "codes"])
def test_without_the_terms_nothing_that_lies_beside_is_sent_and_with_them_it_is_recorded(
    on_the_way: Way, part: str
) -> None:
    release = on_the_way.release()
    rita = signed_in(on_the_way.recipient)
    page = reverse("release", args=[release.project_id, release.pk])
    assert address_of(release, part) not in rita.get(page).content.decode()
    assert rita.get(address_of(release, part)).status_code == 403
    assert rita.get(reverse("release-report", args=[release.project_id, release.pk])).status_code == 403
    assert tries() == [(RITA, str(release.pk), "Accept the terms first.")] * 2
    assert not AuditEvent.objects.filter(action="release part fetched").exists()
    downloads.accept_terms(release.project, by=Actor(on_the_way.recipient))
    rita.get(address_of(release, part)).close()
    event = AuditEvent.objects.get(action="release part fetched")
    assert (event.actor, event.subject_id, event.details) == (RITA, str(release.pk), {"part": part})


def test_an_auditor_reads_manifest_and_report_and_no_labels_of_the_data(
    on_the_way: Way, release: Release, person: Callable[..., User]
) -> None:
    auditor = person("anton")
    Membership.objects.create(project=release.project, user=auditor, role=Role.AUDITOR)
    client = signed_in(auditor)
    for part, status in {"manifest": 200, "report": 200, "codebook": 403, "codes": 403}.items():
        answer = client.get(address_of(release, part))
        answer.close()
        assert answer.status_code == status, part
    page = client.get(reverse("release", args=[release.project_id, release.pk])).content.decode()
    assert "Codebook" not in page
    assert [who for who, _, _ in tries()] == ["anton@example.org"] * 2


def test_a_file_changed_in_the_store_is_withheld_on_the_page_and_revoked(on_the_way: Way, release: Release) -> None:
    rita, path = signed_in(on_the_way.recipient), path_of(release)
    link = link_of(rita, release)
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)
    answer = rita.get(link)
    assert answer.status_code == 409
    assert b"withheld and revoked" in answer.content
    release.refresh_from_db()
    assert (release.state, Download.objects.count()) == (ReleaseState.REVOKED, 0)
    ((who, which, why),) = tries()
    assert (who, which) == (RITA, str(release.pk))
    assert "its bytes are not those that were approved" in why
    revoked = AuditEvent.objects.get(action="release revoked")
    assert (revoked.actor, revoked.actor_id) == ("server", None), "a recipient revokes nothing"
    assert "its bytes are not those that were approved" in revoked.details["reason"]
    assert rita.get(link).status_code == 403


def address_of(release: Release, part: str) -> str:
    return reverse("release-part", args=[release.project_id, release.pk, part])


PARTS = {"manifest": "manifest.json", "report": "report.html", "codebook": "codebook.html", "codes": "codebook.json"}


@pytest.mark.parametrize("part", PARTS)
def test_what_lies_beside_the_file_is_withheld_when_it_was_changed(
    on_the_way: Way, release: Release, part: str
) -> None:
    rita, lying = signed_in(on_the_way.recipient), path_of(release).with_name(PARTS[part])
    whole = rita.get(address_of(release, part))
    assert b"".join(whole.streaming_content) == lying.read_bytes()  # type: ignore[attr-defined]
    whole.close()
    lying.write_bytes(lying.read_bytes().replace(b"a", b"b", 1))
    answer = rita.get(address_of(release, part))
    assert answer.status_code == 409
    assert b"withheld and revoked" in answer.content
    release.refresh_from_db()
    noun = "codebook" if part == "codes" else part
    assert release.state == ReleaseState.REVOKED
    assert release.why_ended == f"Withheld by the server: the bytes of its {noun} are not those that were approved."
    officer = signed_in(on_the_way.officer.user)
    assert b"this was withheld" in officer.get(address_of(release, part)).content, "ended, and still not shown"
    assert [(who, which) for who, which, _ in tries()] == [
        (RITA, str(release.pk)),
        (on_the_way.officer.user.email, str(release.pk)),  # type: ignore[union-attr]
    ]


def test_a_changed_manifest_vouches_for_no_codebook(on_the_way: Way, release: Release) -> None:
    book = path_of(release).with_name("codebook.html")
    manifest = path_of(release).with_name("manifest.json")
    was = hashlib.sha256(book.read_bytes()).hexdigest()
    book.write_text("<p>Another one.")
    manifest.write_text(manifest.read_text().replace(was, hashlib.sha256(book.read_bytes()).hexdigest()))
    answer = signed_in(on_the_way.recipient).get(address_of(release, "codebook"))
    assert answer.status_code == 409
    assert b"the bytes of its manifest" in answer.content


def test_a_part_that_is_gone_and_a_report_that_was_changed_are_not_shown(on_the_way: Way, release: Release) -> None:
    rita, report = signed_in(on_the_way.recipient), path_of(release).with_name("report.html")
    report.write_bytes(report.read_bytes() + b"x")
    shown = rita.get(reverse("release-report", args=[release.project_id, release.pk]))
    assert (shown.status_code, b"withheld and revoked" in shown.content) == (409, True)
    path_of(release).with_name("codebook.json").unlink()
    answer = signed_in(on_the_way.officer.user).get(address_of(release, "codes"))
    assert (answer.status_code, b"is not in the store" in answer.content) == (409, True)


def test_a_file_that_is_gone_from_the_store_is_withheld_too(on_the_way: Way, release: Release) -> None:
    rita = signed_in(on_the_way.recipient)
    link = link_of(rita, release)
    path_of(release).unlink()
    assert rita.get(link).status_code == 409
    assert "the file is not in the store" in tries()[0][2]


# Names that play tricks


NASTY = "../../etc/passwd\"\r\nSet-Cookie: a=b; x=\"=cmd|' /C calc'!A0"


def test_names_that_play_tricks_end_in_no_header_and_no_path(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    Project.objects.update(name=NASTY[:100], purpose=NASTY)
    project.refresh_from_db()
    made = way(project, by, person, lambda text: arrive(text, name="..%2f=1+1;<b>.csv"))
    release = made.release(recipient=NASTY, purpose=NASTY, reason=NASTY)
    assert re.fullmatch(r"release-[0-9a-f]{8}\.csv", release.name)
    downloads.accept_terms(release.project, by=Actor(made.recipient))
    rita, officer = signed_in(made.recipient), signed_in(made.officer.user)
    got = rita.get(link_of(rita, release))
    assert got["Content-Disposition"] == f'attachment; filename="{release.name}"'
    assert "Set-Cookie" not in got.headers
    got.close()
    for part in ("manifest", "codebook", "codes", "report"):
        got = rita.get(reverse("release-part", args=[project.pk, release.pk, part]))
        assert re.fullmatch(r'attachment; filename="release-[0-9a-f]{8}\.[a-z.]+"', got["Content-Disposition"])
        got.close()
    everything = {path.relative_to(storage.root()).parts[0] for path in storage.root().rglob("*")}
    assert everything <= {str(project.pk), "incoming"}
    report = rita.get(reverse("release-report", args=[project.pk, release.pk])).content.decode()
    assert "<b>" not in report
    register = officer.get(reverse("register-export"))
    text = b"".join(register.streaming_content) if register.streaming else register.content  # type: ignore[attr-defined]
    rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
    assert not any(re.match(r"[=+@\t\r-]", cell) for row in rows for cell in row)


# Cells that a spreadsheet would compute


CELLS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "plain", "'=kept", "-5", "a;=1"]


def with_formulas() -> str:
    """The people of the way, with formulas where the illness was."""
    head, *lines = PEOPLE.splitlines()
    cut = [line.rpartition(",")[0] for line in lines]
    return "\n".join([head, *(f'{line},"{CELLS[i % len(CELLS)]}"' for i, line in enumerate(cut))]) + "\n"


def test_formulas_leave_defused_and_counted_and_come_back_exactly(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    made = way(project, by, person, lambda text: arrive(with_formulas()))
    ill = Setup.objects.get(pk=project.pk).attributes.get(column="ill")
    assert ill.role == "kept"
    release = made.release(options={"format": "csv", "defuse": True})
    with path_of(release).open(encoding="utf-8", newline="") as lines:
        cells = [row["ill"] for row in csv.DictReader(lines)]
    assert not any(re.match(r"[=+@]|-\D", cell) for cell in cells)
    back = fused(texts(cells)).to_pylist()
    assert sorted(back) == sorted(CELLS * 30)
    manifest = json.loads((path_of(release).parent / "manifest.json").read_text())
    assert manifest["file"]["defused"]["ill"] == sum(cell not in CELLS for cell in cells) > 0
    plain = made.release(options={"format": "csv"}, rule=made.rule(least_group=2))
    with path_of(plain).open(encoding="utf-8", newline="") as lines:
        assert sorted(row["ill"] for row in csv.DictReader(lines)) == sorted(CELLS * 30)
