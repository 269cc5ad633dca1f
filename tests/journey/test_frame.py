"""What stands around the content of a page on a narrow screen, and the order of the table of columns."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journey.serving import Server
from tests.journey.steps import WORK, open_sample, sign_in, step

NARROW = {"width": 380, "height": 800}
FIRST_OF_CONTENT = "document.getElementById('content').getBoundingClientRect().top"


def on_a_telephone(visit: Callable[..., Page], office: Server) -> Page:
    page = visit(viewport=NARROW)
    sign_in(page, office, "ada@example.org")
    open_sample(page)
    return page


def test_a_narrow_screen_has_the_places_in_menus_and_the_content_in_sight(
    visit: Callable[..., Page], office: Server
) -> None:
    page = on_a_telephone(visit, office)
    places, project = (page.get_by_role("navigation", name=name, exact=True) for name in ("Main", "Project"))
    expect(places.or_(project)).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    expect(places.get_by_role("link", name="Projects")).to_be_visible()
    expect(places.get_by_role("button", name="Sign out")).to_be_visible()
    page.keyboard.press("Escape")
    expect(places).to_have_count(0)
    page.get_by_role("button", name="More of this project").press("Enter")
    project.get_by_role("link", name="Members").click()
    expect(page.get_by_text("Invite somebody")).to_be_visible()
    page.wait_for_load_state()
    assert page.evaluate(FIRST_OF_CONTENT) < 0.3 * NARROW["height"]


def test_a_telephone_leads_one_step_up(visit: Callable[..., Page], office: Server) -> None:
    page = on_a_telephone(visit, office)
    step(page, "Attributes")
    page.get_by_role("link", name="town", exact=True).click()
    way_back = page.get_by_label("Breadcrumb").get_by_role("link")
    expect(way_back).to_have_text(["Attributes"])
    way_back.click()
    expect(page).to_have_url(re.compile("/attributes/$"))


def named(page: Page) -> list[str]:
    return page.locator("[data-at=name]").all_inner_texts()


def test_the_columns_are_ordered_by_keys_as_the_server_orders_them(officer: Page) -> None:
    open_sample(officer)
    step(officer, "Attributes")
    address, order = officer.url, officer.get_by_label("Order")
    keys = order.locator("option").evaluate_all("(options) => options.map((option) => option.value)")
    found = {}
    for key in keys:
        order.focus()
        officer.keyboard.press("Home")
        for _ in range(keys.index(key)):
            officer.keyboard.press("ArrowDown")
        expect(order).to_have_value(key)
        expect(order).to_be_focused()
        found[key] = named(officer)
    for key in keys:
        officer.goto(f"{address}?sort={key}")
        expect(officer.get_by_label("Order")).to_have_value(key)
        assert named(officer) == found[key]
    assert found["name"] == sorted(found["file"]) != found["file"]
    assert len({tuple(names) for names in found.values()}) > 3


ASIDE = """() => [...document.querySelectorAll("main .table-scroll")]
  .filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.getAttribute("aria-label"))"""


def test_on_a_telephone_no_table_of_the_frontier_or_of_a_rule_is_scrolled_sideways(
    visit: Callable[..., Page], office: Server
) -> None:
    page = on_a_telephone(visit, office)
    page.get_by_role("link", name="Look at the frontier").click()
    page.wait_for_selector("#frontier[data-ready]")
    frontier = page.url
    row = page.get_by_role("table").get_by_role("row").nth(1)
    expect(row.get_by_role("cell")).to_have_count(7)  # of the row's figures all but the kind, and the box
    expect(row.get_by_text("whole-table rules")).to_be_hidden()
    assert page.evaluate(ASIDE) == []
    page.get_by_role("button", name="Open this rule").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page.get_by_role("heading", name="The records that lose the most")).to_be_visible(timeout=WORK)
    assert page.evaluate(ASIDE) == []
    assert page.get_by_role("table", include_hidden=True).count() > 5
    page.goto(f"{frontier}../compare/?rule=full-domain:0.0.0.0.0&rule=full-domain:1.0.1.1.0")
    expect(page.get_by_role("heading", name="2 rules side by side")).to_be_visible()
    assert page.evaluate(ASIDE) == []
