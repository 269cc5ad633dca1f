"""The pages of an officer's way through the sample project, with what opens in them."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journey.steps import WORK, open_sample
from tests.journey.tour import Tour


class Walk:
    """Somebody who goes through the sample project, as a part of a tour."""

    def __init__(self, tour: Tour, page: Page) -> None:
        self.tour, self.page = tour, page
        open_sample(page)
        self.project = page.url
        self.run = self.follow(page.get_by_role("link", name="The run", exact=True)).url

    def at(self, address: str, opened: str = "") -> Page:
        self.page.goto(address if address.startswith("http") else self.tour.site(self.page) + address)
        return self.look(opened)

    def follow(self, way: Locator) -> Page:
        """Press a link or a button, and be where it leads."""
        with self.page.expect_navigation():
            way.click()
        return self.page

    def look(self, opened: str = "") -> Page:
        self.tour.look(self.page, opened)
        return self.page


def through(tour: Tour, page: Page) -> None:
    """Who has loaded the sample project goes all the way through it."""
    walk = Walk(tour, page)
    for part in (describing, building, using_again, attacking, weighing, running, deciding, around):
        part(walk)


def describing(walk: Walk) -> None:
    walk.at(walk.project)
    walk.at(f"{walk.project}class/")
    page = walk.at(f"{walk.project}attributes/")
    page.get_by_text("Another dataset").click()
    walk.follow(page.get_by_role("button", name="Compare"))
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=WORK)
    walk.look()


def building(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.project}attributes/")
    studio = walk.follow(page.get_by_role("row", name=re.compile("town")).get_by_role("link", name="Hierarchy")).url
    walk.at(studio.replace("hierarchy/", ""))
    walk.at(studio)
    page.get_by_role("button", name="Open the tree").click()
    expect(page.get_by_role("tree")).to_be_visible()
    page.get_by_role("button", name="Show real values").click()
    expect(page.get_by_text("Its commonest values")).to_be_visible()
    walk.look(opened="studio-tree")
    page.get_by_text("Put this one on the shelf").click()
    page.get_by_label("Name").fill("Towns")
    page.get_by_label("Everybody who works in a project may read").check()
    page.get_by_role("button", name="Put on the shelf").click()
    expect(page.get_by_text("“Towns” is on the organisation's shelf.")).to_be_visible()
    walk.at(f"{studio}take/")
    walk.at("/hierarchies/")
    walk.follow(page.get_by_role("link", name="Towns", exact=True))
    walk.look()


def using_again(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.project}templates/")
    page.get_by_label("Name").fill("Monthly members")
    page.get_by_role("button", name="Save as a template").click()
    expect(page.get_by_role("heading", name="Monthly members, version 1")).to_be_visible()
    walk.at(f"{walk.project}templates/")
    walk.follow(page.get_by_role("link", name="Monthly members", exact=True))
    walk.look()
    page.get_by_label("File").select_option(label="register.csv, 11\u202f405 rows")
    walk.follow(page.get_by_role("button", name="Compare"))
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=WORK)
    walk.look()


def attacking(walk: Walk) -> None:
    page = walk.at(f"{walk.project}attackers/")
    walk.follow(page.get_by_role("link", name="neighbour", exact=True))
    walk.look()
    page.goto(f"{walk.project}attackers/")
    walk.follow(page.get_by_role("link", name="register", exact=True))
    walk.look(opened="attacker-register")
    page.get_by_role("button", name="Try likeness for town").click()
    expect(page.get_by_text("different values, 12 are spelt as in town")).to_be_visible(timeout=WORK)
    walk.look(opened="likeness")
    walk.at(f"{walk.project}linkage/")


def weighing(walk: Walk) -> None:
    page = walk.at(f"{walk.project}harm/")
    page.locator(".weighed summary").first.click()
    page.get_by_role("button", name="Show the commonest values").first.click()
    expect(page.locator(".value-choice")).to_be_visible()
    walk.look(opened="harm-values")


def running(walk: Walk) -> None:
    walk.at(f"{walk.project}runs/")
    walk.at(walk.run)
    walk.at(f"{walk.project}import/")


def deciding(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.run}frontier/")
    page.wait_for_selector("#frontier[data-ready]")
    walk.look()
    boxes = page.locator("[data-part=rows] input")
    for place in range(3):
        boxes.nth(place).check()
    compare = page.get_by_role("link", name="Compare 3 rules").get_attribute("href") or ""
    page.get_by_role("button", name="Open this rule").click()
    walk.follow(page.get_by_role("link", name="Open its page"))
    expect(page.get_by_role("heading", name="What happens to each column")).to_be_visible(timeout=WORK)
    walk.look()
    walk.at(compare)


def around(walk: Walk) -> None:
    walk.at("/help/?q=risk", opened="help-search")
    walk.at("/help/how-to/read-the-frontier/")
