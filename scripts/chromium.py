"""Prints the path of a usable Chromium, installing one if there is none.

Only the browser tests need it. What is found comes first; then the system's packages, where we may install any; then
the build that comes for Playwright. If all fails, one line says how to get one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
HELP = (
    "The browser tests need Chromium, and it could be neither found nor installed. Install the package chromium "
    "(apt install chromium), or run `.venv/bin/python -m playwright install --with-deps chromium`, and try again."
)


def works(path: str) -> bool:
    """Whether the program starts: a Chromium without its libraries, or one that only points at a shop, does not."""
    try:
        tried = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0 and b"Chrom" in tried.stdout


def of_the_system() -> str | None:
    places = [*(f"/usr/bin/{name}" for name in NAMES), *(shutil.which(name) or "" for name in NAMES), MAC]
    return next((place for place in places if Path(place).is_file() and works(place)), None)


def of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        place = playwright.chromium.executable_path
    return place if Path(place).is_file() and works(place) else None


def install_packages() -> None:
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        say("Installing Chromium with apt-get for the browser tests …")
        quietly("apt-get", "update")
        quietly("apt-get", "install", "-y", "--no-install-recommends", "chromium")


def install_playwrights() -> None:
    say("Installing Chromium with `playwright install chromium` for the browser tests …")
    libraries = ["--with-deps"] if os.name == "posix" and os.geteuid() == 0 else []
    quietly(sys.executable, "-m", "playwright", "install", *libraries, "chromium")


def quietly(*command: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=quiet)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def chromium() -> str | None:
    found = of_the_system() or of_playwright()
    if found is None:
        install_packages()
        found = of_the_system()
    if found is None:
        install_playwrights()
        found = of_playwright()
    return found


if __name__ == "__main__":
    path = chromium()
    if path is None:
        sys.exit(HELP)
    print(path)
