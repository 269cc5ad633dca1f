"""A rule's page: the figures of the result digit for digit, values only on an audited click."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.bridge import outcomes
from riskapp.models import Actor, AuditEvent, Finding, Project, Run, Upload, User
from riskapp.web import comparing, rule_words
from tests.app.assessed import PEOPLE, finished_run
from tests.app.programs import Journey
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

RULE = "full-domain:1.1.0"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    return finished_run(project, arrive, by)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def client(officer: User) -> Client:
    return signed_in(officer)


def address(name: str, run: Run, *rules: str, **more: object) -> str:
    query = urlencode([*(("rule", rule) for rule in rules), *more.items()])
    return f"{reverse(name, args=[run.project_id, run.pk])}?{query}"


def listed(run: Run, name: str = RULE) -> dict[str, Any]:
    path = storage.outcome_place(run.project_id, run.outcome.folder) / outcomes.RESULT
    return next(rule for rule in json.loads(path.read_text())["rules"] if rule["id"] == name)


def numbers(page: str) -> list[str]:
    """Every figure of a page with all its digits."""
    return re.findall(r'<data value="([^"]+)"', page)


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_page_says_what_the_rule_does_and_has_the_digits_of_the_result(client: Client, run: Run) -> None:
    page, rule = text(client.get(address("rule", run, RULE))), listed(run)
    assert "Sex as it is; town by region; born in steps of 10." in page
    own = rule["people"]["neighbour"]
    for figure in (own["expected_found"], own["by_replay"]["gain"], rule["risk"], rule["utility_share"]):
        assert str(figure) in numbers(page)
    assert str(rule["inference"]["illness"]["worst"]) in numbers(page)


def test_beside_the_frontier_the_few_figures_that_matter_are_shown(client: Client, run: Run) -> None:
    panel = text(client.get(address("rule", run, RULE), headers=HTMX))
    assert "<html" not in panel
    assert str(listed(run)["people"]["neighbour"]["expected_found"]) in numbers(panel)
    assert panel.index("would be expected to find") < panel.index(">risk</dt>"), "people come first"


ITSELF = 'hx-trigger="load, submit"'


def test_a_page_asks_by_itself_once_and_not_while_others_wait(client: Client, run: Run) -> None:
    names = [f"full-domain:{town}.{born}.0" for town in range(2) for born in range(3)]
    assert ITSELF in text(client.get(address("rule", run, names[0])))
    for name in names[:3]:
        client.post(address("rule-detail", run, name), headers=HTMX)
    page = text(client.get(address("rule", run, names[3])))
    assert ITSELF not in page
    assert "Count them" in page
    work_off("detail")
    assert ITSELF in text(client.get(address("rule", run, names[3])))
    assert ITSELF not in text(client.get(address("rule", run, names[0])))


def test_a_question_that_is_called_off_is_not_asked_again_by_itself(client: Client, run: Run) -> None:
    client.post(address("rule-detail", run, RULE), headers=HTMX)
    part = text(client.post(address("rule-detail", run, RULE), {"cancel": "1"}, headers=HTMX))
    assert Run.objects.get(kind="detail").state == "cancelled"
    assert "Count them" in part
    assert ITSELF not in text(client.get(address("rule", run, RULE)))
    client.post(address("rule-detail", run, RULE), headers=HTMX)
    work_off("detail")
    assert Finding.objects.filter(kind="detail").count() == 1


def test_a_search_that_takes_long_is_not_repeated_by_opening_a_page(client: Client, run: Run) -> None:
    outcome = run.outcome
    outcome.summary = {**outcome.summary, "seconds": dict.fromkeys(outcome.summary["seconds"], 500.0)}
    outcome.save()
    page = text(client.get(address("rule", run, RULE)))
    assert ITSELF not in page
    assert "Count them" in page


def test_details_are_asked_for_once_and_shown_when_they_are_there(client: Client, run: Run) -> None:
    first = text(client.post(address("rule-detail", run, RULE), headers=HTMX))
    assert 'hx-trigger="every 1s"' in first
    client.post(address("rule-detail", run, RULE), headers=HTMX)
    assert Run.objects.filter(kind="detail").count() == 1
    work_off("detail")
    page = text(client.get(address("rule-detail", run, RULE), headers=HTMX))
    assert "every 1s" not in page
    assert "born" in page
    assert "becomes [" in page
    found = Finding.objects.get(kind="detail").figures
    assert str(found["groups"]["marketer"]) in numbers(page)
    learnt = found["groups"]["sensitive"]["illness"]["learnt"]
    assert {str(learnt["mean"]), str(learnt["worst"])} <= set(numbers(page))
    assert "learnt of illness, by how much each value hurts" in page
    assert str(found["worst"][0]["loss"]) in numbers(page)
    assert found["figures"]["risk"] == pytest.approx(listed(run)["risk"])


def test_the_verdict_counts_the_people_once_the_details_are_known(client: Client, run: Run) -> None:
    rule = "full-domain:0.0.0"
    assert "somebody could be found with a chance of" in text(client.get(address("rule", run, rule)))
    client.post(address("rule-detail", run, rule))
    work_off("detail")
    exposed = Finding.objects.get(kind="detail").figures["exposed"]["0.33"]
    assert exposed > 0
    assert f"{exposed} people would be too exposed" in text(client.get(address("rule", run, rule)))


def test_no_value_of_a_person_is_on_the_page_or_in_what_is_kept(client: Client, run: Run) -> None:
    for name in ("rule-detail", "rule-stability"):
        client.post(address(name, run, RULE))
    client.post(address("rule-attacker", run, RULE), {"record": "3", "attacker": "neighbour"})
    work_off()
    kept = json.dumps([finding.figures for finding in Finding.objects.all()])
    shown = text(client.get(address("rule", run, RULE)))
    for value in ("Aldersee", "Birkenau", "Cronfeld", "gout"):
        assert value not in kept
        assert value not in shown


def test_stability_is_told_in_a_sentence(client: Client, run: Run) -> None:
    best = run.outcome.summary["best"]
    client.post(address("rule-stability", run, best))
    work_off("stability")
    told = Finding.objects.get(kind="stability").figures
    page = text(client.get(address("rule", run, best)))
    assert told["draws"] == 100
    if told["best"] == best:
        assert f"Stays best in {told['stays']} of 100 redraws of your weights" in page
    else:
        assert "another whole-table rule" in page


def test_why_not_better_names_the_rules_one_step_away_with_their_price(client: Client, run: Run) -> None:
    page, own = text(client.get(address("rule", run, RULE))), listed(run)
    finer = listed(run, "full-domain:0.1.0")
    part = page[page.index("Why not better?") :]
    assert str(finer["utility_share"] - own["utility_share"]) in numbers(part)
    assert "town as it is" in part
    assert "sex withheld" in part


def test_what_the_attacker_sees_is_counted_like_the_rows_of_the_file(client: Client, run: Run) -> None:
    client.post(address("rule-attacker", run, RULE), {"record": "3", "attacker": "neighbour"}, headers=HTMX)
    work_off("attacker")
    page = text(client.get(address("rule-attacker", run, RULE, record=3, attacker="neighbour"), headers=HTMX))
    rows = [line.split(",") for line in PEOPLE.splitlines()[1:]]
    shown = [(town == "Cronfeld", int(born) // 10, sex) for _, town, born, sex, _ in rows]
    assert numbers(page)[0] == str(shown.count(shown[2]))


def chosen_attackers(page: str) -> list[list[tuple[str, bool, str]]]:
    """Of every list of attackers its entries: the name, whether it is chosen, and its words."""
    lists = re.findall(r'<select[^>]* name="attacker">(.*?)</select>', page, re.DOTALL)
    entries = r'<option value="([^"]*)"( selected)?>([^<]*)</option>'
    return [[(name, bool(chosen), words) for name, chosen, words in re.findall(entries, one)] for one in lists]


@pytest.mark.parametrize("turned", [False, True])
def test_the_attacker_with_the_largest_risk_is_chosen_first_and_another_can_be(officer: User, turned: bool) -> None:
    journey, client, rule = Journey.complete(officer), signed_in(officer), "full-domain:0.0.0"
    path = journey.start()
    work_off("assess")
    run = Run.objects.get(pk=path.rpartition("/")[2])
    names = run.outcome.summary["about"]["dictionaries"]
    if turned:
        names.reverse()
        run.outcome.save()
    risks = listed(run, rule)["risk_by_dictionary"]
    worst, other = sorted(names, key=risks.__getitem__, reverse=True)
    assert risks[worst] > risks[other]
    client.post(address("rule-detail", run, rule), headers=HTMX)
    work_off("detail")
    words = {worst: f"{worst}, the largest risk", other: other}
    wanted = [(name, name == worst, words[name]) for name in names]
    page = text(client.get(address("rule", run, rule)))
    assert chosen_attackers(page) == [wanted, wanted], "beside the worst records, and for any record"
    record = re.findall(r'<button[^>]* name="record" value="([0-9]+)"', page)[0]
    for name in names:
        asked = {"record": record, "attacker": name}
        client.post(address("rule-attacker", run, rule), asked, headers=HTMX)
        work_off("attacker")
        seen = text(client.get(address("rule-attacker", run, rule, **asked), headers=HTMX))
        assert f"Record {record}, by <b>{name}</b>" in seen


@pytest.mark.parametrize("record", ["", "0", "x", "121", "٣"])
def test_a_record_that_is_not_there_is_told(client: Client, run: Run, record: str) -> None:
    given = {"record": record, "attacker": "neighbour"}
    answer = client.post(address("rule-attacker", run, RULE), given, headers=HTMX)
    work_off("attacker")
    if answer.status_code == 200:
        page = address("rule-attacker", run, RULE, record=int(record), attacker="neighbour")
        assert "There is no such record" in text(client.get(page, headers=HTMX))
    else:
        assert answer.status_code == 409
        assert "number of a record" in text(answer)


LOOKS: dict[str, tuple[str, dict[str, str]]] = {
    "rule-sample": ("sample seen", {}),
    "rule-subgroups": ("subgroups seen", {}),
    "rule-record": ("record seen", {"record": "3", "attacker": "neighbour"}),
    "rule-entries": ("entries seen", {"record": "3", "attacker": "neighbour"}),
}


@pytest.mark.parametrize("name", LOOKS)
def test_values_are_shown_only_by_a_click_that_is_in_the_audit_trail(client: Client, run: Run, name: str) -> None:
    action, given = LOOKS[name]
    assert not AuditEvent.objects.filter(action=action).exists()
    assert client.get(address(name, run, RULE)).status_code == 405
    page = text(client.post(address(name, run, RULE), given, headers=HTMX))
    event = AuditEvent.objects.get(action=action)
    assert event.details["rule"] == RULE
    assert event.details.get("record") == (3 if given else None)
    assert any(value in page for value in ("North", "South", "Cronfeld"))
    assert not set(event.details) - {"rule", "record", "attacker"}


@pytest.mark.parametrize("name", LOOKS)
def test_an_auditor_sees_figures_and_no_records(run: Run, member: Callable[[str], User], name: str) -> None:
    auditor = signed_in(member("auditor"))
    page = text(auditor.get(address("rule", run, RULE)))
    assert "Who could be found" in page
    assert "Show ten records" not in page
    assert auditor.post(address(name, run, RULE), LOOKS[name][1]).status_code == 403
    assert auditor.post(address("rule-detail", run, RULE)).status_code == 403


def test_a_record_before_and_after_is_as_the_file_and_the_rule_have_it(client: Client, run: Run) -> None:
    given = LOOKS["rule-record"][1]
    page = text(client.post(address("rule-record", run, RULE), given, headers=HTMX))
    before = PEOPLE.splitlines()[3].split(",")
    assert all(value in page for value in (before[1], before[2], "South", "[1950,1960)"))
    assert before[0] not in page


def test_each_look_at_records_is_hidden_by_its_own_button(client: Client, run: Run) -> None:
    pages = [text(client.post(address(name, run, RULE), LOOKS[name][1], headers=HTMX)) for name in LOOKS]
    parts = [re.findall(r'class="seen" id="(.*?)"', page) for page in pages]
    assert len({part for (part,) in parts}) == len(LOOKS), "they may stand on the page at once"
    for page, (part,) in zip(pages, parts, strict=True):
        assert f'data-remove="#{part}"' in page


def test_a_rule_that_is_not_there_is_not_there(client: Client, run: Run) -> None:
    for rule in ("", "full-domain:9.9.9", "mondrian:5", "<script>"):
        assert client.get(address("rule", run, rule)).status_code == 404


def test_a_changed_line_of_the_result_is_not_shown(client: Client, run: Run) -> None:
    path = storage.outcome_place(run.project_id, run.outcome.folder) / outcomes.RESULT
    path.write_bytes(path.read_bytes().replace(b"full-domain:1.1.0", b"full-domain:1.1.1", 1))
    answer = client.get(address("rule", run, RULE))
    assert answer.status_code == 409
    assert "missing or damaged" in text(answer)


# Side by side


def test_four_rules_stand_side_by_side_and_differences_are_marked(client: Client, run: Run) -> None:
    rules = ["full-domain:0.0.0", RULE, "full-domain:2.2.0", "full-domain:2.3.1"]
    page = text(client.get(address("compare", run, *rules)))
    for rule in rules:
        assert str(listed(run, rule)["risk"]) in numbers(page)
    assert "Everything as it is" in page
    assert page.count('class="differs"') > 5
    assert "4 rules side by side" in page


def test_nothing_is_the_best_beside_a_figure_that_nobody_counted(run: Run) -> None:
    rules = [listed(run, name) for name in (RULE, "full-domain:2.2.0")]
    name = "… if they replay the rule"
    counted = next(row for row in comparing.rows(rules, run.outcome.summary) if row.name == name)
    assert any(cell.best for cell in counted.cells)
    rules[0] |= {"people": {one: own | {"by_replay": None} for one, own in rules[0]["people"].items()}}
    row = next(row for row in comparing.rows(rules, run.outcome.summary) if row.name == name)
    assert [cell.value for cell in row.cells] == ["not done", counted.cells[1].value]
    assert not any(cell.best for cell in row.cells)


def by_region(*levels: int) -> dict[str, Any]:
    """A rule by region, the levels of sex in the north and in the south."""
    patterns = [{"where": {"town": town}, "node": {"sex": level}} for town, level in zip("NS", levels, strict=True)]
    shares = [0.5 * levels.count(level) for level in range(3)]
    return {"node": None, "search": {"patterns": patterns, "level_shares": {"sex": shares}}}


def record_by_record(*shares: float) -> dict[str, Any]:
    return {"node": None, "search": {"level_shares": {"sex": list(shares)}}}


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (by_region(0, 1), by_region(1, 0), "as it is 50\xa0% (town: N); coarser 50\xa0% (town: S)"),
        (by_region(0, 1), by_region(0, 2), "as it is 50\xa0% (town: N); coarser 50\xa0% (town: S)"),
        (by_region(1, 1), by_region(2, 2), "coarser"),
        (record_by_record(0.25, 0.75, 0), record_by_record(0.5, 0.5, 0), "as it is 25\xa0%; coarser 75\xa0%"),
        (record_by_record(0, 1, 0), {"node": {"sex": 0}}, "coarser"),
    ],
)
def test_what_rules_of_different_levels_do_to_a_column_is_told_and_marked(
    one: dict[str, Any], other: dict[str, Any], words: str
) -> None:
    levels = ["as it is", "coarser", "withheld"]
    row = comparing.column([one, other], "sex", levels, 0)
    assert (row.differs, row.cells[0].value) == (True, words)
    assert row.cells[0].value != row.cells[1].value
    assert not comparing.column([one, one], "sex", levels, 0).differs


def test_a_level_that_everybody_has_is_the_same_by_any_kind_of_rule() -> None:
    alike = [by_region(1, 1), record_by_record(0, 1, 0), {"node": {"sex": 1}}]
    assert not comparing.column(alike, "sex", ["as it is", "coarser", "withheld"], 0).differs


def test_rules_by_region_and_record_by_record_are_held_against_each_other(
    client: Client, project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    families = ["full-domain", "regional", "per-record"]
    run = finished_run(project, arrive, by, rules=families, regions={"auto": 4}, least_share=0.4)
    path = storage.outcome_place(run.project_id, run.outcome.folder) / outcomes.RESULT
    mixed = [rule["id"] for rule in json.loads(path.read_text())["rules"] if not rule["node"]][-4:]
    page = text(client.get(address("compare", run, *mixed)))
    assert "different levels" not in page
    rows = comparing.rows([listed(run, name) for name in mixed], run.outcome.summary)
    columns = [row for row in rows if row.name in run.outcome.summary["words"]]
    assert any(row.differs for row in columns)
    for row in columns:
        assert row.differs == (len({str(comparing.shown(listed(run, name), row.name)) for name in mixed}) > 1)


def test_equal_figures_are_not_marked(client: Client, run: Run) -> None:
    page = text(client.get(address("compare", run, RULE)))
    assert 'class="differs"' not in page
    assert 'class="best"' not in page.replace('<b class="best">', "")


def test_more_than_four_and_unknown_ones_are_left_out_and_it_is_said(client: Client, run: Run) -> None:
    five = [f"full-domain:0.{level}.0" for level in range(4)] + [RULE]
    assert "at most four are compared" in text(client.get(address("compare", run, *five)))
    assert "No rules to compare" in text(client.get(address("compare", run, "nonsense")))


def test_where_limits_were_looked_at_afterwards_it_is_told_how_good_a_rule_within_them_could_be() -> None:
    broken = {"number": "exact", "search": {"at_best_within_limits": {"least_risk": 0.52349}}}
    told = rule_words.number_tag(broken)["meaning"]
    assert told.endswith("A rule chosen record by record that keeps all limits has no less risk than 0.523.")
    assert "afterwards" not in rule_words.number_tag({"number": "exact"})["meaning"]
