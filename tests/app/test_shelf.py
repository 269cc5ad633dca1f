"""The organisation's shelf: hierarchies put on it, found, taken for another column, renamed and removed."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.models import (
    Actor,
    Attribute,
    AuditEvent,
    Membership,
    Project,
    Role,
    Setup,
    ShelvedHierarchy,
    Upload,
    User,
)
from riskapp.services import projects, setups, shelf
from tests.app.studios import GROUPS, Studio, at, described, draft_in, looks
from tests.app.working import work_off

__all__ = ["at", "described"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

AGES = {"intervals": {"from": 0, "widths": [5, 10], "unit": 1}}


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def shelve(studio: Studio, **fields: Any) -> Any:
    given = {f"shelf-{name}": value for name, value in fields.items()}
    return studio.post("hierarchy-shelve", kind="own", was="own", **given)


def test_a_hierarchy_is_put_on_the_shelf_under_a_name(at: Callable[..., Studio], officer: User) -> None:
    answer = shelve(at("city", GROUPS), name="Cities", about="Where we deliver", open_to_all="on")
    assert answer.status_code == 200
    row = ShelvedHierarchy.objects.get()
    assert (row.name, row.about, row.hierarchy, row.made_by) == ("Cities", "Where we deliver", GROUPS, officer)
    event = AuditEvent.objects.get(action="hierarchy shelved")
    assert event.details == {"hierarchy": "Cities"}


def test_one_that_lists_values_asks_whether_everybody_may_read_them(at: Callable[..., Studio]) -> None:
    answer = shelve(at("city", GROUPS), name="Cities")
    assert answer.status_code == 422
    assert "Say that everybody who works in a project may read them" in answer.content.decode()
    assert not ShelvedHierarchy.objects.exists()


def test_a_rule_lists_no_values_and_needs_no_such_word(at: Callable[..., Studio]) -> None:
    studio = at("zip")
    fields = {"kind": "mask", "was": "mask", "signs": "5", "end": "right", "shelf-name": "Postcodes"}
    assert studio.post("hierarchy-shelve", **fields).status_code == 200
    assert ShelvedHierarchy.objects.get().hierarchy == {"mask": 5, "from": "right"}


def test_a_name_is_on_the_shelf_once(at: Callable[..., Studio], by: Actor) -> None:
    shelf.add("cities", "", AGES, by=by, open_to_all=False)
    answer = shelve(at("city", GROUPS), name="Cities", open_to_all="on")
    assert answer.status_code == 422
    assert "on the shelf already" in answer.content.decode()


def test_what_is_taken_shows_first_how_it_fits_and_is_saved_only_then(at: Callable[..., Studio], by: Actor) -> None:
    row = shelf.add("Cities", "", GROUPS, by=by, open_to_all=True)
    shelf.add("Ages", "", AGES, by=by, open_to_all=False)
    studio = at("city", None)
    listed = studio.client.get(studio.url("hierarchy-take")).content.decode()
    assert "1 value not covered" in listed
    assert "5 values not covered" in listed  # no city is a number
    assert looks() == 0
    page = studio.client.post(studio.url("hierarchy-take"), {"shelved": str(row.pk)}).content.decode()
    assert "Taken from the shelf: Cities" in page
    assert looks() == 1
    assert studio.saved() is None
    studio.post("hierarchy", kind="own", was="own", draft=draft_in(page), knowing="yes")
    assert studio.saved() == GROUPS


def test_a_rule_is_taken_with_its_parameters(at: Callable[..., Studio], by: Actor) -> None:
    row = shelf.add("Ages", "", AGES, by=by, open_to_all=False)
    studio = at("age", None)
    page = studio.client.post(studio.url("hierarchy-take"), {"shelved": str(row.pk)}).content.decode()
    assert 'name="widths" value="5, 10"' in page


def test_a_rule_of_intervals_fits_numbers_with_a_decimal_comma(
    arrive: Callable[..., Upload], project: Project, officer: User, by: Actor
) -> None:
    upload = arrive("score;sex\n" + "".join(f"{row % 20},5;{row % 2}\n" for row in range(60)), "comma.csv")
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
    studio = Studio(client_of(officer), project, "score")
    row = shelf.add("Scores", "", AGES, by=by, open_to_all=False)
    assert "not covered" not in studio.client.get(studio.url("hierarchy-take")).content.decode()
    page = studio.client.post(studio.url("hierarchy-take"), {"shelved": str(row.pk)}).content.decode()
    assert 'name="widths" value="5, 10"' in page
    assert "[0,5)" in page
    assert "without a place" not in page


def test_the_shelf_is_searched_by_name_and_description(officer: User, project: Project, by: Actor) -> None:
    shelf.add("Ages", "in fives", AGES, by=by, open_to_all=False)
    shelf.add("Incomes", "in thousands", AGES, by=by, open_to_all=False)
    page = client_of(officer).get(reverse("shelf"), {"q": "FIVES"}).content.decode()
    assert "Ages" in page
    assert "Incomes" not in page


def test_whoever_made_it_renames_and_removes_it(officer: User, project: Project, by: Actor) -> None:
    row = shelf.add("Ages", "", AGES, by=by, open_to_all=False)
    client = client_of(officer)
    client.post(reverse("shelf-item", args=[row.pk]), {"name": "Ages in fives", "about": "from 0"})
    row.refresh_from_db()
    assert (row.name, row.about) == ("Ages in fives", "from 0")
    assert client.get(reverse("shelf-remove", args=[row.pk])).status_code == 200
    client.post(reverse("shelf-remove", args=[row.pk]))
    assert not ShelvedHierarchy.objects.exists()
    actions = AuditEvent.objects.filter(action__startswith="hierarchy").values_list("action", flat=True)
    assert list(actions.order_by("number")) == ["hierarchy shelved", "hierarchy renamed", "hierarchy removed"]


def test_columns_keep_what_was_taken_when_the_shelf_loses_it(at: Callable[..., Studio], by: Actor) -> None:
    row = shelf.add("Ages", "", AGES, by=by, open_to_all=False)
    Attribute.objects.filter(column="age").update(hierarchy=row.hierarchy)
    shelf.remove(row, by=by)
    assert at("age").saved() == AGES


def test_an_administrator_keeps_the_shelf_tidy_without_reading_it(
    person: Callable[..., User], project: Project, by: Actor
) -> None:
    row = shelf.add("Cities", "", GROUPS, by=by, open_to_all=True)
    page = client_of(person("root", is_administrator=True)).get(reverse("shelf-item", args=[row.pk])).content.decode()
    assert "Cities" in page
    assert "Rome" not in page
    assert "Remove" in page


def test_somebody_of_another_project_reads_it_and_changes_nothing(
    person: Callable[..., User], project: Project, by: Actor
) -> None:
    row = shelf.add("Cities", "", GROUPS, by=by, open_to_all=True)
    other = person("other", may_create_projects=True)
    projects.create(by=Actor(other), name="Other", purpose="", role=Role.STEWARD)
    client = client_of(other)
    assert "Rome" in client.get(reverse("shelf-item", args=[row.pk])).content.decode()
    assert client.post(reverse("shelf-remove", args=[row.pk])).status_code == 403
    Membership.objects.filter(user=other).delete()
    assert client.get(reverse("shelf-item", args=[row.pk])).status_code == 404
