"""Set-ups used again: saved as templates, compared with another file, applied, and undone."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from riskapp.bridge import documents
from riskapp.bridge.documents import NotReady
from riskapp.models import (
    Actor,
    Attacker,
    AttackerKind,
    AuditEvent,
    ColumnRole,
    Project,
    Role,
    Run,
    Setup,
    Template,
    Upload,
    User,
)
from riskapp.services import copying, datasets, drifting, leaving, projects, setups, templates
from riskapp.web.views.drifts import likely_renamed
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
TREE = {"rows": [[town, "north" if town < "C" else "south", "*"] for town in TOWNS], "header": None}


def people(columns: str = "member_id,town,born,work", towns: tuple[str, ...] = tuple(TOWNS), rows: int = 90) -> str:
    lines = [f"m{i:03},{towns[i % len(towns)]},{1950 + i % 40},{'abc'[i % 3]}" for i in range(rows)]
    return "\n".join([columns, *lines]) + "\n"


REGISTER = "name,town,born\n" + "\n".join(f"Person {i},{TOWNS[i % 3]},{1950 + i % 40}" for i in range(50)) + "\n"


@pytest.fixture
def put(arrive: Callable[..., Upload]) -> Callable[..., Upload]:
    """An upload that has been read."""

    def read(*given: Any, **wishes: Any) -> Upload:
        upload = arrive(*given, **wishes)
        work_off("read")
        upload.refresh_from_db()
        return upload

    return read


@pytest.fixture
def setup(project: Project, put: Callable[..., Upload], by: Actor) -> Setup:
    """A finished set-up with something said in every part of it."""
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, put(people(), "june.csv"), found.version, by=by)
    register = put(REGISTER, "register.csv")
    setups.set_class(found, "contract", {"smallest_group": 7}, found.version, by=by)
    town = found.attributes.get(column="town")
    setups.describe(town, 0, by=by, hierarchy=TREE, weight=10, weights={"Cronfeld": 50}, knowable=True)
    setups.accept_all(found, by=by)
    Attacker.objects.create(
        setup=found,
        position=1,
        name="clerk",
        kind=AttackerKind.REGISTER,
        upload=register,
        match={"town": "town", "born": "born@1"},
    )
    search = {"rules": ["full-domain"], "least_share": 0.5}
    setups.plan(found, found.version, by=by, search=search, risk={"over_dictionaries": "worst"}, utility={})
    pairs = {"pairs": [{"attributes": ["town", "born"], "weight": 3}]}
    setups.change(found, found.version, by=by, action="search planned", details={}, sensitivity=pairs)
    return found


@pytest.fixture
def template(setup: Setup, by: Actor) -> Template:
    return templates.save(setup, "Monthly members", "For the study", by=by)


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def compared(setup: Setup, question: dict[str, Any], by: Actor) -> drifting.Drift:
    drifting.ask(setup, question, by=by)
    work_off("drift")
    return drifting.known(setup.project, question)


def said(setup: Setup) -> dict[str, Any]:
    """All that a set-up says, as plain rows."""
    told = copying.copied(Setup.objects.get(pk=setup.pk))
    return {key: value for key, value in told.items() if key != "project"}


# Saving


def test_a_template_holds_the_set_up_and_nothing_of_the_data(template: Template, setup: Setup) -> None:
    document = template.document
    assert (template.version, document["release_class"], document["limits"]) == (1, "contract", {"smallest_group": 7})
    by_column = {one["column"]: one for one in document["attributes"]}
    assert by_column["town"]["hierarchy"] == TREE
    assert (by_column["town"]["weight"], by_column["town"]["weights"]) == (10, {"Cronfeld": 50})
    assert [one["name"] for one in document["attackers"]] == ["neighbour", "clerk"]
    ids = [str(upload.pk) for upload in Upload.objects.all()] + [str(setup.pk)]
    assert not any(key in str(document) for key in ids)
    assert "distinct" not in str(document)


def test_the_same_name_again_is_the_next_version_and_the_first_stays(
    template: Template, setup: Setup, by: Actor
) -> None:
    setups.set_class(setup, "public", None, setup.version, by=by)
    again = templates.save(setup, template.name, "", by=by)
    assert again.version == 2
    assert Template.objects.get(pk=template.pk).document["release_class"] == "contract"


def test_an_unfinished_set_up_is_not_saved(setup: Setup, by: Actor, browser: Client) -> None:
    setup.attributes.filter(column="work").update(confirmed=False)
    answer = browser.post(reverse("templates", args=[setup.pk]), {"name": "Half"})
    assert answer.status_code == 422
    assert "Columns left to confirm: 1" in answer.content.decode()
    assert not Template.objects.exists()


# Drift and applying


def test_a_comparison_that_ends_while_one_looks_has_left_its_answer(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people("member_id,town,birth,extra", TOWNS, 92), "july.csv")
    question = drifting.from_template(template, july)
    drifting.ask(setup, question, by=by)
    queries: list[str] = []

    def ending_it(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        queries.append(sql)
        if len(queries) == 1:
            work_off("drift")
        return result

    with connection.execute_wrapper(ending_it):
        drift = drifting.of(setup.project, question)
    assert Run.objects.get(kind="drift").is_over
    assert drift.facts is not None or (drift.run is not None and not drift.run.is_over)


def test_what_drifted_is_told_before_anything_is_changed(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people("member_id,town,birth,extra", (*TOWNS, "Dunwald"), 92), "july.csv")
    before = said(setup)
    drift = compared(setup, drifting.from_template(template, july), by)
    kinds = {(fact["kind"], fact["column"]) for fact in drift.facts or []}
    assert {("missing", "born"), ("missing", "work"), ("new", "birth"), ("new", "extra")} <= kinds
    uncovered = next(fact for fact in drift.facts or [] if fact["kind"] == "uncovered")
    assert (uncovered["column"], uncovered["values"], uncovered["records"]) == ("town", 1, 23)
    assert "Dunwald" not in str(drift.facts)
    assert said(setup) == before


def test_applied_to_the_next_file_everything_is_as_it_was_and_what_differs_is_to_confirm(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people("member_id,town,birth,extra", (*TOWNS, "Dunwald"), 92), "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    done = templates.apply(setup, template, july, {"born": "birth"}, {"extra"}, setup.version, by=by)
    rows = {one.column: one for one in setup.attributes.all()}
    assert list(rows) == ["member_id", "town", "birth", "extra"]
    assert rows["town"].hierarchy == TREE
    assert {name for name, one in rows.items() if not one.confirmed} == {"town", "birth", "extra"}
    assert done.to_confirm == 3
    clerk = setup.attackers.get(name="clerk")
    assert clerk.match == {"town": "town", "born": "birth@1"}, "the register's own column keeps its name"
    assert Setup.objects.get(pk=setup.pk).sensitivity["pairs"][0]["attributes"] == ["town", "birth"]


def test_a_renamed_column_is_called_so_wherever_a_set_up_speaks_of_it(setup: Setup, by: Actor) -> None:
    old = {one.column: f"{one.column}?of@old" for one in setup.attributes.all()}
    new = {column: f"{column}!of@new" for column in old}
    _speak_of(setup, *old.values())
    document = copying.copied(Setup.objects.get(pk=setup.pk))
    written = copying.with_names(document, {then: new[column] for column, then in old.items()})
    told = json.dumps(document).replace("?of@old", "!of@new")
    assert written == json.loads(told)
    assert told.count("!of@new") > 15


def _speak_of(setup: Setup, person: str, town: str, born: str, work: str) -> None:
    """Something in every part of a set-up that can speak of a column of the dataset."""
    for one, column in zip(setup.attributes.all(), (person, town, born, work), strict=True):
        setup.attributes.filter(pk=one.pk).update(column=column, personal=work, suggestion={})
    setup.attackers.filter(name="neighbour").update(knows=[town, born])
    setup.attackers.filter(name="clerk").update(match={"place": town, "year": f"{born}@1", "job": work})
    Setup.objects.filter(pk=setup.pk).update(
        risk_weight=work,
        linkage={"upload": "?", "match": {"place": f"{town}@1", "year": born}, "adds": {"ward": 0.4}},
        sensitivity={"family": "linear", "pairs": [{"attributes": [town, born], "weight": 3}]},
        utility={"measure": "depth", "weights": {town: 2, work: 0.5}},
        search={"rules": ["regional"], "regions": [f"{town}@1", f"{born}@year"]},
    )


def test_an_attacker_may_know_a_column_with_an_at_sign_in_its_name(setup: Setup) -> None:
    setup.attributes.filter(column="town").update(column="town@home")
    setup.attackers.filter(name="clerk").update(match={"town": "town@home", "born": "born@1"})
    document = documents.about_attackers(setup, setup.attackers.filter(name="clerk"))
    assert document["assessment"]["dictionaries"][0]["match"] == {"town": "town@home", "born": "born@1"}


def test_a_new_column_is_dropped_until_somebody_decides(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people("member_id,town,born,extra"), "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    templates.apply(setup, template, july, {}, set(), setup.version, by=by)
    extra = setup.attributes.get(column="extra")
    assert (extra.role, extra.confirmed) == (ColumnRole.DROPPED, False)


def test_a_new_column_that_could_say_who_is_who_is_dropped_beside_the_one_that_does(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    head, *lines = people().splitlines()
    numbered = [f"{line},q{row:03}" for row, line in enumerate(lines)]
    july = put("\n".join([f"{head},patient_id", *numbered, f",{TOWNS[0]},1950,a,q999"]) + "\n", "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    templates.apply(setup, template, july, {}, {"patient_id"}, setup.version, by=by)
    new = setup.attributes.get(column="patient_id")
    assert (new.suggestion["role"], new.role, new.confirmed) == ("identifier", "dropped", False)
    assert [one.column for one in setup.attributes.filter(role=ColumnRole.IDENTIFIER)] == ["member_id"]


def test_what_points_at_people_now_is_not_released_for_what_it_was_then(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    lines = [f"m{i:03},{TOWNS[i % 3]},{1950 + i % 40},person{i}@example.org" for i in range(90)]
    july = put("\n".join(["member_id,town,born,work", *lines]) + "\n", "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    assert setup.attributes.get(column="work").role == ColumnRole.GENERALISED
    templates.apply(setup, template, july, {}, set(), setup.version, by=by)
    work = setup.attributes.get(column="work")
    assert (work.role, work.confirmed) == (ColumnRole.DROPPED, False)


def test_in_another_project_attackers_find_their_file_by_name_or_say_that_it_is_not_there(
    template: Template, by: Actor, put: Callable[..., Upload]
) -> None:
    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    theirs = Setup.objects.get(pk=other.pk)
    july = put(people(), "july.csv", project=other)
    compared(theirs, drifting.from_template(template, july), by)
    done = templates.apply(theirs, template, july, {}, set(), theirs.version, by=by)
    assert done.without_file == ["clerk"]
    assert (theirs.release_class, theirs.limits) == ("contract", {"smallest_group": 7})
    register = put(REGISTER, "register.csv", project=other)
    done = templates.apply(theirs, template, july, {}, set(), theirs.version, by=by)
    assert done.without_file == []
    assert theirs.attackers.get(name="clerk").upload_id == register.pk


VISITS = "place,year,ward\nAldersee,1950,a\nCronfeld,1951,b\n"
OWN = "who,worth\nm001,3\nm002,4\n"


def with_own_tables(setup: Setup, put: Callable[..., Upload]) -> dict[str, Any]:
    """Linkage data and a table of people's own weights of two columns; what is said of the former."""
    visits, own = put(VISITS, "visits.csv"), put(OWN, "own.csv")
    linkage = {"upload": str(visits.pk), "match": {"place": "town", "year": "born@1", "ward": "work"}, "adds": {}}
    Setup.objects.filter(pk=setup.pk).update(linkage=linkage)
    personal = {"upload": str(own.pk), "key": "who", "column": "worth"}
    setup.attributes.filter(column__in=["town", "work"]).update(personal=personal)
    setup.refresh_from_db()
    return linkage


def test_the_project_s_own_tables_stay_as_far_as_they_fit_and_the_rest_is_told_before_and_after(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor, browser: Client
) -> None:
    linkage = with_own_tables(setup, put)
    july = put(people("member_id,town,birth,extra"), "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    address = reverse("template-apply", args=[setup.pk, template.pk])
    shown = browser.get(f"{address}?upload={july.pk}").content.decode()
    assert "the linkage data visits.csv, joined by place, year; people&#x27;s own weights of town from own.csv" in shown
    lost = ["ward of the linkage data visits.csv: what it is matched to is not released"]
    lost.append("people's own weights of work from own.csv: the column is not there any more")
    assert all(words.replace("'", "&#x27;") in shown for words in lost)
    answer = {"upload": str(july.pk), "sure": "yes", "missing-0": "0", "seen": setup.version}
    told = browser.post(address, answer, follow=True).content.decode()
    assert f"Left out: {'; '.join(lost)}".replace("'", "&#x27;") in told
    setup.refresh_from_db()
    assert setup.linkage == {**linkage, "match": {"place": "town", "year": "birth@1"}}
    assert setup.attributes.get(column="town").personal["column"] == "worth"


def test_own_tables_that_cannot_be_kept_are_left_out_with_the_reason(
    template: Template, setup: Setup, put: Callable[..., Upload]
) -> None:
    with_own_tables(setup, put)
    july = put(people("one,two,three,four"), "july.csv")
    told = templates.besides(setup, template, july, {})
    assert told.stays == []
    assert told.left_out[0] == "the linkage data visits.csv: no column that they are joined by is released any more"
    Upload.objects.filter(name__in=["visits.csv", "own.csv"]).update(state="purged")
    told = templates.besides(setup, template, july, {})
    assert [words.partition(": ")[2] for words in told.left_out] == ["its file is not there any more"] * 3
    Upload.objects.filter(name__in=["visits.csv", "own.csv"]).update(state="ready")
    column = {
        **template.document,
        "attributes": [one | {"personal": "born"} for one in template.document["attributes"]],
    }
    template.document = column
    told = templates.besides(setup, template, put(people(), "august.csv"), {})
    assert "people's own weights of town from own.csv: the template takes them from born" in told.left_out


def test_a_table_stays_to_be_shredded_on_its_day_whatever_its_attacker_is_called(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july, day = put(people(), "july.csv"), date(2099, 1, 1)
    setup.attackers.filter(name="clerk").update(name="town hall", delete_after=day)
    Attacker.objects.create(setup=setup, position=2, name="x", kind="register", upload=july, delete_after=day)
    compared(setup, drifting.from_template(template, july), by)
    assert [one.name for one in templates.besides(setup, template, july, {}).let_go] == ["x"]
    templates.apply(setup, template, july, {}, set(), setup.version, by=by)
    assert setup.attackers.get(name="clerk").delete_after == day


def test_a_template_is_not_applied_to_a_file_that_was_not_compared(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people(), "july.csv")
    before = said(setup)
    with pytest.raises(NotReady):
        templates.apply(setup, template, july, {}, set(), setup.version, by=by)
    assert said(setup) == before


def test_two_missing_columns_cannot_have_become_the_same(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    july = put(people("member_id,town,one,other"), "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    with pytest.raises(NotReady, match="Two columns"):
        templates.apply(setup, template, july, {"born": "one", "work": "one"}, set(), setup.version, by=by)


def test_who_says_so_of_two_keeps_all_choices_and_is_told(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor, browser: Client
) -> None:
    july = put(people("member_id,town,one,other"), "july.csv")
    for question, address in [
        (drifting.from_template(template, july), reverse("template-apply", args=[setup.pk, template.pk])),
        (drifting.from_setup(setup, july), reverse("dataset", args=[setup.pk])),
    ]:
        compared(setup, question, by)
        answer = {"upload": str(july.pk), "sure": "yes", "seen": setup.version, "missing-0": "1", "missing-1": "1"}
        told = browser.post(address, answer | {"new-0": "suggested"})
        assert told.status_code == 422
        assert "Two columns cannot have become the same one" in told.content.decode()
        assert told.content.decode().count('value="1" selected') == 2
        assert [taken for _, taken in told.context["asked"]["new"]] == [True, False]
    setup.refresh_from_db()
    assert setup.dataset is not None
    assert setup.dataset.name == "june.csv"


def test_no_new_column_is_proposed_for_two_missing_ones(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    setup.attributes.filter(column="work").update(column="born2")
    again = templates.save(setup, "Both", "", by=by)
    july = put(people("member_id,town,born1,other"), "july.csv")
    drift = compared(setup, drifting.from_template(again, july), by)
    assert [fact["perhaps"] for fact in drift.missing] == [["born1"], ["born1"]]
    assert list(likely_renamed(drift).values()) == ["born1"]


def test_applying_is_undone_to_the_letter_and_that_too(
    template: Template, setup: Setup, put: Callable[..., Upload], by: Actor, browser: Client
) -> None:
    setups.set_class(setup, "public", None, setup.version, by=by)
    july = put(people("member_id,town,born,extra"), "july.csv")
    compared(setup, drifting.from_template(template, july), by)
    before = said(setup)
    templates.apply(setup, template, july, {}, set(), setup.version, by=by)
    applied = said(setup)
    assert applied != before
    for then in (before, applied):
        event = AuditEvent.objects.filter(project_id=setup.pk).order_by("-number").first()
        assert event is not None
        browser.post(reverse("templates-undo", args=[setup.pk]), {"event": event.number})
        assert said(setup) == then


# On the pages


def test_a_template_is_saved_looked_at_compared_and_applied_on_the_pages(
    setup: Setup, put: Callable[..., Upload], browser: Client
) -> None:
    july = put(people("member_id,town,birth,extra", (*TOWNS, "Dunwald")), "july.csv")
    browser.post(reverse("templates", args=[setup.pk]), {"name": "Monthly", "about": "for the study"})
    template = Template.objects.get()
    shown = browser.get(reverse("template", args=[setup.pk, template.pk])).content.decode()
    assert "Monthly, version 1" in shown
    assert not any(town in shown for town in TOWNS)
    there = browser.post(reverse("template-apply", args=[setup.pk, template.pk]), {"upload": str(july.pk)})
    assert "is being compared" in browser.get(there["Location"]).content.decode()
    work_off("drift")
    page = browser.get(there["Location"]).content.decode()
    assert "Nothing is changed yet" in page
    assert "it is called birth now" in page
    answer = {"upload": str(july.pk), "sure": "yes", "missing-0": "0", "seen": setup.version}
    told = browser.post(reverse("template-apply", args=[setup.pk, template.pk]), answer, follow=True).content.decode()
    assert "Applied: Monthly, version 1" in told
    assert set(setup.attributes.values_list("column", flat=True)) == {"member_id", "town", "birth", "extra"}


def test_another_dataset_is_compared_first_and_keeps_what_was_said(
    setup: Setup, put: Callable[..., Upload], browser: Client
) -> None:
    july = put(people("member_id,town,birth,work"), "july.csv")
    there = browser.post(reverse("dataset", args=[setup.pk]), {"upload": str(july.pk)})
    assert Setup.objects.get(pk=setup.pk).dataset_id != july.pk
    work_off("drift")
    assert "Use it as the dataset" in browser.get(there["Location"]).content.decode()
    post = {"upload": str(july.pk), "sure": "yes", "missing-0": "0"}
    browser.post(reverse("dataset", args=[setup.pk]), post)
    assert Setup.objects.get(pk=setup.pk).dataset_id == july.pk
    birth = setup.attributes.get(column="birth")
    assert (birth.role, birth.confirmed) == (ColumnRole.GENERALISED, False)
    assert setup.attributes.get(column="town").hierarchy == TREE


def test_a_dataset_is_not_replaced_by_a_file_of_another_project(
    setup: Setup, put: Callable[..., Upload], by: Actor
) -> None:
    other = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    with pytest.raises(Exception, match="not one of the project"):
        datasets.replace(setup, put(people(), "july.csv", project=other), {}, setup.version, by=by)


# People to leave out


def test_a_list_of_people_says_how_many_rows_and_people_it_removes(
    setup: Setup, put: Callable[..., Upload], by: Actor, browser: Client
) -> None:
    twice = put(people() + "m001,Aldersee,1951,a\n", "twice.csv")
    listed = put("who\nm001\nm002\nnobody\n", "objected.csv")
    compared(setup, drifting.from_setup(setup, twice), by)
    datasets.replace(setup, twice, {}, setup.version, by=by)
    browser.post(reverse("dataset-leave-out", args=[setup.pk]), {"upload": str(listed.pk)})
    work_off("leave-out")
    figures = leaving.of(Setup.objects.get(pk=setup.pk)).figures
    assert figures == {"rows": 91, "people": 90, "rows_out": 3, "people_out": 2}
    shown = browser.get(reverse("project", args=[setup.pk])).content.decode()
    assert "2 of 90 people" in shown


def test_a_list_that_matches_nobody_says_what_to_look_at(
    setup: Setup, put: Callable[..., Upload], browser: Client
) -> None:
    listed = put("who\nx1\nx2\n", "objected.csv")
    browser.post(reverse("dataset-leave-out", args=[setup.pk]), {"upload": str(listed.pk)})
    work_off("leave-out")
    shown = browser.get(reverse("project", args=[setup.pk])).content.decode()
    assert "Nobody on the list is in the dataset" in shown


def test_without_an_identifier_nobody_can_be_left_out_and_the_page_says_what_to_do(
    setup: Setup, put: Callable[..., Upload], by: Actor, browser: Client
) -> None:
    one = setup.attributes.get(role=ColumnRole.IDENTIFIER)
    setups.describe(one, one.version, by=by, role=ColumnRole.DROPPED)
    listed = put("who\nm001\n", "objected.csv")
    browser.post(reverse("dataset-leave-out", args=[setup.pk]), {"upload": str(listed.pk)})
    shown = browser.get(reverse("project", args=[setup.pk])).content.decode()
    assert "Make one the identifier" in shown
    assert "90 rows, each taken for a person of its own" in shown


def test_limits_that_are_filled_in_but_not_chosen_are_not_passed_over(setup: Setup, browser: Client) -> None:
    address = reverse("release-class", args=[setup.pk])
    given = {"release_class": "contract", "seen": setup.version, "largest_chance": "0.2", "smallest_group": "20"}
    answer = browser.post(address, given)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Tick this to use them" in page
    assert 'value="20"' in page
    setup.refresh_from_db()
    assert setup.limits == {"smallest_group": 7}
    assert browser.post(address, given | {"own": "on"}).status_code == 302
    setup.refresh_from_db()
    assert setup.limits == {"largest_chance": 0.2, "smallest_group": 20}
    assert browser.post(address, given | {"seen": setup.version}).status_code == 302, "only the tick was taken away"
    setup.refresh_from_db()
    assert setup.limits is None


def test_a_new_project_is_led_to_its_release_class_first(browser: Client) -> None:
    post = {"name": "New", "purpose": "", "role": "officer"}
    there = browser.post(reverse("project-new"), post)["Location"]
    made = Project.objects.get(name="New")
    assert there == reverse("release-class", args=[made.pk])
    assert "Say first who will have the release" in browser.get(reverse("project", args=[made.pk])).content.decode()
