"""Who gets what by a token at every address of the API: one table. A new operation must be put into it."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from riskapp import bridge, selectors, storage
from riskapp.models import Actor, Membership, Project, Proposal, Release, Run, Setup, Upload, User
from riskapp.services import assessing, rehearsing, setups, shelf, templates
from riskapp.web.api import api
from tests.app.programs import Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = ["nobody", "stranger", "recipient", "auditor", "steward", "owner", "administrator"]
OUT, GONE, NO = 401, 404, 403


def row(*statuses: int) -> dict[str, int]:
    return dict(zip(PEOPLE, statuses, strict=True))


#                           nobody stranger recipient auditor steward owner administrator
everybody = lambda ok: row(OUT, ok, ok, ok, ok, ok, ok)  # noqa: E731
makers = lambda ok: row(OUT, NO, NO, NO, NO, NO, ok)  # noqa: E731
visitors = lambda ok: row(OUT, GONE, ok, ok, ok, ok, GONE)  # noqa: E731
readers = lambda ok: row(OUT, GONE, NO, ok, ok, ok, GONE)  # noqa: E731
workers = lambda ok: row(OUT, GONE, NO, NO, ok, ok, GONE)  # noqa: E731
owners = lambda ok: row(OUT, GONE, NO, NO, NO, ok, GONE)  # noqa: E731
# By the time they come to the shelf, the administrators have made projects and work with data themselves.
shelf_readers = lambda ok: row(OUT, GONE, GONE, GONE, ok, ok, ok)  # noqa: E731
shelf_keepers = lambda ok: row(OUT, GONE, GONE, GONE, NO, ok, ok)  # noqa: E731  (the owner put it there)

P = "/projects/{project_id}"
H = f"{P}/attributes/{{attribute_id}}/hierarchy"
A = f"{P}/attackers/{{attacker_id}}"
T = f"{P}/templates/{{template_id}}"
R = f"{P}/runs/{{run_id}}/rule"
S = "/shelf/{shelved_id}"
UNCHANGED = "?rule=full-domain:0.0"
OF_RULE = ("verdict", "neighbours", "detail", "stability", "together")
# What is sent is empty, so those who may come in are told that something is missing (422) wherever a body is needed.
TABLE: dict[tuple[str, str], tuple[str, dict[str, int]]] = {
    ("GET", "/me"): ("read", everybody(200)),
    ("GET", "/projects"): ("read", everybody(200)),
    ("POST", "/projects"): ("upload", everybody(422)),
    ("POST", "/projects/sample"): ("upload", makers(201)),
    ("GET", P): ("read", visitors(200)),
    ("GET", f"{P}/uploads"): ("read", readers(200)),
    ("POST", f"{P}/uploads"): ("upload", workers(400)),
    ("GET", f"{P}/uploads/{{upload_id}}"): ("read", readers(200)),
    ("DELETE", f"{P}/uploads/{{upload_id}}"): ("upload", owners(204)),
    ("GET", f"{P}/uploads/{{upload_id}}/profile"): ("read", readers(200)),
    ("POST", f"{P}/uploads/{{upload_id}}/read"): ("run", workers(202)),
    ("POST", f"{P}/uploads/{{upload_id}}/columns/{{column}}/values"): ("values", workers(200)),
    ("GET", "/classes"): ("read", everybody(200)),
    ("GET", f"{P}/setup"): ("read", readers(200)),
    **{("PUT", f"{P}/setup/{part}"): ("describe", everybody(422))
       for part in ("class", "dataset", "leave-out", "harm", "plan")},
    ("GET", f"{P}/attributes"): ("read", readers(200)),
    ("GET", f"{P}/setup/dataset/drift/{{upload_id}}"): ("read", readers(200)),
    ("POST", f"{P}/setup/dataset/drift/{{upload_id}}"): ("run", workers(202)),
    ("POST", f"{P}/setup/undo"): ("describe", everybody(422)),
    ("PATCH", f"{P}/attributes"): ("describe", everybody(422)),
    ("POST", f"{P}/attributes/accept"): ("describe", workers(200)),
    ("POST", f"{P}/attributes/{{attribute_id}}/order/values"): ("values", workers(200)),
    ("GET", f"{P}/attributes/{{attribute_id}}"): ("read", readers(200)),
    ("PATCH", f"{P}/attributes/{{attribute_id}}"): ("describe", everybody(422)),
    ("GET", f"{P}/attackers"): ("read", readers(200)),
    ("POST", f"{P}/attackers"): ("describe", everybody(422)),
    ("GET", f"{P}/attackers/{{attacker_id}}"): ("read", readers(200)),
    ("PATCH", f"{P}/attackers/{{attacker_id}}"): ("describe", everybody(422)),
    ("DELETE", f"{P}/attackers/{{attacker_id}}"): ("describe", everybody(422)),
    ("GET", f"{P}/rehearsal"): ("read", readers(200)),
    ("POST", f"{P}/rehearsal"): ("run", workers(202)),
    ("GET", f"{P}/runs"): ("read", readers(200)),
    ("POST", f"{P}/runs"): ("run", workers(202)),
    ("GET", f"{P}/runs/{{run_id}}"): ("read", readers(200)),
    ("POST", f"{P}/runs/{{run_id}}/cancel"): ("run", workers(409)),
    ("POST", f"{P}/runs/{{run_id}}/repeat"): ("run", workers(202)),
    ("GET", f"{P}/runs/{{run_id}}/setup"): ("read", readers(200)),
    ("POST", f"{P}/runs/{{run_id}}/setup"): ("describe", everybody(422)),
    **{("GET", f"{P}/runs/{{run_id}}/{part}"): ("read", readers(200))
       for part in ("summary", "frontier", "result", "plane", "assessment")},
    ("GET", f"{P}/runs/{{run_id}}/frontier/rules"): ("read", readers(200)),
    ("GET", f"{P}/runs/{{run_id}}/assessment/file"): ("read", readers(200)),
    ("POST", f"{P}/runs/{{run_id}}/assessment/file"): ("values", workers(200)),
    ("GET", f"{P}/runs/compare"): ("read", everybody(422)),
    ("GET", f"{P}/runs/{{run_id}}/rule"): ("read", everybody(422)),
    ("PUT", f"{P}/setup/linkage"): ("describe", everybody(422)),
    ("DELETE", f"{P}/setup/linkage"): ("describe", everybody(422)),
    ("POST", f"{P}/setup/linkage/matching/{{upload_id}}"): ("run", workers(GONE)),  # it is the dataset
    ("PUT", f"{P}/setup/assessment"): ("describe", everybody(422)),
    ("GET", f"{P}/setup/leave-out/counts"): ("read", readers(200)),
    ("POST", f"{P}/setup/leave-out/counts"): ("run", workers(202)),
    ("GET", f"{P}/setup/harm/examples"): ("read", readers(200)),
    ("POST", f"{P}/setup/harm/examples"): ("run", workers(202)),
    ("POST", f"{P}/setup/harm/records"): ("values", workers(200)),
    ("POST", f"{H}/preview"): ("describe", everybody(422)),
    **{("POST", f"{H}/{part}"): ("values", everybody(422)) for part in ("examples", "rows", "uncovered", "homes")},
    ("POST", f"{H}/ordered"): ("values", workers(200)),
    ("GET", f"{P}/attackers/bounds"): ("read", readers(200)),
    ("POST", f"{P}/attackers/bounds"): ("run", workers(409)),  # there is only one
    ("GET", f"{A}/matching"): ("read", readers(200)),
    ("POST", f"{A}/matching"): ("run", workers(409)),  # it holds no table
    ("POST", f"{A}/matching/accept"): ("describe", everybody(422)),
    ("GET", f"{A}/coverage"): ("read", readers(200)),
    ("POST", f"{A}/coverage"): ("run", workers(202)),
    ("POST", f"{A}/likeness"): ("run", everybody(422)),
    ("POST", f"{A}/likeness/examples"): ("values", everybody(422)),
    ("GET", f"{A}/what-if"): ("read", readers(200)),
    ("POST", f"{A}/what-if"): ("run", everybody(422)),
    ("GET", "/shelf"): ("read", shelf_readers(200)),
    ("POST", "/shelf"): ("describe", everybody(422)),
    ("GET", S): ("read", shelf_readers(200)),
    ("PATCH", S): ("describe", everybody(422)),
    ("DELETE", S): ("describe", shelf_keepers(204) | {"administrator": GONE}),  # gone by then
    ("GET", f"{P}/templates"): ("read", readers(200)),
    ("POST", f"{P}/templates"): ("describe", everybody(422)),
    ("GET", T): ("read", readers(200)),
    ("GET", f"{T}/drift/{{upload_id}}"): ("read", readers(200)),
    ("POST", f"{T}/drift/{{upload_id}}"): ("run", workers(202)),
    ("POST", f"{T}/apply"): ("describe", everybody(422)),
    **{("GET", f"{R}/{part}"): ("read", everybody(422)) for part in OF_RULE},
    **{("POST", f"{R}/{part}"): ("run", everybody(422)) for part in ("detail", "stability", "together", "attacker")},
    **{("POST", f"{R}/{part}"): ("values", everybody(422)) for part in ("sample", "subgroups", "record", "entries")},
    ("GET", f"{P}/runs/{{run_id}}/compare"): ("read", everybody(422)),
    # Decisions; the one release is ready and is meant for nobody.
    ("GET", f"{P}/proposals"): ("read", readers(200)),
    ("POST", f"{P}/runs/{{run_id}}/proposals"): ("propose", everybody(422)),
    ("GET", f"{P}/proposals/{{proposal_id}}"): ("read", readers(200)),
    ("POST", f"{P}/proposals/{{proposal_id}}/warnings"): ("propose", workers(202)),
    **{("POST", f"{P}/proposals/{{proposal_id}}/{part}"): ("propose", everybody(422))
       for part in ("answers", "answers/several", "comments", "advice", "advice/{remark_id}", "withdraw")},
    ("POST", f"{P}/proposals/{{proposal_id}}/decision"): ("decide", everybody(422)),
    ("GET", f"{P}/releases"): ("read", visitors(200)),
    ("GET", f"{P}/releases/{{release_id}}"): ("read", row(OUT, GONE, GONE, 200, 200, 200, GONE)),
    ("GET", f"{P}/releases/{{release_id}}/parts/{{name}}"): ("read", row(OUT, GONE, GONE, 200, 200, 200, GONE)),
    ("GET", f"{P}/terms"): ("download", row(OUT, GONE, 200, NO, 200, 200, GONE)),
    ("POST", f"{P}/terms"): ("download", row(OUT, GONE, 200, NO, 200, 200, GONE)),
    ("POST", f"{P}/releases/{{release_id}}/build"): ("propose", workers(409)),
    ("POST", f"{P}/releases/{{release_id}}/revoke"): ("decide", everybody(422)),
    ("POST", f"{P}/releases/{{release_id}}/file"): ("download", row(OUT, GONE, GONE, NO, 200, 200, GONE)),
    ("DELETE", f"{P}/releases/{{release_id}}"): ("upload", owners(409)),  # it is open
    ("GET", "/register"): ("read", row(OUT, GONE, GONE, 200, GONE, GONE, 200)),
}  # fmt: skip
# A whole body for what needs one, so that the policies are asked too.
SAID: dict[tuple[str, str], tuple[dict[str, Any], dict[str, int]]] = {
    ("POST", "/projects"): ({"name": "x"}, makers(201)),
    ("PUT", f"{P}/setup/class"): ({"version": 99, "release_class": "public"}, workers(409)),
    ("PUT", f"{P}/setup/dataset"): ({"version": 99, "upload": None}, workers(422)),
    ("PUT", f"{P}/setup/leave-out"): ({"version": 99, "upload": None}, workers(409)),
    ("PUT", f"{P}/setup/harm"): ({"version": 99, "sensitivity": {}}, workers(409)),
    ("PUT", f"{P}/setup/plan"): ({"version": 99, "search": {}}, workers(409)),
    ("POST", f"{P}/setup/undo"): ({"event": 0}, workers(409)),
    ("GET", f"{P}/runs/compare?run={{run_id}}"): ({}, readers(200)),
    ("PATCH", f"{P}/attributes"): ({"columns": [{"id": 0, "version": 99}], "hurts": True}, workers(404)),
    ("PATCH", f"{P}/attributes/{{attribute_id}}"): ({"version": 99, "hurts": True}, workers(409)),
    ("POST", f"{P}/attackers"): ({"name": "neighbour", "kind": "self"}, workers(422)),
    ("PATCH", f"{P}/attackers/{{attacker_id}}"): ({"version": 99, "prior": 2}, workers(409)),
    ("DELETE", f"{P}/attackers/{{attacker_id}}?version=99"): ({}, workers(409)),
    ("GET", f"{R}{UNCHANGED}"): ({}, readers(200)),
    ("PUT", f"{P}/setup/linkage"): ({"version": 99, "upload": "{upload_id}", "match": {"town": "town"}}, workers(409)),
    ("DELETE", f"{P}/setup/linkage?version=99"): ({}, workers(409)),
    ("PUT", f"{P}/setup/assessment"): ({"version": 99, "assessment": {}, "tables": {}}, workers(422)),
    ("POST", f"{P}/runs/{{run_id}}/setup"): ({"version": 99}, workers(409)),
    ("POST", f"{H}/preview"): ({"hierarchy": None}, workers(200)),
    **{("POST", f"{H}/{part}"): ({"hierarchy": None}, workers(200)) for part in ("examples", "rows", "uncovered")},
    ("POST", f"{H}/homes"): ({"hierarchy": None, "homes": "alone"}, workers(200)),
    ("POST", f"{A}/matching/accept"): ({"version": 99}, workers(409)),
    ("POST", f"{A}/likeness"): ({"column": "x", "attribute": "town"}, workers(409)),
    ("POST", f"{A}/likeness/examples"): ({"column": "x", "attribute": "town", "threshold": 0.9}, workers(409)),
    ("POST", f"{A}/what-if"): ({"more": [{"column": "town", "attribute": "town"}]}, workers(422)),
    ("POST", "/shelf"): ({"name": "towns", "hierarchy": None}, shelf_readers(409)),
    ("PATCH", S): ({"name": "towns", "about": "All of them"}, shelf_keepers(200)),
    ("POST", f"{P}/templates"): ({"name": "monthly"}, workers(201)),
    ("POST", f"{T}/apply"): ({"version": 99, "upload": "{upload_id}"}, workers(409)),
    **{("GET", f"{R}/{part}{UNCHANGED}"): ({}, readers(200))
       for part in OF_RULE},
    **{("POST", f"{R}/{part}{UNCHANGED}"): ({}, workers(202)) for part in ("detail", "stability", "together")},
    ("POST", f"{R}/attacker{UNCHANGED}"): ({"record": 1, "attacker": "neighbour"}, workers(202)),
    **{("POST", f"{R}/{part}{UNCHANGED}"): ({}, workers(200)) for part in ("sample", "subgroups")},
    ("POST", f"{R}/record{UNCHANGED}"): ({"record": 1}, workers(200)),
    ("POST", f"{R}/entries{UNCHANGED}"): ({"record": 1, "attacker": "neighbour"}, workers(200)),
    ("GET", f"{P}/runs/{{run_id}}/compare{UNCHANGED}"): ({}, readers(200)),
    ("POST", f"{P}/runs/{{run_id}}/proposals"): (
        {"rule": "x", "purpose": "x", "recipient": "x", "reason": "x", "expires_on": "2099-01-01"},
        workers(404),
    ),
    ("POST", f"{P}/proposals/{{proposal_id}}/answers"): ({"warning": "x", "text": "x"}, workers(409)),
    ("POST", f"{P}/proposals/{{proposal_id}}/answers/several"): ({"warnings": ["x"], "text": "x"}, workers(409)),
    ("POST", f"{P}/proposals/{{proposal_id}}/comments"): ({"text": "x"}, workers(200)),
    ("POST", f"{P}/proposals/{{proposal_id}}/advice"): ({"of": "x", "text": "x"}, workers(409)),
    ("POST", f"{P}/proposals/{{proposal_id}}/advice/{{remark_id}}"): ({"followed": True, "why": "x"}, workers(404)),
    ("POST", f"{P}/proposals/{{proposal_id}}/withdraw"): ({"reason": "x"}, workers(403)),
    ("POST", f"{P}/proposals/{{proposal_id}}/decision"): (
        {"approves": True, "reason": "x"},
        row(OUT, GONE, NO, NO, NO, NO, GONE),
    ),
    ("POST", f"{P}/releases/{{release_id}}/revoke"): ({"reason": "x"}, row(OUT, GONE, NO, NO, NO, NO, GONE)),
}  # fmt: skip


def described() -> dict[tuple[str, str], str]:
    """Every operation with the scope that it says it needs."""
    paths = api.get_openapi_schema()["paths"]
    return {
        (method.upper(), path.removeprefix("/api/v1")): told["x-scope"]
        for path, methods in paths.items()
        for method, told in methods.items()
    }


def test_the_table_has_every_operation_with_its_scope_and_no_other() -> None:
    assert {operation: scope for operation, (scope, _) in TABLE.items()} == described()


def approved(project: Project, run: Run) -> tuple[Proposal, Release]:
    """A proposal that was approved and the release that it became."""
    until = timezone.localdate() + timedelta(days=9)
    said = {"purpose": "x", "recipient": "y", "reason": "z", "expires_on": until, "proposed_by": run.started_by}
    evidence = bridge.evidence(run, "full-domain:0.0")
    proposal = Proposal.objects.create(
        project=project, run=run, rule="full-domain:0.0", evidence=evidence, state="approved", **said
    )
    folder = uuid4()
    place = storage.release_place(project.pk, folder)
    place.mkdir(parents=True)
    digests = {}
    for field, name in {"sha256": "r.csv", "manifest_sha256": "manifest.json"}.items():
        (place / name).write_text(name)
        digests[field] = hashlib.sha256(name.encode()).hexdigest()
    about = {"state": "ready", "ready_at": timezone.now(), "expires_on": until, "name": "r.csv"} | digests
    about |= selectors.for_register(evidence, evidence["listed"], {})
    return proposal, Release.objects.create(project=project, proposal=proposal, folder=folder, **about)


class House:
    """A project with everybody in it, and an assessment that has ended; each person holds a token for everything."""

    def __init__(self, person: Callable[..., User], project: Project, arrive: Callable[..., Upload], by: Actor) -> None:
        rows = "".join(f"{'AB'[i % 2]},{1950 + i % 9}\n" for i in range(30))
        upload = arrive(f"town,born\n{rows}")
        work_off("read")
        setup = Setup.objects.get(pk=project.pk)
        setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
        rehearsing.ask(setup, by=by)
        work_off("rehearse")
        run = assessing.start(setup, by=by)
        work_off("assess")
        self.by, self.setup = by, setup
        attribute, attacker = setup.attributes.first(), setup.attackers.first()
        assert attribute
        assert attacker
        self.ids = {"project_id": project.pk, "upload_id": upload.pk, "run_id": run.pk, "column": 0}
        self.ids |= {"attribute_id": attribute.pk, "attacker_id": attacker.pk}
        proposal, release = approved(project, run)
        self.ids |= {"proposal_id": proposal.pk, "release_id": release.pk, "remark_id": 1, "name": "manifest"}
        people: dict[str, User | None] = {"nobody": None, "stranger": person("stranger")}
        for role in ("recipient", "auditor", "steward"):
            people[role] = self._member(project, person(role), role)
        people["owner"] = self._member(project, person("owner"), "steward", owner=True)
        people["administrator"] = person("root", is_administrator=True)
        setups.accept_all(setup, by=by)
        keeper = Actor(people["owner"])
        shelved = shelf.add("towns", "", None, by=keeper, open_to_all=True)
        self.ids |= {"template_id": templates.save(setup, "monthly", "", by=by).pk, "shelved_id": shelved.pk}
        self.programs = {who: Program(user) for who, user in people.items()}
        self.readers = {who: Program(user, ["read"]) for who, user in people.items()}

    def _member(self, project: Project, user: User, role: str, owner: bool = False) -> User:
        Membership.objects.create(project=project, user=user, role=role, owner=owner)
        return user

    def got(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, int]:
        found = {}
        for who, program in self.programs.items():
            Run.objects.exclude(pk=self.ids["run_id"]).filter(state__in=["queued", "running"]).update(state="cancelled")
            Upload.objects.filter(state="reading").update(state="ready")
            found[who] = self._status(program, method, path, body)
        return found

    def _status(self, program: Program, method: str, path: str, body: dict[str, Any] | None) -> int:
        address = path.format(**self.ids)
        if address.endswith("/uploads") and method == "POST":
            return int(program.client.post(f"/api/v1{address}", {"other": "x"}).status_code)
        said = {key: self.ids["upload_id"] if key == "upload" and told else told for key, told in (body or {}).items()}
        answer = program.ask(method, address, None if method == "GET" else json.loads(json.dumps(said, default=str)))
        answer.close()
        return int(answer.status_code)


@pytest.fixture
def house(person: Callable[..., User], project: Project, arrive: Callable[..., Upload], by: Actor) -> House:
    return House(person, project, arrive, by)


def test_everybody_gets_what_the_table_says(house: House) -> None:
    last = [operation for operation in TABLE if operation[0] != "DELETE"] + [one for one in TABLE if one[0] == "DELETE"]
    wrong = {one: got for one in last if (got := house.got(*one)) != TABLE[one][1]}
    assert wrong == {}


def test_everybody_gets_what_the_table_says_with_a_whole_request(house: House) -> None:
    wrong = {one: got for one, (body, wanted) in SAID.items() if (got := house.got(*one, body)) != wanted}
    assert wrong == {}


def test_a_token_that_only_reads_does_nothing_else(house: House) -> None:
    house.programs = {who: program for who, program in house.readers.items() if who == "owner"}
    refused = [one for one, (scope, _) in TABLE.items() if scope != "read" and house.got(*one) != {"owner": NO}]
    assert refused == []
