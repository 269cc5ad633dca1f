"""Whether a rule keeps the limits is said in the same words everywhere, also where its replay could not be counted."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode

from riskapp.bridge import outcomes, ruling
from riskapp.models import Actor, Project, Run, Upload, User
from riskapp.web import comparing_runs, rule_words
from riskapp.web.comparing import Row
from tests.app.assessed import finished_run, left_unreplayed
from tests.app.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
CHANCES = {"largest_chance": 0.2}


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    return finished_run(project, arrive, by)


@pytest.fixture
def client(officer: User) -> Client:
    signed_in = Client()
    signed_in.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return signed_in


@pytest.mark.parametrize(
    ("limits", "counted", "words"),
    [
        (CHANCES, True, "kept"),
        (CHANCES, False, "broken"),
        ({"share_above": {"chance": 0.2, "share": 0.1}}, False, "broken"),
        ({"smallest_group": 2}, False, "kept"),
        ({}, False, "none set"),
    ],
)
def test_every_page_and_every_program_is_told_the_same(
    client: Client, run: Run, officer: User, limits: dict[str, Any], counted: bool, words: str
) -> None:
    run.outcome.summary["limits"] = limits
    run.outcome.save()
    rule = run.outcome.summary["best"]
    listed = outcomes.rules(run.outcome, [rule])[rule]
    assert listed["within_limits"]
    other = ruling.neighbours(run.outcome, listed)["coarser"][0]["rule"]
    if not counted:
        left_unreplayed(run, rule)
    told = {**on_pages(client, run, rule, other), **by_programs(Program(officer), run, rule, other)}
    assert told == dict.fromkeys(told, words)
    chosen = rule_words.chosen_as(outcomes.rules(run.outcome, [rule])[rule], run.outcome.summary)
    assert (
        chosen
        == {
            "kept": "the most detail within the limits",
            "broken": "the table as it is, since no rule keeps the limits",
            "none set": "the most detail, since no limits are set",
        }[words]
    )


def on_pages(client: Client, run: Run, rule: str, other: str) -> dict[str, str]:
    """What the pages say of a rule, `other` being one step away from it."""
    lines = csv.DictReader(io.StringIO(page(client, "frontier-rules", run)))
    beside = page(client, "rule", run, other)
    rows = beside[beside.index('id="why-title"') :]
    neighbour = rows[rows.index(urlencode({"rule": rule})) :].split('data-label="Limits">')[1].split("</td>")[0]
    return {
        "page": page(client, "rule", run, rule).split("<dt>limits</dt><dd>")[1].split("<")[0],
        "panel": page(client, "rule", run, rule, headers=HTMX).split("<dt>limits</dt><dd>")[1].split("<")[0],
        "neighbour": neighbour.removeprefix('<span class="badge warm">').removesuffix("</span>"),
        "side by side": in_row(page(client, "compare", run, rule, other)),
        "CSV": next(line["limits"] for line in lines if line["id"] == rule),
        "runs side by side": str(limits_of(comparing_runs.rows([ended(run, rule)])).cells[0].value),
    }


def by_programs(program: Program, run: Run, rule: str, other: str) -> dict[str, str]:
    home = f"/projects/{run.project_id}/runs/{run.pk}"
    near = program.get(f"{home}/rule/neighbours?rule={other}")
    rows = program.get(f"{home}/compare?rule={rule}&rule={other}")["rows"]
    return {
        "neighbours": next(one["limits"] for one in [*near["finer"], *near["coarser"]] if one["rule"] == rule),
        "compare": next(row for row in rows if row["name"] == "limits")["cells"][0]["value"],
    }


def page(client: Client, name: str, run: Run, *rules: str, headers: dict[str, str] | None = None) -> str:
    query = urlencode([("rule", rule) for rule in rules])
    answer = client.get(f"{reverse(name, args=[run.project_id, run.pk])}?{query}", headers=headers or {})
    return str((answer.getvalue() if answer.streaming else answer.content).decode())


def in_row(page: str) -> str:
    """The first cell of the line about limits."""
    after = page.split('scope="row">limits<')[1]
    return after[after.index("<td") :].split("</td>")[0].split(">", 1)[1].strip()


def ended(run: Run, rule: str) -> comparing_runs.Ended:
    return comparing_runs.Ended("run", run.outcome.summary, outcomes.rules(run.outcome, [rule])[rule], {})


def limits_of(rows: list[Row]) -> Row:
    return next(row for row in rows if row.name == "limits")
