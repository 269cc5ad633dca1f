"""What the other journeys by keyboard alone do not come by: its keys, and what the pages look like where they lead."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journey import keyboard
from tests.journey.album import Album
from tests.journey.invented import parish
from tests.journey.keyboard import Keys
from tests.journey.steps import WORK

# A set-up with everything in it


def test_attackers_harm_runs_and_set_ups_are_carried_on_by_keyboard_alone(
    keys: Keys, album: Album, tmp_path: Path
) -> None:
    keyboard.make_project(keys, "Parish")
    keyboard.upload(keys, *parish(tmp_path))
    keyboard.describe(keys, "parish.csv", 3)
    keyboard.attacker_holds(keys, "A stranger with a register", "people.csv")
    keyboard.attacker_holds(keys, "A stranger with a table of counts", "counts.csv")
    a_neighbour_may_know_more(keys, album)
    each_is_likely(keys)
    rows_can_be_joined(keys)
    weights_are_set(keys, album)
    runs_are_compared(keys)
    an_assessment_is_carried(keys, tmp_path)
    a_set_up_is_used_again(keys)
    a_run_fails_for_want_of_a_file(keys, album)


def a_neighbour_may_know_more(keys: Keys, album: Album) -> None:
    page = keys.page
    keyboard.step(keys, "Adversary")
    keys.follow(page.get_by_role("button", name=re.compile("A colleague or neighbour")))
    keys.hit(page.locator("#knowing").get_by_label("job"), "Space")
    keys.follow(page.get_by_role("button", name="Save what they know"))
    keys.tick(page.locator("input[name=more]").first)
    keys.hit(page.get_by_role("button", name="Show what each would give"))
    adopt = page.get_by_role("button", name=re.compile("^They do know it")).first
    expect(adopt).to_be_visible(timeout=WORK)
    album.look(page, "what-if")
    keys.follow(adopt)
    expect(page.locator("#coverage table.bands")).to_be_visible(timeout=WORK)


def each_is_likely(keys: Keys) -> None:
    page = keys.page
    keyboard.step(keys, "Adversary")
    expect(page.locator("#bounds .bounds")).to_be_visible(timeout=WORK)
    keys.hit(page.locator("#bounds summary").first)
    expect(page.locator("#bounds .conditions").first).to_be_visible()
    shares = page.locator(".priors input[type=number]").all()
    for share in shares:
        keys.write(share, "7")
    keys.follow(page.get_by_role("button", name="Save the shares"))
    expect(page.locator(".priors input[type=number]").last).to_have_value(re.compile(f"^{100 / len(shares):.4g}"))


def rows_can_be_joined(keys: Keys) -> None:
    page = keys.page
    keys.follow(page.get_by_role("link", name="Add linkage data"))
    keys.pick(page.get_by_label("Which upload"), "club.csv")
    keys.follow(page.get_by_role("button", name="Use this file"))
    keys.follow(page.get_by_role("button", name="Accept all suggestions"))
    keys.write(page.locator("[name=adds_2]"), "3")
    keys.follow(page.get_by_role("button", name="Save the linkage data"))
    expect(page.get_by_text("The linkage data are part of every risk from now on.")).to_be_visible()
    keys.follow(page.get_by_role("link", name="Look at it"))
    keys.follow(page.get_by_role("button", name="Take the linkage data away"))
    expect(page.get_by_role("link", name="Add linkage data")).to_be_visible()


def weights_are_set(keys: Keys, album: Album) -> None:
    page = keys.page
    keyboard.step(keys, "Harm")
    number = page.get_by_label("Weight of town: a number, or never")
    keys.to(page.get_by_label("Weight of town", exact=True))
    keys.press("End")
    expect(number).to_have_value("never")
    expect(page.get_by_text("never to be learnt")).to_be_visible()
    album.look(page, "harm-never")
    keys.press("Home", "ArrowRight")
    expect(number).to_have_value("0.1")
    keys.write(number, "many")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("alert")).to_be_focused()
    album.look(page, "harm-error")
    keys.write(number, "2")

    weighed = page.locator("[data-column=job]")
    keys.hit(weighed.locator("summary"))
    keys.hit(weighed.get_by_role("button", name="Show the commonest values"))
    keys.hit(weighed.locator("[data-add-value]").first)
    expect(weighed.get_by_role("textbox", name=re.compile("^Values"))).to_be_focused()
    keys.press("Control+Home", "End", "Backspace", "7")

    keys.hit(page.get_by_role("button", name="Another pair"))
    pair = page.locator("[data-pair]").nth(1)
    expect(pair.get_by_role("combobox").first).to_be_focused()
    keys.pick(pair.get_by_role("combobox").nth(0), "town")
    keys.pick(pair.get_by_role("combobox").nth(1), "job")
    keys.write(pair.get_by_role("textbox"), "5")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_text("Saved. The next run counts harm like this.")).to_be_visible()
    expect(page.locator("[data-pair]").first.get_by_role("textbox")).to_have_value("5")
    expect(weighed.get_by_text("1 value with a weight of its own")).to_be_visible()


def runs_are_compared(keys: Keys) -> None:
    """A run, and the same with a change, side by side."""
    page = keys.page
    keyboard.assess(keys)
    keys.follow(page.get_by_role("link", name="Run with a change"))
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    keys.write(page.locator("#plan [name=name]"), "Once more")
    keys.tick(page.locator("input[name=rules][value=k-anonymity]"))
    keys.follow(page.get_by_role("button", name="Start the run"))
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)
    keyboard.step(keys, "Run")
    boxes = page.get_by_role("checkbox", name=re.compile("^Compare"))
    expect(boxes.nth(1)).to_be_visible()
    for place in range(2):
        keys.tick(boxes.nth(place))
    keys.follow(page.get_by_role("button", name="Compare the ticked runs"))
    expect(page.get_by_role("heading", name="2 runs side by side")).to_be_visible()


def an_assessment_is_carried(keys: Keys, folder: Path) -> None:
    page = keys.page
    keyboard.step(keys, "Run")
    to_run(keys, "Once more")
    carried = keys.fetch(page.get_by_role("link", name="Export the assessment file"), folder)
    keyboard.step(keys, "Run")
    keys.follow(page.get_by_role("link", name="Import an assessment"))
    keys.give(page.locator("main input[type=file]"), carried)
    keys.follow(page.get_by_role("button", name="Look at it"))
    keys.follow(page.get_by_role("button", name="Import it"))
    expect(page.get_by_text("Imported. Look through the pages, then start the run.")).to_be_visible()


def to_run(keys: Keys, name: str) -> None:
    """From the list of runs to the page that tells what one of them was made from."""
    row = keys.page.get_by_role("listitem").filter(has_text=name)
    keys.follow(row.get_by_role("link", name="what it was made from").first)


def a_set_up_is_used_again(keys: Keys) -> None:
    page = keys.page
    keys.follow(page.get_by_label("Project", exact=True).get_by_role("link", name="Templates"))
    keys.write(page.get_by_label("Name"), "Parishes")
    keys.follow(page.get_by_role("button", name="Save as a template"))
    keys.pick(page.get_by_label("File"), "parish.csv")
    keys.follow(page.get_by_role("button", name="Compare"))
    apply = page.locator("#drift .verdict button")
    expect(apply).to_be_visible(timeout=WORK)
    keys.follow(apply)
    expect(page.get_by_text("Applied: Parishes, version 1.")).to_be_visible()


def a_run_fails_for_want_of_a_file(keys: Keys, album: Album) -> None:
    page = keys.page
    keyboard.step(keys, "Data")
    keys.follow(page.get_by_role("link", name="people.csv"))
    keys.follow(page.get_by_role("link", name="Shred"))
    keys.follow(page.get_by_role("button", name="Shred it"))
    keyboard.step(keys, "Run")
    to_run(keys, "Once more")
    keys.follow(page.get_by_role("button", name="Run it again as it was"))
    expect(page.get_by_text("The run failed")).to_be_visible(timeout=WORK)
    expect(page.get_by_text("was shredded since")).to_be_visible()
    album.look(page, "run-failed")
    keys.look()


# The frontier and the rules of the sample


def test_the_samples_frontier_and_a_rules_page_are_used_by_keyboard_alone(
    keys: Keys, album: Album, tmp_path: Path
) -> None:
    page = keys.page
    keys.follow(page.get_by_role("link", name=re.compile("Sample")))
    expect(page.get_by_text("The sample is ready to be looked at.")).to_be_visible(timeout=WORK)
    keyboard.open_frontier(keys)
    the_plane_is_set(keys)
    it_is_saved(keys, album, tmp_path)
    four_are_compared(keys, album)
    keyboard.step(keys, "Frontier")
    page.wait_for_selector("#frontier[data-ready]")
    keys.hit(page.locator("[data-part=rows] button.rule").nth(1))
    expect(page.locator("#rule-panel h2")).to_be_focused()
    keys.look()
    album.look(page, "frontier-panel")
    keys.follow(page.get_by_role("link", name="Open its page"))
    expect(page.get_by_role("heading", name="The records that lose the most")).to_be_visible(timeout=WORK)
    one_record_is_looked_at(keys)
    album.look(page, "rule-looks")


def the_plane_is_set(keys: Keys) -> None:
    page = keys.page
    keys.tick(page.locator("[name=measure][value=chance]"))
    expect(page.locator("[data-part=most-name]")).to_have_text("The worst person’s chance")
    keys.tick(page.locator("[name=scale][value=linear]"))
    keys.hit(page.get_by_role("button", name="Zoom in"))
    keys.hit(page.locator("[data-zoom=whole]"))
    kind = page.locator("[data-part=legend] button").first
    for pressed in ("false", "true"):
        keys.hit(kind)
        expect(kind).to_have_attribute("aria-pressed", pressed)
        expect(kind).to_be_focused()
    best, least = page.locator("[data-part=best]"), page.locator("[data-part=least-words]")
    keys.to(page.locator("#least-share"))
    keys.press("End")
    expect(least).to_have_text("100\u202f%")
    keys.press("Home")
    expect(least).to_have_text("0\u202f%")
    expect(best.get_by_text("The most detail at this risk.")).to_be_visible()
    keys.to(page.locator("#most"))
    keys.press("End")
    expect(page.locator("[data-part=most-words]")).to_have_text("any")


def it_is_saved(keys: Keys, album: Album, folder: Path) -> None:
    page, menu = keys.page, keys.page.locator(".plane-controls summary")
    keys.hit(menu)
    drawing = page.get_by_role("button", name="Drawing (SVG)")
    assert keys.fetch(drawing, folder).read_text().startswith("<svg")
    album.look(page, "frontier-save-menu")
    assert keys.fetch(page.get_by_role("link", name="All rules (CSV)"), folder).read_text()
    keys.press("Escape")
    expect(drawing).to_be_hidden()
    expect(menu).to_be_focused()


def four_are_compared(keys: Keys, album: Album) -> None:
    page = keys.page
    keys.hit(page.locator("[data-part=heads]").get_by_role("button", name="risk"))
    expect(page.locator("th[data-by=risk]")).to_have_attribute("aria-sort", "ascending")
    for place in range(4):
        keys.tick(page.locator("[data-part=rows] input").nth(place))
    keys.follow(page.get_by_role("link", name="Compare 4 rules"))
    expect(page.get_by_role("heading", name="4 rules side by side")).to_be_visible()
    album.look(page, "compare-4")


def one_record_is_looked_at(keys: Keys) -> None:
    page = keys.page
    keys.hit(page.get_by_role("button", name=re.compile("^What the attacker sees of record")).first)
    found = page.locator("#attacker > p[data-focus]")
    expect(found).to_be_focused(timeout=WORK)
    keys.write(page.get_by_label("Number of the record"), "1")
    keys.hit(page.get_by_role("button", name="Count", exact=True))
    expect(found).to_contain_text("Record 1,", timeout=WORK)
    expect(found).to_be_focused()
    for button in ("List the entries", "Show the record"):
        keys.hit(page.get_by_role("button", name=button))
        expect(looked(page, "#entries")).to_be_focused()
        keys.look()
        keys.hit(page.locator("#entries").get_by_role("button", name="Hide"))
        expect(page.get_by_role("button", name=button)).to_be_focused()
    keys.hit(page.get_by_role("button", name="List the entries"))
    expect(looked(page, "#entries")).to_be_focused()
    keys.hit(page.get_by_role("button", name="Show ten records"))
    expect(looked(page, "#sample")).to_be_focused()
    keys.look()


def looked(page: Page, within: str) -> Locator:
    return page.locator(f"{within} [data-focus]")
