"""All families and methods on the synthetic customers: the figures of the example, and of the page that tells them."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from riskapp.engine.assess import assess

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "customers"
PAGE = ROOT / "docs" / "how-to" / "all-methods.md"
METHODS = ["exhaustive", "btda", "aruba", "branch-and-bound", "genetic", "approximate", "milp"]


def written(rule: dict[str, Any]) -> str:
    """A rule as a line of the page's tables."""
    people = rule["people"]["register"]
    found, again = people["expected_found"], people["by_replay"]["expected_found"]
    cells = [
        f"`{rule['id']}`",
        f"{rule['risk']:.4f}",
        f"{rule['risk_replay']:.4f}",
        f"{rule['utility']:.2f}",
        f"{found:.1f} / {again:.1f}",
        f"{people['singled_out']} / {people['by_replay']['singled_out']}",
        str((rule["search"] or {}).get("visited", "–")),
        rule["number"],
    ]
    return "| " + " | ".join(cells) + " |"


def shown() -> list[str]:
    """The lines about rules on the page, those of both tables."""
    return [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]


@pytest.fixture(scope="module")
def results() -> list[dict[str, Any]]:
    return [assess(EXAMPLE / name).mapping() for name in ("assessment.yaml", "assessment-aggregate.yaml")]


def test_the_page_tells_what_comes_out(results: list[dict[str, Any]]) -> None:
    lines = {written(rule) for result in results for rule in result["rules"]}
    assert [line for line in shown() if line not in lines] == []


def test_the_page_tells_of_every_family_and_every_method(results: list[dict[str, Any]]) -> None:
    named = {line.split("`")[1] for line in shown()}
    wanted = {f"per-record:{method}" for method in [*METHODS, "aggregate"]}
    assert wanted | {results[0]["optimum"]["rule"], results[1]["optimum"]["rule"]} <= named
    assert {rule["family"] for rule in results[0]["rules"] if rule["id"] in named} == {
        *("full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian")
    }


def test_the_shipped_tables_are_those_of_the_seed(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_customers", EXAMPLE / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(tmp_path)
    fresh = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.csv")}
    assert fresh == {path.relative_to(EXAMPLE): path.read_bytes() for path in EXAMPLE.rglob("*.csv")}
