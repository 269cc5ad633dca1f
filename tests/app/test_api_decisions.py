"""Proposing, deciding and downloading by requests alone, with the policies of the pages."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from riskapp.engine.releasing import sealing
from riskapp.models import Actor, AuditEvent, Download, Project, Release, Upload, User
from tests.app.deciding import Way, way
from tests.app.programs import Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


def home(on_the_way: Way) -> str:
    return f"/projects/{on_the_way.project.pk}"


def said(on_the_way: Way, **more: Any) -> dict[str, Any]:
    until = (timezone.localdate() + timedelta(days=30)).isoformat()
    about = {"purpose": "A study", "recipient": "University", "reason": "Enough detail", "expires_on": until}
    return {"rule": on_the_way.rule(), **about, "recipients": [on_the_way.recipient.email], "exception": "Ok", **more}


def proposed(on_the_way: Way, steward: Program, **more: Any) -> str:
    made = steward.send("POST", f"{home(on_the_way)}/runs/{on_the_way.run.pk}/proposals", said(on_the_way, **more))
    work_off("warn")
    return f"{home(on_the_way)}/proposals/{made['id']}"


def answered(steward: Program, path: str) -> None:
    assert set(steward.get(path)["details"]) == {"groups", "attackers"}
    for one in steward.get(path)["warnings"]:
        steward.send("POST", f"{path}/answers", {"warning": one["key"], "text": "It is known."})


def body(answer: Any) -> bytes:
    found = b"".join(answer.streaming_content)
    answer.close()
    return found


YES = {"approves": True, "reason": "The figures convince me."}


def yes(officer: Program, path: str) -> dict[str, Any]:
    """An approval of the proposal as it is read now."""
    return YES | {"seen": officer.get(path)["basis"]}


def test_programs_go_the_whole_way_from_a_rule_to_the_file(on_the_way: Way) -> None:
    steward, officer = Program(on_the_way.steward.user), Program(on_the_way.officer.user)
    recipient = Program(on_the_way.recipient)
    counts = {"name": "By sex", "kind": "counts", "columns": ["sex"]}
    path = proposed(on_the_way, steward, file={"format": "parquet", "analyses": [counts]})
    assert "must answer" in steward.get(path)["turn"]
    assert officer.ask("POST", f"{path}/decision", YES).status_code == 422
    answered(steward, path)
    given = steward.send("POST", f"{path}/advice", {"of": "DPO", "text": "Sign a contract."})["remarks"][-1]
    steward.send("POST", f"{path}/advice/{given['id']}", {"followed": True, "why": "It is signed."})
    steward.send("POST", f"{path}/comments", {"text": "Ready."})
    assert steward.ask("POST", f"{path}/decision", YES).status_code == 403
    assert officer.send("POST", f"{path}/decision", yes(officer, path))["state"] == "approved"
    work_off("build")
    there = f"{home(on_the_way)}/releases/{steward.get(path)['release']}"
    told = steward.get(there)
    assert (told["state"], told["analyses"][0]["name"]) == ("ready", "By sex")
    assert recipient.get(f"{home(on_the_way)}/releases")[0]["downloads"] is None
    assert recipient.get(there)["figures"] is None
    assert recipient.ask("POST", f"{there}/file").status_code == 403
    assert recipient.get(f"{home(on_the_way)}/terms")["accepted"] is False
    recipient.send("POST", f"{home(on_the_way)}/terms")
    file = body(recipient.ask("POST", f"{there}/file"))
    assert hashlib.sha256(file).hexdigest() == told["sha256"]
    manifest = body(recipient.ask("GET", f"{there}/parts/manifest")).decode()
    assert sealing.broken(manifest, expected=told["digest"]) == []
    (listed,) = officer.get("/register?q=univ")
    assert (listed["digest"], listed["downloads"]) == (told["digest"], 1)
    assert officer.get("/register?q=nobody") == []
    assert officer.send("POST", f"{there}/revoke", {"reason": "A mistake."})["state"] == "revoked"
    refused = recipient.ask("POST", f"{there}/file")
    assert (refused.status_code, "revoked" in json.loads(refused.content)["message"]) == (403, True)
    assert recipient.ask("GET", f"{there}/parts/report").status_code == 404
    assert Download.objects.count() == 1


def test_a_program_approves_nothing_but_what_it_has_read(on_the_way: Way) -> None:
    steward, officer = Program(on_the_way.steward.user), Program(on_the_way.officer.user)
    path = proposed(on_the_way, steward)
    read = officer.get(path)["basis"]
    answered(steward, path)
    refused = officer.ask("POST", f"{path}/decision", YES | {"seen": read})
    assert refused.status_code == 422
    assert "have changed since" in refused.content.decode()
    unread = officer.ask("POST", f"{path}/decision", YES)
    assert unread.status_code == 422
    assert "An approval names what was seen" in unread.content.decode()
    officer.send("POST", f"{path}/decision", yes(officer, path))


def test_a_decision_by_a_token_is_its_owners_and_the_trail_names_both(on_the_way: Way) -> None:
    path = proposed(on_the_way, Program(on_the_way.steward.user))
    answered(Program(on_the_way.steward.user), path)
    officer = Program(on_the_way.officer.user, ["read", "decide"])
    officer.send("POST", f"{path}/decision", yes(officer, path))
    event = AuditEvent.objects.get(action="proposal approved")
    assert "oscar@example.org" in event.actor
    assert "script" in f"{event.actor} {event.details}"


@pytest.mark.parametrize("scopes", [["read"], ["read", "propose"], ["read", "run", "upload", "download"]])
def test_deciding_needs_its_own_scope(on_the_way: Way, scopes: list[str]) -> None:
    path = proposed(on_the_way, Program(on_the_way.steward.user))
    answered(Program(on_the_way.steward.user), path)
    refused = Program(on_the_way.officer.user, scopes).ask("POST", f"{path}/decision", YES)
    assert refused.status_code == 403
    assert "decide" in json.loads(refused.content)["message"]
    assert not Release.objects.exists()


def test_the_first_of_two_votes_is_not_told_to_programs_either(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    steward, second = Program(on_the_way.steward.user), Program(on_the_way.second.user)
    path = proposed(on_the_way, steward)
    answered(steward, path)
    no = {"approves": False, "reason": "Too fine."}
    assert Program(on_the_way.officer.user).send("POST", f"{path}/decision", no)["state"] == "half-decided"
    assert second.get(path)["votes"] == []
    assert steward.get(path)["votes"] == []
    second.send("POST", f"{path}/decision", no)
    assert [vote["approves"] for vote in second.get(path)["votes"]] == [False, False]


def test_withdrawn_and_proposed_again(on_the_way: Way) -> None:
    steward = Program(on_the_way.steward.user)
    path = proposed(on_the_way, steward)
    first = steward.get(path)["id"]
    assert steward.send("POST", f"{path}/withdraw", {"reason": "A typo."})["state"] == "withdrawn"
    assert steward.get(proposed(on_the_way, steward, again=first))["replaces"] == first


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        ({"recipients": ["nobody@example.org"]}, 422, "Only recipients"),
        ({"expires_on": "2020-01-01"}, 422, "still to come"),
        ({"file": {"format": "xlsx"}}, 422, "file.format"),
        ({"file": {"analyses": [{"name": "m", "kind": "mean", "of": "town"}]}}, 422, "neither numbers nor dates"),
        ({"unknown": 1}, 422, "unknown"),
        ({"rule": "full-domain:99"}, 404, ""),
        ({"again": "00000000-0000-0000-0000-000000000000"}, 404, ""),
    ],
)
def test_what_cannot_be_is_refused_with_words(on_the_way: Way, wrong: dict[str, Any], status: int, words: str) -> None:
    steward = Program(on_the_way.steward.user)
    address = f"{home(on_the_way)}/runs/{on_the_way.run.pk}/proposals"
    answer = steward.ask("POST", address, said(on_the_way, **wrong))
    assert answer.status_code == status, answer.content
    assert words in answer.content.decode()


def test_a_text_that_nothing_can_keep_is_refused_and_a_request_without_end_too(on_the_way: Way, settings: Any) -> None:
    steward = Program(on_the_way.steward.user)
    path = proposed(on_the_way, steward)
    for body in ({"text": "a\0b"}, {"text": "x", "a\0": 1}):
        answer = steward.ask("POST", f"{path}/comments", body)
        assert answer.status_code == 422, answer.content
    assert steward.ask("GET", "/register?q=%00").status_code in (200, 404)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = steward.ask("POST", f"{path}/comments", {"text": "x" * 2000})
    assert answer.status_code == 413
    assert b"larger than any description" in answer.content


def test_only_what_is_warned_of_can_be_answered(on_the_way: Way) -> None:
    steward = Program(on_the_way.steward.user)
    path = proposed(on_the_way, steward)
    answer = steward.ask("POST", f"{path}/answers", {"warning": "no-such", "text": "x"})
    assert (answer.status_code, b"no such warning" in answer.content) == (422, True)
    assert steward.get(path)["remarks"] == []
