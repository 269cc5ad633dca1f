"""An officer's way from a file to a rule, in a real browser with the real worker."""

import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.journey.invented import case_study, census, dirty
from tests.journey.serving import manage
from tests.journey.steps import (
    WORK,
    assess,
    describe,
    enter,
    hold_register,
    make_project,
    open_sample,
    reach,
    step,
    to_frontier,
    upload,
)

Visit = Callable[..., Page]


def test_from_an_empty_project_to_a_rule_with_a_register(officer: Page, tmp_path: Path) -> None:
    page = officer
    table, register = case_study(tmp_path)
    make_project(page, "Customers")
    upload(page, table, register)
    describe(page, "customers.csv")
    page.get_by_role("button", name="Accept all").click()
    expect(page.get_by_text("All 5 columns are confirmed.")).to_be_visible()

    hold_register(page, "voters.csv")
    expect(page.get_by_label("year_of_birth holds")).to_have_value("birthdate@year")
    expect(page.locator("#coverage caption")).to_have_text("Coverage: 800 of 800 records fit somebody")
    step(page, "Harm")
    page.get_by_label("Weight of income: a number, or never").fill("10")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. The next run counts harm like this.")).to_be_visible()
    expect(page.get_by_label("Weight of income: a number, or never")).to_have_value("10")
    assess(page)
    expect(page.get_by_label("The way to a release").get_by_role("link", name="Frontier")).to_be_visible()

    to_frontier(page)
    expect(page.locator(".verdict").first).to_be_visible()
    expect(page.locator("[data-part=best] .rule-words")).not_to_be_empty()
    page.locator("#frontier-list").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-part=chosen] .rule-words")).not_to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-panel h2")).to_be_focused()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
    page.get_by_role("link", name="Back to the frontier").click()
    page.wait_for_selector("#frontier[data-ready]")
    for place in range(2):
        page.locator("[data-part=rows] input").nth(place).check()
    page.get_by_role("link", name="Compare 2 rules").click()
    expect(page.get_by_role("heading", name="2 rules side by side")).to_be_visible()


# The same figures by the command


def shown(page: Page, within: str) -> list[str]:
    """The figures of a part of the page with all their digits."""
    return [one.get_attribute("value") or "" for one in page.locator(f"{within} data").all()]


def figures(own: dict[str, Any]) -> list[str]:
    return [str(own[name]) for name in ("expected_found", "singled_out", "largest_chance", "gain")]


def test_the_figures_on_a_rules_page_are_those_of_assess_on_the_exported_files(
    officer: Page, visit: Visit, tmp_path: Path
) -> None:
    page = officer
    open_sample(page)
    page.get_by_role("link", name="The run", exact=True).click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="With the tables").click()
    taken.value.save_as(tmp_path / "assessment.zip")
    with zipfile.ZipFile(tmp_path / "assessment.zip") as packed:
        packed.extractall(tmp_path)
    done = manage("assess", str(tmp_path / "assessment.json"), "--out", str(tmp_path / "RESULT.json"))
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "RESULT.json").read_text())
    rules = {rule["id"]: rule for rule in result["rules"]}

    run, plain = page.url, visit(java_script_enabled=False)  # without scripts no page asks for more than is compared
    plain.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    for name in (result["frontier"][0], result["frontier"][len(result["frontier"]) // 2], result["frontier"][-1]):
        plain.goto(f"{run}rule/?{urlencode({'rule': name})}")
        rule, told = rules[name], set(shown(plain, "section[aria-labelledby=harm-title]"))
        assert {str(rule[key]) for key in ("risk", "risk_replay", "utility", "utility_share")} <= told
        for place, own in enumerate(rule["people"].values()):
            for line, counted in enumerate((own, own["by_replay"])):
                cells = shown(plain, f".people-table tbody tr:nth-child({2 * place + line + 1})")
                assert [*cells[:3], cells[-1]] == figures(counted)


# By keyboard alone


def test_nine_columns_from_upload_to_the_frontier_by_keyboard_alone(officer: Page, tmp_path: Path) -> None:
    page = officer
    enter(page, "a[href$='/projects/new/']")
    reach(page, "#id_name")
    page.keyboard.type("Census")
    enter(page, "main form button[type=submit]")
    expect(page.get_by_role("heading", name="Census")).to_be_visible()
    reach(page, "input[name=release_class]")
    page.keyboard.press("Space")
    enter(page, "main form button[type=submit]")
    expect(page.get_by_text("Release class:")).to_be_visible()
    reach(page, "input[type=file]")
    with page.expect_file_chooser() as asked:
        page.keyboard.press("Enter")
    asked.value.set_files(census(tmp_path / "census.csv"))
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
    enter(page, ".breadcrumb li:nth-child(2) a")
    enter(page, ".stepper a[href$='/attributes/']")
    reach(page, "input[name=upload]")
    page.keyboard.press("Space")
    enter(page, "main form button[type=submit]")
    enter(page, "#accept-all")
    expect(page.get_by_text("All 9 columns are confirmed.")).to_be_visible()
    enter(page, ".stepper a[href$='/runs/']")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    for family in ("regional", "k-anonymity", "mondrian"):
        reach(page, f"input[name=rules][value={family}]")
        page.keyboard.press("Space")
    enter(page, ".search-form button[type=submit]")
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)
    enter(page, ".verdict a[href$='/frontier/']")
    page.wait_for_selector("#frontier[data-ready]")
    reach(page, "#frontier-list")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#rule-panel h2")).to_be_focused()
    enter(page, "#rule-panel .buttons a")
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
    enter(page, ".rule-head .buttons a[href*='propose']")
    expect(page.get_by_role("heading", name=re.compile("^Propose"))).to_be_visible()


# Dirty values


def test_a_table_with_dirty_values_comes_to_a_rule(officer: Page, tmp_path: Path) -> None:
    page = officer
    make_project(page, "Dirty")
    step(page, "Data")
    page.set_input_files("input[type=file]", dirty(tmp_path / "dirty.csv"))
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
    page.get_by_text("Read it differently").click()
    page.get_by_label("Cells that mean missing").fill("NA, N, ?, 0000-00-00")
    page.get_by_role("button", name="Read the file like this").click()
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
    describe(page, "dirty.csv")
    page.get_by_role("button", name="Accept all").click()
    assess(page)
    to_frontier(page)
    page.get_by_role("button", name="Open this rule").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()


# The sample


PICTURES = os.environ.get("PICTURES", "")  # a folder: the pictures of the tutorial are made there


def picture(page: Page, name: str, height: int = 900, **wishes: Any) -> None:
    """A picture for the tutorial, if asked for."""
    if PICTURES:
        page.set_viewport_size({"width": 1280, "height": height} | wishes)
        page.screenshot(path=Path(PICTURES) / f"{name}.png", animations="disabled")
        page.set_viewport_size({"width": 1280, "height": 900})


def test_the_samples_frontier_can_be_looked_at_without_doing_anything(officer: Page) -> None:
    page = officer
    open_sample(page)
    to_frontier(page)
    expect(page.locator(".verdict").first).to_be_visible()
    expect(page.locator("[data-part=best] .rule-words")).not_to_be_empty()
    picture(page, "frontier", 1150)
    page.get_by_role("button", name="Open this rule").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
    if PICTURES:
        expect(page.get_by_text("Measuring the rule")).to_be_hidden(timeout=WORK)
        page.emulate_media(color_scheme="dark")
        picture(page, "rule", 1150)
        page.emulate_media(color_scheme="light")
        step(page, "Attributes")
        picture(page, "attributes", 1000)
        page.get_by_role("link", name="Hierarchy").first.click()
        picture(page, "studio")
        for name in ("neighbour", "register"):
            step(page, "Adversary")
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.locator("#coverage table.bands")).to_be_visible(timeout=WORK)
        step(page, "Adversary")
        picture(page, "attackers", 1250, width=380)
