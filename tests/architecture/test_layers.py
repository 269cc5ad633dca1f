"""What holds the house up, and would not be noticed when it goes."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/css/*.css"), *ROOT.glob("static/js/*.js")]


def test_the_package_itself_is_empty() -> None:
    assert (ROOT / "riskapp" / "__init__.py").read_text() == ""


def test_the_core_and_the_engine_load_without_django() -> None:
    program = (
        "import sys, pkgutil, importlib, riskapp.core, riskapp.engine\n"
        "for package in (riskapp.core, riskapp.engine):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'django', 'celery', 'redis', 'plotly'}))\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_the_diagrams_of_the_states_are_in_step() -> None:
    from django.core.management import call_command

    call_command("draw_states", check=True)


def test_pages_load_nothing_from_elsewhere() -> None:
    outside = re.compile(
        r"""(?:src|href|action|url\(|@import|fetch\(|hx-\w+)\s*[=(]?\s*["']?\s*(?:https?:)?//(?!www\.w3\.org)"""
    )
    assert PAGES
    assert [page.name for page in PAGES if outside.search(page.read_text())] == []


def test_pages_have_no_inline_style_or_script() -> None:
    inline = re.compile(r"""<script(?![^>]*\bsrc=)|<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:""")
    pages = [page for page in PAGES if page.suffix == ".html"]
    assert [page.name for page in pages if inline.search(page.read_text())] == []


def test_nothing_names_this_machine_or_a_registry() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    words = re.compile(
        "|".join(["/ro" + "ot/", "/wo" + "rk/", "pypi" + r"\.org", "pythonhosted" + r"\.org", "registry\\." + "npmjs"])
    )
    files = [ROOT / name for name in listed if name and not name.startswith("static/vendor/")]
    texts = [
        path for path in files if path.is_file() and path.suffix not in {".png", ".parquet", ".xls", ".xlsx", ".gz"}
    ]
    assert [path.name for path in texts if words.search(path.read_text(errors="replace"))] == []


def test_no_document_links_to_a_file_that_is_not_there() -> None:
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for target in link.findall(page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text()
    commands = {path.stem for path in ROOT.glob("riskapp/management/commands/*.py")} - {"__init__"}
    assert {name for name in commands if f"`{name}" not in page} == set()
