"""Random assessments with their files, small enough to be assessed by brute force, drawn so that every option occurs.

`draw(seed, folder)` writes one assessment and its tables into a folder and returns the path of the assessment.
`tests.oracle.options` says which option values an assessment uses.
"""

import csv
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from tests.oracle.hierarchies import build
from tests.oracle.instances_columns import KEPT, Column, hierarchical

Thing = TypeVar("Thing")
Spec = dict[str, Any]
WEIGHTS = [0, 0.25, 0.5, 1, 2, 3.5]
MOST_NODES = 60


class Drawing:
    """One draw: a source of chance, a folder to write to, and the columns chosen so far."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.columns: dict[str, Column] = {}
        self.missing = ["", "NA"]
        self.people: list[str] = []
        self.extra: dict[str, list[str]] = {}

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, things: list[Thing]) -> Thing:
        return self.chance.choice(things)

    def some(self, things: list[Thing], least: int = 1) -> list[Thing]:
        return self.chance.sample(things, self.chance.randint(min(least, len(things)), len(things)))

    def weight(self) -> float | int:
        return math.inf if self.often(0.08) else self.pick(WEIGHTS)

    def write(self, name: str, rows: list[list[str]], separator: str = ",") -> str:
        with (self.folder / name).open("w", encoding="utf-8", newline="") as lines:
            csv.writer(lines, delimiter=separator, lineterminator="\n").writerows(rows)
        return name

    def cell(self, value: str, holes: float) -> str:
        return self.pick(self.missing) if self.often(holes) else value


def draw(seed: int, folder: Path) -> Path:
    """Write one random assessment with its files; the same seed gives the same files."""
    drawing = Drawing(seed, folder)
    spec: Spec = {"dataset": dataset_key(drawing), "attributes": attributes_key(drawing)}
    write_dataset(drawing, spec["dataset"])
    for name, make in KEYS.items():
        made = make(drawing, spec)
        if made:
            spec[name] = made
    return write_assessment(drawing, spec)


def write_assessment(drawing: Drawing, spec: Spec) -> Path:
    """As YAML, or as JSON with infinite weights in words."""
    if drawing.often(0.5):
        path = drawing.folder / "assessment.yaml"
        path.write_text(yaml.safe_dump(spec, sort_keys=False, allow_unicode=True), encoding="utf-8")
    else:
        path = drawing.folder / "assessment.json"
        path.write_text(json.dumps(in_words(spec)), encoding="utf-8")
    return path


def in_words(value: Any) -> Any:
    """∞ is not JSON."""
    if isinstance(value, dict):
        return {key: in_words(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_words(inner) for inner in value]
    return "inf" if value == math.inf else value


# the dataset and its attributes


def dataset_key(drawing: Drawing) -> Spec:
    """Which special columns there are, and what means missing."""
    given: Spec = {"file": "dataset.csv"}
    count = drawing.chance.randint(2, 8)
    if drawing.often(0.5):
        given["identifier"] = "member"
        persons = [f"p{place}" for place in range(count if drawing.often(0.4) else max(2, count // 2))]
        drawing.people = [drawing.pick(persons) for _ in range(count)]
        drawing.extra["member"] = drawing.people
        if drawing.often(0.3) and len(set(drawing.people)) > 1:
            listed = [[drawing.people[0]], ["nobody"]]
            rows = [["member"], *listed] if drawing.often(0.5) else listed
            given["leave_out"] = drawing.write("leave_out.csv", rows)
    else:
        drawing.people = [f"r{place}" for place in range(count)]
    if drawing.often(0.3):
        given["risk_weight"] = "w"
        drawing.extra["w"] = [str(drawing.pick([0.5, 1, 2, 3])) for _ in range(count)]
    if drawing.often(0.3):
        given["missing"] = ["?", "-"]
        drawing.missing = ["?", "-"]
    return given


def attributes_key(drawing: Drawing) -> Spec:
    """One to three columns with a hierarchy, up to two kept ones, and what each weighs."""
    chosen = drawing.chance.sample(hierarchical(), drawing.chance.randint(1, 3))
    nodes = 1
    for make in chosen:
        column = make(drawing)
        height = build(column.hierarchy, drawing.folder).height
        if nodes * (height + 1) <= MOST_NODES:
            nodes *= height + 1
            drawing.columns[column.name] = column
    for kept in KEPT:
        if drawing.often(0.35):
            column = kept()
            drawing.columns[column.name] = column
    names = list(drawing.columns)
    drawing.chance.shuffle(names)
    return {name: attribute_key(drawing, drawing.columns[name]) for name in names}


def attribute_key(drawing: Drawing, column: Column) -> Spec:
    """A hierarchy or the role, then weights, fall and ticks."""
    given: Spec = {"role": "keep"} if column.kept else {}
    if column.hierarchy is not None:
        given["hierarchy"] = column.hierarchy
    if drawing.often(0.6):
        given["weight"] = drawing.weight()
    if drawing.often(0.5) and not column.kept:
        given["fall"] = drawing.pick(["step", "harmonic"])
    if drawing.often(0.35):
        leaves = drawing.some(column.leaves)
        given["weights"] = leaf_weights(drawing, column.name, leaves)
    if drawing.often(0.3):
        given["personal_weight"] = personal_weight(drawing, column.name)
    if drawing.often(0.8 if column.kept else 0.1):
        given["sensitive"] = True
        if drawing.often(0.5) and column.hierarchy is None:
            given["order"] = drawing.chance.sample(column.leaves, len(column.leaves))
    return given


def leaf_weights(drawing: Drawing, name: str, leaves: list[str]) -> Spec:
    """In the assessment, or in a file."""
    weights = {leaf: drawing.weight() for leaf in leaves}
    if drawing.often(0.5):
        return dict(weights)
    rows = [[leaf, str(weight)] for leaf, weight in weights.items()]
    return {"file": drawing.write(f"weights_{name}.csv", rows, ";")}


def personal_weight(drawing: Drawing, name: str) -> str | Spec:
    """In a column of the dataset, or in a table by identifier."""
    if "member" not in drawing.extra or drawing.often(0.5):
        drawing.extra[f"{name}_weight"] = [drawing.cell(str(drawing.weight()), 0.3) for _ in drawing.people]
        return f"{name}_weight"
    known = drawing.some(sorted(set(drawing.people)))
    rows = [["person", "much"], *([person, drawing.cell(str(drawing.weight()), 0.2)] for person in known)]
    return {"file": drawing.write(f"personal_{name}.csv", rows), "key": "person", "column": "much"}


def write_dataset(drawing: Drawing, given: Spec) -> None:
    """The rows: few distinct values, so that groups form, and holes in some columns."""
    body: dict[str, list[str]] = dict(drawing.extra)
    for name, column in drawing.columns.items():
        holes = drawing.pick([0.0, 0.0, 0.15, 0.3])
        few = drawing.some(column.leaves, 2)
        body[name] = [drawing.cell(drawing.pick(few), holes) for _ in drawing.people]
    header = list(body)
    drawing.chance.shuffle(header)
    rows = [list(row) for row in zip(*(body[name] for name in header), strict=True)]
    drawing.write(given["file"], [header, *rows])


# the attacker


def dictionaries_key(drawing: Drawing, spec: Spec) -> list[Any] | None:
    """None given, or one to three of the kinds."""
    if drawing.often(0.2):
        return None
    kinds: list[Callable[[Drawing], Any]] = [lambda _: "self", knowing, register, register, census]
    found = [make(drawing) for make in drawing.chance.sample(kinds, drawing.chance.randint(1, 3))]
    for place, one in enumerate(found):
        if isinstance(one, dict):
            one["name"] = f"{one['name']}{place}"
            if drawing.often(0.4):
                one["prior"] = drawing.pick([0.5, 1, 3])
    return found


def knowing(drawing: Drawing) -> Spec:
    """The dataset, of which only some columns are known."""
    return {"self": True, "name": "neighbour", "knows": drawing.some(list(drawing.columns))}


def matched(drawing: Drawing, file: str, extra: dict[str, list[str]], rows: int, fuzzy: set[str]) -> Spec:
    """Write a table that knows some columns at some level, and say what matches what."""
    match, body = {}, dict(extra)
    for name in drawing.some(list(drawing.columns)):
        column = drawing.columns[name]
        level, level_name = (0, "") if name in fuzzy else drawing.pick(levels(drawing, column))
        hierarchy = build(column.hierarchy, drawing.folder)
        leaves = column.leaves + (column.misspelt if name in fuzzy else column.elsewhere)
        holes = drawing.pick([0.0, 0.2])
        labels = [drawing.pick(leaves) for _ in range(rows)]
        labels = [hierarchy.above((0, label), level)[1] if level else label for label in labels]
        body[f"d_{name}"] = [drawing.cell(label, holes) for label in labels]
        match[f"d_{name}"] = name + (f"@{level_name}" if level_name else "")
    cells = [list(row) for row in zip(*body.values(), strict=True)]
    drawing.write(file, [list(body), *cells])
    return {"file": file, "match": match}


def levels(drawing: Drawing, column: Column) -> list[tuple[int, str]]:
    """The levels below the top at which a column can be matched, each with the names it has."""
    hierarchy = build(column.hierarchy, drawing.folder)
    named = [(level, name) for name, level in hierarchy.level_names.items() if level < hierarchy.height]
    return [(0, ""), (0, ""), *((level, str(level)) for level in range(hierarchy.height)), *named, *named]


def register(drawing: Drawing) -> Spec:
    """Entries about people, some with an identity, some matched by likeness, some registers empty."""
    rows = 0 if drawing.often(0.2) else drawing.chance.randint(1, 10)
    named = drawing.often(0.5)
    extra = {"who": [f"n{drawing.chance.randint(0, rows)}" for _ in range(rows)]} if named else {}
    textual = [name for name, column in drawing.columns.items() if column.misspelt]
    fuzzy = set(drawing.some(textual)) if textual and drawing.often(0.7) else set()
    number = drawing.chance.randint(0, 10**9)
    given = matched(drawing, f"register{number}.csv", extra, rows, fuzzy)
    given["name"] = "register"
    if named:
        given["identity"] = "who"
    thresholds = {f"d_{name}": drawing.pick([0.7, 0.8, 0.9]) for name in sorted(fuzzy) if f"d_{name}" in given["match"]}
    return {**given, "fuzzy": thresholds} if thresholds else given


def census(drawing: Drawing) -> Spec:
    """Counts only: each entry stands for so many people."""
    rows = drawing.chance.randint(1, 6)
    extra = {"population": [str(drawing.pick([0, 1, 1, 2, 3, 7, 30])) for _ in range(rows)]}
    return {**matched(drawing, "census.csv", extra, rows, set()), "name": "census", "count": "population"}


def linkage_key(drawing: Drawing, spec: Spec) -> Spec | None:
    """Rows without names, from places and people of the dataset's own domain."""
    if not drawing.often(0.25):
        return None
    rows = drawing.chance.randint(1, 5)
    extra = {"ward": [drawing.cell(drawing.pick(["1", "2"]), 0.3) for _ in range(rows)]}
    elsewhere = {name: column.elsewhere for name, column in drawing.columns.items()}
    for column in drawing.columns.values():
        column.elsewhere = []
    given = matched(drawing, "linkage.csv", extra, rows, set())
    for name, column in drawing.columns.items():
        column.elsewhere = elsewhere[name]
    return {**given, "adds": {"ward": drawing.pick([0.4, 1.5, math.inf])}} if drawing.often(0.6) else given


# what is asked


def sensitivity_key(drawing: Drawing, spec: Spec) -> Spec:
    """Each setting given or not."""
    given: Spec = {}
    maybe(drawing, given, "family", ["linear", "multiplicative"])
    maybe(drawing, given, "fall", ["step", "harmonic"])
    names = list(spec["attributes"])
    if len(names) > 1 and drawing.often(0.3):
        pairs = drawing.chance.randint(1, 2)
        given["pairs"] = [
            {"attributes": drawing.chance.sample(names, 2), "weight": drawing.weight()} for _ in range(pairs)
        ]
    if drawing.often(0.4):
        given["person_total"] = {drawing.pick(["scale", "cap"]): drawing.pick([0.5, 1.0, 2.0])}
    if drawing.often(0.4):
        given["unidentified"] = drawing.pick([0, 0.3, 1.5, 1.5, math.inf])
    return given


def maybe(drawing: Drawing, given: Spec, key: str, values: list[Any]) -> None:
    """Half of the time leave the default."""
    if drawing.often(0.6):
        given[key] = drawing.pick(values)


def risk_key(drawing: Drawing, spec: Spec) -> Spec:
    """Model, and how losses are put together."""
    names = [one if isinstance(one, str) else one["name"] for one in spec.get("dictionaries", ["self"])]
    given: Spec = {}
    maybe(drawing, given, "model", ["sensitivity", "anonymity", "entropic", "entropic"])
    maybe(drawing, given, "over_records", ["mean", "max", "min"])
    maybe(drawing, given, "over_dictionaries", ["worst", "bayes", drawing.pick(names)])
    maybe(drawing, given, "uncovered", ["one", "zero"])
    return given


def utility_key(drawing: Drawing, spec: Spec) -> Spec:
    """Measure, and how it is put together."""
    given: Spec = {}
    if drawing.often(0.8):
        given["measure"] = drawing.pick(["depth", "inverse-leaves", "log-leaves", "xiao-tao", "lm"])
    maybe(drawing, given, "over_records", ["mean", "max", "min"])
    if drawing.often(0.3):
        free = [name for name, column in drawing.columns.items() if not column.kept]
        given["weights"] = {name: drawing.pick([0.5, 2, 3]) for name in drawing.some(free)}
    return given


def search_key(drawing: Drawing, spec: Spec) -> Spec:
    """At most one question, any limits, any requirements."""
    given: Spec = {"rules": ["full-domain"], "methods": ["exhaustive"]} if drawing.often(0.2) else {}
    question = drawing.pick(["", "least_utility", "most_risk", "trade_off"])
    if question:
        loss = spec.get("utility", {}).get("measure") in ("xiao-tao", "lm")
        sizes = {"least_utility": [-2, -1, -0.5] if loss else [0.5, 1, 2.5, 6], "most_risk": [0, 0.1, 0.4, 1, 3]}
        given[question] = drawing.pick(sizes.get(question, [0.1, 0.5, 2]))
    if drawing.often(0.35):
        given["per_record"] = drawing.often(0.6)
    limits = {name: drawing.pick(values) for name, values in LIMITS.items() if drawing.often(0.12)}
    if limits:
        given["limits"] = limits
    required = {name: drawing.pick(values) for name, values in REQUIREMENTS.items() if drawing.often(0.4)}
    if required and any((inner or {}).get("sensitive") for inner in spec["attributes"].values()):
        given["require"] = required
    return given


LIMITS: dict[str, list[Any]] = {
    "largest_chance": [0.2, 0.5, 0.9],
    "smallest_group": [2, 3],
    "share_above": [{"chance": 0.3, "share": 0.4}, {"chance": 0.5, "share": 0.1}],
    "inference": [0.2, 0.5],
}
REQUIREMENTS: dict[str, list[Any]] = {
    "l": [{"distinct": 2}, {"probabilistic": 1.5}, {"entropy": 1.5}, {"recursive": [2, 2]}],
    "t": [0.2, 0.4],
}
KEYS: dict[str, Callable[[Drawing, Spec], Any]] = {
    "dictionaries": dictionaries_key,
    "linkage": linkage_key,
    "sensitivity": sensitivity_key,
    "risk": risk_key,
    "utility": utility_key,
    "search": search_key,
}
