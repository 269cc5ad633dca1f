"""Taking files in, showing what is in them, shredding them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.models import Actor, AuditEvent, Project, Run, Upload, User
from riskapp.services import audit, projects, runs, uploads
from tests.app.conftest import PEOPLE

Arrive = Callable[..., Upload]
pytestmark = pytest.mark.django_db(transaction=True)
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def page(client: Client, officer: User) -> Client:
    client.force_login(officer)
    return client


def send(
    page: Client, project: Project, content: bytes = PEOPLE.encode(), name: str = "people.csv", **extra: Any
) -> Any:
    file = SimpleUploadedFile(name, content)
    return page.post(reverse("upload-add", args=[project.pk]), {"file": file}, **(JSON | extra))


def read(upload: Upload) -> None:
    run = upload.runs.get(state="queued")
    token = runs.claim(run.pk)
    assert token
    runs.compute(run.pk, token)
    upload.refresh_from_db()


def stored() -> list[Path]:
    return [path for path in storage.root().rglob("*") if path.is_file()]


# Arriving


def test_a_file_arrives_and_waits_to_be_read(page: Client, project: Project) -> None:
    answer = send(page, project)
    upload = Upload.objects.get()
    assert (answer.status_code, answer.json()) == (201, {"location": reverse("upload", args=[project.pk, upload.pk])})
    assert (upload.name, upload.size, upload.state) == ("people.csv", len(PEOPLE), "received")
    assert storage.place(project.pk, upload.sha256).read_bytes() == PEOPLE.encode()
    assert Run.objects.get().upload == upload


def test_without_the_script_the_page_follows(page: Client, project: Project) -> None:
    answer = send(page, project, HTTP_ACCEPT="text/html")
    assert answer.status_code == 302
    assert answer["Location"] == reverse("upload", args=[project.pk, Upload.objects.get().pk])


def test_a_file_of_many_blocks_arrives_whole(page: Client, project: Project) -> None:
    content = b"a,b\n" + b"1,2\n" * 800_000
    assert send(page, project, content).status_code == 201
    assert storage.place(project.pk, Upload.objects.get().sha256).read_bytes() == content


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\me\\people.csv", "people.csv"),
        ("people\x00\r\n.csv", "people.csv"),
        ("Personen übersicht.CSV", "Personen übersicht.CSV"),
        ("a.csv.gz", "a.csv.gz"),
        ("a.zip", "a.zip"),
    ],
)
def test_a_name_is_kept_without_its_path(sent: str, kept: str) -> None:
    assert uploads.check_name(sent) == kept


@pytest.mark.parametrize("name", ["", ".", "people", "people.exe", "people.csv.exe", "people.gz", "people.html"])
def test_a_name_with_another_ending_is_refused(name: str) -> None:
    with pytest.raises(uploads.Unwelcome):
        uploads.check_name(name)


def test_a_file_with_another_ending_leaves_nothing(page: Client, project: Project) -> None:
    answer = send(page, project, name="people.exe")
    assert (answer.status_code, set(answer.json())) == (415, {"error", "advice"})
    assert (stored(), Upload.objects.count()) == ([], 0)


def test_an_empty_file_leaves_nothing(page: Client, project: Project) -> None:
    assert send(page, project, b"").status_code == 422
    assert (stored(), Upload.objects.count()) == ([], 0)


def test_a_request_without_a_file_is_told_so(page: Client, project: Project) -> None:
    answer = page.post(reverse("upload-add", args=[project.pk]), **JSON)
    assert answer.status_code == 400
    assert stored() == []


def test_two_files_at_once_are_refused(page: Client, project: Project) -> None:
    two = {"file": SimpleUploadedFile("a.csv", b"a\n1\n"), "other": SimpleUploadedFile("b.csv", b"a\n1\n")}
    assert page.post(reverse("upload-add", args=[project.pk]), two, **JSON).status_code == 400
    assert stored() == []


def test_a_file_announced_as_too_large_is_not_read(page: Client, project: Project, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10_000
    answer = send(page, project, bytes(20_000))
    assert answer.status_code == 413
    assert not storage.incoming().exists()


def test_a_file_a_little_too_large_is_refused_while_it_arrives(page: Client, project: Project, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10_000
    assert send(page, project, bytes(10_001)).status_code == 413
    assert stored() == []


def test_a_file_of_just_the_allowed_size_is_taken(page: Client, project: Project, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10_000
    assert send(page, project, b"a" * 10_000).status_code == 201


def test_a_person_over_quota_is_told_what_to_do(page: Client, project: Project, settings: Any) -> None:
    settings.QUOTA_BYTES = len(PEOPLE) + 5000
    assert send(page, project).status_code == 201
    answer = send(page, project, bytes(8000))
    assert answer.status_code == 413
    assert "Shred" in answer.json()["advice"]


def test_a_person_with_too_many_files_is_told_what_to_do(page: Client, project: Project, settings: Any) -> None:
    settings.QUOTA_FILES = 1
    assert send(page, project).status_code == 201
    assert send(page, project, b"a\n1\n").status_code == 413


def test_a_full_disk_is_told_before_anything_is_sent(page: Client, project: Project, settings: Any) -> None:
    settings.FREE_BYTES = 10**18
    assert send(page, project).status_code == 507
    assert stored() == []


def test_the_script_may_ask_before_it_sends(page: Client, project: Project, settings: Any) -> None:
    ask = reverse("upload-check", args=[project.pk])
    assert page.post(ask, {"name": "a.csv", "size": "100"}).status_code == 204
    assert page.post(ask, {"name": "a.exe", "size": "100"}).status_code == 415
    assert page.post(ask, {"name": "a.csv", "size": "many"}).status_code == 411
    settings.MAX_UPLOAD_BYTES = 99
    assert page.post(ask, {"name": "a.csv", "size": "100"}).status_code == 413


def test_a_forged_form_is_refused_and_leaves_nothing(officer: User, project: Project) -> None:
    page = Client(enforce_csrf_checks=True)
    page.force_login(officer)
    assert send(page, project).status_code == 403
    assert (stored(), Upload.objects.count()) == ([], 0)


def test_a_stranger_sends_nothing_into_the_store(person: Callable[..., User], project: Project) -> None:
    page = Client()
    page.force_login(person("stranger"))
    assert send(page, project).status_code == 404
    assert not storage.root().exists()


# The same bytes


def test_the_same_bytes_are_stored_once_per_project(arrive: Arrive) -> None:
    first, second = arrive(), arrive(name="again.csv")
    assert first.sha256 == second.sha256
    assert [path.name for path in stored()] == [first.sha256]


def test_the_page_says_that_the_bytes_were_here_before(page: Client, arrive: Arrive, project: Project) -> None:
    arrive()
    second = arrive(name="again.csv")
    text = page.get(reverse("upload", args=[project.pk, second.pk])).content.decode()
    assert "same bytes as an earlier upload" in text


def test_the_same_bytes_in_two_projects_are_two_files(arrive: Arrive, by: Actor) -> None:
    from riskapp.models import Role

    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    arrive()
    arrive(project=other)
    assert len(stored()) == 2


def test_shared_bytes_are_shredded_with_their_last_reference(arrive: Arrive, by: Actor) -> None:
    first, second = arrive(), arrive()
    uploads.purge(first, by=by)
    assert [path.name for path in stored()] == [second.sha256]
    uploads.purge(second, by=by)
    assert stored() == []


# Shredding


def test_a_shredded_upload_leaves_only_its_record(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive()
    read(upload)
    assert len(stored()) > 3
    answer = page.post(reverse("upload-purge", args=[project.pk, upload.pk]))
    upload.refresh_from_db()
    assert answer.status_code == 302
    assert (upload.state, upload.profile, upload.reading, upload.table) == ("purged", None, None, None)
    assert stored() == []
    event = AuditEvent.objects.get(action="upload purged")
    assert event.details["sha256"] == upload.sha256
    assert "Shredded" in page.get(reverse("upload", args=[project.pk, upload.pk])).content.decode()


def test_shredding_stops_a_reading_under_way(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    token = runs.claim(Run.objects.get().pk)
    assert token
    uploads.purge(upload, by=by)
    assert (Run.objects.get().state, upload.state) == ("cancelled", "purged")
    runs.compute(Run.objects.get().pk, token)
    upload.refresh_from_db()
    assert upload.state == "purged"


def test_a_shredded_upload_stays_shredded(page: Client, arrive: Arrive, project: Project, by: Actor) -> None:
    upload = arrive()
    uploads.purge(upload, by=by)
    assert page.post(reverse("upload-purge", args=[project.pk, upload.pk])).status_code == 409
    assert page.post(reverse("upload-retry", args=[project.pk, upload.pk])).status_code == 409
    assert page.post(reverse("upload-values", args=[project.pk, upload.pk, 0])).status_code == 409


def test_bytes_without_a_row_are_swept_and_others_stay(arrive: Arrive, project: Project) -> None:
    upload = arrive()
    orphan = storage.place(project.pk, "f" * 64)
    orphan.write_bytes(b"left by a crash")
    uploads.sweep()
    assert [path.name for path in stored()] == [upload.sha256]


# Looking


def test_the_page_of_an_upload_shows_its_profile_and_no_value(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("name,town\nZebediah,Quuxville\nAnn,Quuxville\n")
    read(upload)
    text = page.get(reverse("upload", args=[project.pk, upload.pk])).content.decode()
    assert "town" in text
    assert "Quuxville" not in text
    assert "Zebediah" not in text


def test_a_look_at_values_is_audited_and_then_shown(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("name,town\nZebediah,Quuxville\nAnn,Quuxville\n")
    read(upload)
    address = reverse("upload-values", args=[project.pk, upload.pk, 1])
    assert page.get(address).status_code == 405
    answer = page.post(address)
    assert "Quuxville" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store"
    event = AuditEvent.objects.get(action="values seen")
    assert (event.details, event.subject_id) == ({"column": "town"}, str(upload.pk))
    assert "Quuxville" not in str(event.details)


def test_values_are_shown_as_text_whatever_they_contain(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("name\n<script>alert(1)</script>\nAnn\n")
    read(upload)
    text = page.post(reverse("upload-values", args=[project.pk, upload.pk, 0])).content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_a_column_that_is_not_there_is_no_look(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive()
    read(upload)
    assert page.post(reverse("upload-values", args=[project.pk, upload.pk, 99])).status_code == 409
    assert not AuditEvent.objects.filter(action="values seen").exists()


def test_an_auditor_sees_the_profile_but_no_values(
    client: Client, arrive: Arrive, project: Project, member: Callable[[str], User]
) -> None:
    upload = arrive()
    read(upload)
    client.force_login(member("auditor"))
    assert "Look at values" not in client.get(reverse("upload", args=[project.pk, upload.pk])).content.decode()
    assert client.post(reverse("upload-values", args=[project.pk, upload.pk, 0])).status_code == 403


# The page follows the run


def test_the_fragment_asks_again_while_the_run_goes_on_and_stops_when_it_is_over(
    page: Client, arrive: Arrive, project: Project
) -> None:
    upload = arrive()
    body, row = reverse("upload", args=[project.pk, upload.pk]), reverse("upload-row", args=[project.pk, upload.pk])
    for address in (body, row):
        assert "hx-trigger" in page.get(address, HTTP_HX_REQUEST="true").content.decode()
    read(upload)
    for address in (body, row):
        assert 'hx-trigger="every' not in page.get(address, HTTP_HX_REQUEST="true").content.decode()


def test_when_a_file_is_read_the_way_goes_on_without_loading_the_page_again(
    page: Client, arrive: Arrive, project: Project
) -> None:
    upload = arrive()
    row = reverse("upload-row", args=[project.pk, upload.pk])
    onward = f'href="{reverse("attributes", args=[project.pk])}"'
    assert onward not in page.get(row, HTTP_HX_REQUEST="true").content.decode()
    read(upload)
    text = page.get(row, HTTP_HX_REQUEST="true").content.decode()
    assert onward in text
    assert text.count('hx-swap-oob="true"') == 2


def test_a_rejected_file_shows_reason_line_and_a_way_out(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("a,b\n1,2\n1,2,3\n")
    read(upload)
    text = page.get(reverse("upload", args=[project.pk, upload.pk])).content.decode()
    assert "Line 3" in text
    assert "Read it differently" in text


def test_a_rejected_file_is_read_without_its_ragged_lines(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("a,b\n1,2\n1,2,3\n")
    read(upload)
    answer = page.post(reverse("upload-read", args=[project.pk, upload.pk]), {"ragged": "leave-out", "missing": "NA"})
    assert answer.status_code == 302
    read(upload)
    assert (upload.state, upload.rows) == ("ready", 1)
    assert "1 line left out" in page.get(reverse("upload", args=[project.pk, upload.pk])).content.decode()


def test_a_tab_can_be_wished_for(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive("a,b\tc,d\n1,2\t3,4\n")
    read(upload)
    assert upload.columns == 3
    page.post(reverse("upload-read", args=[project.pk, upload.pk]), {"delimiter": "\t", "missing": ""})
    read(upload)
    assert upload.columns == 2
    assert upload.wishes == {"delimiter": "\t", "missing": [""]}


def test_an_impossible_wish_is_told(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive()
    read(upload)
    answer = page.post(reverse("upload-read", args=[project.pk, upload.pk]), {"delimiter": "quack"})
    assert answer.status_code == 422
    upload.refresh_from_db()
    assert upload.state == "ready"


def test_cancelling_a_run_that_is_over_is_told_kindly(page: Client, arrive: Arrive, project: Project) -> None:
    upload = arrive()
    read(upload)
    answer = page.post(reverse("run-cancel", args=[project.pk, Run.objects.get().pk]), follow=True)
    assert "Too late" in answer.content.decode()


def test_nothing_of_a_file_is_in_the_audit_trail_but_its_name_and_hash(arrive: Arrive, by: Actor) -> None:
    upload = arrive("name,town\nZebediah,Quuxville\n")
    read(upload)
    uploads.look_at_values(upload, 0, by=by)
    trail = str([event.__dict__ for event in AuditEvent.objects.all()])
    assert "Zebediah" not in trail
    assert "Quuxville" not in trail
    assert upload.sha256 in trail
    assert audit.verify().whole


# What comes next


def test_a_file_that_was_read_leads_on_to_the_next_step(page: Client, project: Project) -> None:
    send(page, project)
    upload = Upload.objects.get()
    there = reverse("upload", args=[project.pk, upload.pk])
    assert "Use it as the dataset" not in page.get(there).content.decode()
    read(upload)
    assert "Choose the release class" in page.get(there).content.decode()
    project.setup.release_class = "contract"
    project.setup.save()
    shown = page.get(there).content.decode()
    assert "Use it as the dataset" in shown
    answer = page.post(reverse("dataset", args=[project.pk]), {"upload": str(upload.pk), "seen": project.setup.version})
    assert answer["Location"] == reverse("attributes", args=[project.pk])
    shown = page.get(there).content.decode()
    assert "This is the dataset." in shown
    assert "Use it as the dataset" not in shown
