"""The frontier in a real browser: the plot under its policy, sliders, keyboard, tens of thousands of rules."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.plane import document
from tests.engine.every_family import written as every_family
from tests.engine.test_plane import made_up
from tests.journey.plane_site import serving

CLASSES = {"public": {"largest_chance": 0.09}, "contract": {"largest_chance": 0.2}}
MOVED = """async () => {
  let redrawn = 0;
  const react = Plotly.react, relayout = Plotly.relayout;
  Plotly.react = (...about) => { redrawn++; return react(...about); };
  Plotly.relayout = (...about) => { redrawn++; return relayout(...about); };
  const slider = document.querySelector("#most"), named = new Set();
  for (let step = 0; step < 20; step++) {
    slider.value = 50 * step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    named.add(document.querySelector("[data-part=best]").innerText);
  }
  return { redrawn, named: named.size };
}"""
SETTING = document.Setting(limits={"largest_chance": 0.34}, classes=CLASSES)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Three planes: a few rules of every family, fifty thousand points, and so many that their density is drawn."""
    folder = tmp_path_factory.mktemp("planes")
    few = folder / "few.json"
    evaluate(prepare(every_family(tmp_path_factory.mktemp("small")))).write(few)
    (folder / "many.json").write_bytes(made_up((9, 9, 9, 9, 4)))
    (folder / "dense.json").write_bytes(made_up((9, 9, 9, 9, 6)))
    for name in ("few", "many", "dense"):
        result, plane, index = (folder / f"{name}.{part}" for part in ("json", "plane", "index"))
        with result.open("rb") as read, plane.open("wb") as drawn, index.open("wb") as offsets:
            document.write(read, drawn, offsets, SETTING)
    with serving(Path(folder)) as base:
        yield base


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """A plane in a window that must not complain, least of all about the content security policy."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    def open_plane(name: str, width: int = 1280) -> Page:
        page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{site}/plane/{name}/")
        page.wait_for_selector("#frontier[data-ready]")
        return page

    yield open_plane
    assert complaints == []


def test_the_best_rule_is_named_at_once_and_follows_the_sliders(opened: Callable[..., Page]) -> None:
    page = opened("few")
    best = page.locator("[data-part=best] .rule-words")
    expect(best).not_to_be_empty()
    first = best.inner_text()
    page.locator("#least-share").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-part=least-words]")).to_have_text("100\u202f%")
    expect(page.locator("[data-part=best]")).not_to_contain_text(first)


def test_the_list_goes_by_keyboard_in_step_with_the_card_and_opens_a_rule(opened: Callable[..., Page]) -> None:
    page = opened("few")
    page.locator("#frontier-list").focus()
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#frontier-list [aria-selected=true] .frontier-words").inner_text()
    expect(page.locator("[data-part=chosen] .rule-words")).to_have_text(chosen.removesuffix(" breaks a limit"))
    page.keyboard.press("Enter")
    expect(page.locator("#opened")).to_be_visible()


def test_other_axes_and_scales_are_drawn(opened: Callable[..., Page]) -> None:
    page = opened("few")
    for choice in ("chance", "found", "risk"):
        page.check(f"[name=measure][value={choice}]", force=True)
        page.check("[name=scale][value=linear]", force=True)
        page.check("[name=scale][value=log]", force=True)
    expect(page.locator("#plane .main-svg").first).to_be_visible()


def test_up_to_four_rules_are_ticked_for_a_link_that_holds_their_names(opened: Callable[..., Page]) -> None:
    page = opened("few")
    boxes = page.locator("[data-part=rows] input")
    for place in range(4):
        boxes.nth(place).check()
    expect(page.locator("[data-part=compare]")).to_have_text("Compare 4 rules")
    assert (page.get_attribute("[data-part=compare]", "href") or "").count("rule=") == 4
    assert boxes.nth(4).is_disabled()


@pytest.mark.parametrize("name", ["many", "dense"])
def test_a_move_of_a_slider_names_other_rules_without_drawing_the_cloud_again(
    opened: Callable[..., Page], name: str
) -> None:
    moved = opened(name).evaluate(MOVED)
    assert moved["redrawn"] == 0
    assert moved["named"] > 1


def test_nothing_serious_stands_in_the_way_of_anybody(opened: Callable[..., Page]) -> None:
    found = Axe().run(opened("few")).response["violations"]
    assert [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")] == []


def test_a_narrow_screen_needs_no_scrolling_sideways(opened: Callable[..., Page]) -> None:
    page = opened("few", width=380)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
