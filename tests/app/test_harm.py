"""The Harm page: weights of columns, values and people, pairs, and the example records that show them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.bridge import documents
from riskapp.models import Actor, Attribute, AuditEvent, Finding, Outcome, Project, Setup, Upload, User
from riskapp.services import assessing, harm, rehearsing, setups, uploads
from riskapp.web.forms.weights import parsed, written
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = "\n".join(f"p{i},{('Aldersee', 'Birkenau')[i % 2]},{('flu', 'HIV')[i % 4 == 0]},{i % 3}" for i in range(60))
PEOPLE = f"id,town,illness,own\n{ROWS}\n"


@pytest.fixture
def setup(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    upload = arrive(PEOPLE)
    work_off("read")
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, Upload.objects.get(pk=upload.pk), found.version, by=by)
    roles = {"id": "identifier", "town": "generalised", "illness": "generalised", "own": "dropped"}
    for one in found.attributes.all():
        setups.describe(one, one.version, by=by, role=roles[one.column], knowable=True, keep_reason="a test")
    return found


@pytest.fixture
def visit(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def column(setup: Setup, name: str) -> Attribute:
    return setup.attributes.get(column=name)


def typed(setup: Setup, **changes: Any) -> dict[str, Any]:
    """What the page sends when nothing was changed, and what was."""
    setup.refresh_from_db()
    sent: dict[str, Any] = {"seen": setup.version, "family": "linear", "fall": "step", "unidentified": "0"}
    there = len(setup.sensitivity.get("pairs", []))
    sent |= {"total_how": "", "total": "", "pairs-TOTAL_FORMS": 1, "pairs-INITIAL_FORMS": there}
    for one in setup.attributes.filter(role="generalised"):
        mine = {"seen": one.version, "weight": "1", "values": written(one.weights), "fall": "", "personal": ""}
        sent |= {f"c{one.pk}-{key}": told for key, told in mine.items()}
    for key, told in changes.items():
        name, _, field = key.partition("__")
        sent[f"c{column(setup, name).pk}-{field}" if field else key.replace("pairs_", "pairs-0-")] = told
    return sent


def save(visit: Client, setup: Setup, **changes: Any) -> Any:
    return visit.post(reverse("harm", args=[setup.pk]), typed(setup, **changes))


def test_weights_of_columns_values_and_pairs_are_saved_and_the_step_is_done(setup: Setup, visit: Client) -> None:
    pair = {"pairs_one": "town", "pairs_other": "illness", "pairs_weight": "0.5"}
    answer = save(
        visit, setup, illness__weight="10", illness__values="HIV;never\nflu;1\n", family="multiplicative", **pair
    )
    assert answer.status_code == 302
    setup.refresh_from_db()
    illness = column(setup, "illness")
    assert (illness.weight, illness.weights) == (10, {"HIV": "inf", "flu": 1})
    pairs = [{"attributes": ["town", "illness"], "weight": 0.5}]
    assert setup.sensitivity == {"family": "multiplicative", "pairs": pairs}
    assert setup.harm_seen


def test_a_pair_waits_while_one_of_its_columns_is_not_released(setup: Setup, visit: Client, by: Actor) -> None:
    save(visit, setup, pairs_one="town", pairs_other="illness", pairs_weight="0.5")
    town = column(setup, "town")
    setups.describe(town, town.version, by=by, role="dropped")
    setup.refresh_from_db()
    assert "sensitivity" not in documents.frozen(setup)["assessment"]
    assert "town (not released)" in visit.get(reverse("harm", args=[setup.pk])).content.decode()
    answer = save(visit, setup, illness__weight="3", pairs_one="town", pairs_other="illness", pairs_weight="0.5")
    assert answer.status_code == 302
    town.refresh_from_db()
    setups.describe(town, town.version, by=by, role="generalised")
    setup.refresh_from_db()
    pairs = [{"attributes": ["town", "illness"], "weight": 0.5}]
    assert documents.frozen(setup)["assessment"]["sensitivity"] == {"pairs": pairs}


def test_a_pair_that_waits_is_no_weight(setup: Setup, visit: Client, by: Actor) -> None:
    pair = {"pairs_one": "town", "pairs_other": "illness", "pairs_weight": "0.5"}
    save(visit, setup, town__weight="0", illness__weight="0", **pair)
    setup.refresh_from_db()
    assert not harm.nothing_weighs(setup)
    town = column(setup, "town")
    setups.describe(town, town.version, by=by, role="dropped")
    assert harm.nothing_weighs(setup)


def test_a_value_keeps_its_weight_when_the_column_comes_to_weigh_the_same(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__weight="10", illness__values="HIV;10")
    assert column(setup, "illness").weights == {"HIV": 10}


def test_what_is_saved_is_shown_again(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__weight="never", illness__values="HIV;2", total_how="cap", total="5")
    page = visit.get(reverse("harm", args=[setup.pk])).content.decode()
    assert 'value="never"' in page
    assert "HIV;2" in page
    assert 'value="5"' in page


def test_the_trail_names_the_column_and_no_value(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__values="HIV;7")
    event = AuditEvent.objects.get(action="column weighed")
    assert event.details == {"column": "illness", "what": ["weights"]}
    assert "HIV" not in str([event.details for event in AuditEvent.objects.all()])


def test_a_file_of_values_replaces_the_list(setup: Setup, visit: Client) -> None:
    file = SimpleUploadedFile("weights.csv", b'value;weight\n"flu; bird";2,5\nHIV;never\n')
    save(visit, setup, illness__values="old;3", illness__file=file)
    assert column(setup, "illness").weights == {"flu; bird": 2.5, "HIV": "inf"}


@pytest.mark.parametrize(("wrong", "told"), [("HIV", "Line 1"), ("flu;1\nHIV;-1", "Line 2"), ("a;1;2", "Line 1")])
def test_a_bad_line_is_named_by_its_number_and_nothing_is_saved(
    setup: Setup, visit: Client, wrong: str, told: str
) -> None:
    answer = save(visit, setup, illness__values=wrong)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert column(setup, "illness").weights == {}


def test_lists_of_values_are_read_as_they_are_written() -> None:
    weights = {"a;b": 1, 'say "x"': 0.25, "c": "inf", " d ": 3}
    assert parsed(written(weights)) == weights


def test_of_two_who_weigh_the_same_column_the_second_keeps_what_was_typed(setup: Setup, visit: Client) -> None:
    second = typed(setup, illness__weight="99")
    save(visit, setup, illness__weight="5")
    answer = visit.post(reverse("harm", args=[setup.pk]), second)
    assert answer.status_code == 409
    assert column(setup, "illness").weight == 5
    page = answer.content.decode()
    assert 'value="99"' in page
    assert "Somebody else changed this" in page


def test_after_being_overtaken_saving_once_more_counts(setup: Setup, visit: Client) -> None:
    second = typed(setup, illness__weight="99")
    save(visit, setup, illness__weight="5")
    page = visit.post(reverse("harm", args=[setup.pk]), second)
    setup.refresh_from_db()
    key = f"c{column(setup, 'illness').pk}-seen"
    assert f'name="{key}" value="{column(setup, "illness").version}"' in page.content.decode()
    again = second | {"seen": setup.version, key: column(setup, "illness").version}
    assert visit.post(reverse("harm", args=[setup.pk]), again).status_code == 302
    assert column(setup, "illness").weight == 99


def test_all_weights_zero_is_told_with_what_to_do(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__weight="0", town__weight="0")
    assert harm.nothing_weighs(Setup.objects.get(pk=setup.pk))
    page = visit.get(reverse("harm", args=[setup.pk])).content.decode()
    assert "Give at least one column a weight" in page
    assert "Every weight is 0" in visit.get(reverse("runs", args=[setup.pk])).content.decode()


def test_weights_of_zero_that_are_multiplied_are_not_nothing(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__weight="0", town__weight="0", family="multiplicative")
    assert not harm.nothing_weighs(Setup.objects.get(pk=setup.pk))


@pytest.mark.parametrize("thing", ["illness__values", "pairs", "illness__personal"])
def test_a_weight_of_anything_else_is_not_nothing(setup: Setup, visit: Client, thing: str) -> None:
    given: dict[str, dict[str, str]] = {
        "illness__values": {"illness__values": "HIV;1"},
        "pairs": {"pairs_one": "town", "pairs_other": "illness", "pairs_weight": "1"},
        "illness__personal": {"illness__personal": "column:own"},
    }
    save(visit, setup, illness__weight="0", town__weight="0", **given[thing])
    assert not harm.nothing_weighs(Setup.objects.get(pk=setup.pk))


def test_peoples_own_weights_from_a_table_need_its_columns(
    setup: Setup, visit: Client, arrive: Callable[..., Upload]
) -> None:
    table = arrive("who,much\np1,3\np2,4\n", "own.csv")
    work_off("read")
    answer = save(visit, setup, illness__personal=f"upload:{table.pk}", illness__key="who", illness__column="more")
    assert answer.status_code == 422
    assert "It has who, much." in answer.content.decode()
    save(visit, setup, illness__personal=f"upload:{table.pk}", illness__key="who", illness__column="much")
    assert column(setup, "illness").personal == {"upload": str(table.pk), "key": "who", "column": "much"}


def test_a_table_whose_columns_are_called_as_in_the_dataset_needs_no_names(
    setup: Setup, visit: Client, arrive: Callable[..., Upload]
) -> None:
    table = arrive("id,illness\np1,3\np2,4\n", "own.csv")
    work_off("read")
    save(visit, setup, illness__personal=f"upload:{table.pk}")
    assert column(setup, "illness").personal == {"upload": str(table.pk), "key": "id", "column": "illness"}


def test_a_first_line_that_is_misspelt_is_no_heading(setup: Setup, visit: Client) -> None:
    """In what is typed nothing is passed over: a weight that was meant would be lost without a word."""
    answer = save(visit, setup, illness__values="HIV;nver\nflu;2")
    assert answer.status_code == 422
    assert "Line 1: the weight is neither a number from 0 up nor never." in answer.content.decode()
    assert "HIV;nver" in answer.content.decode()


def test_a_run_counts_harm_as_the_page_says(setup: Setup, visit: Client, by: Actor) -> None:
    """Of 60 people 15 share a town and HIV, 15 the same town and flu, 30 the other town and flu."""
    save(visit, setup, illness__weight="2", illness__values="HIV;10", town__weight="0")
    setup.refresh_from_db()
    setups.plan(setup, setup.version, by=by, search={"rules": ["full-domain"]}, risk={}, utility={})
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    run = assessing.start(setup, by=by)
    work_off("assess")
    outcome = Outcome.objects.get(run=run)
    result = json.loads((storage.outcome_place(run.project_id, outcome.folder) / "result.json").read_text())
    unchanged = next(rule for rule in result["rules"] if not any(rule["node"].values()))
    assert unchanged["risk"] == pytest.approx((15 * 10 / 15 + 15 * 2 / 15 + 30 * 2 / 30) / 60)


# Example records


def made(setup: Setup, by: Actor) -> dict[str, Any]:
    harm.ask_examples(setup, by=by)
    work_off("examples")
    found = harm.examples(setup).found
    assert found is not None
    return found


def test_made_up_records_show_only_what_eleven_people_share(setup: Setup, by: Actor) -> None:
    cells = [cell for record in made(setup, by)["records"] for cell in record.values()]
    assert len(cells) == 10
    assert {cell["shown"] for cell in cells} <= {"Aldersee", "Birkenau", "flu", "HIV"}


def test_made_up_records_stay_when_only_weights_change(setup: Setup, visit: Client, by: Actor) -> None:
    made(setup, by)
    save(visit, setup, illness__weight="7")
    assert harm.examples(Setup.objects.get(pk=setup.pk)).found is not None


def test_made_up_records_go_with_the_upload_they_were_made_from(setup: Setup, by: Actor) -> None:
    made(setup, by)
    assert setup.dataset is not None
    uploads.purge(setup.dataset, by=by)
    assert not Finding.objects.filter(kind="examples").exists()


def test_the_page_adds_up_the_example_records(setup: Setup, visit: Client, by: Actor) -> None:
    made(setup, by)
    save(visit, setup, illness__weight="100", illness__values="HIV;23\nflu;23", town__weight="1")
    page = visit.get(reverse("harm", args=[setup.pk])).content.decode()
    assert page.count("<b data-phi>24</b>") == 5


def test_real_records_are_shown_after_the_look_is_recorded(setup: Setup, visit: Client) -> None:
    answer = visit.post(reverse("harm-real", args=[setup.pk]), headers={"HX-Request": "true"})
    assert "records of real people" in answer.content.decode()
    event = AuditEvent.objects.get(action="records seen")
    assert event.subject_id == str(setup.dataset_id)


def test_values_to_choose_from_are_shown_after_the_look_is_recorded(setup: Setup, visit: Client) -> None:
    address = reverse("harm-values", args=[setup.pk, column(setup, "illness").pk])
    page = visit.post(address, headers={"HX-Request": "true"}).content.decode()
    assert 'data-add-value="HIV"' in page
    assert AuditEvent.objects.get(action="values seen").details == {"column": "illness"}


def test_a_weight_for_a_value_that_does_not_occur_is_saved_and_told(setup: Setup, visit: Client) -> None:
    save(visit, setup, illness__values="HIV;10\nHVI;never\nfulx;3")
    assert column(setup, "illness").weights == {"HIV": 10, "HVI": "inf", "fulx": 3}
    page = visit.get(reverse("harm", args=[setup.pk])).content.decode()
    assert "2 values that you weighed do not occur in illness: their weights count for nobody." in page
    save(visit, setup, illness__weight="2", illness__values="HIV;10")
    assert "that you weighed" not in visit.get(reverse("harm", args=[setup.pk])).content.decode()
