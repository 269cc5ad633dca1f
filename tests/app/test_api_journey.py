"""From nothing to a result by requests alone, with the very figures of `assess`."""

import json
from pathlib import Path

import pytest

from riskapp.engine.assess import assess
from riskapp.models import AuditEvent, User
from tests.app.programs import PEOPLE, REGISTER, TOWNS, Journey
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def journey(officer: User) -> Journey:
    return Journey.complete(officer)


def test_a_program_comes_from_nothing_to_the_very_figures_of_assess(journey: Journey, tmp_path: Path) -> None:
    run = journey.start()
    work_off("assess")
    assert journey.get(run)["state"] == "succeeded"
    assessment = journey.get(f"{run}/assessment")
    for name, content in assessment["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "register.csv").write_text(REGISTER)
    (tmp_path / "assessment.json").write_text(json.dumps(assessment["assessment"]))
    again = assess(tmp_path / "assessment.json").mapping()
    answer = journey.program.ask("GET", f"{journey.home}{run}/result")
    found = json.loads(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    del again["seconds"], found["seconds"]
    assert found == again
    assert {one["name"] for one in assessment["assessment"]["dictionaries"]} == {"neighbour", "register"}


def test_the_parts_of_a_result_are_those_of_the_whole(journey: Journey) -> None:
    run = journey.start()
    work_off("assess")
    answer = journey.program.ask("GET", f"{journey.home}{run}/result")
    whole = json.loads(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    frontier = journey.get(f"{run}/frontier")
    assert frontier["frontier"] == [rule for rule in whole["rules"] if rule["on_frontier"]]
    assert frontier["rules"] == len(whole["rules"]) > 20
    summary = journey.get(f"{run}/summary")
    assert (summary["frontier"], summary["coverage"]) == (whole["frontier"], whole["coverage"])
    one = whole["rules"][7]
    assert journey.get(f"{run}/rule?rule={one['id']}") == one
    assert journey.program.ask("GET", f"{journey.home}{run}/rule?rule=full-domain:99").status_code == 404
    plane = journey.get(f"{run}/plane")
    assert plane["rules"] == len(whole["rules"])
    assert plane["limits"] == {"largest_chance": 0.5}


def test_what_a_program_did_stands_in_the_trail_with_its_token(journey: Journey) -> None:
    actions = {"project created", "upload received", "dataset chosen", "column described", "attacker added"}
    events = AuditEvent.objects.filter(action__in=actions)
    assert {event.action for event in events} == actions
    assert {event.details["token"] for event in events} == {"script"}
    assert {event.actor for event in events} == {"olga@example.org"}


def test_no_value_of_the_data_is_in_the_trail(journey: Journey) -> None:
    told = json.dumps([event.details for event in AuditEvent.objects.all()])
    assert not any(value in told for value in (*TOWNS, "p17", "north"))


def test_a_run_can_be_cancelled_and_repeated(journey: Journey) -> None:
    run = journey.start()
    assert journey.send("POST", f"{run}/cancel")["state"] == "cancelled"
    late = journey.program.ask("POST", f"{journey.home}{run}/cancel", {})
    assert late.status_code == 409
    early = journey.program.ask("GET", f"{journey.home}{run}/summary")
    assert early.status_code == 409
    assert "cancelled" in json.loads(early.content)["message"]
    again = journey.send("POST", f"{run}/repeat")
    work_off("assess")
    assert journey.get(f"/runs/{again['id']}")["state"] == "succeeded"
    assert [one["state"] for one in journey.get("/runs")] == ["succeeded", "cancelled"]


def test_a_look_at_values_is_audited_before_they_are_sent(journey: Journey) -> None:
    upload = journey.get("/setup")["dataset"]
    seen = journey.send("POST", f"/uploads/{upload}/columns/1/values")
    assert {one["value"]: one["times"] for one in seen} == dict.fromkeys(TOWNS, 40)
    event = AuditEvent.objects.get(action="values seen")
    assert event.details == {"column": "town", "token": "script"}


def test_a_profile_is_fetched_and_a_file_read_in_another_way_and_shredded(journey: Journey) -> None:
    upload = journey.upload("semicolons.csv", "a;b\n1;2\n3;4\n")
    assert journey.get(f"/uploads/{upload}/profile")["rows"] == 2
    journey.send("POST", f"/uploads/{upload}/read", {"header": "none"})
    work_off("read")
    assert journey.get(f"/uploads/{upload}")["rows"] == 3
    assert journey.program.ask("DELETE", f"{journey.home}/uploads/{upload}").status_code == 204
    assert journey.get(f"/uploads/{upload}")["state"] == "purged"
    assert journey.program.ask("GET", f"{journey.home}/uploads/{upload}/profile").status_code == 409
