"""A file that is written block by block against the same made at once, cell by cell, from the table of the rule."""

import random
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from riskapp.core.search.candidate import Candidate
from riskapp.core.table.cells import matrix
from riskapp.core.table.value_list import texts
from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.outgoing import shown, stacked
from riskapp.engine.outgoing.as_csv import write_csv
from riskapp.engine.outgoing.as_parquet import write_parquet
from riskapp.engine.outgoing.shown import Shown
from riskapp.engine.outgoing.stacked import Formed, Stacked
from riskapp.engine.releasing import columns
from riskapp.engine.releasing.bounds import ends
from riskapp.engine.releasing.building import BuiltFile, build, order_of
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.defusing import defused
from riskapp.engine.releasing.types import typed
from riskapp.engine.ruling import Ruling
from tests.engine.every_family import RULES, one_of_each

SPEC = f"""
dataset: {{file: members.csv}}
attributes:
  town: {{hierarchy: {{groups: {{north: [a, b], "=south": ["c", "+d"]}}}}}}
  born: {{hierarchy: {{dates: [month, year]}}}}
  zip: {{hierarchy: {{mask: 3}}}}
  age: {{hierarchy: {{intervals: {{from: 0, widths: [5, 20], unit: 1}}}}}}
  income: {{role: keep}}
  note: {{role: keep}}
search: {{rules: {RULES}, methods: [btda], least_utility: 0.5, k: [3], suppression_limit: 0.5,
  regions: [town@1], seed: 5}}
"""
NOTES = ['"=1+1, or so"', '"say ""no"""', "-5", "@x", "plain", "", "'=y", "a;=b"]
ALL_CHOICES = [
    Choices(keep_order=order, seed=11, defuse=defuse, analysts=analysts, details=details)
    for order, defuse, analysts, details in product([False, True], repeat=4)
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven rows at a time, and most columns have more labels than are formed at once."""
    monkeypatch.setattr(shown, "ROWS", 7)
    monkeypatch.setattr(columns, "ROWS", 7)
    monkeypatch.setattr(stacked, "FEW", 5)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder, chance = tmp_path_factory.mktemp("streamed"), random.Random(1)
    rows = [
        [
            *(chance.choice(["a", "b", "c", "+d", ""]), chance.choice(["1976-02-10", "1976-03-01", "1980-12-31", ""])),
            *(chance.choice(["471", "479", "101", ""]), chance.choice(["7", "19", "52", "53", ""])),
            *(str(chance.randint(-3, 9)), chance.choice(NOTES)),
        ]
        for _ in range(60)
    ]
    lines = ["town,born,zip,age,income,note", *(",".join(row) for row in rows)]
    (folder / "members.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "assessment.yaml").write_text(SPEC, encoding="utf-8")
    return prepare(folder / "assessment.yaml")


@pytest.fixture(scope="module")
def found(prepared: Prepared) -> list[Candidate]:
    """A rule of each family, among them one that suppresses rows."""
    every = [Ruling.of(prepared, "full-domain:1.0.2.1").found, *one_of_each(prepared, 1)]
    assert {one.family for one in every} == set(RULES)
    assert any(one.released.suppressed.any() for one in every)
    assert any(not column.codes.all() for column in prepared.problem.records.columns)
    return every


@pytest.mark.parametrize(
    "choices", ALL_CHOICES, ids=lambda one: "-".join(k for k, v in one.told().items() if v) or "plain"
)
def test_every_family_is_streamed_as_it_would_be_written_at_once(
    prepared: Prepared, found: list[Candidate], choices: Choices, tmp_path: Path
) -> None:
    for one in found:
        file = build(prepared, one, tmp_path / "a.csv", choices)
        cells = at_once(prepared, one, choices, file)
        assert (tmp_path / "a.csv").read_text(encoding="utf-8") == as_text(file, cells)
        assert file.defused == harmless(prepared, one, choices, file)
        expected = as_table(build(prepared, one, tmp_path / "a.parquet", choices), cells)
        written = pq.read_table(tmp_path / "a.parquet")
        assert written.schema.equals(expected.schema)
        # Every block lists its categories anew.
        assert [column.to_pylist() for column in written.columns] == [one.to_pylist() for one in expected.columns]


def test_released_without_choices_it_is_the_same_too(
    prepared: Prepared, found: list[Candidate], tmp_path: Path
) -> None:
    for one, order in product(found, (np.arange(60), np.random.default_rng(3).permutation(60))):
        seen = Shown(one.released, prepared.problem.names, order)
        write_csv(seen, tmp_path / "a.csv")
        write_parquet(seen, tmp_path / "a.parquet")
        rows = [[label(prepared, one, place, record) for place in range(6)] for record in order]
        lines = [seen.names, *rows]
        assert (tmp_path / "a.csv").read_text(encoding="utf-8") == "".join(map(line, lines))
        assert [list(row.values()) for row in pq.read_table(tmp_path / "a.parquet").to_pylist()] == rows


Cell = str | None


def label(prepared: Prepared, one: Candidate, place: int, record: int) -> Cell:
    """What a cell shows."""
    tree, level = prepared.problem.hierarchies[place], matrix(one.released)[record, place]
    code = one.released.records.columns[place].codes[record]
    found: Cell = tree.labels[level][int(tree.ancestors[level, code])].as_py()
    return found


def at_once(prepared: Prepared, one: Candidate, choices: Choices, file: BuiltFile) -> list[list[Cell]]:
    """The cells of every column of the file as text, row after row."""
    order = order_of(len(prepared.problem), choices).tolist()
    return [[cell(prepared, one, choices, column, record) for record in order] for column in file.columns]


def cell(prepared: Prepared, one: Candidate, choices: Choices, column: dict[str, str], record: int) -> Cell:
    hidden = bool(one.released.suppressed[record])
    if column["part"] == "suppressed":
        return str(hidden).lower()
    place = prepared.problem.names.index(column["attribute"])
    tree, text = prepared.problem.hierarchies[place], label(prepared, one, place, record)
    if column["part"] == "label":
        if column["type"] != "category" and hidden:
            return None
        return defused(texts([text]))[0].as_py() if choices.defuse and column["type"] == "category" else text
    if column["part"] == "level":
        levels = [number for number, labels in enumerate(tree.labels) if text in labels.to_pylist()]
        return None if text is None else str(min(levels))
    attribute = list(prepared.assessment.attributes.values())[place]
    level, code = matrix(one.released)[record, place], one.released.records.columns[place].codes[record]
    number = sum(len(some) for some in tree.labels[:level]) + int(tree.ancestors[level, code])
    found: Cell = ends(attribute, tree)[column["part"] == "to"][number].as_py()
    return found


def harmless(prepared: Prepared, one: Candidate, choices: Choices, file: BuiltFile) -> dict[str, int]:
    plain = Choices(choices.keep_order, choices.seed, analysts=choices.analysts, details=choices.details)
    both = zip(file.columns, at_once(prepared, one, choices, file), at_once(prepared, one, plain, file), strict=True)
    many = {column["name"]: sum(x != y for x, y in zip(a, b, strict=True)) for column, a, b in both}
    return {name: count for name, count in many.items() if count}


def line(row: list[Cell]) -> str:
    return (
        ",".join(
            f'"{cell.replace(chr(34), chr(34) * 2)}"' if cell and set(cell) & set(',"\r\n') else cell or ""
            for cell in row
        )
        + "\n"
    )


def as_text(file: BuiltFile, cells: list[list[Cell]]) -> str:
    return "".join(map(line, [[column["name"] for column in file.columns], *map(list, zip(*cells, strict=True))]))


def as_table(file: BuiltFile, cells: list[list[Cell]]) -> pa.Table:
    """All rows in one piece, in the types of the columns."""
    arrays = []
    for column, some in zip(file.columns, cells, strict=True):
        if column["type"] == "yes-no":
            arrays.append(pa.array([text == "true" for text in some]))
        else:
            whole = typed(texts(some), column["type"])
            is_label = column["type"] == "category" and column["part"] == "label"
            arrays.append(whole.dictionary_encode() if is_label else whole)
    return pa.table(arrays, names=[column["name"] for column in file.columns])


def test_texts_are_taken_from_several_lists_as_from_one() -> None:
    chance = random.Random(2)
    for _ in range(200):
        parts = [[chance.choice(["a", "b", None, ""]) for _ in range(chance.randint(0, 4))] for _ in range(4)]
        whole = [text for part in parts for text in part]
        numbers = [chance.randrange(len(whole)) for _ in range(chance.randint(0, 9))] if whole else []
        taken = Stacked([texts(part) for part in parts])
        wanted = np.array(numbers, dtype=np.int64)
        assert taken.take(wanted).to_pylist() == [whole[number] for number in numbers]
        assert Formed(taken, defused).take(wanted).to_pylist() == [whole[number] for number in numbers]
