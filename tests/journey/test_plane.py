"""The frontier in a real browser: the plot under its policy, sliders, keyboard, tens of thousands of rules."""

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.plane import document
from riskapp.web.rule_words import short
from riskapp.web.templatetags.rules import chance_words, figure_words, share_words
from tests.engine.every_family import RULES
from tests.engine.every_family import written as every_family
from tests.engine.test_plane import in_lines, made_up
from tests.journey.keyboard import Keys
from tests.journey.plane_site import serving
from tests.journey.serving import ROOT

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
WORDS = {
    "town": ["as it is", "by county", "withheld"],
    "born": ["as it is", "by its first 3 signs", "by its first 2 signs", "by its first sign", "withheld"],
    "sex": ["as it is", "withheld"],
}
SETTING = document.Setting(WORDS, limits={"largest_chance": 0.34}, classes=CLASSES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planes")


@pytest.fixture
def rules(site: str, folder: Path) -> dict[str, Any]:
    """The few rules as the result lists them, by their names."""
    return {rule["id"]: rule for rule in json.loads((folder / "few.json").read_text())["rules"]}


def endless(rule: dict[str, Any]) -> dict[str, Any]:
    return {"risk": "inf", "risk_replay": "inf"}


def never(rule: dict[str, Any]) -> dict[str, Any]:
    """Whoever's town is shown, by a rule with levels, loses without end."""
    return endless(rule) if rule["node"] and rule["node"]["town"] < 2 else {}


def strict(rule: dict[str, Any]) -> dict[str, Any]:
    """No rule is without any risk, and those that keep the most or risk the least keep no limit."""
    risk = max(rule["risk"], 0.001)
    kept = rule["within_limits"] and rule["risk"] > 0 and rule["utility_share"] < 0.9
    return {"risk": risk, "risk_replay": max(rule["risk_replay"] or 0, risk), "within_limits": kept}


def nudged(rule: dict[str, Any]) -> dict[str, Any]:
    """Another last digit for the whole-table rules, as another order of adding up gives it."""
    return {"risk": rule["risk"] * (1 + 1e-14)} if rule["family"] == "full-domain" else {}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[str]:
    """A few rules of every family, also with other risks, fifty thousand points, and so many that density is drawn."""
    few = folder / "few.json"
    evaluate(prepare(every_family(tmp_path_factory.mktemp("small"), suppression_limit=0.4))).write(few)
    (folder / "many.json").write_bytes(made_up((9, 9, 9, 9, 4)))
    (folder / "dense.json").write_bytes(made_up((9, 9, 9, 9, 6)))
    named = json.loads(few.read_text())
    for name, change in {
        "same": lambda rule: rule,
        "never": never,
        "endless": endless,
        "nudged": nudged,
        "strict": strict,
    }.items():
        (folder / f"{name}.json").write_bytes(in_lines([rule | change(rule) for rule in named["rules"]]))
    for name in ("few", "same", "never", "endless", "nudged", "strict", "many", "dense"):
        result, plane, index = (folder / f"{name}.{part}" for part in ("json", "plane", "index"))
        with result.open("rb") as read, plane.open("wb") as drawn, index.open("wb") as offsets:
            document.write(read, drawn, offsets, SETTING)
    thinned = json.loads((folder / "dense.plane").read_text()) | {"left_out": 1234}
    (folder / "thinned.plane").write_text(json.dumps(thinned))
    with serving(folder) as base:
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


SLID = """([least, most]) => {
  for (const [id, value] of [["least-share", least], ["most", most]]) {
    const slider = document.querySelector(`#${id}`);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return document.querySelector("[data-part=best]").innerText;
}"""


@pytest.mark.parametrize("measure", ["risk", "chance", "found"])
def test_where_nothing_is_as_wanted_the_least_and_the_most_that_there_are_is_told(
    opened: Callable[..., Page], rules: dict[str, Any], measure: str
) -> None:
    page = opened("strict")
    page.check(f"[name=measure][value={measure}]", force=True)
    page.check("[name=scale][value=linear]", force=True)
    kept = [changed for rule in rules.values() if (changed := rule | strict(rule))["within_limits"]]
    least, most = min(by(rule, measure) for rule in kept), max(rule["utility_share"] for rule in kept)
    words = chance_words(least) if measure == "chance" else figure_words(least)
    told = page.evaluate(SLID, [0, 0])
    assert "None of these rules has so little risk and within the limits." in told
    assert f"The least there is within the limits is {words}." in told
    assert "Keeping" not in told, "nothing was to be kept"
    told = page.evaluate(SLID, [100, 0])
    assert f"The least there is within the limits is {words}." in told
    assert f"The most that one keeps within the limits is {share_words(most)}." in told
    assert "No rule keeps the limits at all" not in told


def by(rule: dict[str, Any], measure: str) -> float:
    """The figure of a rule that an axis shows: the worse of definition and replay, against the worst attacker."""
    if measure == "risk":
        return float(max(rule["risk"], rule["risk_replay"] or 0))
    name = {"chance": "largest_chance", "found": "expected_found"}[measure]
    return max(float(way[name]) for own in rule["people"].values() for way in (own, own["by_replay"] or own))


def labels_of(page: Page) -> list[tuple[str, dict[str, float]]]:
    """The words in the plane, and where they stand."""
    found = page.locator("#plane .annotation-text").all()
    return [(one.text_content() or "", box) for one in found if (box := one.bounding_box())]


def test_words_in_the_plane_do_not_lie_over_each_other_and_name_only_what_is_in_view(
    opened: Callable[..., Page],
) -> None:
    page = opened("strict")
    page.check("[name=measure][value=chance]", force=True)
    page.evaluate(SLID, [100, 1000])
    boxes = dict(labels_of(page))
    above, below = boxes["unchanged"], next(box for words, box in boxes.items() if words.startswith("keep at least"))
    assert above["y"] + above["height"] <= below["y"]
    expect(page.locator("#plane")).to_contain_text("above the limit")
    page.locator("#plane-keys").focus()
    for key in ["+", "+", "+", *["ArrowLeft"] * 8]:
        page.keyboard.press(key)
    expect(page.locator("#plane")).not_to_contain_text("above the limit")
    page.keyboard.press("0")
    expect(page.locator("#plane")).to_contain_text("above the limit")


def test_points_say_how_many_look_alike_where_there_is_room_each_kind_on_a_side_of_its_own(
    opened: Callable[..., Page],
) -> None:
    sides = "() => document.querySelector('#plane').data.filter(({ text }) => text).map((one) => one.textposition)"
    found = opened("few").evaluate(sides)
    assert len(found) == len(set(found)) == 2
    assert opened("few", 380).evaluate(sides) == []


def test_pointing_at_a_rule_says_in_words_what_it_does_and_what_its_figure_is(opened: Callable[..., Page]) -> None:
    page = opened("few")
    tip = page.locator("[data-part=tip]")
    for measure, name in [("risk", "risk "), ("chance", "largest chance 1 in "), ("found", "people found ")]:
        page.check(f"[name=measure][value={measure}]", force=True)
        x, y = page.evaluate(UNCHANGED)
        page.mouse.move(x, y)
        expect(tip).to_contain_text("Everything as it is")
        expect(tip).to_contain_text(name)
        page.mouse.move(0, 0)
        expect(tip).to_be_hidden()


UNCHANGED = """() => {
  const node = document.querySelector("#plane"), { left, top } = node.getBoundingClientRect();
  const { x, y } = node.data.find(({ name }) => name === "tables"), { xaxis, yaxis, _size } = node._fullLayout;
  return [left + _size.l + xaxis.d2p(x.at(-1)), top + _size.t + yaxis.d2p(y.at(-1))];
}"""
NAMED = """() => {
  const slider = document.querySelector("#least-share"), named = [];
  for (let step = 0; step <= 100; step += 5) {
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    named.push(document.querySelector("[data-part=best]").innerText);
  }
  return named;
}"""


def test_of_equal_rules_the_simpler_is_the_best_whatever_their_last_digits(opened: Callable[..., Page]) -> None:
    named = opened("same").evaluate(NAMED)
    assert any("whole-table rules" in words for words in named)
    assert opened("nudged").evaluate(NAMED) == named


def test_a_rule_of_infinite_risk_is_never_the_best(opened: Callable[..., Page]) -> None:
    assert not any("infinite" in words for words in opened("never").evaluate(NAMED))
    page = opened("endless")
    expect(page.locator("[data-part=best]")).to_contain_text("shows what weighs “never”: its risk is infinite.")
    expect(page.locator("#plane")).to_contain_text("every risk is infinite")


def test_the_card_of_the_best_rule_tells_its_two_tags_and_what_they_mean(
    opened: Callable[..., Page], rules: dict[str, Any]
) -> None:
    page = opened("few")
    tags = page.locator("[data-part=best-tags] .tags")
    expect(tags.locator("summary")).to_have_count(2)
    number, first = tags.locator("summary").all_inner_texts()
    assert number == "exact"
    expect(tags.get_by_text("Counted, not estimated")).to_be_hidden()
    tags.locator("summary").first.click()
    expect(tags.get_by_text("Counted, not estimated")).to_be_visible()
    page.locator("#least-share").focus()
    page.keyboard.press("Home")
    expect(tags.locator("summary").last).not_to_have_text(first)
    second = tags.locator("summary").last.inner_text()
    expect(page.locator("[data-part=best] .rule-words")).to_have_text(short(rules[second], WORDS))
    page.keyboard.press("End")
    expect(page.locator("[data-part=best]")).to_contain_text("None of these rules keeps")
    expect(tags).to_have_count(0)


def test_the_list_goes_by_keyboard_in_step_with_the_card_and_opens_a_rule(opened: Callable[..., Page]) -> None:
    page = opened("few")
    page.locator("#frontier-list").focus()
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#frontier-list [aria-selected=true] .frontier-words").inner_text()
    expect(page.locator("[data-part=chosen] .rule-words")).to_have_text(chosen)
    page.keyboard.press("Enter")
    expect(page.locator("#opened")).to_be_visible()


SHOWN = """() => {
  const { xaxis, yaxis } = document.querySelector("#plane")._fullLayout;
  return [...xaxis.range, ...yaxis.range];
}"""
NEAR = f"wanted => ({SHOWN})().every((edge, place) => Math.abs(edge - wanted[place]) < 1e-6)"


def shows(page: Page, wanted: list[float]) -> None:
    """The plane comes to show what lies between these edges: left and right, low and high."""
    page.wait_for_function(NEAR, arg=wanted, timeout=60_000)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_plane_is_zoomed_and_moved_by_keys_while_it_is_in_focus(opened: Callable[..., Page]) -> None:
    page = opened("few")
    expect(page.get_by_text("+ and − zoom, the arrows move, 0 shows the whole")).to_be_visible()
    left, right, low, high = whole = [float(edge) for edge in page.evaluate(SHOWN)]
    wide, tall = 0.2 * (right - left), 0.2 * (high - low)
    Keys(page).to(page.locator("#plane-keys"))  # by Tab, with a ring around it
    press(page, "+")
    zoomed = [left + wide, right - wide, low + tall, high - tall]
    shows(page, zoomed)
    across, upright = 0.1 * (zoomed[1] - zoomed[0]), 0.1 * (zoomed[3] - zoomed[2])
    press(page, "ArrowRight")
    shows(page, [zoomed[0] + across, zoomed[1] + across, *zoomed[2:]])
    expect(page.locator("#announcer")).to_have_text("Moved right")
    press(page, "ArrowUp", "ArrowUp", "ArrowLeft")  # faster than it is drawn: none is lost
    shows(page, [*zoomed[:2], zoomed[2] + 2 * upright, zoomed[3] + 2 * upright])
    press(page, "ArrowDown", "ArrowDown", "-")
    shows(page, whole)
    press(page, "=", "+", "ArrowLeft")
    press(page, "0")
    shows(page, whole)
    expect(page.locator("#plane-keys")).to_be_focused()


def test_dragging_zooms_and_a_double_click_shows_the_whole_again(opened: Callable[..., Page]) -> None:
    page = opened("few")
    shown = (
        "() => JSON.stringify(document.querySelector('#plane')._fullLayout.xaxis.range.map((end) => end.toFixed(3)))"
    )
    whole, box = page.evaluate(shown), page.locator("#plane").bounding_box()
    assert box
    page.mouse.move(box["x"] + 150, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 350, box["y"] + 250, steps=5)
    page.mouse.up()
    page.wait_for_function(f"(whole) => ({shown})() !== whole", arg=whole)
    page.mouse.dblclick(box["x"] + 200, box["y"] + 150)
    page.wait_for_function(f"(whole) => ({shown})() === whole", arg=whole)


def test_the_name_of_an_axis_fits_a_narrow_screen(opened: Callable[..., Page]) -> None:
    page = opened("few", 380)
    page.check("[name=measure][value=chance]", force=True)
    expect(page.locator("#plane .xtitle")).to_have_text("Chance of the worst-off person to be found →")
    title, plane = page.locator("#plane .xtitle").bounding_box(), page.locator("#plane").bounding_box()
    assert title
    assert plane
    assert plane["x"] <= title["x"]
    assert title["x"] + title["width"] <= plane["x"] + plane["width"]


def test_the_keys_of_the_plane_and_of_the_list_are_apart(opened: Callable[..., Page]) -> None:
    page = opened("few")
    chosen = page.locator("#frontier-list [aria-selected=true] .frontier-words")
    whole = [float(edge) for edge in page.evaluate(SHOWN)]
    page.locator("#frontier-list").focus()
    press(page, "ArrowDown", "+", "-", "-", "ArrowUp", "ArrowDown")
    words = chosen.inner_text()
    page.locator("#plane-keys").focus()
    press(page, "Control+0", "Control+ArrowLeft", "ArrowDown")
    fall = 0.1 * (whole[3] - whole[2])  # of all these keys only the last one moved the plane
    shows(page, [*whole[:2], whole[2] - fall, whole[3] - fall])
    expect(chosen).to_have_text(words)


def test_other_axes_and_scales_are_drawn(opened: Callable[..., Page]) -> None:
    page = opened("few")
    for choice in ("chance", "found", "risk"):
        page.check(f"[name=measure][value={choice}]", force=True)
        page.check("[name=scale][value=linear]", force=True)
        page.check("[name=scale][value=log]", force=True)
    expect(page.locator("#plane .main-svg").first).to_be_visible()


LINES = """() => Object.fromEntries(document.querySelector("#plane")._fullData
  .filter(({ mode }) => mode.includes("lines"))
  .map(({ name, x, y, line }) => [name, { x: Array.from(x), y: Array.from(y), shape: line.shape }]))"""


def drawn_at(line: dict[str, Any], risk: float) -> float:
    """How high a line is drawn above a risk, on the logarithmic axis."""
    after = next(place for place, end in enumerate(line["x"]) if end > risk)
    (low, high), (start, end) = line["x"][after - 1 : after + 1], line["y"][after - 1 : after + 1]
    part = {"linear": math.log(risk / low) / math.log(high / low), "hv": 0.0}[line["shape"]]
    return float(start + part * (end - start))


def test_no_line_promises_more_than_the_best_of_all_kinds(opened: Callable[..., Page]) -> None:
    lines = opened("few").evaluate(LINES)
    tables, every = lines["tables"], lines["frontier"]
    least, most = max(tables["x"][0], every["x"][0]), min(tables["x"][-1], every["x"][-1])
    between = [math.exp(math.log(least) + part / 500 * math.log(most / least)) for part in range(1, 500)]
    heights = [(drawn_at(tables, risk), drawn_at(every, risk)) for risk in between]
    assert all(some <= best + 1e-12 for some, best in heights)
    assert any(some < best - 0.01 for some, best in heights)


def test_rules_by_region_say_how_many_by_what_and_what_some_and_others_get(opened: Callable[..., Page]) -> None:
    page = opened("few")
    page.get_by_label("only the frontier").uncheck()
    words = (
        "town as it is in some, by county in others; born by its first 3 signs in some, by its first 2 signs in others"
    )
    expect(page.locator("[data-part=rows]")).to_contain_text(f": {words}; sex withheld")


SAID = """async () => {
  const { Plane } = await import("/static/js/frontier/plane.js");
  const plane = await Plane.fetch(document.querySelector("#frontier").dataset.planeUrl);
  const rules = Array.from(plane.columns.number, (_, place) => plane.rule(place));
  return rules.map((rule) => [rule.id, plane.words(rule)]);
}"""


def test_every_rule_has_words_of_its_own_the_same_as_on_its_page(
    opened: Callable[..., Page], rules: dict[str, Any]
) -> None:
    said: dict[str, str] = dict(opened("few").evaluate(SAID))
    assert said == {name: short(rules[name], WORDS) for name in said}
    assert any(re.search(r"\d rows? withheld$", words) for words in said.values())
    assert len(set(said.values())) == len(said) > 20


TWICE = """async () => {
  const { Plane } = await import("/static/js/frontier/plane.js");
  const { told, byNumber } = await Plane.fetch(document.querySelector("#frontier").dataset.planeUrl);
  const first = told.listed.find((row) => row[2] === 0 && row.at(12));
  const again = [told.rules, "regional:town@1:9", told.families.indexOf("regional"), ...first.slice(3)];
  again[4] += 1e-16;
  const family = told.families.indexOf("k-anonymity");
  const suppressed = [told.rules + 1, "k-anonymity:2:9", family, ...first.slice(3), null, 3];
  const plane = new Plane({ ...told, listed: [...told.listed, again, suppressed] });
  const ids = plane.onFrontier.map((rule) => rule.id);
  return [first[1] ?? byNumber.get(first[0]).id, again[1], suppressed[1]].map((id) => ids.includes(id));
}"""


def test_a_rule_that_two_searches_found_is_listed_once_whatever_their_last_digits(opened: Callable[..., Page]) -> None:
    assert opened("few").evaluate(TWICE) == [True, False, True]


def test_up_to_four_rules_are_ticked_for_a_link_that_holds_their_names(opened: Callable[..., Page]) -> None:
    page = opened("few")
    boxes = page.locator("[data-part=rows] input")
    for place in range(4):
        boxes.nth(place).check()
    expect(page.locator("[data-part=compare]")).to_have_text("Compare 4 rules")
    assert (page.get_attribute("[data-part=compare]", "href") or "").count("rule=") == 4
    assert boxes.nth(4).is_disabled()


def test_where_not_all_rules_are_listed_the_page_says_so(opened: Callable[..., Page]) -> None:
    words = "1\u202f234 are not listed here, only in the CSV file"
    page = opened("thinned")
    expect(page.locator("[data-part=count]")).to_contain_text(words)
    expect(page.locator("[data-part=best]")).to_contain_text("Of the rules that are listed here.")
    whole = opened("dense")
    expect(whole.locator("[data-part=count]")).not_to_contain_text("CSV")
    expect(whole.locator("[data-part=best]")).not_to_contain_text("that are listed")


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


# The same digits everywhere


def drawn_numbers() -> list[float]:
    """Numbers of every size that a share has, halves that round either way, and what adding up leaves of nothing."""
    draw = random.Random(11)
    halves = [place / 16 for place in range(400)] + [place / 8 for place in range(7_990, 8_040)]
    sizes = [draw.uniform(1, 10) * 10.0 ** draw.randint(-14, 9) for _ in range(2_000)]
    return [*halves, *sizes, *(share / 3_200 for share in range(3_200)), 0.99996, 0.9995, 999.7, -1.1e-16, 1e-4]


def drawn_giants() -> list[float]:
    """Numbers too large to be read digit by digit, the last that are not, and both below nothing."""
    draw = random.Random(12)
    edges = [999_999_999_999_999.0, 999_999_999_999_999.5, 1e15, 2.0**53, 1e16, 9.99e20, 1e21, 1e23, 1e28, 1e30, 1e308]
    above = [*edges, *(draw.uniform(1, 10) * 10.0 ** draw.randint(12, 307) for _ in range(2_000))]
    return above + [-number for number in above]


def test_a_number_has_the_same_digits_on_the_frontier_as_on_a_rules_page(browser: Browser) -> None:
    module = (ROOT / "static/js/frontier/numbers.js").read_text()
    script = f"""async (numbers) => {{
      const address = URL.createObjectURL(new Blob([{json.dumps(module)}], {{type: "text/javascript"}}));
      const {{ plain, percent, oneIn }} = await import(address);
      return numbers.map(([number, share]) => [plain(number), percent(share), oneIn(share)]);
    }}"""
    tiny = [1 / number for number in drawn_giants()]  # a chance of one in a number that is as large
    shares = [*drawn_numbers(), *tiny]
    numbers, page = list(zip([*drawn_numbers(), *drawn_giants()], shares, strict=True)), browser.new_page()
    there = page.evaluate(script, numbers)
    page.close()
    here = [[figure_words(number), share_words(share), chance_words(share)] for number, share in numbers]
    assert [one for one in zip(numbers, here, there, strict=True) if one[1] != one[2]] == []


def risk_of(rule: dict[str, Any]) -> float:
    return max(float(risk) for risk in (rule["risk"], rule["risk_replay"]) if risk is not None)


def worst(rule: dict[str, Any], figure: str) -> float:
    """Of all attackers, by definition or by replay."""
    counted = [own for one in rule["people"].values() for own in (one, one["by_replay"]) if own]
    return max(float(own[figure]) for own in counted)


def test_what_the_table_shows_of_every_rule_of_every_family_is_what_the_result_says(
    opened: Callable[..., Page], rules: dict[str, Any]
) -> None:
    page = opened("few")
    page.get_by_label("only the frontier").uncheck()
    shown: dict[str, list[str]] = {}
    while True:
        for row in page.locator("[data-part=rows] tr").all():
            shown[str(row.get_attribute("data-rule"))] = row.locator("td:not(.tick)").all_inner_texts()
        if page.get_by_role("button", name="Later").is_disabled():
            break
        page.get_by_role("button", name="Later").click()
    assert shown.keys() == rules.keys()
    assert {rule["family"] for rule in rules.values()} == set(RULES)
    for name, rule in rules.items():
        group = rule["smallest_group"]
        assert shown[name][1:6] == [
            figure_words(risk_of(rule)),
            share_words(rule["utility_share"]),
            chance_words(worst(rule, "largest_chance")),
            figure_words(worst(rule, "expected_found")),
            figure_words(group) if group else "–",
        ], name


def saved_picture(page: Page, folder: Path, kind: str) -> Path:
    page.locator(".plane-controls summary").click()
    with page.expect_download() as taken:
        page.locator(f"[data-save={kind}]").click()
    assert taken.value.suggested_filename == f"frontier.{kind}"
    saved = folder / taken.value.suggested_filename
    taken.value.save_as(saved)
    return saved


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_plane_is_saved_as_a_picture(opened: Callable[..., Page], tmp_path: Path, kind: str) -> None:
    saved = saved_picture(opened("few"), tmp_path, kind)
    page = opened("few")
    if kind == "svg":
        drawing = saved.read_text()
        assert drawing.startswith("<svg")
        assert all(words in drawing for words in ("unchanged", "nothing released", "Detail kept"))
        assert drawing.count('<path class="point"') >= 10
        return
    picture = page.evaluate(
        """async (bytes) => {
          const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const { width, height } = bitmap, pen = new OffscreenCanvas(width, height).getContext("2d");
          pen.drawImage(bitmap, 0, 0);
          return [width, height, new Set(new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer)).size];
        }""",
        list(saved.read_bytes()),
    )
    assert picture[:2] == [2400, 1600]
    assert picture[2] > 20, "drawn, not blank"


PARTS = """() => {
  const svg = document.documentElement, ground = svg.querySelector(".ground");
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const words = [...svg.querySelectorAll("text")].filter((node) => node.textContent.trim());
  return {
    ground: getComputedStyle(ground).fill, box: box(ground),
    legend: [...svg.querySelectorAll("g.legend")].map((node) => [node.textContent, box(node)]),
    words: words.map((node) => [node.textContent, getComputedStyle(node).fill]),
    own: [...svg.children].filter((node) => node.localName === "text").map((node) => node.textContent),
  };
}"""


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_saved_drawing_has_its_title_its_legend_and_a_ground_on_which_all_words_can_be_read(
    opened: Callable[..., Page], tmp_path: Path, theme: Literal["light", "dark"]
) -> None:
    page = opened("few")
    page.emulate_media(color_scheme=theme)
    page.locator("#frontier-list").focus()
    page.keyboard.press("ArrowDown")
    legend = page.locator("[data-part=legend] li").all_inner_texts()
    count = page.locator("[data-part=count]").inner_text()
    drawing = page.context.new_page()
    drawing.goto(saved_picture(page, tmp_path, "svg").as_uri())
    told = drawing.evaluate(PARTS)
    assert told["own"] == ["What each rule risks, and what it keeps", count, "Members for the loyalty study"]
    named = [words for words, _ in told["legend"]]
    assert named == [*legend, "best rule under the limits of the sliders", "the rule that was chosen"]
    assert told["box"] == [0, 0, 1200, 800]
    for words, (left, top, right, bottom) in told["legend"]:
        assert 0 <= left < right <= 1200, words
        assert 600 < top < bottom <= 800, words
    ground = luminance(told["ground"])
    assert (ground > 0.5) == (theme == "light")
    for words, colour in told["words"]:
        lighter, darker = max(ground, luminance(colour)), min(ground, luminance(colour))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (words, colour)


def test_a_family_that_is_hidden_is_not_in_the_legend_of_the_picture(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    page = opened("few")
    page.locator("[data-part=legend] li", has_text="Mondrian").locator("button").click()
    assert "Mondrian" not in saved_picture(page, tmp_path, "svg").read_text()
