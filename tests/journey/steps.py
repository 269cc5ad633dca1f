"""What people do again and again: the first account, signing in, a project, the steps of an officer's way."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journey.serving import Server

PASSWORD = "correct horse battery"
WORK = 240_000  # milliseconds that a worker may take on a machine that is busy with other tests


def set_up(page: Page, link: str, *, sample: bool) -> None:
    page.goto(link)
    page.get_by_label("Name").fill("Ada Admin")
    page.get_by_label("E-mail address").fill("ada@example.org")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_label("Load a sample project").set_checked(sample)
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


def sign_in(page: Page, server: Server, email: str) -> None:
    page.goto(f"{server.base_url}/sign-in/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def make_project(page: Page, name: str) -> None:
    page.get_by_role("link", name="New project").first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the project").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_label(re.compile("^Under contract")).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Release class: under contract")).to_be_visible()


# The officer's way


def step(page: Page, name: str) -> None:
    """Go to a step of the way, and be there."""
    link = page.get_by_label("The way to a release").get_by_role("link", name=name)
    with page.expect_navigation():  # with all its scripts
        link.click()
    expect(link).to_have_attribute("aria-current", "step")


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


def to_frontier(page: Page) -> None:
    page.get_by_role("link", name="Look at the frontier").click()
    page.wait_for_selector("#frontier[data-ready]")


def open_sample(page: Page) -> None:
    """The sample project, once the workers have made it ready."""
    page.get_by_role("link", name=re.compile("Sample")).click()
    expect(page.get_by_text("The sample is ready to be looked at.")).to_be_visible(timeout=WORK)
