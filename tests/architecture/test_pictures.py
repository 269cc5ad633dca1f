"""Pictures in the documents: each is shown somewhere, and made by a journey, so that it can be made anew."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURES = sorted((ROOT / "docs" / "images").glob("*.png"))
SHOWN = {
    (page.parent / picture).resolve()
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    for picture in re.findall(r"!\[[^\]]+\]\(([^)]+\.png)\)", page.read_text())
}


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_every_picture_is_shown_and_made_by_a_journey(picture: Path) -> None:
    assert picture in SHOWN
    journeys = "".join(path.read_text() for path in (ROOT / "tests" / "journey").glob("test_*.py"))
    assert f'picture(page, "{picture.stem}"' in journeys


def test_every_picture_that_is_shown_is_there() -> None:
    assert set(PICTURES) >= {path for path in SHOWN if path.suffix == ".png"}
