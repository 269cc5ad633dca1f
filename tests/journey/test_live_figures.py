"""Figures that follow what one ticks and types before anything is saved, in a real browser."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journey.serving import ROOT, Server, clean_environment
from tests.journey.test_studio import DESCRIBE
from tests.journey.visitor import Visitor

WORK = 180_000
CONFIRMED = f"{DESCRIBE}\nsetups.accept_all(setup, by=by)\n"


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
