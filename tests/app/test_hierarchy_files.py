"""Several hierarchy files at once: told before anything changes, saved together, undone together, nothing lost."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from riskapp.models import Actor, Attribute, AuditEvent, FrozenAssessment, Project, Setup, User
from riskapp.services import hierarchies, setups, undoing
from riskapp.services.states import Overtaken
from riskapp.web import drafts
from riskapp.web.forms import hierarchies as forms
from tests.app.studios import GROUPS, Studio, at, described, looks

__all__ = ["at", "described"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

CITY = "Rome;Italy;*\nMilan;Italy;*\nParis;France;*\nLyon;France;*\nOslo;Norway;*\n"
ZIP = "10100;101*;*\n10101;101*;*\n10102;101*;*\n10103;101*;*\n"
SOME = "Rome;Italy;*\nParis;France;*\n"
CITIES = {"header": None, "rows": [line.split(";") for line in CITY.split()]}


def file(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


class Table:
    """Somebody at the table of columns with hierarchy files."""

    def __init__(self, studio: Studio) -> None:
        self.client, self.project = studio.client, studio.project
        self.url = reverse("hierarchy-files", args=[studio.project.pk])

    def send(self, *files: SimpleUploadedFile, **more: str) -> Any:
        return self.client.post(self.url, {"hierarchies": list(files)} | more)

    def fields(self, page: str) -> dict[str, str]:
        """What a browser without scripts would send from the page."""
        hidden = re.findall(r'type="hidden" name="((?:file|shown)-\d+)" value="([^"]*)"', page)
        chosen = {
            name: (re.findall(r'value="(\d*)" selected', options) or [""])[0]
            for name, options in re.findall(r'<select[^>]* name="(column-\d+)"[^>]*>(.*?)</select>', page)
        }
        return dict(hidden) | chosen

    def press(self, page: str, button: str = "save", **changes: str) -> Any:
        pressed = {"save": "yes"} if button == "save" else {}
        return self.client.post(self.url, self.fields(page) | changes | pressed)

    def one(self, column: str) -> Attribute:
        return Attribute.objects.get(setup_id=self.project.pk, column=column)


@pytest.fixture
def table(at: Callable[..., Studio]) -> Table:
    at("zip", None)
    return Table(at("city", None))


@pytest.fixture
def colleague(person: Callable[..., User], project: Project) -> User:
    user = person("carla")
    project.memberships.create(user=user, role="steward")
    return user


def words(answer: Any) -> str:
    """The page as it reads."""
    shown = html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", shown)


def rows(answer: Any) -> list[str]:
    body = answer.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    body = re.sub(r"<option(?! [^>]*selected).*?</option>", "", body)
    return [re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", row))).strip() for row in body.split("</tr>")][
        :-1
    ]


# Told before anything changes


def test_the_page_of_columns_leads_to_the_form_those_who_may_describe_them(
    table: Table, at: Callable[..., Studio], person: Callable[..., User]
) -> None:
    there = reverse("attributes", args=[table.project.pk])
    assert f'href="{table.url}"' in table.client.get(there).content.decode()
    page = table.client.get(table.url).content.decode()
    assert 'method="post" enctype="multipart/form-data"' in page
    assert re.search(r'<input type="file" name="hierarchies"[^>]* multiple', page)
    auditor = person("anton")
    table.project.memberships.create(user=auditor, role="auditor")
    assert table.url not in at("city", user=auditor).client.get(there).content.decode()


def test_each_file_is_told_with_its_column_levels_coverage_and_what_it_replaces(table: Table) -> None:
    before = table.one("city").version
    answer = table.send(file("table_hierarchy_city.csv", SOME), file("table_hierarchy_ZIP.csv", ZIP))
    assert answer.status_code == 200
    assert rows(answer) == [
        "table_hierarchy_city.csv city 2 2 of 5 3 without, in 16 records shown, or hidden altogether",
        "table_hierarchy_ZIP.csv zip 2 4 of 4 shown, or hidden altogether",
    ]
    assert "2 of 2 files can be saved" in words(answer)
    assert (table.one("city").hierarchy, table.one("city").version) == (None, before), "nothing has changed"
    assert looks() == 0, "counts are no look"


def test_of_a_file_that_covers_no_value_it_is_asked_whether_it_is_the_right_one(table: Table) -> None:
    assert "0 of 5 Is it for this column?" in rows(table.send(file("city.csv", ZIP)))[0]


def test_no_value_and_no_label_of_a_file_stands_in_the_page_as_text(table: Table) -> None:
    shown = words(table.send(file("city.csv", CITY), file("born.csv", "x;Italy;*\nx;Italy;*\n")))
    assert "Rome" not in shown
    assert "Italy" not in shown


def test_what_matched_nothing_is_told_and_its_column_is_chosen_by_hand(table: Table) -> None:
    page = table.send(file("towns.csv", CITY), file("who.csv", "p0;*\n"), file("zip.csv", ZIP))
    assert "No released column is called like it." in rows(page)[0]
    assert "The column “who” is not released." in rows(page)[1]
    chosen = {"column-0": str(table.one("city").pk)}
    assert "No released column" in rows(table.press(page.content.decode(), "look"))[0], "told until one is chosen"
    again = table.press(page.content.decode(), "look", **chosen)
    assert rows(again)[0].startswith("towns.csv city 2 5 of 5")
    assert table.press(again.content.decode()).status_code == 302
    assert table.one("city").hierarchy == CITIES


def test_a_column_chosen_and_saved_in_one_step_is_shown_before_it_is_saved(table: Table) -> None:
    page = table.send(file("towns.csv", SOME)).content.decode()
    answer = table.press(page, **{"column-0": str(table.one("city").pk)})
    assert answer.status_code == 422
    assert "Not saved yet" in words(answer)
    assert "2 of 5" in rows(answer)[0]
    assert table.one("city").hierarchy is None
    assert table.press(answer.content.decode()).status_code == 302
    assert table.one("city").hierarchy is not None


def test_with_scripts_only_the_part_that_changes_is_sent(table: Table) -> None:
    page = table.send(file("towns.csv", CITY)).content.decode()
    assert 'hx-trigger="change" hx-include="#hierarchy-files" hx-target="#hierarchy-files"' in page
    fields = table.fields(page) | {"column-0": str(table.one("city").pk)}
    part = table.client.post(table.url, fields, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert rows(part)[0].startswith("towns.csv city 2 5 of 5")


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("Rome;Italy;*\nParis;France;*\nRome;France;*\n", "line 3"),
        ('Rome;"Italy;*\n', "quotes"),
        ("", "lists no value"),
        (b"K\xc3\xb6ln;Germany;*\nMalm\xf6;Sweden;*\n", "Line 2 is not in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_line_and_the_others_are_not_lost(
    table: Table, bad: str | bytes, told: str
) -> None:
    page = table.send(file("city.csv", bad), file("zip.csv", ZIP))
    assert told in rows(page)[0]
    assert "1 of 2 files can be saved" in words(page)
    again = table.press(page.content.decode(), "look")
    assert told in rows(again)[0], "it is told as long as the page is there"
    assert table.press(again.content.decode()).status_code == 302
    assert table.one("city").hierarchy is None
    assert table.one("zip").hierarchy is not None


def test_two_files_for_one_column_are_told_and_neither_is_saved(table: Table) -> None:
    page = table.send(file("city.csv", CITY), file("city.txt", SOME), file("zip.csv", ZIP))
    assert all("Another file is called like “city” too." in row for row in rows(page)[:2])
    pk = str(table.one("city").pk)
    both = table.press(page.content.decode(), "look", **{"column-0": pk, "column-1": pk})
    assert all("Another file is for this column too." in row for row in rows(both)[:2])
    assert table.press(both.content.decode()).status_code == 302
    assert table.one("city").hierarchy is None
    assert table.one("zip").hierarchy is not None


def test_a_file_can_be_left_out(table: Table) -> None:
    page = table.send(file("city.csv", CITY), file("zip.csv", ZIP)).content.decode()
    page = table.press(page, "look", **{"column-0": ""}).content.decode()
    assert table.press(page).status_code == 302
    assert table.one("city").hierarchy is None


def test_where_nothing_can_be_saved_it_is_said(table: Table) -> None:
    page = table.send(file("towns.csv", CITY)).content.decode()
    answer = table.press(page)
    assert answer.status_code == 422
    assert "There is nothing to save" in words(answer)
    assert "towns.csv" in rows(answer)[0]


def test_without_a_file_the_form_says_so(table: Table) -> None:
    answer = table.client.post(table.url)
    assert answer.status_code == 422
    assert "Choose one file or several." in words(answer)
    assert table.client.get(table.url).status_code == 200


def test_a_file_that_is_the_same_as_what_is_there_replaces_nothing(table: Table) -> None:
    table.press(table.send(file("city.csv", CITY)).content.decode())
    assert "nothing: it is the same" in rows(table.send(file("city.csv", CITY)))[0]


def test_a_column_that_is_released_unchanged_is_told(table: Table) -> None:
    Attribute.objects.filter(pk=table.one("city").pk).update(role="kept")
    assert "released unchanged now" in rows(table.send(file("city.csv", CITY)))[0]


def test_without_a_dataset_one_is_led_to_choosing_it(table: Table) -> None:
    Setup.objects.filter(pk=table.project.pk).update(dataset=None)
    answer = table.client.get(table.url, follow=True)
    assert "Choose the dataset first" in words(answer)


# Limits


def test_each_file_has_the_limit_that_one_alone_has(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_BYTES", len(ZIP))
    page = table.send(file("city.csv", CITY), file("zip.csv", ZIP))
    assert "larger than 20 MB" in rows(page)[0]
    assert "zip 2 4 of 4" in rows(page)[1]


def test_what_is_too_large_together_is_left_to_the_studio(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_TOGETHER", len(CITY) + 5)
    page = table.send(file("city.csv", CITY), file("zip.csv", ZIP))
    assert "city 2 5 of 5" in rows(page)[0]
    assert "Read this one in the studio" in rows(page)[1]


def test_what_the_page_could_not_send_back_is_left_to_the_studio(table: Table, settings: Any) -> None:
    noise = "".join(f"{hash((row, 7))};{hash((row, 8))};*\n" for row in range(90_000))
    page = table.send(file("city.csv", CITY), file("zip.csv", noise))
    assert "Read this one in the studio" in rows(page)[1]
    fields = table.fields(page.content.decode())
    assert sum(map(len, fields.values())) < settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert table.press(page.content.decode()).status_code == 302
    assert table.one("city").hierarchy == CITIES


def test_more_files_than_the_server_takes_at_once_are_told(table: Table) -> None:
    answer = table.send(*[file(f"{number}.csv", CITY) for number in range(101)])
    assert answer.status_code == 400
    assert "more than 100 files" in words(answer)


@pytest.mark.parametrize("word", ["", "no draft", drafts.packed_texts("only one")])
def test_what_did_not_come_whole_changes_nothing_and_is_told(table: Table, word: str) -> None:
    answer = table.client.post(table.url, {"file-0": word, "save": "yes"})
    assert answer.status_code == 409
    assert "did not come whole" in words(answer)


# Saved together


def test_all_are_saved_in_one_go_and_audited_by_column_without_a_value(table: Table) -> None:
    page = table.send(file("city.csv", SOME), file("zip.csv", ZIP)).content.decode()
    first = AuditEvent.objects.count()
    answer = table.press(page)
    assert answer["Location"] == reverse("attributes", args=[table.project.pk])
    events = list(AuditEvent.objects.order_by("number")[first:])
    assert [(event.action, event.details) for event in events] == [
        ("column described", {"column": "city", "what": ["hierarchy"]}),
        ("column described", {"column": "zip", "what": ["hierarchy"]}),
    ]
    assert table.one("city").confirmed
    shown = words(table.client.get(answer["Location"]))
    assert "Saved: the hierarchies of 2 columns." in shown
    assert "Values without a place: city." in shown


def test_if_one_column_was_changed_meanwhile_none_is_saved_and_saving_again_is_meant(
    table: Table, colleague: User
) -> None:
    page = table.send(file("city.csv", CITY), file("zip.csv", ZIP)).content.decode()
    other = table.one("zip")
    setups.describe(other, other.version, by=Actor(colleague), hurts=True)
    answer = table.press(page)
    assert answer.status_code == 409
    assert "zip, by Carla" in words(answer)
    assert (table.one("city").hierarchy, table.one("zip").hierarchy) == (None, None)
    assert table.press(answer.content.decode()).status_code == 302
    assert table.one("city").hierarchy == CITIES
    assert table.one("zip").hurts, "what the other said stays"


def test_a_column_that_is_no_longer_released_is_asked_for_anew(table: Table) -> None:
    page = table.send(file("city.csv", CITY)).content.decode()
    Attribute.objects.filter(pk=table.one("city").pk).update(role="dropped")
    assert table.press(page).status_code == 422
    assert table.one("city").hierarchy is None


def test_a_column_of_another_project_cannot_be_chosen(table: Table, by: Actor) -> None:
    other = Project.objects.create(name="Other", created_by=by.user)
    setup, _ = Setup.objects.get_or_create(project=other)
    foreign = Attribute.objects.create(setup=setup, position=0, column="city", role="generalised")
    page = table.send(file("towns.csv", CITY)).content.decode()
    fields = {"column-0": str(foreign.pk), "shown-0": f"{foreign.pk}:{foreign.version}"}
    table.press(page, **fields)
    foreign.refresh_from_db()
    assert foreign.hierarchy is None


def test_the_service_saves_all_or_none(described: Setup, by: Actor) -> None:
    city, town = (Attribute.objects.get(setup=described, column=name) for name in ("city", "zip"))
    kept = FrozenAssessment.objects.count()
    with pytest.raises(Overtaken):
        hierarchies.save_many(described, [(city, GROUPS, city.version), (town, None, town.version + 1)], by=by)
    city.refresh_from_db()
    assert city.hierarchy != GROUPS
    assert not AuditEvent.objects.filter(action="column described").exists()
    assert FrozenAssessment.objects.count() == kept


# Undone together


def undo(table: Table) -> Any:
    return table.client.post(reverse("attributes-undo", args=[table.project.pk]), follow=True)


def test_one_undo_takes_all_of_them_back(table: Table) -> None:
    Attribute.objects.filter(pk=table.one("city").pk).update(hierarchy=GROUPS, confirmed=False)
    before = [(table.one(name).hierarchy, table.one(name).confirmed) for name in ("city", "zip")]
    table.press(table.send(file("city.csv", CITY), file("zip.csv", ZIP)).content.decode())
    assert table.one("city").hierarchy == CITIES
    assert "Undone: the hierarchies of 2 columns." in words(undo(table))
    assert [(table.one(name).hierarchy, table.one(name).confirmed) for name in ("city", "zip")] == before
    assert AuditEvent.objects.latest("number").details == {"columns": 2}


def test_the_session_holds_no_value_for_the_undo(table: Table) -> None:
    Attribute.objects.filter(pk=table.one("city").pk).update(hierarchy=GROUPS)
    table.press(table.send(file("city.csv", CITY)).content.decode())
    held = json.dumps(dict(table.client.session.items()))
    assert "undo" in held
    assert not [word for word in ("Rome", "Italy", "Lyon") if word in held]


def test_what_was_changed_since_is_not_undone(table: Table, colleague: User) -> None:
    table.press(table.send(file("city.csv", CITY), file("zip.csv", ZIP)).content.decode())
    other = table.one("zip")
    setups.describe(other, other.version, by=Actor(colleague), hurts=True)
    assert "Nothing was undone" in words(undo(table))
    assert table.one("city").hierarchy == CITIES


def test_what_was_kept_of_another_project_is_not_gone_back_to(described: Setup, by: Actor) -> None:
    foreign = FrozenAssessment.objects.create(sha256="f" * 64, document={"project": "another", "attributes": []})
    with pytest.raises(Overtaken, match="nothing to go back to"):
        undoing.undo(described, [], by=by, kept=foreign.sha256)


def test_nothing_of_the_files_is_kept_before_they_are_saved(table: Table) -> None:
    table.send(file("city.csv", CITY))
    assert "Lyon" not in json.dumps(dict(table.client.session.items()))
    assert not FrozenAssessment.objects.exists()


def test_a_client_without_the_ability_changes_nothing(table: Table, person: Callable[..., User]) -> None:
    page = table.send(file("city.csv", CITY)).content.decode()
    auditor = person("anton")
    table.project.memberships.create(user=auditor, role="auditor")
    other = Client()
    other.force_login(auditor, backend="django.contrib.auth.backends.ModelBackend")
    assert other.post(table.url, table.fields(page) | {"save": "yes"}).status_code == 403
    assert table.one("city").hierarchy is None
