"""The hierarchy studio: builders with a preview, the tree, homes, files; nothing lost, nothing shown unaudited."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from riskapp.models import Actor, Attribute, AuditEvent, Project, Setup, Upload, User
from riskapp.services import setups
from riskapp.web import drafts
from tests.app.studios import GROUPS, Studio, at, described, draft_in, lines_in, looks
from tests.app.working import work_off

__all__ = ["at", "described"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

# Builders


def test_the_studio_opens_with_what_is_saved_and_shows_no_value(at: Callable[..., Studio]) -> None:
    page = at("city", GROUPS).get()
    assert "Italy" in page
    assert "Rome" not in page
    assert looks() == 0


@pytest.mark.parametrize(
    ("column", "fields", "spec"),
    [
        ("city", {"kind": "none"}, None),
        ("zip", {"kind": "mask", "signs": "3", "end": "left"}, {"mask": 3, "from": "left"}),
        (
            "age",
            {"kind": "intervals", "start": "0", "widths": "5, 10; 50", "unit": "1"},
            {"intervals": {"from": 0, "widths": [5, 10, 50], "unit": 1}},
        ),
        ("born", {"kind": "dates", "choice": "1"}, {"dates": ["year"]}),
    ],
)
def test_a_built_rule_is_saved(at: Callable[..., Studio], column: str, fields: dict[str, str], spec: Any) -> None:
    studio = at(column, GROUPS)
    assert studio.post("hierarchy", was=fields["kind"], **fields).status_code == 302
    assert studio.saved() == spec


def test_neighbours_in_order_are_merged_by_as_many_as_was_said(at: Callable[..., Studio]) -> None:
    studio = at("zip", None)
    assert studio.post("hierarchy", kind="ordered", was="ordered", by="2").status_code == 302
    assert [row[:2] for row in studio.saved()["rows"]][:2] == [["10100", "10100 – 10101"], ["10101", "10100 – 10101"]]


def ordering_in(page: str) -> list[str]:
    found = re.search(r'name="ordering" value="([^"]*)"', page)
    assert found
    return list(json.loads(html.unescape(found[1])))


CITIES = ["Oslo", "Rome", "Paris", "Milan", "Lyon"]


def leaves(studio: Studio) -> list[str]:
    return [row[0] for row in studio.saved()["rows"]]


def test_neighbours_are_merged_in_the_order_that_was_given_for_the_column(at: Callable[..., Studio]) -> None:
    studio = at("city", None)
    Attribute.objects.filter(pk=studio.attribute.pk).update(order=CITIES)
    assert studio.post("hierarchy", kind="ordered", was="ordered", by="2").status_code == 302
    assert [row[:2] for row in studio.saved()["rows"]][:3] == [
        ["Oslo", "Oslo – Rome"], ["Rome", "Oslo – Rome"], ["Paris", "Paris – Milan"]
    ]  # fmt: skip
    page = studio.get()  # and it is known again as what it is
    assert 'value="ordered" checked' in page
    assert "in the order that was given for this column" in page
    assert not any(f">{city}<" in page for city in CITIES)


def test_a_value_without_a_place_in_the_order_comes_last_and_is_told(at: Callable[..., Studio]) -> None:
    studio = at("city", None)
    Attribute.objects.filter(pk=studio.attribute.pk).update(order=["Oslo", "Bergen", "Rome"])
    page = studio.post("hierarchy-preview", kind="ordered", was="none").content.decode()
    assert "3 values that have no place in it stand last" in page
    studio.post("hierarchy", kind="ordered", was="ordered", by="2")
    assert leaves(studio) == ["Oslo", "Bergen", "Rome", "Lyon", "Milan", "Paris"]


def test_the_order_is_seen_by_a_look_moved_without_a_script_and_saved_for_the_column(at: Callable[..., Studio]) -> None:
    studio, built = at("city", None), {"kind": "ordered", "was": "ordered", "by": "3"}
    page = studio.post("hierarchy-order", **built).content.decode()
    order = ordering_in(page)
    assert (order, looks()) == (sorted(CITIES), 1)
    assert 'name="by" value="3"' in page
    page = studio.post("hierarchy-preview", **built, ordering=json.dumps(order), shift="4:up").content.decode()
    order = ordering_in(page)
    assert order == ["Lyon", "Milan", "Oslo", "Rome", "Paris"]
    assert "Rome – Paris" in page  # the preview follows
    page = studio.post("hierarchy-preview", **built, ordering=json.dumps(order), shift="0:up").content.decode()
    assert ordering_in(page) == order  # it is the first already
    assert studio.saved() is None
    assert studio.post("hierarchy", **built, ordering=json.dumps(order)).status_code == 302
    assert leaves(studio) == studio.attribute.order == order
    assert looks() == 1
    assert ordering_in(studio.post("hierarchy-order", **built).content.decode()) == order


def test_an_order_that_was_only_looked_at_is_not_said_of_the_column(at: Callable[..., Studio]) -> None:
    studio = at("city", None)
    studio.post("hierarchy", kind="ordered", was="ordered", by="2", ordering=json.dumps(sorted(CITIES)))
    assert leaves(studio) == sorted(CITIES)
    assert studio.attribute.order is None


@pytest.mark.parametrize("ordering", ["", "[1]", '{"a": 1}', "[" * 9999, '[""]'])
def test_an_order_that_did_not_come_whole_is_told_and_nothing_is_saved(
    at: Callable[..., Studio], ordering: str
) -> None:
    answer = at("city", None).post("hierarchy", kind="ordered", was="ordered", by="2", ordering=ordering)
    assert answer.status_code == 422
    assert "did not come whole" in answer.content.decode()


def test_an_order_that_is_sent_shows_no_value_that_was_not_in_it(at: Callable[..., Studio]) -> None:
    built = {"kind": "ordered", "was": "ordered", "by": "5", "ordering": '["Oslo"]'}
    page = at("city", None).post("hierarchy-preview", **built).content.decode()
    assert (ordering_in(page), looks()) == (["Oslo"], 0)
    assert "4 more values of the column stand last" in page
    assert "Rome" not in page


def test_a_kind_just_chosen_begins_with_what_suits_the_column(at: Callable[..., Studio]) -> None:
    page = at("age").post("hierarchy-preview", kind="intervals", was="none").content.decode()
    assert 'name="widths" value="2, 10, 50"' in page
    assert (
        "No value of the column is a number"
        in at("city").post("hierarchy-preview", kind="intervals", was="none").content.decode()
    )


def test_a_change_answers_with_the_preview_alone_and_its_counts(at: Callable[..., Studio]) -> None:
    studio = at("zip")
    fields = {"kind": "mask", "was": "mask", "signs": "5", "end": "right", "seen": "0"}
    answer = studio.client.post(
        studio.url("hierarchy-preview"), fields, headers={"HX-Request": "true", "HX-Target": "preview"}
    )
    page = answer.content.decode()
    assert page.count('<tr role="row">') == 7  # the head, five masks and the top
    assert "1234*" in page  # invented
    assert "1010*" not in page
    assert 'id="builder"' not in page


def test_impossible_parameters_are_told_and_not_saved(at: Callable[..., Studio]) -> None:
    studio = at("age", None)
    answer = studio.post("hierarchy", kind="intervals", was="intervals", start="0", widths="5, 7", unit="1")
    assert answer.status_code == 422
    assert "multiple" in answer.content.decode()
    assert studio.saved() is None
    answer = studio.post("hierarchy", kind="intervals", was="intervals", start="0", widths="five", unit="")
    assert answer.status_code == 422
    assert "Give numbers" in answer.content.decode()


# Looks


def test_real_values_are_shown_only_by_a_click_that_is_recorded(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    page = studio.post("hierarchy-examples", kind="own", was="own").content.decode()
    assert "Rome" in page
    assert looks() == 1
    event = AuditEvent.objects.get(action="values seen")
    assert event.details == {"column": "city"}


def test_a_group_of_one_value_is_not_named_without_a_look(at: Callable[..., Studio]) -> None:
    rows = [[f"1970-01-0{day}", f"197{day // 2}", "*"] for day in range(1, 5)]
    shown = at("born", {"header": None, "rows": rows}).post("hierarchy-preview", kind="own", was="own")
    labels = re.findall(r'label-chip">([^<]*)<', shown.content.decode())
    assert labels == ["1971", "*"], "1970 and 1972 are those of one value each"


def test_an_auditor_sees_the_preview_and_can_change_nothing(
    at: Callable[..., Studio], member: Callable[[str], User]
) -> None:
    studio = at("city", GROUPS, user=member("auditor"))
    assert '<form class="studio"' not in studio.get()
    for name in ("hierarchy", "hierarchy-examples", "hierarchy-tree", "hierarchy-download"):
        assert studio.post(name, kind="own", was="own").status_code == 403
    assert looks() == 0


# The tree


def test_opening_the_tree_is_recorded_and_shows_values_in_their_groups(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    page = studio.post("hierarchy-tree", kind="own", was="own").content.decode()
    assert lines_in(page)[:3] == [(1, "Italy"), (0, "Rome"), (0, "Milan")]
    assert looks() == 1


def test_steps_of_editing_end_in_what_is_saved(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    draft = studio.open()
    draft = draft_in(studio.edit(draft, do="group", level=1, labels=["Italy", "France"], name="South"))
    draft = draft_in(studio.edit(draft, do="rename", level=1, labels=["Norway"], name="Norge"))
    draft = draft_in(studio.edit(draft, do="move", level=0, labels=["Milan"], to="France"))
    draft = draft_in(studio.edit(draft, do="name_level", level=1, name="country"))
    assert studio.post("hierarchy", kind="own", was="own", draft=draft, knowing="yes").status_code == 302
    assert studio.saved() == {
        "header": ["", "country", "", ""],
        "rows": [
            ["Rome", "Italy", "South", "*"],
            ["Milan", "France", "South", "*"],
            ["Paris", "France", "South", "*"],
            ["Oslo", "Norge", "Norway", "*"],
        ],
    }


def test_values_directly_below_the_top_get_a_level_when_they_are_grouped(at: Callable[..., Studio]) -> None:
    studio = at("city", None)
    page = studio.edit(studio.open(), do="group", level=0, labels=["Rome", "Milan"], name="Italy")
    assert (1, "Italy") in lines_in(page)
    assert (1, "Oslo") in lines_in(page)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"do": "rename", "level": 1, "labels": ["Italy"], "name": "  "}, "needs a name"),
        ({"do": "rename", "level": 1, "labels": ["Italy"], "name": "France"}, "has a group of this name already"),
        ({"do": "group", "level": 0, "labels": ["Rome", "Oslo"], "name": "France"}, "has a group of this name already"),
        ({"do": "move", "level": 0, "labels": ["Rome"], "to": "Atlantis"}, "has no group of this name"),
        ({"do": "move", "level": 0, "labels": ["Rome", "Oslo"], "to": "Atlantis"}, "put the chosen into a new group"),
        ({"do": "move", "level": 9, "labels": ["Rome"], "to": "Italy"}, "levels between"),
        ({"do": "move", "level": 1, "labels": ["Italy"], "to": "Italy"}, "levels between"),
        ({"do": "rename", "level": 0, "labels": ["Rome"], "name": "Roma"}, "levels between"),
        ({"do": "name_level", "level": 1, "name": "7"}, "Give a word"),
        ({"do": "move"}, "cannot be done"),
    ],
)
def test_a_step_that_cannot_be_done_says_why_and_keeps_the_draft(
    at: Callable[..., Studio], step: dict[str, Any], words: str
) -> None:
    studio = at("city", GROUPS)
    draft = studio.open()
    page = studio.edit(draft, **step)
    assert words in page
    assert draft_in(page) == draft


def test_a_draft_that_is_none_of_ours_is_refused_in_words(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    answer = studio.post("hierarchy", kind="own", was="own", draft="bm9uc2Vuc2U=")
    assert answer.status_code == 422
    assert "did not come whole" in answer.content.decode()
    assert studio.saved() == GROUPS


def test_a_large_tree_opens_closed_and_is_searched(
    at: Callable[..., Studio], described: Setup, project: Project, by: Actor, arrive: Callable[..., Upload]
) -> None:
    upload = arrive("code\n" + "".join(f"c{number:04d}\n" for number in range(3000)), "codes.csv")
    work_off("read")
    upload.refresh_from_db()
    described.refresh_from_db()
    setups.choose_dataset(described, upload, described.version, by=by)
    rows = [[f"c{number:04d}", f"g{number // 300}", "*"] for number in range(3000)]
    studio = at("code", {"rows": rows, "header": None})
    page = studio.post("hierarchy-tree", kind="own", was="own").content.decode()
    assert lines_in(page) == [(1, f"g{number}") for number in range(10)]
    fields = {"kind": "own", "was": "own", "draft": draft_in(page), "step": '{"do": "show"}'}
    found = studio.post("hierarchy-edit", **fields, opened="[]", sought="C0042").content.decode()
    assert lines_in(found) == [(1, "g0"), (0, "c0042")]
    opened = studio.post("hierarchy-edit", **fields, opened='[[1, "g1"]]').content.decode()
    assert len(lines_in(opened)) == 10 + 200
    assert "Show more" in opened


# Values without a place


def test_values_without_a_place_are_not_saved_silently(at: Callable[..., Studio]) -> None:
    studio = at("city", None)
    draft = draft_in(at("city", GROUPS).post("hierarchy-tree", kind="own", was="own").content.decode())
    answer = studio.post("hierarchy", kind="own", was="own", draft=draft)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "1 value has no place in this hierarchy (4 records)" in page
    assert draft_in(page) == draft
    assert studio.post("hierarchy", kind="own", was="own", draft=draft, knowing="yes").status_code == 302
    assert "1 value without a place" in studio.get()


def test_uncovered_values_are_listed_on_a_recorded_click_and_get_homes(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    page = studio.post("hierarchy-uncovered", kind="own", was="own").content.decode()
    assert "Lyon" in page
    assert looks() == 1
    house = json.dumps({"value": "Lyon", "home": "France"})
    draft = draft_in(studio.post("hierarchy-homes", kind="own", was="own", house=house).content.decode())
    assert studio.post("hierarchy", kind="own", was="own", draft=draft).status_code == 302
    assert ["Lyon", "France", "*"] in studio.saved()["rows"]


@pytest.mark.parametrize("way", ["likeliest", "alone"])
def test_all_get_homes_at_once(at: Callable[..., Studio], way: str) -> None:
    studio = at("city", {"header": None, "rows": [["Rome", "R", "*"], ["Roma", "R", "*"], ["Mulan", "M", "*"]]})
    page = studio.post("hierarchy-homes", kind="own", was="own", **{"all": way}).content.decode()
    studio.post("hierarchy", kind="own", was="own", draft=draft_in(page))
    homes = {row[0]: row[1] for row in studio.saved()["rows"]}
    assert {"Rome", "Milan", "Paris", "Lyon", "Oslo"} <= set(homes)
    assert homes["Milan"] == ("M" if way == "likeliest" else "Milan")
    assert homes["Oslo"] == "Oslo"


# Two people


def test_who_comes_second_is_told_who_changed_what_and_loses_nothing(
    at: Callable[..., Studio], member: Callable[[str], User]
) -> None:
    studio = at("zip", None)
    seen = studio.attribute.version
    other = member("steward")
    setups.describe(studio.attribute, seen, by=Actor(other), hurts=True, hierarchy={"mask": 2, "from": "right"})
    fields = {"kind": "mask", "was": "mask", "signs": "4", "end": "left"}
    answer = studio.client.post(studio.url(), fields | {"seen": seen})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Steward changed this column in the meantime" in page
    assert "its hierarchy and whether it hurts" in page
    assert 'name="signs" value="4"' in page
    assert studio.saved() == {"mask": 2, "from": "right"}
    again = re.search(r'name="seen" value="(\d+)"', page)
    assert again
    assert studio.client.post(studio.url(), fields | {"seen": again[1]}).status_code == 302
    assert studio.saved() == {"mask": 4, "from": "left"}


# Files


def csv(text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("city.csv", text.encode() if isinstance(text, str) else text)


def test_what_was_downloaded_can_be_uploaded_again(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS | {"header": ["city", "country", ""]})
    answer = studio.post("hierarchy-download", kind="own", was="own")
    assert answer.content.decode().splitlines()[0] == "Rome;Italy;*", "as ARX has it, where the first line is a value"
    answer = studio.post("hierarchy-download", kind="own", was="own", names="yes")
    text = answer.content.decode()
    assert text.splitlines()[:2] == ["city;country;", "Rome;Italy;*"]
    assert "attachment" in answer["Content-Disposition"]
    assert looks() == 2
    other = at("city", None)
    page = other.post("hierarchy-upload", kind="none", was="none", **{"csv-file": csv(text)}).content.decode()
    other.post("hierarchy", kind="own", was="own", draft=draft_in(page), knowing="yes")
    assert other.saved() == GROUPS | {"header": ["city", "country", ""]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Rome;Italy;*\nParis;France;*\nRome;France;*\n", "line 3"),
        ("Rome;Italy;South;*\nMilan;Italy;North;*\n", "Give it one parent"),
        ('Rome;"Italy;*\n', "quotes"),
        ("Rome;;*\n", "Name the group"),
        ("", "empty"),
        ("Rome;Italy;*\nMilan;It\0aly;*\n", "Line 2 holds a NUL character"),
        ("city;country;state;continent\nRome;*\nOslo;*\n", "Give each one name at most"),
        (b"PK\x03\x04" + bytes(9), "Save the sheet as CSV"),
        (b"K\xc3\xb6ln;Germany;*\nMalm\xf6;Sweden;*\n", "Line 2 is not in UTF-8"),
    ],
)
def test_a_bad_file_is_told_with_its_line_and_what_to_do(
    at: Callable[..., Studio], text: str | bytes, words: str
) -> None:
    studio = at("city", None)
    answer = studio.post("hierarchy-upload", kind="none", was="none", **{"csv-file": csv(text)})
    assert answer.status_code == 422
    assert words in html.unescape(answer.content.decode())
    assert studio.saved() is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_file_is_read_in_its_encoding_as_a_dataset_is(at: Callable[..., Studio], encoding: str) -> None:
    content = "Rome;Italië;*\nMilan;Italië;*\nParis;Frankreich – über\u00a0all;*\n".encode(encoding)
    page = at("city", None).post("hierarchy-upload", kind="none", was="none", **{"csv-file": csv(content)})
    assert page.status_code == 200
    assert {label for _, label in lines_in(page.content.decode())} >= {"Italië", "Frankreich – über\u00a0all"}


def test_what_is_too_large_for_a_page_is_told_before_it_is_edited(
    at: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    studio, text = at("city", None), "Rome;Italy;*\nMilan;Italy;*\nParis;France;*\n"
    draft, room = studio.open(), drafts.ROOM
    step = '{"do": "group", "level": 0, "labels": ["Rome"], "name": "South"}'
    monkeypatch.setattr(drafts, "ROOM", 10)
    refused = [
        studio.post("hierarchy-tree", kind="none", was="none"),
        studio.post("hierarchy-upload", kind="none", was="none", **{"csv-file": csv(text)}),
        studio.post("hierarchy-homes", kind="none", was="none", all="alone"),
        studio.post("hierarchy-edit", kind="own", was="own", draft=draft, step=step),
    ]
    assert all("too large for a page to carry" in answer.content.decode() for answer in refused)
    assert room < settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_blanks_at_the_ends_of_a_value_are_seen(at: Callable[..., Studio]) -> None:
    files = {"csv-file": csv(" Rome;Italy ;*\nRome;Italy;*\n")}
    page = at("city").post("hierarchy-upload", kind="none", was="none", **files).content.decode()
    assert ">␣Rome<" in page
    assert ">Italy␣<" in page
    assert (0, " Rome") in lines_in(page), "it is what it was"


def test_intervals_of_numbers_with_a_decimal_comma_are_built_changed_and_saved(
    at: Callable[..., Studio], described: Setup, by: Actor, arrive: Callable[..., Upload]
) -> None:
    upload = arrive("pay\n" + "".join(f'"{pay},50"\n' for pay in range(1000, 1040)) + '"2.000,00"\n', "pay.csv")
    work_off("read")
    upload.refresh_from_db()
    described.refresh_from_db()
    setups.choose_dataset(described, upload, described.version, by=by)
    studio = at("pay")
    assert studio.attribute.suggestion["kind"] == "intervals"
    begun = studio.post("hierarchy-preview", kind="intervals", was="none").content.decode()
    assert "Round widths that suit the numbers" in begun
    answer = studio.post("hierarchy", kind="intervals", was="intervals", start="0", widths="20, 1000", unit="0.5")
    assert answer.status_code == 302
    rows = {row[0]: row[1:] for row in studio.saved()["rows"]}
    assert len(rows) == 41
    assert rows["1000,50"] == ["[1000,1020)", "[1000,2000)", "*"]
    assert rows["2.000,00"] == ["[2000,2020)", "[2000,3000)", "*"]


def test_numbers_below_where_intervals_begin_get_a_word_on_what_to_do(at: Callable[..., Studio]) -> None:
    fields = {"kind": "intervals", "was": "intervals", "start": "30", "widths": "5, 10", "unit": "1"}
    assert "as soon as you begin lower" in at("age").post("hierarchy-preview", **fields).content.decode()


def test_a_file_of_one_column_says_that_there_is_one_step_only(at: Callable[..., Studio]) -> None:
    files = {"csv-file": csv("Rome\nMilan\nParis\nLyon\nOslo\n")}
    assert "one step only" in at("city").post("hierarchy-upload", kind="none", was="none", **files).content.decode()


def test_from_one_hierarchy_one_goes_to_the_next_and_from_the_last_to_all_columns(at: Callable[..., Studio]) -> None:
    studio = at("city", GROUPS)
    columns = Attribute.objects.filter(setup_id=studio.project.pk, role="generalised")
    there = [reverse("hierarchy", args=[studio.project.pk, one.pk]) for one in columns]
    assert len(there) > 2
    for here, after in zip(there, [*there[1:], reverse("attributes", args=[studio.project.pk])], strict=True):
        shown = studio.client.get(here).content.decode()
        assert f'<span class="studio-next"><a class="button quiet" href="{after}">' in shown
