"""An officer's way from a file to a rule, in a real browser with the real worker."""

import csv
import json
import os
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journey.album import Album
from tests.journey.serving import ROOT, Server, manage
from tests.journey.steps import make_project, set_up, sign_in

WORK = 240_000  # milliseconds that a worker may take on a machine that is busy with other tests
CUSTOMERS = ROOT / "examples" / "customers"
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A server with Ada's account, and with the sample project, which the workers get ready meanwhile."""
    server = Server(tmp_path_factory.mktemp("office") / "var").ready()
    try:
        page = browser.new_page()
        set_up(page, server.setup_link(), sample=True)
        page.close()
        yield server
    finally:
        server.kill()


@pytest.fixture
def officer(office: Server, visit: Visit) -> Page:
    """Ada, signed in."""
    page = visit()
    sign_in(page, office, "ada@example.org")
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    return page


# Steps


def step(page: Page, name: str) -> None:
    """Go to a step of the way."""
    page.get_by_label("The way to a release").get_by_role("link", name=name).click()


def upload(page: Page, *files: Path) -> None:
    """Give files to the project, and wait until they are read."""
    step(page, "Data")
    ready = page.locator("#uploads .pill.ok").count()
    page.set_input_files("input[type=file]", list(files))
    if len(files) == 1:  # its own page opens
        expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)
        page.get_by_label("Breadcrumb").get_by_role("link").last.click()
    expect(page.locator("#uploads .pill.ok")).to_have_count(ready + len(files), timeout=WORK)


def describe(page: Page, dataset: str) -> None:
    """Choose the dataset and accept what is suggested for its columns."""
    step(page, "Attributes")
    page.get_by_label(re.compile(f"^{re.escape(dataset)}")).check()
    page.get_by_role("button", name="Use it as the dataset").click()
    expect(page.get_by_role("heading", name="Columns")).to_be_visible()


def hold_register(page: Page, table: str) -> None:
    """Add an attacker with a register, and accept how its columns are matched."""
    step(page, "Adversary")
    page.get_by_role("button", name=re.compile("A stranger with a register")).click()
    page.get_by_label("Their table").select_option(table)
    page.get_by_label("Where it comes from").fill("The town hall")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Accept all suggestions").click(timeout=WORK)
    expect(page.locator("#coverage table.bands")).to_be_visible(timeout=WORK)


def assess(page: Page) -> None:
    """Start a run with what the page proposes, and stay until it is done."""
    step(page, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)


def to_frontier(page: Page) -> None:
    page.get_by_role("link", name="Look at the frontier").click()
    page.wait_for_selector("#frontier[data-ready]")


def test_from_an_empty_project_to_a_rule_with_a_register(officer: Page, tmp_path: Path) -> None:
    page, album = officer, Album(tmp_path)
    make_project(page, "Customers")
    upload(page, CUSTOMERS / "customers.csv", CUSTOMERS / "register.csv")
    album.look(page, "data")
    describe(page, "customers.csv")
    album.look(page, "attributes")
    page.get_by_role("button", name="Accept all").click()
    expect(page.get_by_text("All 4 columns are confirmed.")).to_be_visible()

    hold_register(page, "register.csv")
    expect(page.locator("#coverage caption")).to_have_text("Coverage: 120 of 120 records fit somebody")
    album.look(page, "attacker")
    step(page, "Adversary")
    album.look(page, "attackers")

    step(page, "Harm")
    page.get_by_label("Weight of work: a number, or never").fill("10")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. The next run counts harm like this.")).to_be_visible()
    expect(page.get_by_label("Weight of work: a number, or never")).to_have_value("10")
    album.look(page, "harm")

    step(page, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    album.look(page, "runs")
    assess(page)
    expect(page.get_by_label("The way to a release").get_by_role("link", name="Frontier")).to_be_visible()
    album.look(page, "run")

    to_frontier(page)
    expect(page.locator(".verdict").first).to_be_visible()
    best = page.locator("[data-part=best] .rule-words")
    expect(best).not_to_be_empty()
    page.locator("#frontier-list").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-part=chosen] .rule-words")).not_to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-panel h2")).to_be_focused()
    album.look(page, "frontier")

    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
    album.look(page, "rule")

    page.get_by_role("link", name="Back to the frontier").click()
    page.wait_for_selector("#frontier[data-ready]")
    for place in range(2):
        page.locator("[data-part=rows] input").nth(place).check()
    page.get_by_role("link", name="Compare 2 rules").click()
    expect(page.get_by_role("heading", name="2 rules side by side")).to_be_visible()
    album.look(page, "compare")
    assert album.faults == {}


# The same figures by the command


def open_sample(page: Page) -> None:
    """The sample project, once the workers have made it ready."""
    page.get_by_role("link", name=re.compile("Sample")).click()
    expect(page.get_by_text("The sample is ready to be looked at.")).to_be_visible(timeout=WORK)


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


def people(path: Path, many: int = 3000) -> Path:
    """A census-like table of nine columns about people who do not exist."""
    draw = random.Random(5)
    schools = ["none", "basic", "upper", "university"]
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["age", "sex", "marital", "education", "work", "born_in", "hours", "region", "income"])
        for _ in range(many):
            age = draw.randint(17, 90)
            row = [age, draw.choice("fm"), draw.choice(["single", "married", "widowed", "divorced"])]
            row += [draw.choice(schools), draw.choice(["private", "state", "own", "none"])]
            row += [draw.choice(["AT", "DE", "IT", "FR", "PL"]), draw.choice([0, 20, 30, 38, 40, 50])]
            table.writerow([*row, draw.choice(["north", "south", "east", "west"]), draw.choice(["low", "high"])])
    return path


def reach(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(150):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {selector}")


def enter(page: Page, selector: str) -> None:
    """Reach a link or a button, press Enter, and be on the next page."""
    reach(page, selector)
    with page.expect_navigation():
        page.keyboard.press("Enter")


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
    asked.value.set_files(people(tmp_path / "census.csv"))
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


# Bad moves


def dirty(folder: Path) -> tuple[Path, Path, Path]:
    """A table with stray spaces and dates of three kinds; a register of strangers; a hierarchy that forgets a town."""
    table, register, towns = (folder / name for name in ("dirty.csv", "strangers.csv", "towns.csv"))
    days = ["1980-02-03", "04.05.1975", "6/7/1990"]
    towns_of = ("Aldersee", " Brack", "Cron ")
    lines = [f"{town},{days[i % 3]},{job}" for i in range(20) for town in towns_of for job in "xy"]
    table.write_text("town,born,job\n" + "\n".join(lines) + "\n")
    register.write_text("town,job\n" + "Elsewhere,x\nNowhere,y\n" * 20)
    towns.write_text("Aldersee;north;*\nBrack;north;*\n")
    return table, register, towns


def test_bad_moves_end_in_words_that_say_what_to_do(officer: Page, tmp_path: Path) -> None:
    page = officer
    table, register, towns = dirty(tmp_path)
    make_project(page, "Dirty")
    upload(page, table, register)
    describe(page, "dirty.csv")
    page.get_by_role("button", name="Accept all").click()
    expect(page.get_by_text("All 3 columns are confirmed.")).to_be_visible()

    page.get_by_role("row", name=re.compile("town")).get_by_role("link", name="Hierarchy").click()
    page.locator("#files input[type=file]").set_input_files(towns)
    page.get_by_role("button", name="Read the file").click()
    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_role("alert")).to_contain_text("Give them homes")
    page.get_by_role("button", name="Save all the same").click()
    step(page, "Run")
    expect(page.locator("#rehearsal")).to_contain_text("town", timeout=WORK)
    step(page, "Attributes")
    page.get_by_role("row", name=re.compile("town")).get_by_role("link", name="Hierarchy").click()
    page.get_by_role("button", name="Show them, with homes").click()
    expect(page.get_by_role("button", name="Brack to north")).to_be_visible()
    page.get_by_role("button", name="All to their likeliest homes").click()
    expect(page.get_by_text("No run can start before each has one.")).to_be_hidden()
    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()

    step(page, "Adversary")
    page.get_by_role("button", name=re.compile("A stranger with a register")).click()
    page.get_by_label("Their table").select_option("strangers.csv")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("row", name=re.compile("^town")).get_by_role("combobox").select_option("town", timeout=WORK)
    expect(page.locator("#coverage")).to_contain_text("It matches nobody", timeout=WORK)
    page.get_by_role("button", name="Save the matching").click()
    step(page, "Adversary")
    page.get_by_role("button", name="Remove stranger").click()

    step(page, "Harm")
    for field in page.get_by_label(re.compile(r"^Weight of .*: a number, or never")).all():
        field.fill("0")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-all-zero]")).to_contain_text("Give at least one column a weight")
    step(page, "Run")
    expect(page.get_by_text("Every weight is 0")).to_be_visible()
    step(page, "Harm")
    page.get_by_label("Weight of job: a number, or never").fill("1")
    page.get_by_role("button", name="Save", exact=True).click()

    step(page, "Run")
    page.get_by_label("What is the best rule?").select_option("least_utility")
    page.get_by_label("Detail to keep, in %").fill("100")
    assess(page)
    expect(page.get_by_text("What was asked for cannot be met")).to_be_visible()
    expect(page.get_by_text("run again with a bound that it keeps")).to_be_visible()


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
