"""What is built from assessment files, against the independent oracle that reads the same files."""

import random
from pathlib import Path

import pytest

from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.engine.assessment import Built, build, read
from tests.oracle import building, reading
from tests.oracle import problem as plain
from tests.oracle.hierarchies import Cell
from tests.oracle.instances import draw
from tests.oracle.release import full_domain
from tests.oracle.sensitivity import sensitivity as oracle_phi

SEEDS = range(60)


@pytest.fixture(scope="module", params=SEEDS)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, plain.Problem]:
    folder = tmp_path_factory.mktemp("drawn")
    path = draw(request.param, folder)
    return build(read(path)), building.build(reading.assessment(path), folder)


def partition(persons: list[object]) -> list[int]:
    """For every row the first row of the same person."""
    return [persons.index(person) for person in persons]


def ancestry(hierarchy: Hierarchy, level: int, code: int) -> list[tuple[str | None, int]]:
    """The label and the leaf count of a code at its own and every higher level."""
    found = []
    for above in range(level, hierarchy.height + 1):
        at = hierarchy.up(level, above)[code]
        found.append((hierarchy.labels[above][int(at)].as_py(), int(hierarchy.leaf_counts[above][at])))
    return found


def oracle_ancestry(attribute: plain.Attribute, cell: Cell) -> list[tuple[str | None, int]]:
    hierarchy = attribute.hierarchy
    cells = [hierarchy.above(cell, level) for level in range(cell[0], hierarchy.height + 1)]
    return [(label, max(hierarchy.leaves_under((level, label)), 1)) for level, label in cells]


def test_records_are_the_same_at_every_level(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    assert built.records == len(theirs.records)
    assert built.people == len(theirs.people())
    for name, weighed in zip(theirs.attributes, built.problem.columns, strict=True):
        attribute, hierarchy = theirs.attributes[name], weighed.column.hierarchy
        assert weighed.kept == attribute.kept
        assert hierarchy.height == attribute.hierarchy.height
        assert hierarchy.leaves == max(attribute.hierarchy.size(), 1)
        for code, record in zip(weighed.column.codes.tolist(), theirs.records, strict=True):
            value = record.values[name]
            assert (code == 0) == (value is None)
            if value is not None:
                assert ancestry(hierarchy, 0, code) == oracle_ancestry(attribute, (0, value))


def test_people_and_weights_of_records_are_the_same(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    problem, count = built.problem, built.records
    persons = list(range(count)) if problem.people is None else problem.people.tolist()
    assert partition(persons) == partition([record.person for record in theirs.records])
    weights = [1.0] * count if problem.record_weights is None else problem.record_weights.tolist()
    assert weights == [record.risk_weight for record in theirs.records]


def test_phi_is_the_same_at_some_nodes(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    problem = built.problem
    for node in random.Random(1).sample(list(problem.lattice), min(6, len(list(problem.lattice)))):
        rows = full_domain(theirs, problem.chosen(node))
        phi = [oracle_phi(theirs, record, row.cells) for record, row in zip(theirs.records, rows, strict=True)]
        assert problem.sensitivity.at(node) == pytest.approx(phi, rel=1e-9, abs=0), node


def told(known: Known, entry: int) -> tuple[int, set[str | None]] | None:
    """The level and the labels that an entry's cell may stand for; None where it is missing."""
    code = int(known.codes[entry])
    if code == 0:
        return None
    if known.alike is None:
        return known.level, {known.hierarchy.labels[known.level][code].as_py()}
    codes = known.alike.codes[known.alike.starts[code] : known.alike.starts[code + 1]]
    return known.level, {known.hierarchy.labels[known.level][int(one)].as_py() for one in codes}


def oracle_told(entry: plain.Entry, name: str) -> tuple[int | None, set[str | None]] | None:
    if name in entry.known:
        level, label = entry.known[name]
        return level, {label}
    if name in entry.fuzzy:
        return None, {label for _, label in entry.fuzzy[name]}
    return None


def check_dictionary(names: list[str], ours: Dictionary, theirs: plain.Dictionary) -> None:
    assert ours.name == theirs.name
    assert ours.everybody == theirs.people()
    assert ours.prior == theirs.prior
    assert [names[place] for place in ours.places] == [name for name in names if name in theirs.attributes]
    assert len(ours) == len(theirs.entries)
    persons = range(len(ours)) if ours.identities is None else ours.identities.tolist()
    assert partition(list(persons)) == partition([entry.person for entry in theirs.entries])
    times = [1] * len(ours) if ours.times is None else ours.times.tolist()
    assert times == [entry.count for entry in theirs.entries]


def test_dictionaries_are_the_same_cell_by_cell(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    names = built.problem.names
    for ours, other in zip(built.problem.dictionaries, theirs.dictionaries, strict=True):
        check_dictionary(names, ours, other)
        for known in ours.known:
            name = names[known.place]
            for place, entry in enumerate(other.entries):
                cell, theirs_cell = told(known, place), oracle_told(entry, name)
                if cell is None or theirs_cell is None:
                    assert cell is theirs_cell
                    continue
                assert cell[1] == theirs_cell[1]
                assert theirs_cell[0] in (None, cell[0])
                if known.alike is None:
                    own = ancestry(known.hierarchy, known.level, int(known.codes[place]))
                    assert own == oracle_ancestry(theirs.attributes[name], entry.known[name])


def test_linkage_data_are_the_same(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    ours = built.problem.linkage
    if ours is None or theirs.linkage is None:
        assert ours is theirs.linkage
        return
    assert ours.added.tolist() == [pytest.approx(sum(weights)) for weights in theirs.linkage.added]
    for place, cells in enumerate(theirs.linkage.rows):
        found = {built.problem.names[known.place]: told(known, place) for known in ours.known}
        assert {name: cell for name, cell in found.items() if cell} == {
            name: (level, {label}) for name, (level, label) in cells.items()
        }


def test_sensitive_values_are_the_same(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    listed = [attribute for attribute in theirs.attributes.values() if attribute.sensitive]
    assert [sensitive.name for sensitive in built.problem.sensitive] == [attribute.name for attribute in listed]
    for ours, attribute in zip(built.problem.sensitive, listed, strict=True):
        values = [record.values[attribute.name] for record in theirs.records]
        assert partition(list(ours.codes.tolist())) == partition(list(values))
        assert [code == 0 for code in ours.codes.tolist()] == [value is None for value in values]
        if attribute.order is not None:
            order = attribute.order
            assert ours.ordered == len(order)
            assert ours.codes.tolist() == [0 if value is None else order.index(value) + 1 for value in values]


def test_settings_are_the_same(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    problem, settings = built.problem, theirs.settings
    harm = problem.sensitivity
    assert harm.family == settings.family
    assert [(pair.one, pair.other, pair.weight) for pair in harm.pairs] == [
        (pair.one, pair.other, pair.weight) for pair in settings.pairs
    ]
    total = harm.person_total
    assert (None if total is None else (total.how, total.most)) == settings.person_total
    loss, risk = problem.loss, problem.risk
    assert (loss.model, loss.uncovered, loss.unidentified) == (
        settings.model,
        settings.uncovered,
        settings.unidentified,
    )
    assert (risk.over_records, risk.over_dictionaries) == (settings.risk_over_records, settings.over_dictionaries)
    utility = problem.utility
    assert (utility.measure, utility.over_records) == (settings.measure, settings.utility_over_records)
    weights = [settings.utility_weights.get(attribute.name, 1.0) for attribute in theirs.generalised()]
    assert list(utility.weights) == weights


def test_the_question_and_the_limits_are_the_same(both: tuple[Built, plain.Problem]) -> None:
    built, theirs = both
    search, given = built.assessment.search, theirs.search
    asked = {key: given[key] for key in ("least_utility", "most_risk", "trade_off") if key in given}
    assert ({} if search.question is None else {search.question.kind: search.question.bound}) == asked
    assert search.per_record == given.get("per_record", False)
    limits, told = search.limits, given.get("limits", {})
    assert (limits.largest_chance, limits.smallest_group, limits.inference) == tuple(
        told.get(key) for key in ("largest_chance", "smallest_group", "inference")
    )
    above = limits.share_above
    assert (None if above is None else {"chance": above.chance, "share": above.share}) == told.get("share_above")
    required = given.get("require", {})
    recursive = [] if limits.recursive is None else [("recursive", list(limits.recursive))]
    assert dict([*limits.l.items(), *recursive]) == required.get("l", {})
    assert limits.t == required.get("t")


def test_the_drawn_assessments_hold_every_kind_of_part(tmp_path: Path) -> None:
    found = set()
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        assessment = read(draw(seed, folder))
        found |= {next(iter(one.hierarchy)) for one in assessment.attributes.values() if one.hierarchy}
        found |= {type(one).__name__ for one in assessment.dictionaries}
        found |= {"linkage"} if assessment.linkage else set()
        found |= {"fuzzy" for one in assessment.dictionaries if getattr(one, "fuzzy", None)}
    assert found == {"file", "groups", "dates", "intervals", "mask", "SelfKey", "FileKey", "linkage", "fuzzy"}
