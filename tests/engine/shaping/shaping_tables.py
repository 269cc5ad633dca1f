"""Small tables and hierarchies to try shaping on."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from riskapp.engine import coded
from riskapp.engine.coded import CodedTable

Cells = Sequence[str | None]


@contextmanager
def table_of(**columns: Cells) -> Iterator[CodedTable]:
    with tempfile.TemporaryDirectory() as folder:
        yield coded.write(Path(folder, "table"), list(columns), list(columns.values()))


def is_tree(spec: Mapping[str, Any]) -> bool:
    """Whether rows are one long, end in the top, list each leaf once and give every label of a level one parent."""
    rows = spec["rows"]
    if len({len(row) for row in rows}) != 1 or {row[-1] for row in rows} != {"*"}:
        return False
    if len({row[0] for row in rows}) != len(rows):
        return False
    for level in range(len(rows[0]) - 1):
        parents: dict[str, str] = {}
        for row in rows:
            if parents.setdefault(row[level], row[level + 1]) != row[level + 1]:
                return False
    return True


def rows_specs(labels: st.SearchStrategy[str], most_levels: int = 3) -> st.SearchStrategy[dict[str, Any]]:
    """Specs of evened rows: each level's labels are put under some labels of the next."""

    @st.composite
    def build(draw: st.DrawFn) -> dict[str, Any]:
        leaves = draw(st.lists(labels, min_size=1, max_size=8, unique=True))
        rows = [[leaf] for leaf in leaves]
        for _ in range(draw(st.integers(0, most_levels))):
            below = sorted({row[-1] for row in rows})
            names = draw(st.lists(labels, min_size=1, max_size=len(below), unique=True))
            home = {label: draw(st.sampled_from(names)) for label in below}
            rows = [[*row, home[row[-1]]] for row in rows]
        return {"rows": [[*row, "*"] for row in rows], "header": None}

    return build()
