"""What a program is told when something is not right."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from redis import Redis

from riskapp.models import Actor, ApiToken, Attribute, AuditEvent, Project, Setup, Upload, User
from riskapp.services import setups
from tests.app.programs import Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def program(officer: User) -> Program:
    return Program(officer)


@pytest.fixture
def described(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    rows = "".join(f"p{i},{'AB'[i % 2]},{1950 + i % 9}\n" for i in range(30))
    upload = arrive(f"id,town,born\n{rows}")
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
    return setup


def told(answer: HttpResponse, status: int) -> Any:
    """What an answer says, which is always a problem with a message."""
    content = json.loads(answer.content)
    assert (answer.status_code, content["status"]) == (status, status), content
    assert answer["Content-Type"] == "application/problem+json"
    assert content["message"]
    return content


# Tokens


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer riskapp_nonsense", "Basic b2xnYTp4", "nonsense"])
def test_without_a_good_token_there_is_nothing(officer: User, header: str) -> None:
    answer = Client(headers={"Authorization": header} if header else {}).get("/api/v1/projects")
    assert "token" in told(answer, 401)["message"]
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_session_opens_nothing(officer: User) -> None:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    told(client.get("/api/v1/projects"), 401)


def test_no_form_token_is_asked_for(officer: User, program: Program) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {program.secret}"})
    assert strict.post("/api/v1/projects", {"name": "x"}, content_type="application/json").status_code == 201


def test_a_token_does_only_what_its_scopes_say(officer: User, project: Project) -> None:
    reader = Program(officer, ["read"])
    assert reader.get("/projects")[0]["id"] == str(project.pk)
    assert "upload" in told(reader.ask("POST", "/projects", {"name": "x"}), 403)["message"]
    assert AuditEvent.objects.get(action="refused").details == {"page": "api:projects", "token": "script"}


def test_a_token_can_be_used_no_longer_when_withdrawn_expired_or_its_owner_is_deactivated(
    officer: User, program: Program
) -> None:
    token = ApiToken.objects.get()
    for row, change in ((token, {"withdrawn_at": token.made_at}), (token, {"expires_at": token.made_at}),
                        (officer, {"is_active": False})):  # fmt: skip
        before = {name: getattr(row, name) for name in change}
        type(row).objects.filter(pk=row.pk).update(**change)
        told(program.ask("GET", "/me"), 401)
        type(row).objects.filter(pk=row.pk).update(**before)
        assert program.get("/me")["email"] == officer.email


# Pace


def test_who_asks_too_often_is_told_when_to_come_again(broker: Redis, officer: User, settings: Any) -> None:
    settings.API_PER_MINUTE = 3
    one, other = Program(officer), Program(officer)
    cache.clear()
    answers = [program.ask("GET", "/me") for program in (one, other) * 4]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) >= 2  # eight requests, three in each minute that they fall into
    assert "Too many" in told(refused[0], 429)["message"]
    assert 1 <= int(refused[0]["Retry-After"]) <= 60


def test_without_a_cache_nobody_is_kept_waiting(program: Program, settings: Any) -> None:
    settings.API_PER_MINUTE = 1
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "unix:///no/such/socket"}}
    assert [program.ask("GET", "/me").status_code for _ in range(3)] == [200] * 3


# Projects of others


def test_for_a_stranger_a_project_is_not_there(person: Callable[..., User], project: Project) -> None:
    stranger = Program(person("stranger"))
    missing = told(stranger.ask("GET", f"/projects/{uuid4()}"), 404)
    assert told(stranger.ask("GET", f"/projects/{project.pk}"), 404) == missing
    assert stranger.get("/projects") == []


def test_things_of_another_project_are_not_reached_through_ones_own(
    officer: User, program: Program, described: Setup
) -> None:
    other = program.send("POST", "/projects", {"name": "Other"})["id"]
    attribute, attacker = described.attributes.first(), described.attackers.first()
    assert attribute
    assert attacker
    for path in (f"uploads/{described.dataset_id}", f"attributes/{attribute.pk}", f"attackers/{attacker.pk}"):
        assert program.ask("GET", f"/projects/{described.pk}/{path}").status_code == 200
        told(program.ask("GET", f"/projects/{other}/{path}"), 404)


def test_the_description_for_machines_says_how_every_operation_tells_what_is_wrong() -> None:
    described = Client().get("/api/v1/openapi.json").json()
    told_so = [
        list(one["responses"]["default"]["content"]) for path in described["paths"].values() for one in path.values()
    ]
    assert len(told_so) > 100
    assert all(kinds == ["application/problem+json"] for kinds in told_so)


@pytest.mark.parametrize(
    "address", ["nothing", "projects/x", "projects/%00/runs", f"projects/{UUID(int=1)}/attributes/-1"]
)
def test_an_address_that_is_none_is_told_as_everything_else_is(program: Program, address: str) -> None:
    assert "no such thing" in told(program.ask("GET", f"/{address}"), 404)["message"]


def test_who_asks_in_another_way_than_one_can_hears_in_which_ways(program: Program, project: Project) -> None:
    answer = program.ask("DELETE", f"/projects/{project.pk}/runs")
    assert "“API”" in told(answer, 405)["advice"]
    assert set(answer["Allow"].split(", ")) == {"GET", "POST"}


# Changes


def test_who_is_overtaken_hears_both_versions_and_nothing_changes(program: Program, described: Setup) -> None:
    one = described.attributes.get(column="born")
    path = f"/projects/{described.pk}/attributes/{one.pk}"
    assert program.send("PATCH", path, {"version": 0, "weight": 5})["version"] == 1
    late = told(program.ask("PATCH", path, {"version": 0, "weight": 7}), 409)
    assert (late["seen"], late["version"]) == (0, 1)
    assert late["advice"]
    assert Attribute.objects.get(pk=one.pk).weight == 5


def test_a_setting_that_cannot_be_is_named_by_its_key_and_not_kept(program: Program, described: Setup) -> None:
    path = f"/projects/{described.pk}/setup"
    version = program.get(path)["version"]
    bad = {"version": version, "search": {"rules": ["full-domain"], "seconds": -1}}
    assert told(program.ask("PUT", f"{path}/plan", bad), 422)["key"] == "search.seconds"
    worse = {"version": version, "sensitivity": {"family": "guessed"}}
    assert told(program.ask("PUT", f"{path}/harm", worse), 422)["key"] == "sensitivity.family"
    assert program.get(path)["version"] == version
    assert not AuditEvent.objects.filter(action__in=["search planned", "harm described"]).exists()


def test_a_hierarchy_that_cannot_be_is_named_by_its_column(program: Program, described: Setup) -> None:
    one = described.attributes.get(column="born")
    wrong = {"version": one.version, "hierarchy": {"intervals": {"from": 0, "widths": [5, 7]}}}
    answer = told(program.ask("PATCH", f"/projects/{described.pk}/attributes/{one.pk}", wrong), 422)
    assert answer["key"].startswith("attributes.born.hierarchy")


def test_a_request_that_is_not_as_described_names_the_keys_and_repeats_no_value(
    program: Program, described: Setup
) -> None:
    wrong = {"version": 0, "release_class": "secret-word", "limits": {"largest_chance": 7, "smalest": 3}}
    answer = told(program.ask("PUT", f"/projects/{described.pk}/setup/class", wrong), 422)
    keys = {error["key"] for error in answer["errors"]}
    assert keys == {"release_class", "limits.largest_chance", "limits.smalest"}
    assert "secret-word" not in json.dumps(answer)


@pytest.mark.parametrize("sent", [b"{", b"\xff", b"[" * 9000])
def test_what_is_no_json_is_told_so(program: Program, sent: bytes) -> None:
    answer = program.client.generic("POST", "/api/v1/projects", sent, content_type="application/json")
    assert "UTF-8" in told(answer, 400)["advice"]


@pytest.mark.parametrize("sign", ["\0", "\ud800"])
def test_a_sign_that_nothing_can_keep_is_refused_wherever_it_stands(
    program: Program, described: Setup, sign: str
) -> None:
    told(program.ask("POST", "/projects", {"name": sign}), 422)
    attacker = f"/projects/{described.pk}/attackers/{described.attackers.get().pk}"
    told(program.ask("POST", f"{attacker}/likeness", {"column": "town", "attribute": sign}), 422)
    told(program.ask("PATCH", attacker, {"version": 0, "match": {sign: "town"}}), 422)
    assert program.ask("GET", f"/shelf?words={quote(sign, errors='replace')}").status_code == 200


def test_a_run_of_a_set_up_that_was_not_rehearsed_is_refused_with_what_to_do(
    program: Program, described: Setup
) -> None:
    assert "check" in told(program.ask("POST", f"/projects/{described.pk}/runs", {}), 409)["message"]


def test_no_two_attackers_have_one_name(program: Program, described: Setup) -> None:
    again = {"name": "neighbour", "kind": "self"}
    assert "name of its own" in told(program.ask("POST", f"/projects/{described.pk}/attackers", again), 422)["message"]


def test_an_attacker_is_changed_and_removed_by_who_saw_the_last_version(program: Program, described: Setup) -> None:
    path = f"/projects/{described.pk}/attackers"
    made = program.send("POST", path, {"name": "colleague", "kind": "self", "knows": ["town"]})
    changed = program.send("PATCH", f"{path}/{made['id']}", {"version": 0, "knows": ["town", "born"]})
    assert (changed["knows"], changed["name"], changed["version"]) == (["town", "born"], "colleague", 1)
    late = told(program.ask("DELETE", f"{path}/{made['id']}?version=0"), 409)
    assert (late["seen"], late["version"]) == (0, 1)
    assert program.ask("DELETE", f"{path}/{made['id']}?version=1").status_code == 204
    assert [one["name"] for one in program.get(path)] == ["neighbour"]


# Files


def test_a_file_of_an_ending_that_is_not_read_is_refused(program: Program, project: Project) -> None:
    answer = told(program.upload(f"/projects/{project.pk}/uploads", "x.exe", "MZ"), 415)
    assert "CSV" in answer["advice"]
    assert not Upload.objects.exists()


def test_a_form_without_a_file_is_refused(program: Program, project: Project) -> None:
    answer = program.client.post(f"/api/v1/projects/{project.pk}/uploads", {"other": "x"})
    assert "No file" in told(answer, 400)["message"]


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=\u00ff", "application/json", ""]
)
def test_what_is_no_form_is_refused_as_one(program: Program, project: Project, kind: str) -> None:
    answer = program.client.generic("POST", f"/api/v1/projects/{project.pk}/uploads", b"{}", content_type=kind)
    assert "form" in f"{told(answer, 400)}"


def test_a_form_of_too_many_parts_is_refused_as_a_form(program: Program, project: Project, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    parts = dict.fromkeys("abc", "x")
    told(program.client.post(f"/api/v1/projects/{project.pk}/uploads", parts), 400)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    program: Program, project: Project, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    told(program.upload(f"/projects/{project.pk}/uploads", "x.csv", "a,b\n" * 5000), 413)
    assert not Upload.objects.exists()


def test_what_we_did_not_foresee_has_a_reference_and_no_words_of_the_data(
    program: Program, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from riskapp import selectors

    def broken(project_id: object) -> Project:
        raise RuntimeError("Ann from Aldersee")

    monkeypatch.setattr(selectors, "project", broken)
    answer = told(program.ask("GET", f"/projects/{project.pk}"), 500)
    assert "reference" in answer["message"]
    assert "Ann" not in json.dumps(answer)
