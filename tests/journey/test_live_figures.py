"""Figures that follow what one ticks and types before anything is saved, in a real browser."""

import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journey.serving import ROOT, Server, clean_environment
from tests.journey.test_studio import DESCRIBE
from tests.journey.visitor import Visitor

WORK = 180_000
SHARED = DESCRIBE.replace("range(20, 60)", "[20, 30] * 20")  # what fewer than eleven share is not shown
CONFIRMED = f"{SHARED}\nsetups.accept_all(setup, by=by)\n"


@pytest.fixture(scope="module")
def visitor(server: Server) -> Visitor:
    found = Visitor.of(server)
    environment = clean_environment(RISKAPP_VAR=str(server.var), DJANGO_SETTINGS_MODULE="riskapp.settings")
    command = [sys.executable, "-c", CONFIRMED]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    return found


@pytest.fixture
def at(server: Server, visitor: Visitor, visit: Callable[..., Page]) -> Callable[[str], Page]:
    def go(place: str) -> Page:
        page = visit()
        page.context.add_cookies([{"name": "sessionid", "value": visitor.session, "url": server.base_url}])
        page.goto(f"{server.base_url}/projects/{visitor.project}/{place}/")
        return page

    return go


def test_what_is_ticked_is_added_up_while_one_ticks(at: Callable[[str], Page]) -> None:
    page = at("runs")
    cost = page.locator("#cost")
    expect(cost).to_contain_text("memory of whole-table rules, about", timeout=WORK)  # once the check has come
    expect(cost).to_contain_text("Rules by region")

    page.get_by_role("checkbox", name="Rules by region").uncheck()
    expect(cost).not_to_contain_text("Rules by region")
    expect(cost).to_contain_text("memory, about")
    page.get_by_role("checkbox", name="Record by record").check()
    page.get_by_label("What is the best rule?").select_option("trade_off")
    page.get_by_role("checkbox", name="Genetic").check()
    expect(cost).to_contain_text("cannot be foreseen: Record by record, Genetic")
    page.get_by_role("checkbox", name="Genetic").uncheck()
    expect(cost).not_to_contain_text("Genetic")
    expect(page.get_by_role("checkbox", name="Record by record")).to_be_checked()


def test_people_s_own_weights_that_are_not_saved_are_told_and_those_taken_away_count_at_once(
    at: Callable[[str], Page],
) -> None:
    page = at("harm")
    first = page.locator("[data-example='0'] [data-cell=city] [data-adds]")
    expect(first).to_have_text("1", timeout=WORK)
    told = page.locator("[data-not-counted]")
    expect(told).to_be_empty()
    city = page.locator("[data-column=city]")
    city.locator("summary").click()
    city.get_by_label("People's own weights").select_option("column:age")
    expect(told).to_have_text(
        "Not counted here before you save: people's own weights of city. "
        "Until then these figures go by what is saved of them."
    )
    expect(first).to_have_text("1")

    page.get_by_role("button", name="Save", exact=True).click()
    expect(first).to_have_text(re.compile("[23]0"), timeout=WORK)  # somebody's age
    expect(told).to_be_empty()
    city.locator("summary").click()
    city.get_by_label("People's own weights").select_option("")
    expect(first).to_have_text("1")
    expect(told).to_be_empty()


def test_weights_of_zero_are_nothing_only_where_they_are_added_up(at: Callable[[str], Page]) -> None:
    page = at("harm")
    notice = page.locator("[data-all-zero]")
    city = page.locator("[data-column=city]")
    city.locator("summary").click()
    city.get_by_label("People's own weights").select_option("")  # another test may have saved some
    for field in page.get_by_label(re.compile(r"^Weight of .*: a number, or never")).all():
        field.fill("0")
    expect(notice).to_be_visible()
    page.get_by_label("Multiply: every further thing").check()
    expect(notice).to_be_hidden()
    page.get_by_label("Add up: what hurts twice").check()
    expect(notice).to_be_visible()
