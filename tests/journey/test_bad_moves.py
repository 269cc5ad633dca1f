"""Moves that cannot end well: each ends in words that say what to do, and nothing is lost."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.journey.invented import census, small
from tests.journey.serving import Server, wait_until
from tests.journey.steps import PASSWORD, WORK, describe, make_project, step, upload
from tests.journey.visitor import rows


def hierarchy_of(page: Page, column: str) -> None:
    step(page, "Attributes")
    page.get_by_role("row", name=re.compile(column)).get_by_role("link", name="Hierarchy").click()


def accept_all(page: Page, columns: int) -> None:
    page.get_by_role("button", name="Accept all").click()
    expect(page.get_by_text(f"All {columns} columns are confirmed.")).to_be_visible()


def test_values_without_a_home_attackers_who_meet_nobody_no_weights_and_what_cannot_be(
    officer: Page, tmp_path: Path
) -> None:
    page = officer
    table, register, towns = small(tmp_path)
    make_project(page, "Bad moves")
    upload(page, table, register)
    describe(page, "small.csv")
    accept_all(page, 3)
    a_hierarchy_forgets_a_town(page, towns)
    a_register_knows_other_towns(page)
    nothing_weighs(page)
    nothing_can_be_met(page)


def a_hierarchy_forgets_a_town(page: Page, towns: Path) -> None:
    hierarchy_of(page, "town")
    page.locator("#files input[type=file]").set_input_files(towns)
    page.get_by_role("button", name="Read the file").click()
    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_role("alert")).to_contain_text("Give them homes")
    page.get_by_role("button", name="Save all the same").click()
    step(page, "Run")
    expect(page.locator("#rehearsal")).to_contain_text("no place in the hierarchy of town", timeout=WORK)
    expect(page.locator("#rehearsal")).not_to_contain_text("attributes.")
    page.get_by_role("link", name="Give them homes").click()
    page.get_by_role("button", name="Show them, with homes").click()
    expect(page.get_by_role("button", name="Brack to north")).to_be_visible()
    page.get_by_role("button", name="All to their likeliest homes").click()
    expect(page.get_by_text("No run can start before each has one.")).to_be_hidden()
    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()


def a_register_knows_other_towns(page: Page) -> None:
    step(page, "Adversary")
    page.get_by_role("button", name=re.compile("A stranger with a register")).click()
    page.get_by_label("Their table").select_option("strangers.csv")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("row", name=re.compile("^town")).get_by_role("combobox").select_option("town", timeout=WORK)
    coverage = page.locator("#coverage")
    expect(coverage).to_contain_text("2 of the 2 values of its column town have no place", timeout=WORK)
    expect(coverage).to_contain_text("would match nobody")
    expect(coverage).not_to_contain_text("dictionaries.")
    page.get_by_role("button", name="Save the matching").click()
    coverage.get_by_role("link", name="Give them homes in the hierarchy").click(timeout=WORK)
    gap = page.locator(".notice", has_text="2 values of stranger without a place")
    gap.get_by_role("button", name="Show them, with homes").click()
    page.get_by_role("button", name="Elsewhere by itself").click()
    expect(page.get_by_text("1 value of stranger without a place")).to_be_visible()
    page.locator(".notice", has_text="of stranger").get_by_role("button", name="All by themselves").click()
    expect(page.get_by_text("of stranger without a place")).to_be_hidden()
    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()

    step(page, "Adversary")
    page.get_by_role("link", name="stranger", exact=True).click()
    expect(coverage).to_contain_text("It matches nobody", timeout=WORK)
    expect(coverage).to_contain_text("leave it out")
    step(page, "Adversary")
    page.get_by_role("button", name="Remove stranger").click()
    expect(page.get_by_role("button", name="Bring it back")).to_be_visible()


def nothing_weighs(page: Page) -> None:
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
    expect(page.locator("[data-all-zero]")).to_be_hidden()


def nothing_can_be_met(page: Page) -> None:
    step(page, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    page.get_by_label("What is the best rule?").select_option("most_risk")
    page.get_by_label("Largest risk").fill("0")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)
    expect(page.get_by_text("What was asked for cannot be met")).to_be_visible()
    expect(page.get_by_text("run again with a bound that it keeps")).to_be_visible()


# Cancelled at every stage


@contextmanager
def held(office: Server) -> Iterator[None]:
    """The worker and all that it has started stand still."""
    worker = psutil.Process(office.pid("worker"))
    everything = [worker, *worker.children(recursive=True)]
    try:
        for process in everything:
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        yield
    finally:
        for process in everything:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def state(office: Server, run: str) -> tuple[str, int]:
    number = run.rstrip("/").rpartition("/")[2].replace("-", "")
    [(found, done)] = rows(office.var, "SELECT state, done FROM riskapp_run WHERE id = ?", number)
    return str(found), int(done)


def cancel(page: Page) -> None:
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_text("Nothing is lost: it can be started again as it was.")).to_be_visible()


def test_a_run_is_cancelled_while_it_waits_reads_and_searches_and_can_be_run_again(
    office: Server, officer: Page, tmp_path: Path
) -> None:
    page = officer
    make_project(page, "Called off")
    upload(page, census(tmp_path / "census.csv", 1500))
    describe(page, "census.csv")
    accept_all(page, 9)
    step(page, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    with held(office):
        page.get_by_role("button", name="Start the run").click()
        expect(page.get_by_text("Waiting for a worker")).to_be_visible()
        assert state(office, page.url) == ("queued", 0)
        cancel(page)
    page.get_by_role("button", name="Run it again as it was").click()
    wait_until(lambda: state(office, page.url)[0] == "running", "a worker takes the run")
    with held(office):
        assert state(office, page.url) == ("running", 0)
        cancel(page)
    page.get_by_role("button", name="Run it again as it was").click()
    wait_until(lambda: state(office, page.url)[1] > 0, "the search has begun", seconds=WORK / 1000)
    with held(office):
        cancel(page)
    page.get_by_role("button", name="Run it again as it was").click()
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)


# Two people


@pytest.fixture
def colleague(officer: Page, visit: Callable[..., Page], tmp_path: Path) -> Page:
    """Bob, a steward of the project that Ada is at."""
    make_project(officer, "Two people")
    upload(officer, small(tmp_path)[0])
    describe(officer, "small.csv")
    officer.get_by_label("Project", exact=True).get_by_role("link", name="Members").click()
    officer.get_by_label("E-mail address").fill("bob@example.org")
    officer.get_by_label("Steward").check()
    officer.get_by_role("button", name="Make the invitation").click()
    page = visit()
    page.goto(officer.get_by_label("The invitation's link").input_value())
    page.get_by_label("Name").fill("Bob Second")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_role("heading", name="Two people")).to_be_visible()
    return page


def test_who_comes_second_to_a_column_is_told_and_loses_nothing(officer: Page, colleague: Page) -> None:
    for page in (officer, colleague):
        step(page, "Attributes")
        page.get_by_role("link", name="town", exact=True).click()
        expect(page.get_by_role("heading", name="town")).to_be_visible()
    colleague.get_by_label("Dropped").check()
    colleague.get_by_role("button", name="Save").click()
    expect(colleague.get_by_text("Saved: town.")).to_be_visible()

    officer.get_by_label("It hurts if learnt").check()
    officer.get_by_role("button", name="Save").click()
    told = officer.get_by_role("alert")
    expect(told).to_contain_text("Bob Second changed this while you did.")
    expect(told).to_contain_text("What you chose is still here: save it, or keep theirs")
    expect(officer.get_by_label("It hurts if learnt")).to_be_checked()
    officer.get_by_role("button", name="Save").click()
    expect(officer.get_by_text("Saved: town.")).to_be_visible()

    for page in (officer, colleague):
        hierarchy_of(page, "born")
    colleague.get_by_label("Shown or hidden").check()
    colleague.get_by_role("button", name="Save the hierarchy").click()
    expect(colleague.get_by_text("Saved: the hierarchy of born.")).to_be_visible()
    officer.get_by_label("Widths, from fine to coarse").fill("5, 50")
    officer.get_by_role("button", name="Save the hierarchy").click()
    expect(officer.get_by_role("alert")).to_contain_text("Bob Second changed this column in the meantime")
    expect(officer.get_by_label("Widths, from fine to coarse")).to_have_value("5, 50")
