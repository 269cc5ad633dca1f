"""The documents say what is there: every page can be found, every word is used, every place and test named exists."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from riskapp.engine.reading.wishes import Wishes
from riskapp.selectors import REFUSALS
from riskapp.services import states
from riskapp.services.runs import MAY_PASS
from riskapp.services.works import WORKS
from riskapp.web.detail_words import DETAILS, FAULTS, KINDS, WISHES
from riskapp.web.event_words import AUDIT_WORDS, BY_SOMEBODY, TO_ONESELF

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ITEMS = [
    *("5.1.1", "5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5", "5.3.2", "5.3.3", "5.4.1", "5.4.2", "1.2.10"),
    *("2.3.1", "2.3.2", "2.3.3", "2.3.4", "2.3.5", "14.2.1", "14.2.7", "14.3.2"),
    *("16.2.5", "16.3.2", "16.4.1", "16.4.2", "16.5.1", "16.5.2", "16.5.3", "16.5.4"),
]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PLACE = re.compile(r"`(riskapp/[\w/]+\.py):([\w.]+)`")
BOLD = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@cache
def names_in(file: str) -> frozenset[str]:
    """The functions and classes of a module, methods with their class before them."""
    path = ROOT / file
    return frozenset(_named(ast.parse(path.read_text(encoding="utf-8")), "") if path.is_file() else ())


def _named(node: ast.AST, before: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield before + child.name
            yield from _named(child, f"{before}{child.name}.")


# Every page can be found


def test_every_page_is_linked_from_the_index() -> None:
    linked = {(DOCS / target).resolve() for target in LINK.findall(page("README.md"))}
    pages = {path for path in DOCS.rglob("*.md") if path != DOCS / "README.md"}
    assert {str(path.relative_to(DOCS)) for path in pages - linked} == set()


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = sorted(int(path.name[:4]) for path in DOCS.glob("adr/*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("decision", sorted(DOCS.glob("adr/*.md")), ids=lambda path: str(path.stem))
def test_a_decision_has_its_three_parts(decision: Path) -> None:
    text = decision.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert text.startswith(f"# {int(decision.name[:4])}. ")


# Every word is used


def spoken() -> str:
    """All that the product and its documents say, the glossary left out."""
    files = [*ROOT.glob("riskapp/**/*.py"), *ROOT.glob("templates/**/*.html"), *DOCS.rglob("*.md")]
    return "\n".join(file.read_text(encoding="utf-8").lower() for file in files)


def unused(words: list[str], text: str) -> list[str]:
    return [word for word in words if not re.search(rf"\b{re.escape(word.lower())}", text)]


def test_every_word_of_the_glossary_is_used() -> None:
    words = BOLD.findall((ROOT / "GLOSSARY.md").read_text(encoding="utf-8"))
    assert len(words) == len(set(words)) > 40
    assert unused(words, spoken()) == []


def test_an_unused_word_would_be_found() -> None:
    assert unused(["run", "flumadiddle"], spoken()) == ["flumadiddle"]


# Security: every item, place and test


def test_every_item_of_the_standard_has_a_row() -> None:
    rows = re.findall(r"^\| ([\d.]+) \| .+ \| .+ \| .+ \| .+ \|$", page("reference/security.md"), re.MULTILINE)
    assert sorted(rows) == sorted(ITEMS)


def test_every_row_names_a_test_that_shows_it() -> None:
    rows = re.findall(r"^\| ([\d.]+) \|.*\| (.+?) \|$", page("reference/security.md"), re.MULTILINE)
    assert [item for item, shown in rows if not TEST.search(shown)] == []


@pytest.mark.parametrize("name", [str(path.relative_to(DOCS)) for path in sorted(DOCS.rglob("*.md"))])
def test_every_test_and_place_that_a_page_names_exists(name: str) -> None:
    named = TEST.findall(page(name)) + PLACE.findall(page(name))
    assert [f"{file} {what}" for file, what in named if what not in names_in(file)] == []


def test_a_test_that_has_vanished_would_be_found() -> None:
    assert TEST.findall("`tests/app/test_runs.py::test_x`") == [("tests/app/test_runs.py", "test_x")]
    assert "test_x" not in names_in("tests/app/test_runs.py")
    assert "test_x" not in names_in("tests/app/no_such_file.py")
    assert "test_of_many_claims_one_succeeds" in names_in("tests/app/test_runs.py")


# Audit: every action


def recorded() -> set[str]:
    """The actions that the code can record: those of the moves between states, and those written out."""
    by_what_was_done = {"sign-in failed", "password confirmation failed", "refused", "turned away"}
    return (
        states.actions()
        | by_what_was_done
        | {action for path in ROOT.glob("riskapp/**/*.py") for action in _written_out(path)}
    )


CHANGES = {
    "change",
    "setups.change",
    "write",
    "copying.write",
}  # to a part of the set-up, with the action and the details by name


def _written_out(path: Path) -> Iterator[str]:
    """The actions named where they are recorded, or by a constant of the same module."""
    tree = ast.parse(path.read_text())
    named = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if ast.unparse(call.func) in {"audit.record", "record", "_change"}:
            words = [named.get(ast.unparse(word), word) for word in call.args]
            yield from (str(word.value) for word in words if isinstance(word, ast.Constant))
        of_a_command = ast.unparse(call.func).endswith("add_argument")
        handed_on = [word.value for word in call.keywords if word.arg == "action" and not of_a_command]
        yield from (str(word.value) for word in handed_on if isinstance(word, ast.Constant))


def test_every_action_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| `([a-z -]+)` \|", page("reference/audit.md"), re.MULTILINE))
    assert documented == recorded()


def test_every_action_has_words_and_no_other() -> None:
    assert set(AUDIT_WORDS) == recorded()
    assert {*TO_ONESELF, *BY_SOMEBODY, *REFUSALS} <= recorded()


def test_every_detail_has_words() -> None:
    assert {detail for path in ROOT.glob("riskapp/**/*.py") for detail in _details(path)} <= set(DETAILS)


def _details(path: Path) -> Iterator[str]:
    """The names of the details that a module records: named ones, and those in a dictionary called `details`."""
    for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
        if ast.unparse(call.func) in {"audit.record", "record"}:
            yield from (named.arg for named in call.keywords if named.arg and named.arg not in {"by", "on", "project"})
        if ast.unparse(call.func) in {"move", *CHANGES}:
            given = [named.value for named in call.keywords if named.arg == "details"]
            written = [value for value in given if isinstance(value, ast.Dict)]
            yield from (key.value for value in written for key in value.keys if isinstance(key, ast.Constant))


def test_every_fault_has_words() -> None:
    documented = set(re.findall(r"^\| `([a-z-]+)` \|", page("reference/files.md"), re.MULTILINE))
    assert set(FAULTS) == documented | MAY_PASS | {"mistake"}


def test_every_wish_has_words() -> None:
    assert set(WISHES) == {field.name for field in fields(Wishes)}


def test_every_kind_of_run_has_words_in_the_trail() -> None:
    assert set(KINDS) == set(WORKS)
