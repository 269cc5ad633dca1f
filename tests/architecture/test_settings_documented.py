"""Settings come from the environment through one module, and each is in docs/reference/settings.md as it is."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from riskapp import environment
from riskapp.serving import probe

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "settings.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
# Django's own way of being told which settings to use; not a setting of ours.
FIRST_STEPS = {"manage.py", "riskapp/wsgi.py", "riskapp/celery.py"}
READER = "riskapp/environment.py"


def documented() -> dict[str, str]:
    return {name: default.strip("`").replace("–", "") for name, default, _, _ in ROW.findall(PAGE.read_text())}


def asked() -> dict[str, str]:
    """Each setting that the product asks for, with its default written as the page writes it."""
    settings.VAR  # noqa: B018  (reading any setting reads them all)
    runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    probe.known_host()
    names = {str(settings.REDIS_SOCKET): "var/redis/redis.sock", str(ROOT / "var"): "var", str(settings.VAR): "var"}
    return {name: _short(default, names) for name, default in environment.asked.items()}


def _short(default: str, names: dict[str, str]) -> str:
    for long, short in names.items():
        default = default.replace(long, short)
    return default


def test_every_setting_is_documented() -> None:
    assert asked().keys() - documented().keys() == set()


def test_no_setting_is_documented_that_has_vanished() -> None:
    assert documented().keys() - asked().keys() == set()


def test_the_documented_defaults_are_the_real_ones() -> None:
    assert documented() == asked()


def test_no_setting_is_documented_twice() -> None:
    names = [row[0] for row in ROW.findall(PAGE.read_text())]
    assert len(names) == len(set(names))


def product_files() -> list[Path]:
    return [ROOT / "manage.py", ROOT / "gunicorn.conf.py", *sorted((ROOT / "riskapp").rglob("*.py"))]


def environment_uses(tree: ast.AST) -> Iterator[ast.AST]:
    """Places that touch the process's environment, by whatever name it was imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv", "getenvb"}:
            yield node
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            yield from (name for name in node.names if name.name in {"environ", "environb", "getenv", "getenvb"})


def reads(tree: ast.AST) -> bool:
    return any(not _passes_on(tree, use) for use in environment_uses(tree))


def _passes_on(tree: ast.AST, use: ast.AST) -> bool:
    """`{**os.environ}` hands the whole environment to a child and asks for nothing in it."""
    return any(
        use is value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if key is None
    )


@pytest.mark.parametrize("path", product_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_environment_is_read_in_one_place(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    if name in FIRST_STEPS:
        assert path.read_text().count("os.environ") == path.read_text().count(
            'os.environ.setdefault("DJANGO_SETTINGS_MODULE"'
        )
    elif name != READER:
        assert not reads(ast.parse(path.read_text()))


@pytest.mark.parametrize("line", ["os.environ['X']", "os.getenv('X')", "from os import environ", "e = os.environ"])
def test_a_hidden_setting_would_be_found(line: str) -> None:
    assert reads(ast.parse(f"import os\n{line}"))
