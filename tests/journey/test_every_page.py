"""Every page of an officer's way, asked for faults: serious ones for people who cannot see or point, and sideways."""

import re

from playwright.sync_api import Page, expect

from tests.journey.album import Album
from tests.journey.serving import Server
from tests.journey.steps import WORK, open_sample


class Walk:
    """Somebody who goes through the sample project and looks at each page."""

    def __init__(self, page: Page, office: Server) -> None:
        self.page, self.office, self.album = page, office, Album()
        open_sample(page)
        self.project = page.url
        page.get_by_role("link", name="The run", exact=True).click()
        self.run = page.url

    def at(self, address: str, name: str) -> Page:
        """Go somewhere, wait for what it loads by itself, and look."""
        self.page.goto(address if address.startswith("http") else self.office.base_url + address)
        return self.look(name)

    def look(self, name: str) -> Page:
        self.page.wait_for_load_state()
        expect(self.page.locator("[hx-trigger='load'], [hx-trigger='every 1s'], .htmx-request")).to_have_count(
            0, timeout=WORK
        )
        self.album.look(self.page, name)
        return self.page


def test_no_page_of_the_way_has_a_serious_fault(officer: Page, office: Server) -> None:
    walk = Walk(officer, office)
    for part in (describing, building, using_again, attacking, weighing, running, deciding, around):
        part(walk)
    assert walk.album.faults == {}


def describing(walk: Walk) -> None:
    walk.at(walk.project, "data")
    walk.at(f"{walk.project}class/", "release-class")
    page = walk.at(f"{walk.project}attributes/", "attributes")
    page.get_by_text("Another dataset").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=WORK)
    walk.look("dataset")


def building(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.project}attributes/")
    page.get_by_role("row", name=re.compile("town")).get_by_role("link", name="Hierarchy").click()
    studio = page.url
    walk.at(studio.replace("hierarchy/", ""), "attribute")
    walk.at(studio, "studio")
    page.get_by_role("button", name="Open the tree").click()
    expect(page.get_by_role("tree")).to_be_visible()
    page.get_by_role("button", name="Show real values").click()
    expect(page.get_by_text("Its commonest values")).to_be_visible()
    walk.look("studio-tree")
    page.get_by_text("Put this one on the shelf").click()
    page.get_by_label("Name").fill("Towns")
    page.get_by_label("Everybody who works in a project may read").check()
    page.get_by_role("button", name="Put on the shelf").click()
    expect(page.get_by_text("“Towns” is on the organisation's shelf.")).to_be_visible()
    walk.at(f"{studio}take/", "take")
    walk.at("/hierarchies/", "shelf")
    page.get_by_role("link", name="Towns", exact=True).click()
    walk.look("shelved")


def using_again(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.project}templates/")
    page.get_by_label("Name").fill("Monthly members")
    page.get_by_role("button", name="Save as a template").click()
    expect(page.get_by_role("heading", name="Monthly members, version 1")).to_be_visible()
    walk.at(f"{walk.project}templates/", "templates")
    page.get_by_role("link", name="Monthly members", exact=True).click()
    page.wait_for_url(re.compile(r"/templates/[0-9a-f-]{36}/$"))
    walk.look("template")
    page.get_by_label("File").select_option(label="register.csv, 11\u202f405 rows")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=WORK)
    walk.look("drift")


def attacking(walk: Walk) -> None:
    page = walk.at(f"{walk.project}attackers/", "attackers")
    for name in ("neighbour", "register"):
        page.goto(f"{walk.project}attackers/")
        page.get_by_role("link", name=name, exact=True).click()
        walk.look(f"attacker-{name}")
    page.get_by_role("button", name="Try likeness for town").click()
    expect(page.get_by_text("different values, 12 are spelt as in town")).to_be_visible(timeout=WORK)
    walk.look("likeness")
    walk.at(f"{walk.project}linkage/", "linkage")


def weighing(walk: Walk) -> None:
    page = walk.at(f"{walk.project}harm/", "harm")
    page.locator(".weighed summary").first.click()
    page.get_by_role("button", name="Show the commonest values").first.click()
    expect(page.locator(".value-choice")).to_be_visible()
    walk.look("values")


def running(walk: Walk) -> None:
    walk.at(f"{walk.project}runs/", "runs")
    walk.at(walk.run, "run")
    walk.at(f"{walk.project}import/", "import")


def deciding(walk: Walk) -> None:
    page = walk.page
    page.goto(f"{walk.run}frontier/")
    page.wait_for_selector("#frontier[data-ready]")
    walk.look("frontier")
    boxes = page.locator("[data-part=rows] input")
    for place in range(3):
        boxes.nth(place).check()
    compare = page.get_by_role("link", name="Compare 3 rules").get_attribute("href") or ""
    page.get_by_role("button", name="Open this rule").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_text("Measuring the rule")).to_be_hidden(timeout=WORK)
    walk.look("rule")
    walk.at(compare, "compare")


def around(walk: Walk) -> None:
    places = {
        "projects": "/projects/",
        "new-project": "/projects/new/",
        "notices": "/notices/",
        "tokens": "/account/tokens/",
        "api": "/api/",
        "help": "/help/",
        "help-search": "/help/?q=risk",
        "help-page": "/help/how-to/read-the-frontier/",
        "classes": "/classes/",
        "people": "/people/",
        "members": f"{walk.project}members/",
        "project-audit": f"{walk.project}audit/",
    }
    for name, address in places.items():
        walk.at(address, name)
