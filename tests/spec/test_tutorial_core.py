"""The tutorial of the core is true: every block of code is run, and what it shows is compared with the page."""

import ast
import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import riskapp.core
from riskapp.core import full_domain, problem

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial" / "core.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def run(code: str, names: dict[str, Any]) -> str:
    """What a notebook shows for a block: all that is printed, and the value of a last expression."""
    tree = ast.parse(code)
    shown = io.StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(shown):
        exec(compile(tree, "<block>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<block>", "eval"), names)
            if value is not None:
                print(repr(value))
    return shown.getvalue()


def test_every_block_shows_what_the_page_says() -> None:
    names: dict[str, Any] = {}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) > 12
    assert [run(code, names) for code, _ in blocks] == [shown for _, shown in blocks]


def test_a_wrong_output_would_be_found() -> None:
    assert BLOCK.findall("```python\n1 + 1\n```\n\n```text\n3\n```\n") == [("1 + 1\n", "3\n")]
    assert run("1 + 1\n", {}) == "2\n"


def test_no_output_on_the_page_is_left_unchecked() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```text\n") == sum(bool(shown) for _, shown in BLOCK.findall(text))


def test_ten_lines_are_enough() -> None:
    first = BLOCK.findall(PAGE.read_text(encoding="utf-8"))[0][0]
    assert len([line for line in first.splitlines() if line]) <= 10


# The public face


def test_every_public_name_is_there() -> None:
    assert riskapp.core.__all__ == sorted(riskapp.core.__all__) == dir(riskapp.core)
    assert [name for name in riskapp.core.__all__ if getattr(riskapp.core, name, None) is None] == []


def test_no_public_name_hides_a_module() -> None:
    modules = {found.name for found in iter_modules(riskapp.core.__path__)}
    assert modules & set(riskapp.core.__all__) == set()


def test_another_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rules'"):
        riskapp.core.rules  # noqa: B018


def test_importing_the_core_loads_nothing_slow() -> None:
    program = "import sys, riskapp.core, riskapp.core.errors; print({'numpy', 'numba', 'pyarrow'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"


def test_a_rule_is_found_by_its_levels() -> None:
    rules = full_domain(problem({"sex": ["f", "m"], "zip": ["10", "11"]}, hierarchies={"zip": {"mask": 2}}))
    assert rules.at(zip=1).id == "full-domain:0.1"
    assert [rule.id for rule in rules][-1] == rules[-1].id == "full-domain:1.2"
    with pytest.raises(ValueError, match="no attribute age"):
        rules.at(age=1)
    with pytest.raises(ValueError, match="least_utility"):
        rules.optimum()
