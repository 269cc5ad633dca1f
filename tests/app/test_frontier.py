"""The frontier's page and its files: the very figures of the run, and a way out where they are lost."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.bridge import outcomes, ruling
from riskapp.bridge.evidence import ENDLESS, broken
from riskapp.core.table.limits import Limits
from riskapp.engine import ruling as choice
from riskapp.models import Actor, Project, ReleaseClass, Run, Upload, User
from riskapp.services import assessing
from riskapp.web import verdict_words
from tests.app.assessed import finished_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    return finished_run(project, arrive, by)


@pytest.fixture
def client(officer: User) -> Client:
    signed_in = Client()
    signed_in.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return signed_in


def address(name: str, run: Run) -> str:
    return reverse(name, args=[run.project_id, run.pk])


def folder(run: Run) -> Path:
    return storage.outcome_place(run.project_id, run.outcome.folder)


def result(run: Run) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder(run) / outcomes.RESULT).read_text())
    return told


def test_the_verdict_comes_first_and_names_the_repair(client: Client, run: Run) -> None:
    page = client.get(address("frontier", run)).content.decode()
    assert page.index("May leave under contract.") < page.index('id="plane"')
    assert "Not to the public:" in page
    assert "Cheapest repair:" in page
    repair = run.outcome.summary["cheapest"]["public"]
    assert f'href="{address("rule", run)}?rule={quote(repair)}"' in page


def test_a_rule_that_withholds_everything_is_told_so_beside_its_permission(client: Client, run: Run) -> None:
    nothing = min(result(run)["rules"], key=lambda rule: rule["utility"])
    assert nothing["utility_share"] == 0
    page = client.get(address("rule", run), {"rule": nothing["id"]}).content.decode()
    assert "May leave to the public, with everything withheld that has levels." in page
    assert "To show more, consider" in page


def test_a_replay_that_was_not_counted_breaks_limits_of_chances_and_is_told_beside_what_is_permitted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = run.outcome.summary
    best, names = told["best"], {told["best"], *filter(None, told["cheapest"].values())}
    rules, found = outcomes.rules(run.outcome, names), ruling.verdict(run.outcome, best)
    counted = verdict_words.told(found, best, "contract", told["words"], rules)
    assert counted.title == "May leave under contract."
    rules[best] = rules[best] | {
        "people": {name: own | {"by_replay": None} for name, own in rules[best]["people"].items()}
    }
    monkeypatch.setattr(ruling.outcomes, "rules", lambda outcome, wanted: rules)
    found = ruling.verdict(run.outcome, best)
    uncounted = verdict_words.told(found, best, "contract", told["words"], rules)
    assert uncounted.title == "May not leave under the limits of any release class."
    assert verdict_words.NOT_COUNTED in uncounted.words
    assert any(
        "could not be counted for somebody who replays" in words
        for words in broken(rules[best], told["classes"]["contract"])
    )
    assert broken(rules[best], {"smallest_group": 1}) == []
    smallest = Limits(smallest_group=1)
    found["contract"] = choice.verdict(choice.RuleColumns.of(rules.values()), {"own": smallest}, best)["own"]
    permitted = verdict_words.told(found, best, "contract", told["words"], rules)
    assert permitted.title == "May leave under contract."
    assert permitted.words.endswith(verdict_words.NOT_REPLAYED)


NEVER = {"weight": "inf"}


def test_what_must_never_be_learnt_is_not_shown_by_the_best_rule_and_forbids_the_others(
    client: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    run = finished_run(project, arrive, by, release="safe", changes={"town": NEVER})
    rules = {rule["id"]: rule for rule in result(run)["rules"]}
    told = run.outcome.summary
    within = [rule for rule in rules.values() if rule["within_limits"] and float(rule["risk"]) < float("inf")]
    assert 0 < len(within) < len(rules)
    most = max(rule["utility"] for rule in within)
    assert rules[told["best"]] in [rule for rule in within if rule["utility"] == most]
    shown = next(name for name, rule in rules.items() if rule["within_limits"] and rule["risk"] == "inf")
    page = client.get(address("rule", run), {"rule": shown}).content.decode()
    assert "<b>May not leave.</b> The risk is infinite: town weighs “never”, and is shown" in page
    assert f'href="{address("rule", run)}?rule={quote(told["cheapest"]["safe"])}">Repair to limit' in page
    assert broken(rules[shown], {"smallest_group": 1}) == [ENDLESS]
    assert "May leave" in client.get(address("frontier", run)).content.decode()


def test_a_column_that_must_never_be_learnt_and_is_kept_as_it_is_forbids_every_rule(
    client: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    run = finished_run(project, arrive, by, changes={"illness": NEVER})
    assert {rule["risk"] for rule in result(run)["rules"]} == {"inf"}
    page = client.get(address("frontier", run)).content.decode()
    assert "<b>May not leave.</b> The risk is infinite: illness weighs “never”, and is shown" in page
    assert "drop it, or weigh it with a number" in page
    assert "Repair to limit" not in page


@pytest.mark.parametrize(
    ("risk", "axis"),
    [
        ({"model": "sensitivity"}, "Risk: expected harm per person"),
        ({"model": "anonymity"}, "Risk: chance to be found per person"),
        (
            {"model": "entropic", "over_records": "max"},
            "Risk: harm, less by an attacker’s doubt, of the worst-off record",
        ),
    ],
)
def test_the_plane_and_the_panel_name_the_risk_that_was_measured(
    client: Client, run: Run, risk: dict[str, str], axis: str
) -> None:
    frozen = assessing.frozen(run)
    frozen.document["assessment"]["risk"] = risk
    type(frozen).objects.filter(pk=frozen.pk).update(document=frozen.document)
    assert f'data-words="{axis}"' in client.get(address("frontier", run)).content.decode()
    panel = client.get(
        f"{address('rule', run)}?rule={quote(run.outcome.summary['best'])}", headers={"hx-request": "true"}
    )
    assert f'title="{axis}, the larger' in panel.content.decode()


def test_the_verdict_holds_for_the_rule_that_it_names(run: Run) -> None:
    told, rules = run.outcome.summary, {rule["id"]: rule for rule in result(run)["rules"]}
    kept = [rule for rule in rules.values() if rule["within_limits"]]
    assert rules[told["best"]]["utility"] == max(rule["utility"] for rule in kept)
    for kind, limits in told["classes"].items():
        will_do = [rule for rule in rules.values() if _keeps(rule, limits)]
        assert rules[told["cheapest"][kind]]["utility"] == max(rule["utility"] for rule in will_do)


def _keeps(rule: dict[str, Any], limits: dict[str, Any]) -> bool:
    people = [own for each in rule["people"].values() for own in (each, each["by_replay"])]
    return (
        all(own["largest_chance"] <= limits["largest_chance"] + 1e-12 for own in people)
        and rule["smallest_group"] >= limits["smallest_group"]
        and all(own["worst"] <= limits["inference"] + 1e-12 for own in rule["inference"].values())
    )


def test_the_plane_is_sent_packed_and_has_the_figures_of_the_result(client: Client, run: Run) -> None:
    packed = client.get(address("frontier-plane", run), headers={"Accept-Encoding": "gzip, br"})
    assert packed["Content-Encoding"] == "gzip"
    assert packed["Cache-Control"] == "no-store"
    plane = json.loads(gzip.decompress(packed.content))
    assert client.get(address("frontier-plane", run), headers={"Accept-Encoding": ""}).json() == plane
    rules = result(run)["rules"]
    assert plane["rules"] == len(rules)
    for number, _, _, _, risk, utility, *_ in plane["listed"]:
        assert (risk, utility) == (rules[number]["risk"], rules[number]["utility"])
    assert plane["classes"]["public"]["largest_chance"] == 0.09
    town = next(one for one in plane["attributes"] if one["name"] == "town")
    assert town["levels"] == ["as it is", "by region", "withheld"]


def test_the_csv_has_every_rule_with_all_its_digits(client: Client, run: Run) -> None:
    answer = client.get(address("frontier-rules", run))
    lines = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    for line, rule in zip(lines, result(run)["rules"], strict=True):
        assert line["id"] == rule["id"]
        assert float(line["risk"]) == rule["risk"]
        assert float(line["utility"]) == rule["utility"]
        own = rule["people"]["neighbour"]
        assert float(line["expected_found, neighbour"]) == own["expected_found"]
        assert float(line["largest_chance, neighbour, replayed"]) == own["by_replay"]["largest_chance"]
        assert [line[f"level of {name}"] for name in rule["node"]] == list(map(str, rule["node"].values()))


def test_the_sliders_open_at_the_limits_and_at_what_was_asked(
    client: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    run = finished_run(project, arrive, by, least_share=0.25)
    page = client.get(address("frontier", run)).content.decode()
    assert 'data-most-chance="0.2"' in page
    assert 'data-least-share="0.25"' in page
    assert "the answer to the run’s question" in page


def test_limits_that_the_organisation_changed_since_are_told(client: Client, run: Run) -> None:
    words = "has changed the limits of a release class"
    assert words not in client.get(address("frontier", run)).content.decode()
    ReleaseClass.objects.create(kind="public", limits={"largest_chance": 0.05})
    assert words in client.get(address("frontier", run)).content.decode()


@pytest.mark.parametrize("name", ["result.json", "plane.json.gz", "rules.index"])
def test_a_missing_file_is_told_with_what_to_do(client: Client, run: Run, name: str) -> None:
    (folder(run) / name).unlink()
    answer = client.get(address("frontier", run))
    assert answer.status_code == 409
    assert "Run it again as it was" in answer.content.decode()
    assert client.get(address("frontier-rules", run)).status_code == 409


@pytest.mark.parametrize("name", ["plane.json.gz", "rules.index"])
def test_a_changed_byte_is_never_served(client: Client, run: Run, name: str) -> None:
    path = folder(run) / name
    raw = bytearray(path.read_bytes())
    raw[-3] ^= 1
    path.write_bytes(raw)
    page = "frontier-plane" if name.startswith("plane") else "frontier"
    assert client.get(address(page, run)).status_code == 409


def test_a_changed_digit_of_the_result_is_not_exported(client: Client, run: Run) -> None:
    path = folder(run) / "result.json"
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'"suppressed": 0', b'"suppressed": 1', 1))
    assert client.get(address("frontier-rules", run)).status_code == 409


def test_a_run_that_is_not_over_leads_to_its_own_page(client: Client, run: Run, by: Actor) -> None:
    waiting = assessing.repeat(run, by=by)
    assert client.get(address("frontier", waiting))["Location"] == address("run", waiting)
    assert client.get(address("frontier-plane", waiting)).status_code == 404
