"""What every answer, cookie, log line and export must hold: the rows of docs/reference/security.md without a home."""

import csv
import io
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import example, given
from hypothesis import strategies as st

from riskapp import selectors
from riskapp.engine import formulas
from riskapp.engine import profile as profiles
from riskapp.logs import OneLine
from riskapp.models import Actor, AuditEvent, Project, Run, Upload, User
from riskapp.services import audit, runs, uploads
from riskapp.web.as_csv import lines
from riskapp.web.views.audit import _rows

pytestmark = pytest.mark.django_db(transaction=True)
CANARY = "Kanarienvogel"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
Arrive = Callable[..., Upload]


class Written(logging.Handler):
    """The log as it would stand on the disk: every record through the formatter of the settings."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(OneLine())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def written() -> Iterator[Written]:
    log = Written()
    logging.getLogger().addHandler(log)
    yield log
    logging.getLogger().removeHandler(log)


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def broken(*args: Any, **named: Any) -> Any:
    raise ValueError(f"could not convert {CANARY}")


# What every answer carries


def answers(browser: Client, project: Project, upload: Upload, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """One answer of each kind: page, form, redirect, fragment, JSON, file, and every kind of refusal."""
    data = reverse("upload", args=[project.pk, upload.pk])
    yield Client().get(reverse("sign-in")), 200
    yield Client().get(reverse("projects")), 302
    yield Client().get(reverse("healthz")), 200
    yield browser.get(reverse("project", args=[project.pk])), 200
    yield browser.get(data, headers={"HX-Request": "true"}), 200
    yield browser.get(reverse("project-audit-export", args=[project.pk])), 200
    yield browser.get("/no/such/page"), 404
    yield browser.get(reverse("people")), 404
    yield browser.get(reverse("project-new"), headers={"Host": "evil.example.org"}), 400
    yield browser.get(reverse("sign-out")), 302
    yield browser.post(reverse("upload-values", args=[project.pk, upload.pk, 0])), 409
    yield browser.post(reverse("upload-check", args=[project.pk]), {"name": "a.exe"}), 415
    yield browser.post(reverse("join-link", args=["x"])), 405
    monkeypatch.setattr(selectors, "projects_of", broken)
    yield browser.get(reverse("projects")), 500


def test_every_kind_of_answer_carries_the_protecting_headers(
    browser: Client, project: Project, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answer, status in answers(browser, project, arrive(), monkeypatch):
        assert answer.status_code == status
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
        assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'none'")
        assert "unsafe" not in answer["Content-Security-Policy"]
        # A host that is not ours is turned away before the older of the two frame rules is added.
        assert status == 400 or answer["X-Frame-Options"] == "DENY"


def test_the_policy_allows_only_our_own_scripts_and_styles(browser: Client) -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in browser.get(reverse("projects"))["Content-Security-Policy"].split(";")
    )
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["form-action"] == "'self'"
    assert policy["base-uri"] == "'none'"


SECURE = """
import json, django; django.setup()
from django.test import Client
from riskapp.services import accounts
page = Client().get("/sign-in/", secure=True, headers={"Host": "riskapp.example.org"})
plain = Client().get("/sign-in/", headers={"Host": "riskapp.example.org"})
visitor = Client(); visitor.get(accounts.setup_link(""), secure=True, headers={"Host": "riskapp.example.org"})
print(json.dumps({
    "status": page.status_code, "hsts": page["Strict-Transport-Security"],
    "plain": [plain.status_code, plain["Location"]],
    "cookies": {name: dict(morsel) for cookies in (page.cookies, visitor.cookies) for name, morsel in cookies.items()},
}))
"""


def test_with_https_cookies_are_bound_to_it_and_plain_http_is_led_away(tmp_path: Any) -> None:
    own = {"RISKAPP_HTTPS": "true", "RISKAPP_HOSTS": "riskapp.example.org", "RISKAPP_VAR": str(tmp_path)}
    place = {"DJANGO_SETTINGS_MODULE": "riskapp.settings", "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}"}
    environment = os.environ | own | place
    for command in (["manage.py", "migrate", "-v0"], ["manage.py", "collectstatic", "-v0", "--no-input"]):
        subprocess.run([sys.executable, *command], env=environment, cwd=settings.BASE_DIR, check=True)
    ask = [sys.executable, "-c", SECURE]
    run = subprocess.run(ask, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    assert (told["status"], told["plain"]) == (200, [301, "https://riskapp.example.org/sign-in/"])
    assert "max-age=31536000" in told["hsts"]
    assert set(told["cookies"]) == {"__Host-session", "__Host-csrf"}
    for cookie in told["cookies"].values():
        assert (cookie["secure"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
    assert told["cookies"]["__Host-session"]["httponly"] is True


# Errors and logs


def test_an_unforeseen_error_shows_a_number_and_nothing_of_itself(
    browser: Client, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.setattr(selectors, "projects_of", broken)
    page = browser.get(reverse("projects")).content.decode()
    (line,) = [line for line in written.lines if "reference" in line]
    reference = line.split("reference ")[1][:8]
    assert reference in page
    assert "ValueError at " in line
    for words in (CANARY, "Traceback", "ValueError", "test_security"):
        assert words not in page
    assert CANARY not in "".join(written.lines)


def test_a_run_that_breaks_on_a_value_logs_and_keeps_nothing_of_it(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    upload = arrive(f"name,town\n{CANARY},Aldersee\nAnn,Aldersee\n")
    monkeypatch.setattr(profiles, "profile", broken)
    token = runs.claim(Run.objects.get().pk)
    assert token
    runs.compute(Run.objects.get().pk, token)
    upload.refresh_from_db()
    assert upload.fault["code"] == "unexpected"
    assert [line for line in written.lines if "ValueError" in line]
    kept = [*written.lines, str(upload.fault), str(Run.objects.get().fault), str(list(AuditEvent.objects.values()))]
    assert CANARY not in "".join(kept)


@pytest.mark.parametrize("content", [f"a,b\n1,2\n{CANARY},2,3\n", f"a,b\n{CANARY},\0\n"])
def test_a_refused_file_leaves_no_value_in_logs_or_reasons(arrive: Arrive, content: str, written: Written) -> None:
    upload = arrive(content)
    token = runs.claim(Run.objects.get().pk)
    assert token
    runs.compute(Run.objects.get().pk, token)
    upload.refresh_from_db()
    assert upload.state == "rejected"
    assert CANARY not in "".join(written.lines) + str(upload.fault)


@given(st.text(st.characters(codec="utf-8")).filter(lambda words: CANARY not in words))
def test_whatever_is_logged_makes_one_line_and_no_error_is_quoted(words: str) -> None:
    try:
        broken()
    except ValueError:
        trouble = sys.exc_info()
    record = logging.LogRecord("riskapp", logging.ERROR, "", 0, "told: %s", (words,), trouble)
    line = OneLine().format(record)
    assert not {"\n", "\r"} & set(line)
    assert "ValueError at " in line
    assert CANARY not in line


def test_a_forged_line_in_an_address_does_not_become_a_line_of_the_log(written: Written) -> None:
    forged = reverse("setup-link", args=["x"]).replace("x", "x%0D%0A2026-01-01 CRITICAL forged")
    assert Client(enforce_csrf_checks=True).post(forged).status_code == 403
    assert all("\n" not in line and "\r" not in line for line in written.lines)


# What leaves the house


def exported(browser: Client, project: Project) -> tuple[Any, list[list[str]]]:
    answer: Any = browser.get(reverse("project-audit-export", args=[project.pk]))
    return answer, list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode(), newline="")))


def test_the_audit_export_is_a_download_under_a_name_of_our_own(browser: Client, project: Project) -> None:
    answer, rows = exported(browser, project)
    assert answer["Content-Disposition"] == f'attachment; filename="audit-{project.pk}.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert [row[4] for row in rows] == ["action", "project created", "audit exported"]


@pytest.mark.parametrize("sign", [sign for sign in FORMULA if sign != "\0"])  # which the trail never holds
def test_a_formula_in_the_audit_export_is_defused(browser: Client, project: Project, sign: str) -> None:
    with audit.writing():
        audit.record(f"{sign}1+1", by=Actor(None, "", f'{sign}cmd,"x"'), on=project)
    rows = exported(browser, project)[1]
    assert [(row[2], row[4]) for row in rows if "cmd" in row[2]] == [(f'\'{sign}cmd,"x"', f"'{sign}1+1")]


WORDS = st.text(st.characters(codec="utf-8") | st.sampled_from(";\"' =+@"), max_size=20)


@given(WORDS)
@example("University;=1+1")
@example('University;"=1+1&"')
def test_any_words_survive_the_export_and_begin_no_formula_in_any_country(words: str) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    event = AuditEvent(number=1, at=moment, actor=words, action="x", details={}, seal="0" * 64)
    text = "".join(lines(_rows(iter([event]))))
    (_, row) = csv.reader(io.StringIO(text, newline=""))
    assert formulas.fused(row[2]) == words
    for cells in (row, re.split("[;\t\r\n]", text)):  # where a comma parts the cells, and where another sign does
        assert not any(cell.lstrip(' "').startswith(FORMULA) for cell in cells if cell)


def test_an_uploaded_name_reaches_no_header_and_no_path(browser: Client, project: Project) -> None:
    file = SimpleUploadedFile("evil'; evil=evil.csv", b"a,b\n1,2\n")
    answer = browser.post(reverse("upload-add", args=[project.pk]), {"file": file})
    upload = Upload.objects.get()
    assert "evil" not in str(answer.headers)
    assert "evil" not in str(list(settings.FILES.rglob("*")))
    assert upload.name == "evil'; evil=evil.csv"


def test_no_address_with_a_token_is_told_to_another_site(browser: Client, project: Project) -> None:
    for page in (
        browser.get(reverse("members", args=[project.pk])),
        Client().get(reverse("join-link", args=["token"])),
    ):
        assert page["Referrer-Policy"] == "same-origin"


# Doing


def test_a_look_at_values_that_cannot_be_audited_shows_nothing(
    arrive: Arrive, by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail closed: the seal cannot be computed, so nothing is read from the table."""
    upload = arrive()
    token = runs.claim(Run.objects.get().pk)
    assert token
    runs.compute(Run.objects.get().pk, token)
    monkeypatch.setattr(AuditEvent, "computed_seal", broken)
    with pytest.raises(ValueError, match="could not convert"):
        uploads.look_at_values(upload, 0, by=by)
    assert not AuditEvent.objects.filter(action="values seen").exists()


def test_a_form_that_is_not_valid_changes_nothing(browser: Client, project: Project) -> None:
    before = AuditEvent.objects.count()
    assert browser.post(reverse("project-settings", args=[project.pk]), {"name": ""}).status_code == 200
    assert browser.post(reverse("member-invite", args=[project.pk]), {"email": "x", "role": "king"}).status_code == 422
    project.refresh_from_db()
    assert (project.name, AuditEvent.objects.count()) == ("Members", before)


@pytest.mark.parametrize(
    "wrong",
    [{"RISKAPP_MAX_UPLOAD_BYTES": "lots"}, {"RISKAPP_HTTPS": "yes"}, {"RISKAPP_AUDIT_KEY": "too short"}],
    ids=lambda wrong: str(*wrong),
)
def test_a_setting_that_cannot_be_understood_stops_the_start(wrong: dict[str, str]) -> None:
    command = [sys.executable, "manage.py", "check"]
    answer = subprocess.run(
        command, env=os.environ | wrong, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert answer.returncode != 0
    assert f"{''.join(wrong)} must" in answer.stderr.splitlines()[-1]
    assert "too short" not in answer.stderr
