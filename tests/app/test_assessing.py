"""From an upload to the result of a run, with the services alone."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.bridge import assessing as bridge
from riskapp.bridge import documents, outcomes
from riskapp.core.bad_setting import BadSetting
from riskapp.engine.assess import assess
from riskapp.models import Actor, ColumnRole, Notice, Project, Run, RunState, Setup, Upload, User
from riskapp.services import assessing, rehearsing, setups
from riskapp.web import costs
from riskapp.web.forms.search import SearchForm
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ROWS = "\n".join(f"p{i},{TOWNS[i % 3]},{1950 + i % 40},{'mf'[i % 2]},{20 + i % 7}" for i in range(120))
PEOPLE = f"id,town,born,sex,visits\n{ROWS}\n"


@pytest.fixture
def setup(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    upload = arrive(PEOPLE)
    work_off("read")
    upload.refresh_from_db()
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, upload, found.version, by=by)
    return found


def rehearsed(setup: Setup, by: Actor) -> dict[str, object]:
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    known = rehearsing.of(setup)
    assert known.figures is not None, known.run and known.run.fault
    return known.figures


def test_choosing_a_dataset_describes_its_columns_and_adds_the_attacker_who_knows_who_is_in_it(setup: Setup) -> None:
    roles = dict(setup.attributes.values_list("column", "role"))
    assert roles["id"] in {ColumnRole.IDENTIFIER, ColumnRole.DROPPED}
    assert ColumnRole.GENERALISED in roles.values()
    assert [one.kind for one in setup.attackers.all()] == ["self"]


def test_a_rehearsal_tells_the_shape_the_coverage_and_the_cost(setup: Setup, by: Actor) -> None:
    figures = rehearsed(setup, by)
    assert figures["about"]["records"] == 120  # type: ignore[index]
    assert sum(figures["coverage"]["neighbour"].values()) == 120  # type: ignore[index]
    assert 0 < figures["forecast"]["seconds"] < figures["forecast"]["at_most"]  # type: ignore[index]


@pytest.fixture
def wide(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    """Two to the power of 21 whole-table rules."""
    return of_columns(21, project, arrive, by)


def of_columns(many: int, project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    columns = [f"c{place}" for place in range(many)]
    rows = [",".join(str(row * place % 3 % 2) for place in range(1, many + 1)) for row in range(40)]
    upload = arrive("\n".join([",".join(columns), *rows, ""]))
    work_off("read")
    upload.refresh_from_db()
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, upload, found.version, by=by)
    found.attributes.update(role=ColumnRole.GENERALISED, knowable=True, hierarchy=None)
    return found


@pytest.fixture
def visit(by: Actor) -> Client:
    client = Client()
    client.force_login(cast(User, by.user), backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_too_many_rules_to_measure_each_are_searched_within_a_time(wide: Setup, visit: Client, by: Actor) -> None:
    figures = rehearsed(wide, by)
    assert figures["about"]["nodes"] == 1 << 21  # type: ignore[index]
    assert figures["forecast"]["seconds"] is None  # type: ignore[index]
    assert "say for how many seconds to look" in visit.get(reverse("runs", args=[wide.pk])).content.decode()
    search = {"rules": ["full-domain"], "least_share": 0.5, "seconds": 60}
    setups.plan(wide, wide.version, by=by, search=search, risk={}, utility={})
    run = assessing.start(wide, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED, run.fault
    listed = run.outcome.summary["frontier"]
    assert len(outcomes.rules(run.outcome, listed)) == len(listed) > 2
    assert visit.get(reverse("frontier", args=[wide.pk, run.pk])).status_code == 200
    for rule in listed:
        page = visit.get(reverse("rule", args=[wide.pk, run.pk]), {"rule": rule})
        assert page.status_code == 200, rule
        told = page.context["neighbours"]
        others = [one["rule"] for rows in told["ways"].values() for one in rows]
        assert len(others) == 21 if told["stepwise"] else 1 <= len(others) <= 2
        assert ("Not all rules one step away were measured" in page.content.decode()) != told["stepwise"]
        assert told["stepwise"] or rule != run.outcome.summary["best"]
    found = visit.get(reverse("frontier", args=[wide.pk, run.pk])).content.decode()
    assert "full-domain rules" not in found
    assert "whole-table rules are listed: there are too many" in found


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ({}, "search.seconds"),
        ({"least_share": 0.5}, "search.seconds"),
        ({"seconds": 1}, "search"),
        ({"seconds": 1, "least_share": 0.5, "per_record": True}, "search.per_record"),
    ],
)
def test_a_run_that_could_only_fail_for_too_many_rules_is_not_started(
    wide: Setup, by: Actor, told: dict[str, object], key: str
) -> None:
    rehearsed(wide, by)
    setups.plan(wide, wide.version, by=by, search={"rules": ["full-domain"], **told}, risk={}, utility={})
    with pytest.raises(BadSetting) as refused:
        assessing.start(wide, by=by)
    assert refused.value.key == key
    assert not Run.objects.filter(kind="assess").exists()


def test_other_families_need_no_time_though_whole_table_rules_are_too_many(wide: Setup, by: Actor) -> None:
    rehearsed(wide, by)
    setups.plan(wide, wide.version, by=by, search={"rules": ["mondrian"]}, risk={}, utility={})
    run = assessing.start(wide, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED, run.fault


def sent(page: Any) -> dict[str, object]:
    """What the form of the run page would send as it stands there."""
    form = page.context["form"]
    told = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in told.items() if value not in (None, False)} | {
        "seen": page.context["setup"].version
    }


def test_the_run_page_says_what_is_missing_for_too_many_rules_and_fills_it_in(
    wide: Setup, visit: Client, by: Actor
) -> None:
    rehearsed(wide, by)
    address = reverse("runs", args=[wide.pk])
    plan = sent(visit.get(address)) | {"rules": ["full-domain"], "name": "All of it"}
    refused = visit.post(address, plan)
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"seconds", "question"}
    filled = visit.post(address, sent(refused) | {"fill": "look"})
    page = filled.content.decode()
    assert "keeps 80 % of the detail, looked for in 60 seconds" in page
    told = sent(filled)
    assert (told["question"], told["share"], told["seconds"], told["name"]) == ("least_utility", 80, 60, "All of it")
    started = visit.post(address, told | {"seconds": 1})
    run = Run.objects.get(kind="assess")
    assert started["Location"] == reverse("run", args=[wide.pk, run.pk])
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED, run.fault


# What is ticked takes

FORECAST = {"nodes": 90, "seconds": 4.0, "at_most": 10.0, "bytes": 5_000_000, "by_records": False, "regional": 60.0}
TOO_MANY = {"nodes": 1 << 21, "seconds": None, "at_most": None, "bytes": None, "regional": None}


def cost_of(forecast: dict[str, Any], *rules: str, **given: Any) -> costs.Cost:
    return costs.cost(forecast, SearchForm(attackers=[], initial={"rules": list(rules), **given}))


def test_only_what_is_ticked_is_added_up() -> None:
    assert cost_of(FORECAST, "full-domain").total == {"seconds": 4, "at_most": 10}
    assert cost_of(FORECAST, "full-domain", "regional").total == {"seconds": 4, "at_most": 70}
    assert cost_of(FORECAST, "regional").total == {"seconds": 0, "at_most": 60}
    assert cost_of(FORECAST, "mondrian", "random-k", k="5, 11, 20").total["at_most"] == 3 * (10 + 150)
    assert cost_of(FORECAST, "k-anonymity").total["at_most"] == 80
    assert cost_of(FORECAST).parts == []


def test_memory_is_foreseen_for_whole_table_rules_only() -> None:
    assert cost_of(FORECAST, "full-domain").bytes == cost_of(FORECAST, "full-domain", "mondrian").bytes == 5_000_000
    assert cost_of(FORECAST, "regional").bytes is None
    assert cost_of(FORECAST, "full-domain").alone
    assert not cost_of(FORECAST, "full-domain", "mondrian").alone


def test_what_cannot_be_foreseen_is_named_and_not_added() -> None:
    asked = {"question": "least_utility", "methods": ["exhaustive", "btda", "milp"]}
    found = cost_of(FORECAST, "per-record", **asked)
    assert found.total["at_most"] == 40
    assert found.unforeseen == ["Record by record, BTDA", "Record by record, Integer programming"]
    found = cost_of(FORECAST, "per-record", **asked, seconds=30)
    assert found.total["at_most"] == 40 + 30
    assert found.unforeseen == ["Record by record, BTDA"]
    assert cost_of(FORECAST, "per-record", methods=["btda"]).unforeseen == []  # without a question none is used
    assert cost_of(FORECAST, "regional", splits="town@1").unforeseen == ["Rules by region, of columns that are named"]


def test_of_too_many_rules_the_seconds_that_are_allowed_are_what_it_takes() -> None:
    assert cost_of(TOO_MANY, "full-domain").unforeseen == ["Whole-table rules"]
    assert cost_of(TOO_MANY, "full-domain", seconds=60).unforeseen == ["Whole-table rules"]
    found = cost_of(TOO_MANY, "full-domain", "mondrian", seconds=60, question="trade_off")
    assert found.total == {"seconds": 60, "at_most": 90}
    assert found.unforeseen == ["Mondrian"]
    assert cost_of(TOO_MANY, "full-domain", seconds="soon", question="trade_off").foreseen == []


def cost_told(page: Any) -> str:
    found = re.search(r'<div id="cost".*?>(.*?)</div>\s*<noscript>', page.content.decode(), re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_a_run_that_must_wait_for_the_check_keeps_its_name(setup: Setup, visit: Client, by: Actor) -> None:
    rehearsed(setup, by)
    at = reverse("runs", args=[setup.pk])
    plan = sent(visit.get(at)) | {"name": "by chance alone", "model": "anonymity"}
    page = visit.post(at, plan, follow=True)
    assert "The set-up is being checked after your changes" in page.content.decode()
    assert page.context["form"]["name"].value() == "by chance alone"
    assert not setup.project.runs.filter(kind="assess").exists()
    assert not visit.get(at).context["form"]["name"].value()


def test_a_search_that_the_harm_rules_out_is_told_in_the_words_of_the_pages(
    setup: Setup, visit: Client, by: Actor
) -> None:
    setup.sensitivity = {"unidentified": 50}
    setup.search = {"rules": ["per-record"], "methods": ["exhaustive", "btda"], "least_share": 0.5}
    setup.save()
    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    work_off("assess")
    page = visit.get(reverse("run", args=[setup.pk, run.pk])).content.decode()
    assert "BTDA needs a risk that never rises under generalisation, but with the harm to somebody who is not" in page
    assert "Choose Exhaustive or Branch and bound." in page
    assert "sensitivity.unidentified" not in page.partition("All of its parameters")[0]


def test_a_run_that_could_only_fail_for_linkage_data_is_not_started(
    setup: Setup, visit: Client, arrive: Callable[..., Upload], by: Actor
) -> None:
    upload = arrive("town,ward\nAldersee,1\nBirkenau,2\n", "visits.csv")
    work_off("read")
    setup.linkage = {"upload": str(upload.pk), "match": {"town": "town"}, "adds": {"ward": 2}}
    setup.save()
    rehearsed(setup, by)
    at = reverse("runs", args=[setup.pk])
    plan = sent(visit.get(at)) | {"rules": ["per-record"], "question": "least_utility", "share": 50}
    refused = visit.post(at, plan | {"methods": ["exhaustive", "btda"]})
    assert refused.status_code == 422
    assert "Only the exhaustive search takes linkage data into account" in refused.content.decode()
    setup.refresh_from_db()
    answer = visit.post(at, plan | {"methods": ["exhaustive"], "seen": setup.version}, follow=True)
    assert answer.status_code == 200
    assert setup.project.runs.filter(kind="assess").count() == 1


@pytest.mark.parametrize("split", ["visits@1", "nowhere@1", "town", "sex@"])
def test_regions_that_no_released_column_can_part_are_told_at_their_field(
    setup: Setup, visit: Client, by: Actor, split: str
) -> None:
    setup.attributes.filter(column="visits").update(role=ColumnRole.DROPPED)
    rehearsed(setup, by)
    at = reverse("runs", args=[setup.pk])
    plan = sent(visit.get(at)) | {"rules": ["regional"]}
    refused = visit.post(at, plan | {"splits": f"town@0, {split}"})
    assert refused.status_code == 422
    [told] = refused.context["form"].errors["splits"]
    assert told.startswith(f"“{split}” cannot part the regions. Name a column that is released with a hierarchy")
    assert list(refused.context["form"].errors) == ["splits"]
    setup.refresh_from_db()
    assert visit.post(at, plan | {"splits": "town@0", "seen": setup.version}).status_code == 302


def test_the_run_page_tells_what_is_ticked_takes_without_a_script(setup: Setup, visit: Client, by: Actor) -> None:
    address = reverse("runs", args=[setup.pk])
    assert "once the set-up has been checked" in cost_told(visit.get(address))
    rehearsed(setup, by)
    page = visit.get(address)
    assert "Rules by region" in cost_told(page)  # as it is ticked at first
    plan = sent(page) | {"rules": ["full-domain", "k-anonymity"], "k": "3", "name": "Typed", "fill": "cost"}
    asked = visit.post(address, plan)
    assert asked.status_code == 200
    assert "k-anonymity up to" in cost_told(asked)
    assert "memory of whole-table rules" in cost_told(asked)
    assert "Rules by region" not in cost_told(asked)
    assert sent(asked)["rules"] == ["full-domain", "k-anonymity"]
    assert 'value="Typed"' in asked.content.decode()
    assert "Filled in, not saved yet" not in asked.content.decode()
    setup.refresh_from_db()
    assert setup.search == {}
    assert not Run.objects.filter(kind="assess").exists()


def test_a_tick_is_answered_with_what_it_takes_alone(setup: Setup, visit: Client, by: Actor) -> None:
    rehearsed(setup, by)
    address = reverse("runs", args=[setup.pk])
    post = {"rules": ["per-record"], "question": "trade_off", "methods": ["genetic"], "fill": "cost"}
    part = visit.post(address, post, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "cannot be foreseen: Record by record, Genetic." in part
    nothing = visit.post(address, {"fill": "cost"}, headers={"HX-Request": "true"}).content.decode()
    assert "Tick what is to be considered" in nothing
    checked = visit.get(reverse("rehearsal", args=[setup.pk]), headers={"HX-Request": "true"})
    assert checked["HX-Trigger"] == "rehearsed"


@pytest.mark.parametrize("family", ["regional", "k-anonymity", "random-k"])
def test_families_that_cannot_look_at_so_many_rules_are_told_and_left_out(
    project: Project, arrive: Callable[..., Upload], visit: Client, by: Actor, family: str
) -> None:
    wide = of_columns(25, project, arrive, by)  # two to the power of 25 rules
    assert rehearsed(wide, by)["impossible"] == ["regional", "k-anonymity", "random-k"]
    setups.plan(wide, wide.version, by=by, search={"rules": [family]}, risk={}, utility={})
    with pytest.raises(BadSetting) as refused:
        assessing.start(wide, by=by)
    assert refused.value.key == "search.rules"
    address = reverse("runs", args=[wide.pk])
    page = visit.get(address)
    assert "every rule would have to be looked at" in page.content.decode()
    sent_back = visit.post(address, sent(page) | {"rules": [family, "mondrian"]})
    assert set(sent_back.context["form"].errors) == {"rules"}
    filled = sent(visit.post(address, sent(sent_back) | {"fill": "look"}))
    assert filled["rules"] == ["full-domain", "mondrian"]


def test_whole_table_rules_are_left_out_of_a_plan_by_one_click(wide: Setup, visit: Client, by: Actor) -> None:
    rehearsed(wide, by)
    address = reverse("runs", args=[wide.pk])
    plan = sent(visit.get(address))
    for rules, left in ((["full-domain", "regional"], ["regional"]), (["full-domain"], ["mondrian"])):
        filled = visit.post(address, plan | {"rules": rules, "fill": "without"})
        assert sent(filled)["rules"] == left


def test_a_run_has_the_very_figures_of_assess_on_the_exported_file(setup: Setup, by: Actor, tmp_path: Path) -> None:
    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    result = storage.outcome_place(run.project_id, run.outcome.folder) / bridge.RESULT
    document = assessing.frozen(run).document
    path = bridge.write(document, run.project_id, tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    again = assess(path).mapping()
    found = json.loads(result.read_text())
    del again["seconds"], found["seconds"]
    assert found == again
    assert Notice.objects.filter(run=run, state=RunState.SUCCEEDED).count() == 1


def test_a_share_of_the_detail_becomes_the_utility_of_the_question(setup: Setup, by: Actor) -> None:
    setups.plan(setup, setup.version, by=by, search={"rules": ["full-domain"], "least_share": 0.5}, risk={}, utility={})
    figures = rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    asked = assessing.frozen(run).document["assessment"]["search"]["least_utility"]
    assert asked == pytest.approx(0.5 * figures["utility"]["unchanged"])  # type: ignore[index]
    work_off("assess")
    run.refresh_from_db()
    best = run.outcome.summary["optimum"]
    assert best["utility"] >= asked


def test_what_is_opened_on_a_runs_page_stays_open_while_it_goes_on(setup: Setup, visit: Client, by: Actor) -> None:
    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    address = reverse("run", args=[run.project_id, run.pk])
    page, asked_again = visit.get(address), visit.get(address, headers={"hx-request": "true"})
    assert "All of its parameters" in page.content.decode()
    assert 'hx-trigger="every' in asked_again.content.decode()
    assert "All of its parameters" not in asked_again.content.decode()


def test_a_run_whose_dataset_is_shredded_meanwhile_is_cancelled(setup: Setup, by: Actor) -> None:
    from riskapp.services import uploads

    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    assert setup.dataset is not None
    uploads.purge(setup.dataset, by=by)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_a_repeated_run_on_a_file_read_in_another_way_fails_and_says_so(setup: Setup, by: Actor) -> None:
    from riskapp.services import reading

    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    work_off("assess")
    assert setup.dataset is not None
    reading.again(Upload.objects.get(pk=setup.dataset_id), {"missing": ["", "x"]}, by=by)
    work_off("read")
    second = assessing.repeat(Run.objects.get(pk=run.pk), by=by)
    work_off("assess")
    second.refresh_from_db()
    assert second.state == RunState.FAILED
    assert "read again" in second.fault["message"]


def test_a_set_up_without_a_dataset_says_what_is_left_to_do(project: Project) -> None:
    with pytest.raises(documents.NotReady, match="which upload is the dataset"):
        documents.frozen(Setup.objects.get(pk=project.pk))


@pytest.mark.parametrize(
    ("planned", "shown"), [({}, ["exhaustive"]), ({"methods": ["btda", "milp"]}, ["btda", "milp"])]
)
def test_who_adds_rules_per_record_has_a_way_to_search_already(planned: dict[str, Any], shown: list[str]) -> None:
    assert SearchForm.shown(planned, {}, {})["methods"] == shown
