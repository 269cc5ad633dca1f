"""Tables and forms that nobody foresees: each ends in words that say what to do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.models import Actor, Attacker, Attribute, Project, Setup, Upload, User
from riskapp.services import rehearsing, setups
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
Use = Callable[[str], Setup]


@pytest.fixture
def use(project: Project, by: Actor, arrive: Callable[..., Upload]) -> Use:
    """Make a table the dataset of the project."""

    def choose(text: str) -> Setup:
        upload = arrive(text)
        work_off("read")
        setup = Setup.objects.get(pk=project.pk)
        setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
        return setup

    return choose


@pytest.fixture
def visit(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def studio(visit: Client, name: str, column: Attribute, kind: str) -> Any:
    return visit.post(reverse(name, args=[column.setup_id, column.pk]), {"kind": kind, "seen": column.version})


@pytest.mark.parametrize("name", ["👩\u200d💻", "שם\u200f", 'a "b"', "a@1", "a.b", "{{ x }}"])
def test_a_column_may_be_called_anything_that_can_be_read(use: Use, by: Actor, name: str) -> None:
    quoted = name.replace('"', '""')
    setup = use(f'"{quoted}",c\n' + "".join(f"{row % 3},{row % 2}\n" for row in range(12)))
    setup.attributes.update(role="generalised", knowable=True)
    setups.accept_all(setup, by=by)
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    found = rehearsing.of(setup).figures
    assert found is not None
    assert found["about"]["records"] == 12


def test_codes_are_no_amounts_whatever_their_column_is_called(use: Use) -> None:
    rows = "".join(f"{row % 3},{1 + row % 2},{row % 7 * 50},{20 + row % 2}\n" for row in range(60))
    setup = use(f"OWN_RENT,income_code,rent,age\n{rows}")
    kinds = {one.column: one.suggestion["kind"] for one in setup.attributes.all()}
    assert kinds == {"OWN_RENT": "none", "income_code": "none", "rent": "intervals", "age": "intervals"}


def test_a_name_that_all_rows_share_is_not_suggested_for_release(use: Use) -> None:
    setup = use("name,clinic,visit\n" + "".join(f"Anna Fischer,North,{row % 4}\n" for row in range(30)))
    assert dict(setup.attributes.values_list("column", "role")) == {
        "name": "dropped",
        "clinic": "kept",
        "visit": "generalised",
    }


def test_a_column_without_a_value_has_no_tree_and_no_file_and_says_so(use: Use, visit: Client) -> None:
    column = use("town,born\n" + ",1970\n" * 20).attributes.get(column="town")
    assert "No cell of the column holds a value" in studio(visit, "hierarchy-tree", column, "none").content.decode()
    answer = studio(visit, "hierarchy-download", column, "none")
    assert answer.status_code == 422
    assert "Drop the column, or mend it" in answer.content.decode()


def test_numbers_that_are_too_long_for_intervals_are_told_so(use: Use, visit: Client) -> None:
    column = use("n,c\n" + "".join(f"{10**30 + row},x\n" for row in range(20))).attributes.get(column="n")
    assert "too many for intervals" in studio(visit, "hierarchy-preview", column, "intervals").content.decode()


def test_the_file_of_a_hierarchy_has_a_name_whatever_the_column_is_called(use: Use, visit: Client) -> None:
    column = use("שלום,c\na,x\nb,y\na,y\n").attributes.get(column="שלום")
    assert 'filename="hierarchy.csv"' in studio(visit, "hierarchy-download", column, "none")["Content-Disposition"]


def test_who_holds_no_table_has_no_columns_to_match(use: Use, visit: Client) -> None:
    setup = use("town,born\nA,1970\nB,1971\nA,1972\n")
    itself = Attacker.objects.get(setup=setup)
    address = reverse("attacker-suggestions", args=[setup.pk, itself.pk])
    assert visit.post(address, headers=HTMX).status_code == 302


@pytest.mark.parametrize("seen", ["soon", "", "9" * 5000])
def test_a_form_that_does_not_say_what_it_saw_breaks_nothing(use: Use, visit: Client, seen: str) -> None:
    setup = use("town,born\nA,1970\nB,1971\nA,1972\n")
    plan = {"rules": ["full-domain"], "save": "", "over_dictionaries": "worst", "seen": seen}
    assert visit.post(reverse("runs", args=[setup.pk]), plan).status_code == 302


def test_a_k_that_nobody_can_count_to_is_refused(use: Use, visit: Client) -> None:
    setup = use("town,born\nA,1970\nB,1971\nA,1972\n")
    answer = visit.post(reverse("runs", args=[setup.pk]), {"rules": ["k-anonymity"], "k": "9" * 5000, "save": ""})
    assert answer.status_code == 422
    assert "Give whole numbers from 2 up" in answer.content.decode()
