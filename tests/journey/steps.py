"""What anybody does before the work begins: the first account, signing in, a project."""

import re

from playwright.sync_api import Page, expect

from tests.journey.serving import Server

PASSWORD = "correct horse battery"


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
