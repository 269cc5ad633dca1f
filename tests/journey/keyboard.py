"""Somebody without a mouse: goes by Tab and arrows, presses, types, and must see at every stop where that is."""

import re
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journey.steps import WORK

STOPS = 60  # who must press Tab more often to get somewhere gives up
LOST = "the focus is lost"
FOCUS = Path(__file__).with_name("focus.js").read_text()


class Keys:
    """A page, and the keys that are all one has to use it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.on("filechooser", lambda _: None)  # asked for only when one presses, the browser may open its own window

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.look(key)

    def look(self, key: str = "") -> None:
        """Where the focus is must be seen, and be somewhere sensible; while an answer is put in, it may be nowhere."""
        wrong = self._wrong(key)
        if wrong == LOST:
            with suppress(AssertionError):
                expect(self.page.locator("body :focus")).to_have_count(1)
            wrong = self._wrong(key)
        if wrong:
            here = self.page.evaluate("document.activeElement.outerHTML.slice(0, 300)")
            raise AssertionError(f"{wrong}, after {key or 'a change of the page'} at {here} on {self.page.url}")

    def _wrong(self, key: str) -> str:
        return str(self.page.evaluate(f"key => {FOCUS}.wrong(key)", key))

    def to(self, wanted: Locator) -> None:
        """Tab there, forwards or backwards; from the top of a page by the links for skipping."""
        expect(wanted).to_be_visible(timeout=WORK)
        self.look()
        for _ in range(STOPS):
            key = wanted.evaluate(f"wanted => {FOCUS}.way(wanted)")
            if not key:
                return
            self.press(key)
        raise AssertionError(f"no way by Tab to {wanted} on {self.page.url}")

    def hit(self, wanted: Locator, key: str = "Enter") -> None:
        """Press what stays on the page; where the focus is afterwards is looked at when the page has answered."""
        self.to(wanted)
        self.page.keyboard.press(key)

    def follow(self, wanted: Locator) -> None:
        """Press what leads to another page, and be there."""
        self.to(wanted)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def write(self, field: Locator, words: str) -> None:
        self.to(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(words)
        expect(field).to_have_value(words)

    def tick(self, box: Locator) -> None:
        """Choose a radio button by the arrows of its group, or tick a box."""
        self.to(box)
        for _ in range(20):
            if box.evaluate("box => box === document.activeElement"):
                break
            self.press("ArrowDown")
        if not box.is_checked():
            self.press("Space")
        expect(box).to_be_checked()

    def pick(self, menu: Locator, words: str) -> None:
        """Choose in a list by typing how the line begins."""
        self.to(menu)
        self.page.keyboard.type(words)
        chosen = menu.evaluate("menu => menu.selectedOptions[0].label")
        assert str(chosen).startswith(words), chosen
        self.look()

    def give(self, field: Locator, *files: Path) -> None:
        """Choose files in the window that the browser opens for that."""
        self.to(field)
        with self.page.expect_file_chooser() as asked:
            self.page.keyboard.press("Enter")
        asked.value.set_files(list(files))

    def fetch(self, wanted: Locator, folder: Path) -> Path:
        """Press what gives a file, and save that in a folder."""
        with self.page.expect_download() as taken:
            self.hit(wanted)
        path = folder / taken.value.suggested_filename
        taken.value.save_as(path)
        return path


# The officer's way


def step(keys: Keys, name: str) -> None:
    keys.follow(keys.page.get_by_label("The way to a release").get_by_role("link", name=name))


def make_project(keys: Keys, name: str) -> None:
    page = keys.page
    keys.follow(page.get_by_role("link", name="New project").first)
    keys.write(page.get_by_label("Name"), name)
    keys.follow(page.get_by_role("button", name="Make the project"))
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    keys.tick(page.get_by_label(re.compile("^Under contract")))
    keys.follow(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("Release class: under contract")).to_be_visible()


def upload(keys: Keys, *files: Path) -> None:
    """Give files to the project, and wait until they are read."""
    page = keys.page
    keys.give(page.get_by_label(re.compile("^Drop files here")), *files)
    if len(files) > 1:
        expect(page.locator("#uploads .pill.ok")).to_have_count(len(files), timeout=WORK)
        return
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=WORK)


def describe(keys: Keys, dataset: str, columns: int) -> None:
    """Choose the dataset and accept what is suggested for its columns."""
    page = keys.page
    step(keys, "Attributes")
    keys.tick(page.get_by_label(re.compile(f"^{re.escape(dataset)}")))
    keys.follow(page.get_by_role("button", name="Use it as the dataset"))
    keys.follow(page.get_by_role("button", name="Accept all"))
    expect(page.get_by_text(f"All {columns} columns are confirmed.")).to_be_visible()


def attacker_holds(keys: Keys, what: str, table: str) -> None:
    """Add an attacker of a kind who holds a table, and accept what is suggested for its columns."""
    page = keys.page
    step(keys, "Adversary")
    keys.follow(page.get_by_role("button", name=re.compile(what)))
    keys.pick(page.get_by_label("Their table"), table)
    keys.write(page.get_by_label("Where it comes from"), "The town hall")
    keys.follow(page.get_by_role("button", name="Save", exact=True))
    keys.follow(page.get_by_role("button", name="Accept all suggestions"))
    expect(page.locator("#coverage table.bands")).to_be_visible(timeout=WORK)
    keys.look()


def assess(keys: Keys, *families: str) -> None:
    """Start a run with what the page proposes, or with these families too, and stay until it is done."""
    page = keys.page
    step(keys, "Run")
    expect(page.locator("#rehearsal .figures")).to_be_visible(timeout=WORK)
    for family in families:
        keys.tick(page.locator(f"input[name=rules][value={family}]"))
    keys.follow(page.get_by_role("button", name="Start the run"))
    expect(page.get_by_text("rules measured")).to_be_visible(timeout=WORK)


def open_frontier(keys: Keys) -> None:
    keys.follow(keys.page.get_by_role("link", name="Look at the frontier"))
    keys.page.wait_for_selector("#frontier[data-ready]")


def choose_rule(keys: Keys) -> None:
    """Walk down the rules of the frontier, and open the page of the second."""
    page = keys.page
    keys.to(page.locator("#frontier-list"))
    keys.press("ArrowDown")
    expect(page.locator("[data-part=chosen] .rule-words")).not_to_be_empty()
    keys.page.keyboard.press("Enter")
    expect(page.locator("#rule-panel h2")).to_be_focused()
    keys.look()
    keys.follow(page.get_by_role("link", name="Open its page"))
    expect(page.get_by_role("heading", name="Who could be found")).to_be_visible()
