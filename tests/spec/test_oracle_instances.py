"""The random assessments use every value of every option, and the oracle stands on its own."""

import ast
import sys
from pathlib import Path

import tests.oracle
from tests.oracle import assess
from tests.oracle.instances import draw
from tests.oracle.options import as_table, counted

DRAWN, LEAST = 500, 20
FOLDER = Path(tests.oracle.__file__).parent


def test_every_value_of_every_option_occurs_in_at_least_twenty_random_assessments(tmp_path: Path) -> None:
    paths = []
    for seed in range(DRAWN):
        folder = tmp_path / str(seed)
        folder.mkdir()
        paths.append(draw(seed, folder))
    counts = counted(paths)
    print(as_table(counts))
    rare = {(option, value) for option, found in counts.items() for value, count in found.items() if count < LEAST}
    assert not rare


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        draw(7, tmp_path / name)
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert contents[0] == contents[1]


def test_random_assessments_can_be_assessed_and_ask_for_different_things(tmp_path: Path) -> None:
    outcomes = set()
    for seed in range(60):
        (tmp_path / str(seed)).mkdir()
        best = assess(draw(seed, tmp_path / str(seed)))["optimum"]
        outcomes.add("none" if best is None else "infeasible" if "infeasible" in best else "found")
    assert outcomes == {"none", "infeasible", "found"}


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found: set[str] = set()
    for node in tree:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found |= {".".join((node.module or "").split(".")[:2])}
    return found


def test_the_oracle_imports_nothing_but_itself_the_standard_library_and_a_reader_of_yaml() -> None:
    for path in FOLDER.rglob("*.py"):
        foreign = {name for name in imported(path) if name.split(".")[0] not in sys.stdlib_module_names}
        assert foreign <= {"tests.oracle", "yaml"}, path.name
