"""A move of a slider on the frontier's page, in a real browser: tens of thousands of rules beside a dozen.

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

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskapp.settings")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # the browser's driver has a loop of its own

import django

django.setup()

from django.core.management import call_command
from playwright.sync_api import Browser, sync_playwright

from riskapp.engine.plane import document
from tests.engine.test_plane import made_up
from tests.journey.conftest import ARGUMENTS
from tests.journey.plane_site import serving

SIZES = {"few": (2, 2, 2), "many": (9, 9, 9, 9, 4), "dense": (9, 9, 9, 9, 6)}
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
    call_command("collectstatic", interactive=False, verbosity=0)
    command = [sys.executable, "scripts/chromium.py"]
    chromium = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        _draw(Path(folder))
        with serving(Path(folder)) as base:
            took = {name: _median(browser, f"{base}/plane/{name}/") for name in SIZES}
        browser.close()
    print("  rules     a move, ms   times that over a few")
    for name, heights in SIZES.items():
        print(
            f"  {prod(height + 1 for height in heights):>8,}   {took[name]:8.1f}   {took[name] / took['few']:6.2f}   at most {PROMISED}"
        )
    assert max(took.values()) <= PROMISED * took["few"], "a move of a slider takes too long"


def _draw(folder: Path) -> None:
    for name, heights in SIZES.items():
        result, plane, index = (folder / f"{name}.{part}" for part in ("json", "plane", "index"))
        result.write_bytes(made_up(heights))
        with result.open("rb") as read, plane.open("wb") as drawn, index.open("wb") as offsets:
            document.write(read, drawn, offsets, document.Setting(limits={"largest_chance": 0.34}, classes={}))


def _median(browser: Browser, address: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector("#frontier[data-ready]")
    found = float(page.evaluate(MOVED, MOVES))
    page.close()
    return found


if __name__ == "__main__":
    main()
