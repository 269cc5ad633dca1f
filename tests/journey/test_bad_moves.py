"""Moves that cannot end well: each ends in words that say what to do, and nothing is lost."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.journey import keyboard
from tests.journey.album import Album
from tests.journey.invented import census, small
from tests.journey.keyboard import Keys
from tests.journey.serving import Server, wait_until
from tests.journey.steps import PASSWORD, WORK, describe, make_project, upload
from tests.journey.visitor import locked, rows


def hierarchy_of(keys: Keys, column: str) -> None:
    keyboard.step(keys, "Attributes")
    keys.follow(keys.page.get_by_role("row", name=re.compile(column)).get_by_role("link", name="Hierarchy"))


def test_values_without_a_home_attackers_who_meet_nobody_no_weights_and_what_cannot_be_by_keyboard_alone(
    keys: Keys, album: Album, tmp_path: Path
) -> None:
    table, register, towns = small(tmp_path)
    keyboard.make_project(keys, "Bad moves")
    keyboard.upload(keys, table, register)
    keyboard.describe(keys, "small.csv", 3)
    a_hierarchy_forgets_a_town(keys, album, towns)
    a_register_knows_other_towns(keys)
    nothing_weighs(keys)
    nothing_can_be_met(keys)


def a_hierarchy_forgets_a_town(keys: Keys, album: Album, towns: Path) -> None:
    page = keys.page
    hierarchy_of(keys, "town")
    keys.give(page.locator("#files input[type=file]"), towns)
    keys.follow(page.get_by_role("button", name="Read the file"))
    keys.follow(page.get_by_role("button", name="Save the hierarchy"))
    expect(page.get_by_role("alert")).to_contain_text("Give them homes")
    expect(page.get_by_role("alert")).to_be_focused()
    keys.follow(page.get_by_role("button", name="Save all the same"))
    keyboard.step(keys, "Run")
    expect(page.locator("#rehearsal")).to_contain_text("no place in the hierarchy of town", timeout=WORK)
    expect(page.locator("#rehearsal")).not_to_contain_text("attributes.")
    keys.follow(page.get_by_role("link", name="Give them homes"))
    keys.hit(page.get_by_role("button", name="Show them, with homes"))
    expect(page.get_by_role("heading", name="Values without a place")).to_be_focused()
    expect(page.get_by_role("button", name="Brack to north")).to_be_visible()
    album.look(page, "studio-uncovered")
    keys.hit(page.get_by_role("button", name="All to their likeliest homes"))
    expect(page.get_by_text("No run can start before each has one.")).to_be_hidden()
    expect(page.get_by_role("heading", name="What it would do")).to_be_focused()
    keys.follow(page.get_by_role("button", name="Save the hierarchy"))
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()


def a_register_knows_other_towns(keys: Keys) -> None:
    page = keys.page
    keyboard.step(keys, "Adversary")
    keys.follow(page.get_by_role("button", name=re.compile("A stranger with a register")))
    keys.pick(page.get_by_label("Their table"), "strangers.csv")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    keys.pick(page.get_by_role("row", name=re.compile("^town")).get_by_role("combobox"), "town")
    coverage = page.locator("#coverage")
    expect(coverage).to_contain_text("2 of the 2 values of its column town have no place", timeout=WORK)
    expect(coverage).to_contain_text("would match nobody")
    expect(coverage).not_to_contain_text("dictionaries.")
    keys.follow(page.get_by_role("button", name="Save the matching"))
    keys.follow(coverage.get_by_role("link", name="Give them homes in the hierarchy"))
    gap = page.locator(".notice", has_text="2 values of stranger without a place")
    keys.hit(gap.get_by_role("button", name="Show them, with homes"))
    keys.hit(page.get_by_role("button", name="Elsewhere by itself"))
    expect(page.get_by_text("1 value of stranger without a place")).to_be_visible()
    keys.hit(page.locator(".notice", has_text="of stranger").get_by_role("button", name="All by themselves"))
    expect(page.locator(".notice", has_text="of stranger")).to_have_count(0)
    keys.follow(page.get_by_role("button", name="Save the hierarchy"))
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()

    keyboard.step(keys, "Adversary")
    keys.follow(page.get_by_role("link", name="stranger", exact=True))
    expect(coverage).to_contain_text("It matches nobody", timeout=WORK)
    expect(coverage).to_contain_text("leave it out")
    keyboard.step(keys, "Adversary")
    keys.follow(page.get_by_role("button", name="Remove stranger"))
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def nothing_weighs(keys: Keys) -> None:
    page = keys.page
    keyboard.step(keys, "Harm")
    for field in page.get_by_label(re.compile(r"^Weight of .*: a number, or never")).all():
        keys.write(field, "0")
    leaving_is_asked(keys)
    expect(field).to_have_value("0")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.locator("[data-all-zero]")).to_contain_text("Give at least one column a weight")
    keyboard.step(keys, "Run")
    keys.follow(page.get_by_role("link", name="Give at least one column a weight"))
    keys.write(page.get_by_label("Weight of job: a number, or never"), "1")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.locator("[data-all-zero]")).to_be_hidden()


def leaving_is_asked(keys: Keys) -> None:
    """Another step of the way is pressed before what was typed is saved, and one stays."""
    asked = keys.page.expect_event("dialog")
    keys.page.once("dialog", lambda dialog: dialog.dismiss())
    with asked as dialog:
        keys.hit(keys.page.get_by_label("The way to a release").get_by_role("link", name="Run"))
    assert dialog.value.type == "beforeunload"


def nothing_can_be_met(keys: Keys) -> None:
    page = keys.page
    keyboard.step(keys, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    keys.pick(
        page.get_by_label("What is the best rule?"), str(page.locator("option[value=least_utility]").inner_text())
    )
    keys.write(page.get_by_label("Detail to keep, in %"), "100")
    keys.follow(page.get_by_role("button", name="Start the run"))
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)
    expect(page.get_by_text("None of these rules does what was asked for")).to_be_visible()
    expect(page.get_by_text("run again with a bound that it keeps")).to_be_visible()
    keys.follow(page.locator(".notice", has_text="run again with a bound").get_by_role("link"))
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()


# Cancelled at every stage


@contextmanager
def held(office: Server) -> Iterator[None]:
    """The worker and all that it has started stand still, and none of them in the middle of writing."""
    worker = psutil.Process(office.pid("worker"))
    try:
        all_of(worker, psutil.Process.suspend)
        while locked(office.var):
            all_of(worker, psutil.Process.resume)
            time.sleep(0.05)
            all_of(worker, psutil.Process.suspend)
        yield
    finally:
        all_of(worker, psutil.Process.resume)


def all_of(worker: psutil.Process, do: Callable[[psutil.Process], None]) -> None:
    for process in (worker, *worker.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            do(process)


def state(office: Server, run: str) -> tuple[str, int]:
    number = run.rstrip("/").rpartition("/")[2].replace("-", "")
    [(found, done)] = rows(office.var, "SELECT state, done FROM riskapp_run WHERE id = ?", number)
    return str(found), int(done)


@contextmanager
def caught(office: Server, keys: Keys, holds: Callable[[tuple[str, int]], bool], what: str) -> Iterator[None]:
    """The run stands still at a stage; if it was past that before it could be stopped, it is run once more."""
    for _ in range(10):
        wait_until(
            lambda: holds(now := state(office, keys.page.url)) or now[0] == "succeeded", what, seconds=WORK / 1000
        )
        with held(office):
            now = state(office, keys.page.url)
            if holds(now):
                yield
                return
            if now[0] != "succeeded":
                cancel(keys)
        again(keys)
    raise AssertionError(f"never caught: {what}")


def cancel(keys: Keys) -> None:
    keys.follow(keys.page.get_by_role("button", name="Cancel the run"))
    expect(keys.page.get_by_text("Nothing is lost: it can be started again as it was.")).to_be_visible()


def again(keys: Keys) -> None:
    keys.follow(keys.page.get_by_role("button", name="Run it again as it was"))


def test_a_run_is_cancelled_while_it_waits_reads_and_searches_and_can_be_run_again_by_keyboard_alone(
    office: Server, keys: Keys, album: Album, tmp_path: Path
) -> None:
    page = keys.page
    keyboard.make_project(keys, "Called off")
    keyboard.upload(keys, census(tmp_path / "census.csv", 1500))
    keyboard.describe(keys, "census.csv", 9)
    keyboard.step(keys, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    with held(office):
        keys.follow(page.get_by_role("button", name="Start the run"))
        expect(page.locator("#progress")).to_contain_text("Waiting for a worker")
        assert state(office, page.url) == ("queued", 0)
        album.look(page, "run-queued")
        cancel(keys)
    album.look(page, "run-cancelled")
    again(keys)
    with caught(office, keys, lambda now: now == ("running", 0), "a worker has taken the run"):
        cancel(keys)
    again(keys)
    with caught(office, keys, lambda now: now[0] == "running" and now[1] > 0, "the search has begun"):
        expect(page.locator("#progress progress[value]")).to_be_visible()
        album.look(page, "run-running")
        cancel(keys)
    again(keys)
    keys.to(page.get_by_role("button", name="Cancel the run"))
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)
    expect(page.locator("#run-state h2")).to_be_focused()  # the button under the focus is gone
    keys.look()


# Two people


@pytest.fixture
def colleague(officer: Page, visit: Callable[..., Page], tmp_path: Path) -> Page:
    """Bob, a steward of the project that Ada is at."""
    make_project(officer, "Two people")
    upload(officer, small(tmp_path)[0])
    describe(officer, "small.csv")
    officer.get_by_label("Project", exact=True).get_by_role("link", name="Members").click()
    officer.get_by_label("E-mail address").fill("bob@example.org")
    officer.get_by_label(re.compile("^Steward")).check()
    officer.get_by_role("button", name="Make the invitation").click()
    page = visit()
    page.goto(officer.get_by_label("The invitation's link").input_value())
    page.get_by_label("Name").fill("Bob Second")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_role("heading", name="Two people")).to_be_visible()
    return page


def test_who_comes_second_to_a_column_is_told_and_loses_nothing_by_keyboard_alone(
    officer: Page, colleague: Page
) -> None:
    first, second = Keys(colleague), Keys(officer)
    for keys in (second, first):
        keyboard.step(keys, "Attributes")
        keys.follow(keys.page.get_by_role("link", name="town", exact=True))
        expect(keys.page.get_by_role("heading", name="town")).to_be_visible()
    first.tick(colleague.get_by_label("Dropped"))
    first.follow(colleague.get_by_role("button", name="Save"))
    expect(colleague.get_by_text("Saved: town.")).to_be_visible()

    second.tick(officer.get_by_label("It hurts if learnt"))
    second.follow(officer.get_by_role("button", name="Save"))
    told = officer.get_by_role("alert")
    expect(told).to_be_focused()
    expect(told).to_contain_text("Bob Second changed this while you did.")
    expect(told).to_contain_text("What you chose is still here: save it, or keep theirs")
    expect(officer.get_by_label("It hurts if learnt")).to_be_checked()
    second.follow(officer.get_by_role("button", name="Save"))
    expect(officer.get_by_text("Saved: town.")).to_be_visible()

    for keys in (second, first):
        hierarchy_of(keys, "born")
    first.tick(colleague.get_by_label("Shown or hidden"))
    first.follow(colleague.get_by_role("button", name="Save the hierarchy"))
    expect(colleague.get_by_text("Saved: the hierarchy of born.")).to_be_visible()
    with officer.expect_response(re.compile("/hierarchy/preview/")):  # who leaves before it is there breaks it off
        second.write(officer.get_by_label("Widths, from fine to coarse"), "5, 50")
    second.follow(officer.get_by_role("button", name="Save the hierarchy"))
    expect(officer.get_by_role("alert")).to_contain_text("Bob Second changed this column in the meantime")
    expect(officer.get_by_role("alert")).to_be_focused()
    expect(officer.get_by_label("Widths, from fine to coarse")).to_have_value("5, 50")
