"""What programs can ask about attackers, hierarchies, harm, templates and rules: each the very thing the pages show."""

import csv
import io
import json
import zipfile
from typing import Any
from uuid import uuid4

import pytest

from riskapp import storage
from riskapp.bridge import documents, ruling
from riskapp.models import AuditEvent, Outcome, Setup, Upload, User
from tests.app.programs import PEOPLE, TOWNS, Journey, Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)
UNCHANGED = "?rule=full-domain:0.0.0"


@pytest.fixture
def journey(officer: User) -> Journey:
    return Journey.complete(officer)


def answered(journey: Journey, path: str, kind: str, body: Any = None) -> Any:
    """Ask, have a worker answer, and ask again: the figures."""
    first = journey.send("POST", path, body)
    assert first["figures"] is None
    assert first["run"]["state"] == "queued"
    work_off(kind)
    again = journey.send("POST", path, body)
    assert again["figures"] is not None, again
    return again["figures"]


def attacker(journey: Journey, name: str) -> dict[str, Any]:
    return next(one for one in journey.get("/attackers") if one["name"] == name)


# Attackers


def test_suggestions_are_found_and_taken_over(journey: Journey) -> None:
    upload = attacker(journey, "register")["upload"]
    new = journey.send("POST", "/attackers", {"name": "broker", "kind": "register", "upload": upload})
    path = f"/attackers/{new['id']}"
    early = journey.program.ask("POST", f"{journey.home}{path}/matching/accept", {"version": 0})
    assert early.status_code == 409
    found = answered(journey, f"{path}/matching", "matching")
    assert {one["name"] for one in found["columns"]} == {"name", "where", "year"}
    assert journey.get(f"{path}/matching")["figures"] == found
    taken = journey.send("POST", f"{path}/matching/accept", {"version": new["version"]})
    assert taken["match"]["where"] == "town"
    assert journey.program.ask("POST", f"{journey.home}{path}/matching/accept", {"version": 0}).status_code == 409


def test_coverage_is_counted_and_looked_up(journey: Journey) -> None:
    path = f"/attackers/{attacker(journey, 'register')['id']}/coverage"
    assert journey.get(path) == {"figures": None, "run": None, "obstacle": ""}
    figures = answered(journey, path, "coverage")
    assert journey.get(path)["figures"] == figures
    assert figures["bands"] == {"0": 0, "1": 0, "2-5": 120, "6-20": 0, ">20": 0}


def test_what_if_an_attacker_also_knew_a_column(journey: Journey) -> None:
    journey.describe("sex", knowable=False)
    path = f"/attackers/{attacker(journey, 'neighbour')['id']}/what-if"
    options = journey.get(path)
    assert options == [{"column": "sex", "attribute": "sex", "level": "0", "likeness": ""}]
    assert answered(journey, path, "what-if", {"more": options})
    known = {"column": "town", "attribute": "town", "level": "0"}
    assert journey.program.ask("POST", f"{journey.home}{path}", {"more": [known]}).status_code == 422


def test_two_attackers_are_compared(journey: Journey) -> None:
    figures = answered(journey, "/attackers/bounds", "compare")
    assert journey.get("/attackers/bounds")["figures"] == figures


def test_likeness_is_counted_and_its_examples_are_an_audited_look(journey: Journey) -> None:
    path = f"/attackers/{attacker(journey, 'register')['id']}/likeness"
    assert answered(journey, path, "likeness", {"column": "where", "attribute": "town"})
    seen = journey.send("POST", f"{path}/examples", {"column": "where", "attribute": "town", "threshold": 0.9})
    assert seen
    assert AuditEvent.objects.filter(action="matches seen").count() == 1
    hidden = {"column": "where", "attribute": "visits"}  # which is dropped
    assert journey.program.ask("POST", f"{journey.home}{path}", hidden).status_code == 422


def test_linkage_data_are_matched_described_and_taken_away(journey: Journey) -> None:
    upload = journey.upload("linkage.csv", "where,year,illness\nAldersee,1950,flu\nBirkenau,1951,gout\n")
    assert answered(journey, f"/setup/linkage/matching/{upload}", "matching")["columns"]
    told = journey.change("linkage", upload=upload, match={"where": "town", "year": "born"}, adds={"illness": 3})
    assert told["linkage"]["adds"] == {"illness": 3}
    wrong = {"version": told["version"], "upload": upload, "match": {"where": "no such"}}
    answer = journey.program.ask("PUT", f"{journey.home}/setup/linkage", wrong)
    assert answer.status_code == 422
    assert journey.get("/setup")["linkage"] == told["linkage"]
    gone = journey.send("DELETE", f"/setup/linkage?version={told['version']}")
    assert gone["linkage"] is None


# Columns


def test_a_hierarchy_is_previewed_and_nothing_is_kept(journey: Journey) -> None:
    town = next(one for one in journey.get("/attributes") if one["column"] == "town")
    path, events = f"/attributes/{town['id']}/hierarchy", AuditEvent.objects.count()
    spec = {"hierarchy": {"groups": {"north": TOWNS[:2]}}}
    told = journey.send("POST", f"{path}/preview", spec)
    assert (told["records"], told["uncovered"]["values"], told["uncovered"]["records"]) == (120, 1, 40)
    assert [level["groups"] for level in told["levels"]] == [2, 1, 1]
    assert AuditEvent.objects.count() == events
    assert next(one for one in journey.get("/attributes") if one["column"] == "town") == town


def test_values_without_a_place_are_looked_at_and_given_homes(journey: Journey) -> None:
    town = next(one for one in journey.get("/attributes") if one["column"] == "town")
    path = f"/attributes/{town['id']}/hierarchy"
    spec = {"hierarchy": {"groups": {"north": TOWNS[:2]}}}
    assert [one["value"] for one in journey.send("POST", f"{path}/uncovered", spec)] == [TOWNS[2]]
    housed = journey.send("POST", f"{path}/homes", spec | {"homes": {TOWNS[2]: "north"}})
    assert housed["left"] == []
    kept = journey.send(
        "PATCH", f"/attributes/{town['id']}", {"version": town["version"], "hierarchy": housed["hierarchy"]}
    )
    assert journey.send("POST", f"{path}/rows", {"hierarchy": kept["hierarchy"]})["rows"]
    assert len(journey.send("POST", f"{path}/examples", {"hierarchy": kept["hierarchy"]})[0]) == 3
    assert AuditEvent.objects.filter(action="values seen").count() == 4


def test_neighbours_are_merged_in_an_order_that_is_said_or_in_the_columns_own(journey: Journey) -> None:
    town = next(one for one in journey.get("/attributes") if one["column"] == "town")
    path, order = f"/attributes/{town['id']}/hierarchy/ordered", [TOWNS[2], TOWNS[0]]
    said = journey.send("POST", path, {"order": order})
    assert said["without_place"] == 1
    assert [row[0] for row in said["hierarchy"]["rows"]] == [*order, TOWNS[1]]
    assert said["hierarchy"]["rows"][0][1] == said["hierarchy"]["rows"][1][1] == f"{order[0]} – {order[1]}"
    journey.describe("town", order=[*order, TOWNS[1]])
    assert journey.send("POST", path, {}) == said | {"without_place": 0}
    assert AuditEvent.objects.filter(action="values seen").count() == 2
    assert journey.program.ask("POST", f"{journey.home}{path}", {"by": 1}).status_code == 422


def test_several_columns_are_changed_at_once_or_none_of_them(journey: Journey) -> None:
    columns = {one["column"]: one for one in journey.get("/attributes")}
    named = [{"id": columns[name]["id"], "version": columns[name]["version"]} for name in ("town", "born")]
    changed = journey.send("PATCH", "/attributes", {"columns": named, "knowable": False, "hurts": True})
    assert [(one["column"], one["knowable"], one["hurts"]) for one in changed] == [
        ("town", False, True),
        ("born", False, True),
    ]
    stale = [{"id": changed[0]["id"], "version": changed[0]["version"]}, named[1]]
    answer = journey.program.ask("PATCH", f"{journey.home}/attributes", {"columns": stale, "hurts": False})
    told = json.loads(answer.content)
    assert (answer.status_code, told["seen"], told["version"]) == (409, named[1]["version"], changed[1]["version"])
    assert journey.get(f"/attributes/{changed[0]['id']}") == changed[0]
    twice = journey.program.ask("PATCH", f"{journey.home}/attributes", {"columns": stale[:1] * 2, "hurts": False})
    assert twice.status_code == 422


def test_the_values_of_a_column_are_looked_at_and_put_in_order(journey: Journey) -> None:
    town = next(one for one in journey.get("/attributes") if one["column"] == "town")
    path = f"/attributes/{town['id']}"
    assert journey.send("POST", f"{path}/order/values") == TOWNS
    assert AuditEvent.objects.get(action="values seen").details["column"] == "town"
    short = {"version": town["version"], "order": TOWNS[:2]}
    answer = journey.program.ask("PATCH", f"{journey.home}{path}", short)
    assert (answer.status_code, b"no place in the order" in answer.content) == (422, True)
    assert journey.send("PATCH", path, short | {"order": TOWNS[::-1]})["order"] == TOWNS[::-1]


# Harm and people left out


def test_harm_is_seen_on_made_up_records_and_on_real_ones_by_a_look(journey: Journey) -> None:
    figures = answered(journey, "/setup/harm/examples", "examples")
    assert all(set(one["cells"]) >= {"town", "born", "sex"} for one in figures["records"])
    assert not AuditEvent.objects.filter(action="records seen").exists()
    real = journey.send("POST", "/setup/harm/records")
    assert {one["cells"]["town"] for one in real} <= set(TOWNS)
    assert AuditEvent.objects.filter(action="records seen").count() == 1


def test_the_people_left_out_are_counted(journey: Journey) -> None:
    assert journey.get("/setup/leave-out/counts")["obstacle"] == "Nobody is left out."
    journey.describe("id", role="identifier")
    journey.change("leave-out", upload=journey.upload("gone.csv", "id\np1\np2\np3\n"))
    figures = answered(journey, "/setup/leave-out/counts", "leave-out")
    assert figures == {"rows": 120, "people": 120, "rows_out": 3, "people_out": 3}


# What is used again


def test_a_hierarchy_is_shelved_read_renamed_and_taken_down(journey: Journey) -> None:
    spec = {"groups": {"north": TOWNS[:2], "south": TOWNS[2:]}}
    shut = journey.program.ask("POST", "/shelf", {"name": "regions", "hierarchy": spec})
    assert shut.status_code == 409  # it lists values, and nobody said that all may read them
    made = journey.program.send("POST", "/shelf", {"name": "regions", "hierarchy": spec, "open_to_all": True})
    assert [one["name"] for one in journey.program.get("/shelf?words=regio")] == ["regions"]
    assert journey.program.get("/shelf?words=other") == []
    assert journey.program.get(f"/shelf/{made['id']}")["hierarchy"] == spec
    assert journey.program.send("PATCH", f"/shelf/{made['id']}", {"name": "parts", "about": "x"})["name"] == "parts"
    assert journey.program.ask("DELETE", f"/shelf/{made['id']}").status_code == 204
    assert journey.program.get("/shelf") == []


def test_who_works_with_no_data_sees_names_on_the_shelf_and_no_values(journey: Journey, person: Any) -> None:
    said = {"name": "regions", "hierarchy": {"groups": {"north": TOWNS}}, "open_to_all": True}
    made = journey.program.send("POST", "/shelf", said)
    administrator = Program(person("root", is_administrator=True))
    assert [one["name"] for one in administrator.get("/shelf")] == ["regions"]
    assert administrator.ask("GET", f"/shelf/{made['id']}").status_code == 404


def test_a_template_is_saved_compared_with_a_file_and_applied(journey: Journey) -> None:
    saved = journey.send("POST", "/templates", {"name": "monthly"})
    assert saved["version"] == 1
    assert journey.get(f"/templates/{saved['id']}")["document"]["release_class"] == "contract"
    upload = journey.upload("next.csv", PEOPLE.replace("visits", "calls"))
    path = f"/templates/{saved['id']}"
    wanted = {"version": journey.get("/setup")["version"], "upload": upload, "renamed": {"visits": "calls"}}
    assert journey.program.ask("POST", f"{journey.home}{path}/apply", wanted).status_code == 409  # not compared yet
    assert journey.send("POST", f"{path}/drift/{upload}")["facts"] is None
    work_off("drift")
    drift = journey.get(f"{path}/drift/{upload}")
    assert {fact["column"] for fact in drift["facts"]} >= {"visits", "calls"}
    before = journey.get("/setup")
    done = journey.send("POST", f"{path}/apply", wanted)
    assert done == {"without_file": [], "to_confirm": 1, "left_out": []}
    after = journey.get("/setup")
    assert after["dataset"] == upload
    assert (before["undo"], after["undo"]["action"]) == (None, "template applied")
    back = journey.send("POST", "/setup/undo", {"event": after["undo"]["event"]})
    assert back["dataset"] == before["dataset"]
    again = journey.program.ask("POST", f"{journey.home}/setup/undo", {"event": after["undo"]["event"]})
    assert again.status_code == 409
    assert journey.get("/setup") == back


def test_another_file_takes_the_place_of_the_dataset_once_it_is_compared(journey: Journey) -> None:
    before = journey.get("/setup")
    upload = journey.upload("next.csv", PEOPLE.replace("visits", "calls"))
    wanted = {"version": before["version"], "upload": upload, "renamed": {"visits": "calls"}}
    assert journey.program.ask("PUT", f"{journey.home}/setup/dataset", wanted).status_code == 409  # not compared yet
    path = f"/setup/dataset/drift/{upload}"
    assert journey.send("POST", path)["facts"] is None
    work_off("drift")
    assert {fact["column"] for fact in journey.get(path)["facts"]} >= {"visits", "calls"}
    after = journey.send("PUT", "/setup/dataset", wanted)
    assert (after["dataset"], after["undo"]["action"]) == (upload, "dataset chosen")
    back = journey.send("POST", "/setup/undo", {"event": after["undo"]["event"]})
    assert back["dataset"] == before["dataset"]


# Results


@pytest.fixture
def run(journey: Journey) -> str:
    path = journey.start()
    work_off("assess")
    return path


def test_a_rule_is_told_from_all_sides(journey: Journey, run: str) -> None:
    detail = answered(journey, f"{run}/rule/detail{UNCHANGED}", "detail")
    assert journey.get(f"{run}/rule/detail{UNCHANGED}")["figures"] == detail
    stability = answered(journey, f"{run}/rule/stability{UNCHANGED}", "stability")
    assert journey.get(f"{run}/rule/stability{UNCHANGED}")["figures"] == stability
    assert "contract" in str(journey.get(f"{run}/rule/verdict{UNCHANGED}"))
    neighbours = journey.get(f"{run}/rule/neighbours{UNCHANGED}")
    assert {one["attribute"] for one in neighbours["coarser"]} == {"town", "born", "sex"}
    assert neighbours["finer"] == []
    seen = {"record": 1, "attacker": "neighbour"}
    assert answered(journey, f"{run}/rule/attacker{UNCHANGED}", "attacker", seen)
    nobody = {"record": 1, "attacker": "nobody"}
    assert journey.program.ask("POST", f"{journey.home}{run}/rule/attacker{UNCHANGED}", nobody).status_code == 422


def test_looks_at_records_of_a_rule_are_audited(journey: Journey, run: str) -> None:
    assert journey.send("POST", f"{run}/rule/sample{UNCHANGED}")
    journey.send("POST", f"{run}/rule/subgroups{UNCHANGED}")
    assert journey.send("POST", f"{run}/rule/entries{UNCHANGED}", {"record": 1, "attacker": "register"})
    for action in ("sample seen", "subgroups seen", "entries seen"):
        assert AuditEvent.objects.filter(action=action).count() == 1


def test_one_record_is_looked_at_by_its_number_and_the_look_is_audited(journey: Journey, run: str) -> None:
    seen = journey.send("POST", f"{run}/rule/record?rule=full-domain:1.0.0", {"record": 2})
    assert seen == ruling.seen_record(Outcome.objects.get(), "full-domain:1.0.0", 2)
    event = AuditEvent.objects.get(action="record seen")
    assert (event.details["record"], event.details["token"]) == (2, "script")
    for number in (0, 121):
        answer = journey.program.ask("POST", f"{journey.home}{run}/rule/record{UNCHANGED}", {"record": number})
        assert answer.status_code in {409, 422}


def test_where_nobody_holds_a_release_there_is_nothing_to_hold_a_rule_against(journey: Journey, run: str) -> None:
    path = f"{run}/rule/together{UNCHANGED}"
    assert journey.get(path) == {
        "figures": None,
        "run": None,
        "obstacle": "Nobody holds an earlier release of this project.",
    }
    assert journey.program.ask("POST", f"{journey.home}{path}").status_code == 409


def test_all_rules_are_a_table_and_the_assessment_a_file(journey: Journey, run: str) -> None:
    answer = journey.program.ask("GET", f"/{journey.home.strip('/')}{run}/frontier/rules")
    lines = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    told = journey.get(f"{run}/frontier")
    assert len(lines) == told["rules"]
    assert {one["id"] for one in lines if one["on_frontier"] == "yes"} == {one["id"] for one in told["frontier"]}
    names = []
    for method in ("GET", "POST"):
        file = b"".join(journey.program.ask(method, f"{journey.home}{run}/assessment/file"))
        with zipfile.ZipFile(io.BytesIO(file)) as packed:
            names.append(packed.namelist())
    assert not [name for name in names[0] if name.endswith("people.csv")]
    assert [name for name in names[1] if name.endswith("people.csv")]
    exports = AuditEvent.objects.filter(action="assessment exported").order_by("number")
    assert [one.details["data"] for one in exports] == [False, True]


def test_runs_are_compared_with_every_parameter_in_which_they_differ(journey: Journey, run: str) -> None:
    journey.describe("sex", weight=5)
    second = journey.start()
    unfinished = journey.program.ask("GET", f"{journey.home}/runs/compare?run={_id(run)}&run={_id(second)}")
    assert unfinished.status_code == 409
    work_off("assess")
    told = journey.get(f"/runs/compare?run={_id(run)}&run={_id(second)}")
    assert [one["id"] for one in told["runs"]] == [_id(run), _id(second)]
    differing = [row for row in told["rows"] if row["part"] == "What differs"]
    assert [cell["value"] for cell in differing[0]["cells"]] == ["3.0", "5.0"]
    many = "&".join(f"run={uuid4()}" for _ in range(5))
    assert journey.program.ask("GET", f"{journey.home}/runs/compare?{many}").status_code == 422
    assert journey.program.ask("GET", f"{journey.home}/runs/compare?run={uuid4()}").status_code == 404


def _id(run: str) -> str:
    return run.rpartition("/")[2]


def test_rules_are_compared_with_what_differs_marked(journey: Journey, run: str) -> None:
    told = journey.get(f"{run}/compare{UNCHANGED}&rule=full-domain:1.0.0")
    assert told["rules"] == ["full-domain:0.0.0", "full-domain:1.0.0"]
    detail = next(row for row in told["rows"] if row["name"] == "detail kept")
    assert detail["differs"]
    assert [cell["best"] for cell in detail["cells"]] == [True, False]
    many = "".join(f"&rule=full-domain:{town}.0.0" for town in range(1, 5))
    assert journey.program.ask("GET", f"{journey.home}{run}/compare{UNCHANGED}{many}").status_code == 422
    assert journey.program.ask("GET", f"{journey.home}{run}/compare?rule=full-domain:99").status_code == 404


def test_an_assessment_is_carried_into_another_project(journey: Journey, run: str, officer: User) -> None:
    told = journey.get(f"{run}/assessment")
    other = Journey(officer)
    names = {name: about["upload"] for part in ("tables", "lists") for name, about in told[part].items()}
    contents = {upload: Upload.objects.get(pk=upload) for upload in names.values()}
    tables = {name: other.upload(contents[upload].name, _content(contents[upload])) for name, upload in names.items()}
    said = {"version": 0, "assessment": told["assessment"], "files": told["files"], "tables": tables}
    some = said | {"tables": dict(list(tables.items())[:1])}
    assert other.program.ask("PUT", f"{other.home}/setup/assessment", some).status_code == 422
    other.send("PUT", "/setup/assessment", said)
    setup = Setup.objects.get(pk=other.home.rpartition("/")[2])
    assert documents.frozen(setup, {})["assessment"] == told["assessment"]


def test_the_project_is_set_up_as_in_a_run_and_that_is_undone(journey: Journey, run: str) -> None:
    assert journey.get(f"{run}/setup")["changes"] == []
    journey.describe("town", weight=33)
    told = journey.get(f"{run}/setup")
    assert told["changes"] == [{"part": "Column", "name": "town", "what": "its weight"}]
    journey.send("POST", f"{run}/setup", {"version": told["version"]})
    weight = lambda: next(one for one in journey.get("/attributes") if one["column"] == "town")["weight"]  # noqa: E731
    assert weight() != 33
    undo = journey.get("/setup")["undo"]
    assert undo["action"] == "set up as in a run"
    stale = journey.program.ask("POST", f"{journey.home}/setup/undo", {"event": undo["event"] - 1})
    assert stale.status_code == 409
    journey.send("POST", "/setup/undo", {"event": undo["event"]})
    assert weight() == 33


def _content(upload: Upload) -> str:
    return storage.place(upload.project_id, upload.sha256).read_text()
