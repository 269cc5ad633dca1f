"""What a page shows of a rule of every family is what `assess` says of the exported files, digit for digit."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from riskapp.models import Actor, Project, Run, Upload, User
from tests.app.assessed import finished_run
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

ASKED: dict[str, Any] = {
    "rules": ["full-domain", "regional", "per-record", "k-anonymity", "mondrian", "random-k"],
    "methods": ["exhaustive", "genetic"],
    "least_share": 0.4,
    "k": [3, 7],
    "regions": {"auto": 3},
    "seed": 4,
}
HTMX = {"HX-Request": "true"}
FACT = re.compile(r"<div[^>]*><dt[^>]*>(.*?)</dt><dd>(.*?)</dd></div>", re.DOTALL)
ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


# Slow twins of how figures are written, by fractions


def digits(number: float, many: int) -> Fraction:
    """So many significant digits, halves away from nothing."""
    exact, power = abs(Fraction(number)), 0
    while exact >= Fraction(10) ** (power + 1):
        power += 1
    while exact < Fraction(10) ** power:
        power -= 1
    step = Fraction(10) ** (power + 1 - many)
    rounded = int(exact / step + Fraction(1, 2)) * step
    return rounded if number > 0 else -rounded


def figure(value: Any) -> str:
    number = float(value)
    if number in (float("inf"), float("-inf")):
        return "infinite"
    if abs(number) < 1e-12:
        return "0"
    if abs(number) >= 1000:
        return count(int(abs(Fraction(number)) + Fraction(1, 2)) * (1 if number > 0 else -1))
    return f"{float(digits(number, 2 if abs(number) < 1e-4 else 3)):g}"


def count(number: int) -> str:
    text = str(abs(number))
    parts = [text[max(0, end - 3) : end] for end in range(len(text), 0, -3)]
    return ("-" if number < 0 else "") + "\N{NARROW NO-BREAK SPACE}".join(reversed(parts))


def percent(share: float) -> str:
    tenths = int(Fraction(100 * share) * 10 + Fraction(1, 2))
    text = "< 0.1" if 0 < 100 * share < 0.1 else "> 99.9" if 99.9 < 100 * share < 100 else f"{tenths / 10:g}"
    return f"{text}\N{NO-BREAK SPACE}%"


def chance(value: float) -> str:
    return f"1 in {figure(int(Fraction(1 / value) * 10 + Fraction(1, 2)) / 10)}" if value else "none"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (12.25, "12.3"),
        (0.00032436, "0.000324"),
        (3.2e-9, "3.2e-09"),
        (2500.5, "2\u202f501"),
        (0, "0"),
        ("inf", "infinite"),
    ],
)
def test_the_twin_writes_figures_as_people_expect(number: Any, words: str) -> None:
    assert figure(number) == words


# What a page shows


def bare(html: str) -> str:
    """What is displayed of a piece of HTML, without what is told to screen readers only."""
    seen = re.sub(r'<span class="visually-hidden">.*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", seen)).split(" "))


def facts(page: str) -> dict[str, str]:
    return {bare(term): bare(told) for term, told in FACT.findall(page)}


def rows(page: str, begin: str) -> list[list[str]]:
    """The rows of the table that begins so, as displayed."""
    table = page[page.index(begin) :]
    body = table[table.index("<tbody") : table.index("</table>")]
    return [[bare(cell) for cell in CELL.findall(row)] for row in ROW.findall(body)]


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    return finished_run(project, arrive, by, **ASKED)


@pytest.fixture
def client(officer: User) -> Client:
    visitor = Client()
    visitor.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return visitor


@pytest.fixture
def result(client: Client, run: Run, tmp_path: Path) -> dict[str, Any]:
    """What the command says of the files that the page exports."""
    sent = client.post(reverse("run-export", args=[run.project_id, run.pk]))
    with zipfile.ZipFile(io.BytesIO(sent.getvalue())) as packed:
        packed.extractall(tmp_path)
    call_command("assess", str(tmp_path / "assessment.json"), "--out", str(tmp_path / "RESULT.json"))
    found: dict[str, Any] = json.loads((tmp_path / "RESULT.json").read_text())
    return found


def one_of_each(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The unchanged table, and of every family the rule in the middle."""
    families: dict[str, list[dict[str, Any]]] = {}
    for rule in result["rules"]:
        families.setdefault(rule["family"], []).append(rule)
    assert families.keys() == set(ASKED["rules"])
    return [result["rules"][0], *(rules[len(rules) // 2] for rules in families.values())]


def worse(rule: dict[str, Any]) -> float:
    return max(float(rule["risk"]), float(rule["risk_replay"] or 0))


def told_of(rule: dict[str, Any], unchanged: dict[str, Any]) -> dict[str, str]:
    """The facts that the page of a rule must show."""
    group, replayed = rule["smallest_group"], rule["risk_replay"]
    return {
        "harm index (unchanged = 100)": figure(100 * worse(rule) / worse(unchanged)),
        "detail kept": percent(rule["utility_share"]),
        "risk by definition": figure(rule["risk"]),
        "risk if the rule is replayed": figure(replayed) if replayed is not None else "not done",
        "smallest group": f"{count(group)} {'person' if group == 1 else 'people'}" if group else "none",
        "rows withheld": count(rule["suppressed"]),
        "utility": figure(rule["utility"]),
        **{f"risk against {name}": figure(risk) for name, risk in rule["risk_by_dictionary"].items()},
        **{
            f"what is learnt of {name}: worst · mean": f"{figure(own['worst'])} · {figure(own['mean'])}"
            for name, own in rule["inference"].items()
        },
    }


def counted(own: dict[str, Any]) -> list[str]:
    return [
        figure(own["expected_found"]),
        count(own["singled_out"]),
        chance(own["largest_chance"]),
        figure(own["gain"]),
    ]


def test_the_page_of_a_rule_of_every_family_shows_what_assess_says(
    client: Client, run: Run, result: dict[str, Any]
) -> None:
    for rule in one_of_each(result):
        query = urlencode({"rule": rule["id"]})
        page = client.get(f"{reverse('rule', args=[run.project_id, run.pk])}?{query}").content.decode()
        expected = told_of(rule, result["rules"][0])
        assert {term: told for term, told in facts(page).items() if term in expected} == expected, rule["id"]
        shown = rows(page, "people-table")
        for place, (name, own) in enumerate(rule["people"].items()):
            by_definition, by_replay = shown[2 * place], shown[2 * place + 1]
            assert by_definition[0] == name
            assert [*by_definition[2:5], by_definition[-1]] == counted(own), rule["id"]
            assert [*by_replay[1:4], by_replay[-1]] == counted(own["by_replay"]), rule["id"]


def test_what_is_counted_record_by_record_shows_the_same_digits(
    client: Client, run: Run, result: dict[str, Any]
) -> None:
    for rule in one_of_each(result):
        address = f"{reverse('rule-detail', args=[run.project_id, run.pk])}?{urlencode({'rule': rule['id']})}"
        client.post(address, headers=HTMX)
        work_off("detail")
        page = client.get(address, headers=HTMX).content.decode()
        if rule["smallest_group"]:
            assert facts(page)["k: people in the smallest"] == count(rule["smallest_group"]), rule["id"]
        for name, own in rule["people"].items():
            known = re.search(rf"<figcaption><b>{name}</b>(.*?)</figcaption>", page)
            assert known
            assert f"risk {figure(rule['risk_by_dictionary'][name])}" in bare(known[1]), rule["id"]
            assert facts(page)[f"journalist, {name}"].startswith(chance(own["largest_chance"])), rule["id"]


def test_rules_side_by_side_and_beside_the_frontier_show_what_assess_says(
    client: Client, run: Run, result: dict[str, Any]
) -> None:
    rules = one_of_each(result)
    for four in (rules[:4], rules[4:]):
        query = urlencode([("rule", rule["id"]) for rule in four])
        page = client.get(f"{reverse('compare', args=[run.project_id, run.pk])}?{query}").content.decode()
        shown = {row[0]: row[1:] for row in rows(page, "table compare") if len(row) > 1}
        assert shown["risk by definition"] == [figure(rule["risk"]) for rule in four]
        assert shown["detail kept"] == [percent(rule["utility_share"]) for rule in four]
        assert shown["utility"] == [figure(rule["utility"]) for rule in four]
        assert shown["expected found"] == [figure(rule["people"]["neighbour"]["expected_found"]) for rule in four]
        assert shown["singled out"] == [count(rule["people"]["neighbour"]["singled_out"]) for rule in four]
        assert shown["largest chance"] == [chance(rule["people"]["neighbour"]["largest_chance"]) for rule in four]
    for rule in rules:
        query = urlencode({"rule": rule["id"]})
        panel = client.get(f"{reverse('rule', args=[run.project_id, run.pk])}?{query}", headers=HTMX).content.decode()
        own = rule["people"]["neighbour"]
        assert facts(panel)["risk"] == figure(worse(rule))
        assert facts(panel)["largest chance"] == chance(own["largest_chance"])
        assert f"to find {figure(own['expected_found'])}; {count(own['singled_out'])} with certainty" in bare(panel)


def test_why_not_better_names_the_nearest_rules_of_a_rule_of_every_family(
    client: Client, run: Run, result: dict[str, Any]
) -> None:
    known = {rule["id"]: rule for rule in result["rules"]}
    frontier = [known[name] for name in result["frontier"]]
    for rule in one_of_each(result):
        query = urlencode({"rule": rule["id"]})
        answer = client.get(f"{reverse('rule', args=[run.project_id, run.pk])}?{query}")
        near = answer.context["neighbours"]["ways"]
        assert "Why not better?" in answer.content.decode()
        for way in ("finer", "coarser"):
            for one in near[way]:
                other = known[one["rule"]]
                assert one["change"]["utility_share"] == other["utility_share"] - rule["utility_share"]
                assert one["change"]["risk"] == worse(other) - worse(rule)
        if rule["node"]:
            steps = sum(level > 0 for level in rule["node"].values())
            assert [known[one["rule"]]["family"] for one in near["finer"]] == ["full-domain"] * steps
            continue
        more = [other["utility"] for other in frontier if other["utility"] > rule["utility"] + 1e-9]
        less = [other["utility"] for other in frontier if other["utility"] < rule["utility"] - 1e-9]
        assert [one["utility"] for one in near["finer"]] == ([min(more)] if more else [])
        assert [one["utility"] for one in near["coarser"]] == ([max(less)] if less else [])
