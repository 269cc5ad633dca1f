"""The papers beside a release, as they are opened from a folder: for everybody, on every screen, and on paper."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.journey.album import Album
from tests.journey.serving import ROOT

PAPERS = sorted((ROOT / "docs" / "examples").glob("*.html"))
A4_PIXELS = 794
OUTSIDE = """(width) => [...document.querySelectorAll("table, svg, pre, dl, p")]
  .filter((one) => one.getBoundingClientRect().right > width + 1).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_nothing_serious_stands_in_the_way_of_a_reader(visit: Callable[..., Page], paper: Path) -> None:
    page, album = visit(), Album()
    page.goto(paper.as_uri())
    album.look(page, paper.stem)
    assert album.faults == {}


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_nothing_runs_out_of_a_sheet_of_paper(visit: Callable[..., Page], paper: Path) -> None:
    page = visit(viewport={"width": A4_PIXELS, "height": 1123})
    page.goto(paper.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate(OUTSIDE, A4_PIXELS) == []
