"""Looking at pages: each at two widths, by day and by night, photographed and asked for faults."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LOOKS = [(1280, "light"), (1280, "dark"), (380, "light"), (380, "dark")]
AXE = Axe().axe_script
# Violations alone, and without fetching the style sheets again: four looks at a page take what two would.
ASK = """async () => {
  const told = await axe.run({ resultTypes: ["violations"], preload: false });
  return told.violations.map((fault) => `${fault.impact}: ${fault.id}: ${fault.nodes[0].target}`);
}"""
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
BLOCKS = """[...document.querySelectorAll(".table-scroll:has(.blocks, .columns-found, .described)")]
  .some((part) => innerWidth < 400 && part.scrollWidth > part.clientWidth)"""


def faults_of(page: Page) -> list[str]:
    """What is serious for people who cannot see or point, and whether the page must be pushed sideways."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(ASK)
    if page.evaluate(SIDEWAYS):
        found.append("scrolls sideways")
    if page.evaluate(BLOCKS):
        found.append("a table of blocks scrolls sideways")
    return [fault for fault in found if not fault.startswith(("minor", "moderate"))]


class Album:
    """Photographs of the pages of one journey, and what was wrong with them.

    They are taken where ALBUM names a folder to look at them afterwards; pages are asked for faults in any case.
    """

    def __init__(self) -> None:
        self.folder = Path(os.environ["ALBUM"]) if "ALBUM" in os.environ else None
        self.faults: dict[str, list[str]] = {}

    def look(self, page: Page, name: str) -> None:
        """Look at the page; leaves it wide and light, and where it was."""
        page.wait_for_load_state()
        at = page.evaluate("scrollY")
        for width, scheme in LOOKS:
            page.set_viewport_size({"width": width, "height": 900})
            # Without motion: colours that are still changing are none of a scheme.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            taken = f"{name}-{width}-{scheme}"
            if self.folder:
                page.screenshot(path=self.folder / f"{taken}.png", full_page=True, animations="disabled")
            if found := faults_of(page):
                self.faults[taken] = found
        page.set_viewport_size({"width": 1280, "height": 900})
        page.emulate_media(color_scheme="light", reduced_motion="null")
        page.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", at)
