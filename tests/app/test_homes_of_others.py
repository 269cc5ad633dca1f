"""Values of an attacker's table without a place in a hierarchy: told in words, listed on a look, given homes."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from riskapp.models import Actor, Attacker, AuditEvent, Project, Setup, Upload
from riskapp.services import attackers
from tests.app.studios import GROUPS, Studio, at, described, draft_in
from tests.app.working import work_off

__all__ = ["at", "described"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

LYON = {**GROUPS, "rows": [*GROUPS["rows"], ["Lyon", "France", "*"]]}
REGISTER = "name,place,land\nAnn,Rome,Italy\nBob,Romo,Spain\nCid,Turin,Spain\nDot,Romo,Norway\n"


@pytest.fixture
def stranger(described: Setup, arrive: Callable[..., Upload], by: Actor) -> Callable[..., Attacker]:
    upload = arrive(REGISTER, "register.csv")
    work_off("read")
    upload.refresh_from_db()

    def hold(**said: Any) -> Attacker:
        found = attackers.add(described, "register", "stranger", by=by)
        attackers.describe(found, found.version, by=by, upload=upload, **said)
        return found

    return hold


def told(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_the_studio_counts_the_values_of_other_tables_and_shows_none(
    at: Callable[..., Studio], stranger: Callable[..., Attacker]
) -> None:
    studio = at("city", LYON)
    stranger(match={"place": "city"})
    page = studio.get()
    assert "2 values of stranger without a place" in told(page)
    assert "Of the 3 values in its column place (register.csv)" in told(page)
    assert "Romo" not in page


def test_what_is_matched_by_likeness_needs_no_place(
    at: Callable[..., Studio], stranger: Callable[..., Attacker]
) -> None:
    studio = at("city", LYON)
    stranger(match={"place": "city"}, fuzzy={"place": "0.9"})
    assert "without a place" not in studio.get()


def test_they_are_listed_with_homes_on_a_look_at_the_other_table(
    at: Callable[..., Studio], stranger: Callable[..., Attacker]
) -> None:
    studio, attacker = at("city", LYON), stranger(match={"place": "city"})
    answer = studio.client.post(
        f"{studio.url('hierarchy-uncovered')}?of={attacker.pk}", {"kind": "own", "was": "own", "seen": 0}
    )
    page = answer.content.decode()
    assert "Romo 2 entries" in told(page)
    assert re.search(r"Romo </span>to Italy", page)
    event = AuditEvent.objects.get(action="values seen")
    assert event.details == {"column": "place"}
    assert event.subject_id == str(attacker.upload_id)


def give(studio: Studio, attacker: Attacker, **fields: str) -> Any:
    url = f"{studio.url('hierarchy-homes')}?of={attacker.pk}"
    page = studio.client.post(url, {"kind": "own", "was": "own", "seen": 0} | fields).content.decode()
    assert studio.post("hierarchy", kind="own", was="own", draft=draft_in(page)).status_code == 302
    return studio.saved()["rows"]


def test_one_value_gets_a_home(at: Callable[..., Studio], stranger: Callable[..., Attacker]) -> None:
    studio, attacker = at("city", LYON), stranger(match={"place": "city"})
    rows = give(studio, attacker, house=json.dumps({"value": "Romo", "home": "Italy"}))
    assert ["Romo", "Italy", "*"] in rows
    assert "1 value of stranger without a place" in told(studio.get())


@pytest.mark.parametrize(("way", "home"), [("likeliest", "Italy"), ("alone", "Romo")])
def test_all_get_homes(at: Callable[..., Studio], stranger: Callable[..., Attacker], way: str, home: str) -> None:
    studio, attacker = at("city", LYON), stranger(match={"place": "city"})
    rows = give(studio, attacker, all=way)
    assert ["Romo", home, "*"] in rows
    assert "without a place" not in studio.get()


def test_a_group_that_only_the_other_table_names_is_its_own_leaf(
    at: Callable[..., Studio], stranger: Callable[..., Attacker]
) -> None:
    studio, attacker = at("city", LYON), stranger(match={"land": "city@1"})
    assert "1 value of stranger without a place" in told(studio.get())
    rows = give(studio, attacker, all="alone")
    assert ["Spain", "Spain", "*"] in rows
    assert "without a place" not in studio.get()


def test_the_coverage_says_it_in_words_with_the_ways_out(
    at: Callable[..., Studio], stranger: Callable[..., Attacker], project: Project
) -> None:
    studio, attacker = at("city", LYON), stranger(match={"place": "city"})
    url = f"/projects/{project.pk}/attackers/{attacker.pk}/"
    studio.client.post(f"{url}coverage/")
    work_off("coverage")
    page = studio.client.get(url).content.decode()
    assert "2 of the 3 values of its column place have no place in the hierarchy of city" in told(page)
    assert "They stand in 3 entries of “stranger” and would match nobody" in told(page)
    assert f'href="{studio.url()}#gap-{attacker.pk}"' in page
    assert "dictionaries." not in page


def test_of_a_single_value_without_a_place_one_is_spoken_of(
    at: Callable[..., Studio], stranger: Callable[..., Attacker], project: Project
) -> None:
    studio, attacker = at("city", LYON), stranger(match={"land": "city@1"})
    url = f"/projects/{project.pk}/attackers/{attacker.pk}/"
    studio.client.post(f"{url}coverage/")
    work_off("coverage")
    page = told(studio.client.get(url).content.decode())
    assert "of its column land has no place in the hierarchy of city" in page
    assert "It stands in" in page
    assert "Give it a home in the hierarchy" in page


def test_a_long_register_gets_all_its_homes_at_once_and_nothing_is_dropped(
    at: Callable[..., Studio], described: Setup, arrive: Callable[..., Upload], by: Actor
) -> None:
    places = [f"Rome {number:04}" for number in range(2_400)] + [f"{number:05}" for number in range(100)]
    upload = arrive("place\n" + "\n".join(places) + "\n", "country.csv")
    work_off("read")
    upload.refresh_from_db()
    studio, attacker = at("city", LYON), attackers.add(described, "register", "country", by=by)
    attackers.describe(attacker, attacker.version, by=by, upload=upload, match={"place": "city"})
    rows = {row[0]: row[1] for row in give(studio, attacker, all="likeliest")}
    assert {rows[place] for place in places[:2_400]} == {"Italy"}
    assert all(rows[place] == place for place in places[2_400:]), "unlike any other, each stands by itself"
