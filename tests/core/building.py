"""A problem of the oracle's as one of ours, so that both measure the same without files being read twice."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from riskapp.core.loss import Loss
from riskapp.core.risk import Risk
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Alike, Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights
from tests.oracle import instances, reading
from tests.oracle.arithmetic import number
from tests.oracle.building import build
from tests.oracle.hierarchies import Cell
from tests.oracle.problem import Attribute, Entry
from tests.oracle.problem import Dictionary as TheirDictionary
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import Node


def drawn(seed: int, folder: Path) -> Theirs:
    """A random instance as the oracle knows it."""
    path = instances.draw(seed, folder)
    return build(reading.assessment(path), path.parent)


def ours(theirs: Theirs) -> Problem:
    """The same problem, with every leaf of the domain in its hierarchies."""
    hierarchies = {name: hierarchy(theirs, name) for name in theirs.attributes}
    columns = tuple(weighed(theirs, name, hierarchies[name]) for name in theirs.attributes)
    return Problem(
        sensitivity=sensitivity(theirs, columns),
        dictionaries=tuple(dictionary(theirs, one, hierarchies) for one in theirs.dictionaries),
        utility=utility(theirs, columns),
        loss=Loss(theirs.settings.model, theirs.settings.uncovered, theirs.settings.unidentified),
        risk=risk(theirs),
        people=numbered([record.person for record in theirs.records]),
        sensitive=tuple(sensitive(theirs, one) for one in theirs.attributes.values() if one.sensitive),
        linkage=linkage(theirs, hierarchies),
        limits=limits(theirs.search),
    )


def hierarchy(theirs: Theirs, name: str) -> Hierarchy:
    """The oracle's, over its domain and over all cells that occur anywhere, with a leaf for those over none."""
    tree = theirs.attributes[name].hierarchy
    cells = {(0, leaf) for leaf in tree.domain} | occurring(theirs, name)
    levels: list[dict[str, str]] = [{} for _ in range(tree.height)]
    below = {(0, tree.some_leaf(*cell)) for cell in cells if tree.leaves_under(cell) == 0}
    for some in (cells, below):
        sizes = [len(level) for level in levels]
        for low, label in sorted(some):
            for level, (label_here, above) in enumerate(pairwise(tree.labels(low, label)), start=low):
                levels[level][label_here] = above
    stand_ins = [len(level) - size for level, size in zip(levels, sizes, strict=True)]
    labels = [list(level) for level in levels] + [["*"]]
    parents = [[labels[level + 1].index(above) + 1 for above in levels[level].values()] for level in range(tree.height)]
    counts = [[max(1, tree.leaves_under((level, label))) for label in here] for level, here in enumerate(labels)]
    counts[-1] = [max(1, tree.size())]
    return Hierarchy.of(name, labels=labels, parents=parents, leaf_counts=counts, stand_ins=[*stand_ins, 0])


def occurring(theirs: Theirs, name: str) -> set[Cell]:
    """The cells of an attribute in the dataset, the dictionaries and the linkage data."""
    cells = {(0, value) for record in theirs.records if (value := record.values[name]) is not None}
    for entry in (entry for one in theirs.dictionaries for entry in one.entries):
        cells |= set(entry.fuzzy.get(name, [])) | ({entry.known[name]} if name in entry.known else set())
    for row in theirs.linkage.rows if theirs.linkage else []:
        cells |= {row[name]} if name in row else set()
    return cells


def weighed(theirs: Theirs, name: str, tree: Hierarchy) -> Weighed:
    attribute = theirs.attributes[name]
    weights = Weights.of(tree, attribute.weight, attribute.weights, fall=attribute.fall, elsewhere=True)
    personal = [record.personal.get(name, float("nan")) for record in theirs.records]
    own = np.array(personal) if any(name in record.personal for record in theirs.records) else None
    codes = tree.coded([record.values[name] for record in theirs.records])
    return Weighed(CodedColumn(tree, codes), weights, own, attribute.kept)


def sensitivity(theirs: Theirs, columns: tuple[Weighed, ...]) -> Sensitivity:
    pairs = tuple(Pair(pair.one, pair.other, pair.weight) for pair in theirs.settings.pairs)
    total = PersonTotal(*theirs.settings.person_total) if theirs.settings.person_total else None
    return Sensitivity(columns, pairs, theirs.settings.family, total)


def utility(theirs: Theirs, columns: tuple[Weighed, ...]) -> Utility:
    records = CodedRecords.of([column.column for column in columns if not column.kept])
    weights = tuple(theirs.settings.utility_weights.get(column.name, 1.0) for column in columns if not column.kept)
    return Utility(records, theirs.settings.measure, theirs.settings.utility_over_records, weights)


def risk(theirs: Theirs) -> Risk:
    weights = np.array([record.risk_weight for record in theirs.records])
    return Risk(
        theirs.settings.risk_over_records,
        theirs.settings.over_dictionaries,
        None if (weights == 1).all() else weights,
        {one.name: one.prior for one in theirs.dictionaries},
    )


def numbered(names: list[str]) -> Codes | None:
    """A number for each name; None when all are different."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return None if len(places) == len(names) else np.array([places[name] for name in names], dtype=np.int32)


def sensitive(theirs: Theirs, attribute: Attribute) -> Sensitive:
    values = [record.values[attribute.name] for record in theirs.records]
    order = attribute.order or sorted({value for value in values if value is not None})
    codes = [0 if value is None else order.index(value) + 1 for value in values]
    return Sensitive(attribute.name, np.array(codes, dtype=np.int32), len(order) if attribute.order else None)


def dictionary(theirs: Theirs, one: TheirDictionary, trees: dict[str, Hierarchy]) -> Dictionary:
    names = [name for name in theirs.attributes if name in one.attributes]
    columns = tuple(known(list(theirs.attributes).index(name), name, one.entries, trees[name]) for name in names)
    counts = np.array([entry.count for entry in one.entries], dtype=np.int64)
    identities = numbered([entry.person for entry in one.entries])
    times = counts if (counts != 1).any() else None
    return Dictionary(one.name, columns, times, None if times is not None else identities, one.prior)


def known(place: int, name: str, entries: list[Entry], tree: Hierarchy) -> Known:
    if any(name in entry.fuzzy for entry in entries):
        return fuzzy(place, name, entries, tree)
    cells = [entry.known.get(name) for entry in entries]
    return exact(place, cells, tree)


def exact(place: int, cells: list[Cell | None], tree: Hierarchy) -> Known:
    level = max((cell[0] for cell in cells if cell), default=0)
    return Known(place, tree, level, tree.codes_at(level, [cell[1] if cell else None for cell in cells]))


def fuzzy(place: int, name: str, entries: list[Entry], tree: Hierarchy) -> Known:
    found = [tuple(entry.fuzzy[name]) if name in entry.fuzzy else None for entry in entries]
    values = sorted({cells for cells in found if cells is not None})
    level = max((cell[0] for cells in values for cell in cells), default=0)
    labels = [tree.codes_at(level, [label for _, label in cells]) for cells in values]
    starts = np.cumsum([0, 0, *(len(codes) for codes in labels)])
    alike = Alike(starts, np.concatenate([np.zeros(0, dtype=np.int32), *labels]))
    codes = np.array([0 if cells is None else values.index(cells) + 1 for cells in found], dtype=np.int32)
    return Known(place, tree, level, codes, alike)


def linkage(theirs: Theirs, trees: dict[str, Hierarchy]) -> LinkageTable | None:
    if theirs.linkage is None:
        return None
    rows = theirs.linkage.rows
    names = [name for name in theirs.attributes if any(name in row for row in rows)]
    places = [list(theirs.attributes).index(name) for name in names]
    columns = [
        exact(place, [row.get(name) for row in rows], trees[name]) for place, name in zip(places, names, strict=True)
    ]
    if not columns:
        first = next(iter(trees.values()))
        columns = [Known(0, first, 0, np.zeros(len(rows), dtype=np.int32))]
    return LinkageTable(tuple(columns), np.array([sum(weights) for weights in theirs.linkage.added], dtype=np.float64))


def limits(search: dict[str, Any]) -> Limits:
    given, required = search.get("limits") or {}, search.get("require") or {}
    above, kinds = given.get("share_above"), dict(required.get("l", {}))
    recursive = kinds.pop("recursive", None)
    return Limits(
        largest_chance=given.get("largest_chance"),
        smallest_group=given.get("smallest_group"),
        share_above=ShareAbove(number(above["chance"]), number(above["share"])) if above else None,
        inference=given.get("inference"),
        l=kinds,
        recursive=(float(recursive[0]), int(recursive[1])) if recursive else None,
        t=required.get("t"),
    )


def released(problem: Problem, nodes: list[Node | None]) -> Released:
    """Each record at a node of the attributes that have a hierarchy; None suppresses it."""
    levels = np.zeros((len(problem), len(problem.columns)), dtype=np.intp)
    for row, node in enumerate(nodes):
        levels[row, problem.generalised] = 0 if node is None else node
    return Released.each(problem.records, levels, np.array([node is None for node in nodes]))
