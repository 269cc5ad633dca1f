"""So many uploads at once and no more, so that pages keep threads to answer with."""

import runpy
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from riskapp.models import Project, Upload, User
from riskapp.web.arriving import PLACES

FULL = "As many files as this server can take at once are being sent right now. Nothing of yours was kept."
ADVICE = "Wait a few minutes, then send it again."


@pytest.fixture
def _all_taken() -> Iterator[None]:
    for _ in range(settings.UPLOADS_AT_ONCE):
        assert PLACES.acquire(blocking=False)
    yield
    for _ in range(settings.UPLOADS_AT_ONCE):
        PLACES.release()


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def send(browser: Client, project: Project, **headers: str) -> HttpResponse:
    file = SimpleUploadedFile("people.csv", b"name\nAnn\n")
    return browser.post(f"/projects/{project.pk}/uploads/", {"file": file}, headers=headers)  # type: ignore[return-value]


@pytest.mark.usefixtures("_all_taken")
def test_the_script_hears_that_there_is_no_place(browser: Client, project: Project) -> None:
    answer = send(browser, project, accept="application/json")
    assert answer.status_code == 503
    assert answer.json() == {"error": FULL, "advice": ADVICE}  # type: ignore[attr-defined]
    assert not Upload.objects.exists()


@pytest.mark.usefixtures("_all_taken")
def test_who_has_no_script_is_told_on_the_page_of_the_project(browser: Client, project: Project) -> None:
    answer = send(browser, project)
    assert answer["Location"] == f"/projects/{project.pk}/"
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [f"{FULL} {ADVICE}"]  # type: ignore[attr-defined]
    assert not Upload.objects.exists()


def test_a_place_is_given_back_whatever_became_of_the_upload(browser: Client, project: Project) -> None:
    for name in ("people.csv", "people.exe"):
        for _ in range(settings.UPLOADS_AT_ONCE):
            file = SimpleUploadedFile(name, b"name\nAnn\n")
            browser.post(f"/projects/{project.pk}/uploads/", {"file": file})
    assert send(browser, project, accept="application/json").status_code == 201


def test_pages_keep_half_of_the_threads() -> None:
    threads = runpy.run_path(str(settings.BASE_DIR / "gunicorn.conf.py"))["threads"]
    assert 1 <= settings.UPLOADS_AT_ONCE <= threads // 2
