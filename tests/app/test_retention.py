"""What has served its time is closed or shredded on schedule; what a decision still needs is not."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import celery, storage
from riskapp.models import (
    Actor,
    AuditEvent,
    DownloadLink,
    Project,
    Proposal,
    Release,
    ReleaseState,
    Role,
    Upload,
    UploadState,
    User,
    Vote,
)
from riskapp.services import downloads, projects, proposals, releases, retention, uploads
from tests.app.deciding import Way, way

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


def old(days: int) -> None:
    Upload.objects.update(uploaded_at=timezone.now() - timedelta(days=days))


def test_the_beat_looks_every_minute() -> None:
    scheduled = {one["task"]: one["schedule"] for one in celery.app.conf.beat_schedule.values()}
    assert scheduled["riskapp.tasks.tend_retention"] <= 60


def test_a_number_of_days_beyond_the_calendar_stops_no_shredding(
    on_the_way: Way, arrive: Callable[..., Upload], person: Callable[..., User]
) -> None:
    first, by = on_the_way.project, Actor(person("olive", may_create_projects=True))
    second = projects.create(by=by, name="Another", purpose="", role=Role.OFFICER)
    address = reverse("project-decisions", args=[first.pk])
    client = Client()
    client.force_login(User.objects.get(email="olga@example.org"), backend="django.contrib.auth.backends.ModelBackend")
    for days in (36_501, 10**9, 10**30):
        said = client.post(address, {"votes_needed": "1", "keep_uploads_days": days, "keep_releases_days": days})
        assert said.status_code == 422, days
    late = arrive(project=second, by=by)
    Project.objects.update(keep_uploads_days=1_000_000, keep_releases_days=1_000_000)  # from before there was a limit
    Project.objects.filter(pk=second.pk).update(keep_uploads_days=1)
    Upload.objects.update(state=UploadState.READY)
    old(2)
    retention.tend()
    late.refresh_from_db()
    assert late.state == UploadState.PURGED
    assert set(first.uploads.values_list("state", flat=True)) == {UploadState.READY}


def test_uploads_are_shredded_when_the_project_keeps_them_no_longer(arrive: Callable[..., Upload]) -> None:
    upload = arrive()
    Project.objects.update(keep_uploads_days=30)
    Upload.objects.update(state=UploadState.READY)
    old(29)
    retention.tend()
    upload.refresh_from_db()
    assert upload.state == UploadState.READY
    old(31)
    retention.tend()
    upload.refresh_from_db()
    assert upload.state == UploadState.PURGED
    assert not storage.place(upload.project_id, upload.sha256).exists()
    assert upload.sha256, "its hash stays"
    event = AuditEvent.objects.get(action="upload purged")
    assert event.actor == "beat"


def test_without_a_setting_nothing_is_shredded(arrive: Callable[..., Upload]) -> None:
    arrive()
    Upload.objects.update(state=UploadState.READY)
    old(9999)
    retention.tend()
    assert Upload.objects.get().state == UploadState.READY


def test_what_an_undecided_proposal_rests_on_is_kept_until_it_is_decided(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    Project.objects.update(keep_uploads_days=1)
    old(5)
    retention.tend()
    assert Upload.objects.get().state == UploadState.READY
    proposals.withdraw(proposal, "Not needed.", by=on_the_way.steward)
    retention.tend()
    assert Upload.objects.get().state == UploadState.PURGED


def test_what_a_proposal_past_its_last_day_rests_on_is_not_kept(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    Project.objects.update(keep_uploads_days=1)
    old(5)
    Proposal.objects.filter(pk=proposal.pk).update(expires_on=timezone.localdate())
    retention.tend()
    assert Upload.objects.get().state == UploadState.READY
    Proposal.objects.filter(pk=proposal.pk).update(expires_on=timezone.localdate() - timedelta(days=1))
    retention.tend()
    assert Upload.objects.get().state == UploadState.PURGED


def test_a_server_that_died_between_the_state_and_the_shredding_shreds_when_it_is_back(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, upload = on_the_way.release(), Upload.objects.get()
    folder = storage.release_place(release.project_id, release.folder)  # type: ignore[arg-type]
    Project.objects.update(keep_uploads_days=1, keep_releases_days=1)
    releases.revoke(release, "It is over.", by=on_the_way.officer)
    Release.objects.update(ended_at=timezone.now() - timedelta(days=2))
    old(5)
    with monkeypatch.context() as dead:
        dead.setattr(storage, "shred", lambda path: None)
        dead.setattr(storage, "set_aside", lambda path: None)
        retention.tend()
    release.refresh_from_db()
    upload.refresh_from_db()
    assert (release.state, upload.state) == (ReleaseState.PURGED, UploadState.PURGED)
    bytes_of_it = storage.place(upload.project_id, upload.sha256)
    tables = storage.root() / str(upload.project_id) / "tables"
    assert folder.exists()
    assert bytes_of_it.exists()
    assert list(tables.iterdir())
    uploads.sweep()
    assert not folder.exists()
    assert not bytes_of_it.exists()
    assert not list(tables.iterdir())
    assert storage.footprint_place(release.project_id, release.pk).exists(), "to hold later releases against it"


def test_decisions_figures_and_hashes_outlive_the_files(on_the_way: Way) -> None:
    release = on_the_way.release()
    folder = storage.release_place(release.project_id, release.folder)  # type: ignore[arg-type]
    downloads.link(release, by=on_the_way.officer)
    DownloadLink.objects.update(expires_at=timezone.now() - timedelta(days=2))
    Project.objects.update(keep_uploads_days=1, keep_releases_days=1)
    Release.objects.update(expires_on=timezone.localdate() - timedelta(days=9))
    old(5)
    retention.tend()
    Release.objects.update(ended_at=timezone.now() - timedelta(days=2))
    retention.tend()
    release.refresh_from_db()
    assert (release.state, release.folder, folder.exists()) == (ReleaseState.PURGED, None, False)
    assert Upload.objects.get().state == UploadState.PURGED
    assert release.sha256
    assert release.digest
    assert release.figures
    assert Proposal.objects.get().evidence["listed"]["id"] == Proposal.objects.get().rule
    assert Vote.objects.get().reason == "The figures convince me."
    assert not DownloadLink.objects.exists()
    client = Client()
    assert on_the_way.officer.user
    client.force_login(on_the_way.officer.user, backend="django.contrib.auth.backends.ModelBackend")
    for name, key in (("release", release.pk), ("proposal", release.proposal_id)):
        assert client.get(reverse(name, args=[release.project_id, key])).status_code == 200, name
    assert release.sha256[:12] in client.get(reverse("register")).content.decode()


def test_an_open_release_is_not_shredded_however_old(on_the_way: Way) -> None:
    release = on_the_way.release()
    Project.objects.update(keep_releases_days=1)
    Release.objects.update(ready_at=timezone.now() - timedelta(days=99))
    retention.tend()
    release.refresh_from_db()
    assert release.state == ReleaseState.READY


def test_a_release_is_closed_on_the_day_after_its_last_and_not_on_it(on_the_way: Way) -> None:
    release = on_the_way.release()
    Release.objects.update(expires_on=timezone.localdate())
    retention.tend()
    release.refresh_from_db()
    assert (release.state, release.is_open) == (ReleaseState.READY, True)
    Release.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    release.refresh_from_db()
    assert not release.is_open, "also before the beat has looked"
    retention.tend()
    release.refresh_from_db()
    assert release.state == ReleaseState.EXPIRED
