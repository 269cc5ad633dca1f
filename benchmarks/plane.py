"""A move of a slider on the frontier's page, in a real browser: tens of thousands of rules beside a few.

The page draws the cloud once; a move of a slider finds the best rule under it and moves lines and rings. So a move over
fifty thousand rules, or over so many that their density is drawn, may cost little more than one over a few.

Run as `python benchmarks/plane.py`.
"""

import os
import subprocess
import sys
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HEIGHTS = {"few": (2, 2, 2), "many": (9, 9, 9, 9, 4), "dense": (9, 9, 9, 9, 6)}
PROMISED = 3
MOVES = 60
MOVED = """async (moves) => {
  const slider = document.querySelector("#most"), took = [];
  for (let step = 0; step < moves; step++) {
    const began = performance.now();
    slider.value = 1000 * step / moves;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[moves >> 1];
}"""


def main() -> None:
    with TemporaryDirectory() as folder:
        os.environ |= {"RISKAPP_VAR": folder, "DJANGO_SETTINGS_MODULE": "riskapp.settings"}
        import django

        django.setup()
        took = _timed(Path(folder))
    print("  rules     a move, ms   times that over a few")
    for name, heights in HEIGHTS.items():
        number, ratio = prod(height + 1 for height in heights), took[name] / took["few"]
        print(f"  {number:>8,}   {took[name]:8.1f}   {ratio:6.2f}   at most {PROMISED}")
    assert max(took.values()) <= PROMISED * took["few"], "a move of a slider takes too long"


def _timed(folder: Path) -> dict[str, float]:
    from django.core.management import call_command
    from playwright.sync_api import sync_playwright

    from tests.journey.conftest import ARGUMENTS
    from tests.journey.plane_site import serving

    call_command("collectstatic", interactive=False, verbosity=0)
    _draw(folder)
    command = [sys.executable, "scripts/chromium.py"]
    chromium = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright, serving(folder) as base:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        took = {name: _median(browser, f"{base}/plane/{name}/") for name in HEIGHTS}
        browser.close()
    return took


def _draw(folder: Path) -> None:
    from riskapp.engine.plane import document
    from tests.engine.test_plane import made_up

    setting = document.Setting(limits={"largest_chance": 0.34}, classes={})
    for name, heights in HEIGHTS.items():
        result, plane, index = (folder / f"{name}.{part}" for part in ("json", "plane", "index"))
        result.write_bytes(made_up(heights))
        with result.open("rb") as read, plane.open("wb") as drawn, index.open("wb") as offsets:
            document.write(read, drawn, offsets, setting)


def _median(browser: "Browser", address: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector("#frontier[data-ready]")
    found = float(page.evaluate(MOVED, MOVES))
    page.close()
    return found


if __name__ == "__main__":
    main()
