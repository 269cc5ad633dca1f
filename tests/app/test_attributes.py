"""The table of columns: as suggested, changed one by one and together, by two people at once, and undone."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.bridge import documents, shaping
from riskapp.models import Actor, Attribute, AuditEvent, ColumnRole, Membership, Project, Role, Setup, Upload, User
from riskapp.services import reading, setups, undoing
from riskapp.services.states import Overtaken
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ILL = ["none", "mild", "severe"]
NOTES = ["call back after the holidays", "asked for a new card in spring", "prefers letters to telephone calls"]
ROWS = "\n".join(
    f"p{i % 60:03},person{i}@example.org,{TOWNS[i % 3]},{1950 + i % 40},{ILL[i % 3]},{NOTES[i % 3]} {i} times"
    for i in range(120)
)
PEOPLE = f"person_id,email,town,born,diagnosis,note\n{ROWS}\n"


@pytest.fixture
def setup_of(project: Project, arrive: Callable[..., Upload], by: Actor) -> Callable[[str], Setup]:
    """Reads a table and makes it the dataset."""

    def chosen(table: str) -> Setup:
        upload = arrive(table)
        work_off("read")
        upload.refresh_from_db()
        found = Setup.objects.get(pk=project.pk)
        setups.choose_dataset(found, upload, found.version, by=by)
        return found

    return chosen


@pytest.fixture
def setup(setup_of: Callable[[str], Setup]) -> Setup:
    return setup_of(PEOPLE)


@pytest.fixture
def browser(officer: User) -> Client:
    return signed_in(officer)


@pytest.fixture
def colleague(person: Callable[..., User], project: Project) -> User:
    user = person("carl")
    Membership.objects.create(project=project, user=user, role=Role.STEWARD)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def column(setup: Setup, name: str) -> Attribute:
    return setup.attributes.get(column=name)


def page(name: str, setup: Setup, *ids: Any) -> str:
    return reverse(name, args=[setup.pk, *ids])


def said(attribute: Attribute, **changes: Any) -> dict[str, Any]:
    """What the form of a row posts: an unticked box is not there."""
    told = {"role": attribute.role, "knowable": attribute.knowable, "hurts": attribute.hurts} | changes
    told |= {"keep_reason": changes.get("keep_reason", attribute.keep_reason), "seen": attribute.version}
    return {key: value for key, value in told.items() if value is not False}


# Suggestions


def test_nothing_that_points_at_people_is_suggested_for_release(setup: Setup) -> None:
    roles = dict(setup.attributes.values_list("column", "role"))
    assert roles["person_id"] == ColumnRole.IDENTIFIER
    assert roles["email"] == roles["note"] == ColumnRole.DROPPED
    assert roles["town"] == roles["born"] == ColumnRole.GENERALISED


def test_what_is_not_recognised_is_taken_to_be_known_by_an_attacker(setup_of: Callable[..., Setup]) -> None:
    rows = "".join(f"{row % 5},{20_000 + 10 * row},{'mf'[row % 2]}\n" for row in range(60))
    setup = setup_of(f"RAC1P,income,sex\n{rows}")
    told = {one.column: one for one in setup.attributes.all()}
    assert {name: one.knowable for name, one in told.items()} == {"RAC1P": True, "income": False, "sex": True}
    assert "was not recognised" in told["RAC1P"].suggestion["reason"]


def test_what_points_at_people_is_taken_to_be_known_should_it_be_released_all_the_same(
    setup_of: Callable[..., Setup], by: Actor
) -> None:
    rows = "".join(f"p{row},person{row}@example.org,Family {row % 90},{'mf'[row % 2]}\n" for row in range(120))
    setup = setup_of(f"person_id,email,last,sex\n{rows}")
    told = {one.column: one for one in setup.attributes.all()}
    assert [told[name].role for name in ("email", "last")] == [ColumnRole.DROPPED] * 2
    for name in ("email", "last"):
        setups.describe(told[name], told[name].version, by=by, role="generalised", keep_reason="They agreed.")
    known = documents.frozen(setup)["assessment"]["dictionaries"][0]["knows"]
    assert {"email", "last"} <= set(known)


def test_a_dataset_read_in_another_way_is_suggested_for_anew_and_what_was_said_stays(
    by: Actor, setup_of: Callable[..., Setup]
) -> None:
    rows = [f"{row % 40},{'N' if row % 9 == 0 else 10 + row},{row % 7}" for row in range(200)]
    setup = setup_of("age,hours,grade\n" + "\n".join(rows) + "\n")
    hours, grade = (setup.attributes.get(column=name) for name in ("hours", "grade"))
    assert hours.suggestion["type"]["mixed"]
    setups.accept_all(setup, by=by)
    grade.refresh_from_db()
    setups.describe(grade, grade.version, by=by, role="kept")
    reading.again(Upload.objects.get(pk=setup.dataset_id), {"missing": ["N"]}, by=by)
    work_off("read")
    told = {one.column: one for one in setup.attributes.all()}
    assert not told["hours"].suggestion["type"]["mixed"]
    assert told["hours"].hierarchy == told["hours"].suggestion["hierarchy"] != hours.hierarchy
    assert [name for name, one in told.items() if not one.confirmed] == ["hours"]
    assert told["grade"].role == "kept"
    reading.again(Upload.objects.get(pk=setup.dataset_id), {"delimiter": ";"}, by=by)
    work_off("read")
    assert set(setup.attributes.values_list("column", flat=True)) == {"age,hours,grade", "age", "hours", "grade"}
    reading.again(Upload.objects.get(pk=setup.dataset_id), {"missing": ["N"]}, by=by)
    work_off("read")
    assert list(setup.attributes.values_list("column", "role")) == [(name, told[name].role) for name in told]


def test_the_table_tells_each_columns_suggestion_with_its_reason(setup: Setup, browser: Client) -> None:
    shown = browser.get(page("attributes", setup)).content.decode()
    for one in setup.attributes.all():
        assert one.column in shown
        assert one.suggestion["reason"].split(":")[0].replace("'", "&#x27;") in shown
    assert "6 of 6 columns are left to confirm" in shown
    assert "120 rows about 60 people, by person_id" in shown.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert not any(value in shown for value in [*TOWNS, "person1@example.org", "severe"])


PAGES = ("project", "attributes")


@pytest.mark.parametrize("name", PAGES)
def test_where_people_have_several_rows_the_pages_say_how_many_and_what_to_do(
    setup: Setup, browser: Client, by: Actor, name: str
) -> None:
    setups.set_class(setup, "contract", None, setup.version, by=by)
    shown = browser.get(page(name, setup)).content.decode()
    assert "<b>2 rows for each person, on average.</b>" in shown
    assert "one row for each person" in shown
    help_page = browser.get(reverse("help-page", args=["how-to/describe-columns"])).content.decode()
    assert 'id="when-people-have-several-rows"' in help_page


@pytest.mark.parametrize("name", PAGES)
def test_a_column_that_tells_people_apart_is_named_where_each_row_is_taken_for_a_person(
    setup: Setup, browser: Client, by: Actor, name: str
) -> None:
    setups.set_class(setup, "contract", None, setup.version, by=by)
    one = column(setup, "person_id")
    setups.describe(one, one.version, by=by, role="dropped")
    shown = browser.get(page(name, setup)).content.decode().replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "by person_id these are 120 rows about 60 people" in shown
    assert "each row is taken for a person of its own" in shown
    assert page("attribute", setup, one.pk) in shown


@pytest.mark.parametrize("name", PAGES)
def test_where_everybody_has_one_row_nothing_more_is_said(
    setup_of: Callable[[str], Setup], browser: Client, by: Actor, name: str
) -> None:
    setup = setup_of("person_id,town\n" + "".join(f"p{i:03},{TOWNS[i % 3]}\n" for i in range(60)))
    setups.set_class(setup, "contract", None, setup.version, by=by)
    shown = browser.get(page(name, setup)).content.decode()
    assert "60 rows about 60 people" in shown.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "for each person, on average" not in shown
    assert "may have several rows" not in shown


def test_accepting_all_confirms_every_column_and_changes_nothing_else(setup: Setup, browser: Client) -> None:
    before = list(setup.attributes.values_list("column", "role", "knowable", "hurts"))
    browser.post(page("attributes-accept", setup))
    assert not setup.attributes.filter(confirmed=False).exists()
    assert list(setup.attributes.values_list("column", "role", "knowable", "hurts")) == before


def test_an_upload_is_chosen_as_the_dataset_on_the_page(
    project: Project, arrive: Callable[..., Upload], browser: Client
) -> None:
    upload = arrive(PEOPLE)
    work_off("read")
    assert "Which file is the dataset?" in browser.get(reverse("attributes", args=[project.pk])).content.decode()
    browser.post(reverse("dataset", args=[project.pk]), {"upload": str(upload.pk), "seen": 0})
    assert Setup.objects.get(pk=project.pk).dataset_id == upload.pk
    assert Attribute.objects.filter(setup_id=project.pk).count() == 6


# One by one


def test_a_change_in_place_saves_the_row_and_answers_with_what_is_around_it(setup: Setup, browser: Client) -> None:
    town = column(setup, "town")
    answer = browser.post(
        page("attribute", setup, town.pk), said(town, role="kept", hurts="on"), headers={"HX-Request": "true"}
    )
    town.refresh_from_db()
    assert (town.role, town.hurts, town.confirmed, town.version) == (ColumnRole.KEPT, True, True, 1)
    assert answer["HX-Reswap"] == "none"
    assert f'id="state-{town.pk}"' in answer.content.decode()
    assert "5 of 6 columns are left" in answer.content.decode()


def test_the_trail_tells_what_of_a_column_was_changed_and_nothing_of_what_was_confirmed(
    setup: Setup, browser: Client
) -> None:
    town = column(setup, "town")
    browser.post(page("attribute", setup, town.pk), said(town, hurts="on"))
    browser.post(page("attribute", setup, town.pk), said(column(setup, "town")))
    changed, confirmed = AuditEvent.objects.filter(action="column described")
    assert (changed.details["what"], confirmed.details["what"]) == (["hurts"], [])
    trail = browser.get(reverse("project-audit", args=[setup.pk])).content.decode()
    assert trail.count("changed: whether it hurts") == 1


def test_without_scripts_a_row_is_saved_by_a_whole_page(setup: Setup, browser: Client) -> None:
    town = column(setup, "town")
    answer = browser.post(page("attribute", setup, town.pk), said(town, role="dropped"))
    assert answer.status_code == 302
    assert column(setup, "town").role == ColumnRole.DROPPED


def test_accepting_one_row_keeps_what_it_says(setup: Setup, browser: Client) -> None:
    town = column(setup, "town")
    browser.post(page("attribute", setup, town.pk), said(town) | {"accept": "yes"})
    after = column(setup, "town")
    assert (after.role, after.confirmed) == (town.role, True)


@pytest.mark.parametrize("name", ["note", "email", "person_id"])
@pytest.mark.parametrize("role", ["kept", "generalised"])
def test_what_points_at_people_is_released_only_for_a_reason(
    setup: Setup, browser: Client, name: str, role: str
) -> None:
    one = column(setup, name)
    refused = browser.post(page("attribute", setup, one.pk), said(one, role=role), headers={"HX-Request": "true"})
    assert column(setup, name).role == one.role
    assert "To release it all the same, say why" in refused.content.decode()
    assert 'name="keep_reason"' in refused.content.decode()
    assert f'<option value="{role}" selected>' in refused.content.decode(), "what was chosen is still there"
    browser.post(page("attribute", setup, one.pk), said(one, role=role, keep_reason="The study reads it."))
    after = column(setup, name)
    assert (after.role, after.keep_reason) == (role, "The study reads it.")


def test_one_column_is_the_identifier_and_the_one_before_is_dropped(setup: Setup, browser: Client) -> None:
    email = column(setup, "email")
    answer = browser.post(
        page("attribute", setup, email.pk), said(email, role="identifier"), headers={"HX-Request": "true"}
    )
    roles = dict(setup.attributes.values_list("column", "role"))
    assert (roles["email"], roles["person_id"]) == (ColumnRole.IDENTIFIER, ColumnRole.DROPPED)
    assert f'id="column-{column(setup, "person_id").pk}"' in answer.content.decode(), "its row is shown anew"


def test_two_people_at_one_column_the_second_is_told_and_loses_nothing(
    setup: Setup, browser: Client, colleague: User
) -> None:
    town = column(setup, "town")
    seen = said(town, role="kept", knowable=False, hurts="on")
    setups.describe(town, town.version, by=Actor(colleague), role=ColumnRole.DROPPED)
    answer = browser.post(page("attribute", setup, town.pk), seen, headers={"HX-Request": "true"}).content.decode()
    assert column(setup, "town").role == ColumnRole.DROPPED
    assert "Carl changed this while you did" in answer
    assert "It is now dropped" in answer
    assert '<option value="kept" selected>' in answer
    again = {**seen, "seen": column(setup, "town").version}
    browser.post(page("attribute", setup, town.pk), again, headers={"HX-Request": "true"})
    assert column(setup, "town").role == ColumnRole.KEPT


def test_the_same_without_scripts_keeps_what_was_typed_on_the_page(
    setup: Setup, browser: Client, colleague: User
) -> None:
    note = column(setup, "note")
    seen = said(note, role="kept", keep_reason="The study reads it.")
    setups.describe(note, note.version, by=Actor(colleague), hurts=True)
    answer = browser.post(page("attribute", setup, note.pk), seen)
    assert answer.status_code == 409
    assert "The study reads it." in answer.content.decode()
    assert "Carl changed this while you did" in answer.content.decode()


def test_who_clicks_faster_than_the_server_answers_is_not_told_of_somebody_else(setup: Setup, browser: Client) -> None:
    town = column(setup, "town")
    for role in ("kept", "dropped", "generalised"):
        browser.post(page("attribute", setup, town.pk), said(town, role=role), headers={"HX-Request": "true"})
    assert column(setup, "town").role == ColumnRole.GENERALISED


# Together


def ticked(setup: Setup, *names: str) -> dict[str, Any]:
    rows = list(setup.attributes.filter(column__in=names))
    return {"ticked": [row.pk for row in rows]} | {f"seen-{row.pk}": row.version for row in rows}


@pytest.mark.parametrize(
    ("do", "field", "value"),
    [
        ("role:kept", "role", "kept"),
        ("role:dropped", "role", "dropped"),
        ("knowable:yes", "knowable", True),
        ("knowable:no", "knowable", False),
        ("hurts:yes", "hurts", True),
        ("hurts:no", "hurts", False),
        ("accept", "confirmed", True),
    ],
)
def test_one_change_to_all_ticked_columns(setup: Setup, browser: Client, do: str, field: str, value: object) -> None:
    browser.post(page("attributes-bulk", setup), ticked(setup, "town", "born") | {"do": do})
    assert {getattr(column(setup, name), field) for name in ("town", "born")} == {value}
    assert setup.attributes.filter(confirmed=True).count() == 2


def test_of_ticked_columns_all_are_changed_or_none(setup: Setup, browser: Client) -> None:
    answer = browser.post(
        page("attributes-bulk", setup), ticked(setup, "town", "note") | {"do": "role:kept"}, follow=True
    )
    assert "Nothing was changed" in answer.content.decode()
    assert not setup.attributes.filter(role=ColumnRole.KEPT).exists()
    browser.post(page("attributes-bulk", setup), ticked(setup, "town", "note") | {"do": "role:kept", "reason": "asked"})
    assert (column(setup, "note").keep_reason, column(setup, "town").keep_reason) == ("asked", "")


def test_ticked_columns_that_somebody_else_changed_stay(setup: Setup, browser: Client, colleague: User) -> None:
    post = ticked(setup, "town", "born") | {"do": "role:kept"}
    born = column(setup, "born")
    setups.describe(born, born.version, by=Actor(colleague), hurts=True)
    assert "Nothing was changed" in browser.post(page("attributes-bulk", setup), post, follow=True).content.decode()
    assert not setup.attributes.filter(role=ColumnRole.KEPT).exists()


def test_nothing_ticked_is_said(setup: Setup, browser: Client) -> None:
    answer = browser.post(page("attributes-bulk", setup), {"do": "role:kept"}, follow=True)
    assert "Tick the columns it is for" in answer.content.decode()


# Undo


def test_the_last_change_is_undone_with_all_that_it_did(setup: Setup, browser: Client) -> None:
    before = list(setup.attributes.values_list("column", "role", "knowable", "hurts", "confirmed"))
    email = column(setup, "email")
    browser.post(page("attribute", setup, email.pk), said(email, role="identifier"))
    assert "Undo" in browser.get(page("attributes", setup)).content.decode()
    browser.post(page("attributes-undo", setup))
    assert list(setup.attributes.values_list("column", "role", "knowable", "hurts", "confirmed")) == before


@pytest.mark.parametrize("what", ["attributes-accept", "attributes-bulk"])
def test_accepting_and_bulk_changes_are_undone_too(setup: Setup, browser: Client, what: str) -> None:
    before = list(setup.attributes.values_list("column", "role", "confirmed"))
    browser.post(page(what, setup), ticked(setup, "town", "born") | {"do": "role:dropped"})
    assert list(setup.attributes.values_list("column", "role", "confirmed")) != before
    browser.post(page("attributes-undo", setup))
    assert list(setup.attributes.values_list("column", "role", "confirmed")) == before


def test_what_somebody_else_changed_since_is_not_undone(setup: Setup, by: Actor, colleague: User) -> None:
    before, town = undoing.snapshot(setup), column(setup, "town")
    setups.describe(town, town.version, by=by, role=ColumnRole.DROPPED)
    changed = undoing.changed(setup, before)
    setups.describe(town, town.version, by=Actor(colleague), hurts=True)
    with pytest.raises(Overtaken):
        undoing.undo(setup, changed, by=by)
    assert column(setup, "town").role == ColumnRole.DROPPED


# The order of values


def test_the_values_are_listed_for_ordering_by_an_audited_look(setup: Setup, browser: Client) -> None:
    one = column(setup, "diagnosis")
    setups.describe(one, one.version, by=Actor(one.setup.project.created_by), role=ColumnRole.KEPT, hurts=True)
    assert "severe" not in browser.get(page("attribute", setup, one.pk)).content.decode()
    answer = browser.post(page("attribute-values", setup, one.pk)).content.decode()
    assert "none\nmild\nsevere" in answer
    event = AuditEvent.objects.get(action="values seen")
    assert event.details == {"column": "diagnosis"}


def test_an_order_must_have_a_place_for_every_value(setup: Setup, browser: Client) -> None:
    one = column(setup, "diagnosis")
    post = {"order": "none\nmild", "seen": one.version}
    answer = browser.post(page("attribute-order", setup, one.pk), post)
    assert answer.status_code == 422
    assert "1 of the column" in answer.content.decode()
    assert "none\nmild" in answer.content.decode(), "what was typed is still there"
    browser.post(page("attribute-order", setup, one.pk), {"order": "none\nmild\nsevere\n", "seen": one.version})
    assert column(setup, "diagnosis").order == ILL


def test_values_with_blanks_and_line_breaks_are_put_in_order_as_they_are_listed(
    setup_of: Callable[[str], Setup], browser: Client
) -> None:
    values = ["high ", " low", "mid\nway", "a\u2028b", "low"]
    cells = "".join(f'"{value}",{row % 7}\n' for row, value in enumerate(values * 9))
    setup = setup_of(f"pain,visits\n{cells}")
    one = column(setup, "pain")
    setups.describe(one, one.version, by=Actor(one.setup.project.created_by), role=ColumnRole.GENERALISED, hurts=True)
    listed = browser.post(page("attribute-values", setup, one.pk)).context["order_form"]["order"].value()
    assert sorted(listed.split("\n")) == sorted(value.replace("\n", " ") for value in values)
    seen = column(setup, "pain").version
    answer = browser.post(page("attribute-order", setup, one.pk), {"order": listed, "seen": seen})
    assert answer.status_code == 302
    assert sorted(column(setup, "pain").order) == sorted(values)

    typed = "low\r\n low\r\n mid way \r\n  \r\na\u2028b\r\nhigh"
    browser.post(page("attribute-order", setup, one.pk), {"order": typed, "seen": seen + 1})
    assert column(setup, "pain").order == ["low", " low", "mid\nway", "a\u2028b", "high "]
    again = {"order": "high \nhigh\nlow\n low\nmid way\na b", "seen": seen + 2}
    answer = browser.post(page("attribute-order", setup, one.pk), again)
    assert "stands there twice" in answer.content.decode()


def test_no_value_of_the_order_is_in_the_audit_trail(setup: Setup, browser: Client) -> None:
    one = column(setup, "diagnosis")
    browser.post(page("attribute-order", setup, one.pk), {"order": "none\nmild\nsevere", "seen": one.version})
    assert not any("severe" in str(event.details) for event in AuditEvent.objects.all())


# The order of the table


def listed(browser: Client, setup: Setup, query: str) -> list[str]:
    found = browser.get(f"{page('attributes', setup)}?{query}").context["columns"]
    return [one.column for one in found]


def test_the_table_is_ordered_as_it_is_asked_for(setup: Setup, browser: Client, by: Actor) -> None:
    as_in_the_file = ["person_id", "email", "town", "born", "diagnosis", "note"]
    assert listed(browser, setup, "") == listed(browser, setup, "sort=sideways") == as_in_the_file
    assert listed(browser, setup, "sort=name") == sorted(as_in_the_file)
    many = dict(setup.attributes.values_list("column", "suggestion__distinct"))
    assert listed(browser, setup, "sort=distinct") == sorted(as_in_the_file, key=lambda name: -many[name])
    roles = dict(setup.attributes.values_list("column", "role"))
    in_turn = [name for role in ColumnRole for name in as_in_the_file if roles[name] == role]
    assert listed(browser, setup, "sort=role") == in_turn
    town = column(setup, "town")
    setups.describe(town, town.version, by=by)
    assert listed(browser, setup, "sort=waiting") == [name for name in as_in_the_file if name != "town"] + ["town"]
    assert listed(browser, setup, "sort=name&find=o") == ["born", "diagnosis", "note", "person_id", "town"]


# Many columns


def test_columns_are_found_by_name_and_by_what_is_said_without_scripts(setup: Setup, browser: Client) -> None:
    found = browser.get(page("attributes", setup), {"find": "TOW"}).context["columns"]
    assert [one.column for one in found] == ["town"]
    released = browser.get(page("attributes", setup), {"show": "released"}).context["columns"]
    assert {one.column for one in released} == {"town", "born", "diagnosis"}


def test_a_table_of_two_hundred_columns_asks_the_database_no_more_than_one_of_six(
    setup: Setup, browser: Client, django_assert_max_num_queries: Any
) -> None:
    pattern = column(setup, "town")
    for number in range(200):
        pattern.pk, pattern.column, pattern.position = None, f"town {number}", 10 + number
        pattern.save()
    with django_assert_max_num_queries(16):
        answer = browser.get(page("attributes", setup))
    assert answer.content.decode().count("data-column=") == 206


def test_what_is_suggested_has_a_place_for_every_value_and_says_which_stand_by_themselves(
    project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    lines = [f"{20 + i},{'France' if i % 2 else 'Germany'}" for i in range(60)]
    upload = arrive("age,country\n" + "\n".join([*lines, "N,Atlantis", "N,Italy", "33,Ys"]) + "\n")
    work_off("read")
    upload.refresh_from_db()
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, upload, setup.version, by=by)
    for name, told in (("age", "1 other value stands by itself"), ("country", "2 other values stand by themselves")):
        one = column(setup, name)
        assert told in one.suggestion["reason"]
        assert shaping.shown(shaping.column_of(one), one.hierarchy).preview.uncovered.values == 0


def test_an_order_is_suggested_only_where_one_is_known(setup_of: Callable[[str], Setup]) -> None:
    school = ["9th grade", "Bachelors", "Doctorate", "High school"]
    pain = ["mild", "none", "severe", "moderate"]
    rows = "\n".join(f"{school[i % 4]},{pain[i // 4 % 4]}" for i in range(64))
    found = setup_of(f"education,pain_scale\n{rows}\n").attributes.in_bulk(field_name="id").values()
    education, scale = sorted(found, key=lambda one: one.column)
    assert (education.role, education.hierarchy) == ("generalised", None)
    assert "none that is known here: order or group its values" in education.suggestion["reason"]
    assert ["none", "none – mild", "*"] in scale.hierarchy["rows"]
    assert "seem to have an order" in scale.suggestion["reason"]
