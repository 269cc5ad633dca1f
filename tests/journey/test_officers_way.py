"""An officer's way from a file to a rule, in a real browser with the real worker."""

import gzip
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.journey import keyboard
from tests.journey.invented import case_study, dirty
from tests.journey.keyboard import Keys
from tests.journey.serving import manage
from tests.journey.steps import WORK, open_sample, step, to_frontier

Visit = Callable[..., Page]


def test_from_an_empty_project_to_a_rule_with_a_register_by_keyboard_alone(keys: Keys, tmp_path: Path) -> None:
    page = keys.page
    table, register = case_study(tmp_path)
    keyboard.make_project(keys, "Customers")
    keyboard.upload(keys, table, register)
    keyboard.describe(keys, "customers.csv", 5)
    keyboard.attacker_holds(keys, "A stranger with a register", "voters.csv")
    expect(page.get_by_label("year_of_birth holds")).to_have_value("birthdate@year")
    expect(page.locator("#coverage caption")).to_have_text("Coverage: 800 of 800 records fit somebody")
    spellings_are_looked_at(keys)
    keyboard.step(keys, "Harm")
    weight = page.get_by_label("Weight of income: a number, or never")
    keys.write(weight, "10")
    keys.follow(weight)  # Enter in a field saves
    expect(page.get_by_text("Saved. The next run counts harm like this.")).to_be_visible()
    expect(weight).to_have_value("10")
    keyboard.assess(keys)
    expect(page.get_by_label("The way to a release").get_by_role("link", name="Frontier")).to_be_visible()

    keyboard.open_frontier(keys)
    expect(page.locator(".verdict").first).to_be_visible()
    expect(page.locator("[data-part=best] .rule-words")).not_to_be_empty()
    keyboard.choose_rule(keys)
    keys.follow(page.get_by_role("link", name="Back to the frontier"))
    page.wait_for_selector("#frontier[data-ready]")
    for place in range(2):
        keys.tick(page.locator("[data-part=rows] input").nth(place))
    keys.follow(page.get_by_role("link", name="Compare 2 rules"))
    expect(page.get_by_role("heading", name="2 rules side by side")).to_be_visible()


def spellings_are_looked_at(keys: Keys) -> None:
    """A tenth of the register's cities are misspelt: likeness is suggested for them, and shown by example."""
    page = keys.page
    expect(page.get_by_label("Least likeness for city")).to_have_value(re.compile(r"^0\.\d+$"))
    expect(page.get_by_role("row", name=re.compile("^city"))).to_contain_text("by likeness, at least 0.")
    keys.hit(page.get_by_role("button", name="Try likeness for city"))
    expect(page.get_by_text("are spelt as in city")).to_be_visible(timeout=WORK)
    keys.hit(page.get_by_role("button", name="Show example matches"))
    expect(page.get_by_role("heading", name=re.compile("^Examples at"))).to_be_focused()
    keys.look()


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


# Real tables: nine columns of a census, and a survey with dirty values

REAL = Path(__file__).parent / "real"


def unpacked(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes(gzip.decompress((REAL / f"{name}.gz").read_bytes()))
    return path


def test_nine_columns_from_upload_to_a_proposal_by_keyboard_alone(keys: Keys, tmp_path: Path) -> None:
    page = keys.page
    keyboard.make_project(keys, "Census")
    keyboard.upload(keys, unpacked("adult.csv", tmp_path))
    keyboard.describe(keys, "adult.csv", 9)
    keyboard.assess(keys, "regional", "k-anonymity", "mondrian")
    keyboard.open_frontier(keys)
    keyboard.choose_rule(keys)
    keys.follow(page.get_by_role("link", name="Propose this rule"))
    expect(page.get_by_role("heading", name=re.compile("^Propose"))).to_be_visible()


KNOWN = ("AGEP", "SEX", "MSP", "EDU", "OWN_RENT")


def test_a_survey_of_24_columns_with_dirty_values_comes_to_a_rule_by_keyboard_alone(keys: Keys, tmp_path: Path) -> None:
    page = keys.page
    keyboard.make_project(keys, "Survey")
    keyboard.upload(keys, unpacked("acs.csv", tmp_path))
    keys.hit(page.get_by_text("Read it differently"))
    keys.write(page.get_by_label("Cells that mean missing"), "N")
    keys.follow(page.get_by_role("button", name="Read the file like this"))
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
    keyboard.describe(keys, "acs.csv", 24)
    at_once(keys, KNOWN, "An attacker could know them")
    keys.tick(page.get_by_label("Tick all columns shown"))
    at_once(keys, (*KNOWN, "PINCP_DECILE"), "Drop")  # which were ticked, and are no longer
    expect(page.get_by_role("row", name=re.compile("PUMA")).get_by_role("combobox")).to_have_value("dropped")
    expect(page.get_by_role("row", name=re.compile("AGEP")).get_by_role("combobox")).to_have_value("generalised")
    keyboard.assess(keys)
    keyboard.open_frontier(keys)
    keyboard.choose_rule(keys)


def at_once(keys: Keys, columns: tuple[str, ...], what: str) -> None:
    """Walk down the table by its arrows, press space at these columns, and do one thing to all that are ticked."""
    page = keys.page
    keys.to(page.locator("[name=ticked]").first)
    names = page.locator("[data-at=name]").all_inner_texts()
    for name in names:
        if name in columns:
            keys.press("Space")
        keys.press("ArrowDown")
    keys.press("/")
    expect(page.get_by_label("Find a column")).to_be_focused()
    keys.pick(page.get_by_label("What to do with the ticked columns"), what)
    keys.follow(page.get_by_role("button", name="Apply"))


def test_a_table_with_dirty_values_comes_to_a_rule_by_keyboard_alone(keys: Keys, tmp_path: Path) -> None:
    page = keys.page
    keyboard.make_project(keys, "Dirty")
    keyboard.upload(keys, dirty(tmp_path / "dirty.csv"))
    keys.hit(page.get_by_text("Read it differently"))
    keys.write(page.get_by_label("Cells that mean missing"), "NA, N, ?, 0000-00-00")
    keys.follow(page.get_by_role("button", name="Read the file like this"))
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
    keyboard.describe(keys, "dirty.csv", 5)
    keyboard.assess(keys)
    keyboard.open_frontier(keys)
    keys.hit(page.get_by_role("button", name="Open this rule"))
    expect(page.locator("#rule-panel h2")).to_be_focused()
    keys.follow(page.get_by_role("link", name="Open its page"))
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
    expect(page.locator("[data-part=best-tags] .tags")).to_contain_text("holds against")
    picture(page, "frontier", 1150)
    page.get_by_role("button", name="Open this rule").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
    if PICTURES:
        expect(page.get_by_role("heading", name="What happens to each column")).to_be_visible(timeout=WORK)
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
        step(page, "Harm")
        expect(page.locator("#examples .example").first).to_be_visible(timeout=WORK)
        picture(page, "harm", 1000)
        step(page, "Run")
        expect(page.locator("#rehearsal dl.figures")).to_be_visible(timeout=WORK)
        picture(page, "run", 1300)
        step(page, "Data")
        page.get_by_role("link", name="members.csv").click()
        picture(page, "profile", 1100)
