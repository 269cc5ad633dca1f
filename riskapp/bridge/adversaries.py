"""Attackers and their tables: what can be asked about them, and the answers.

A question is a mapping that can be frozen and hashed. Its answer holds names of columns, counts and chances; values
come up through `seen_likeness` alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from riskapp.bridge import assessing, documents
from riskapp.bridge.uploads import coded_table
from riskapp.core.errors import RiskappError
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.engine.adversaries import fuzzy
from riskapp.engine.adversaries.below import between
from riskapp.engine.adversaries.coverage import chart
from riskapp.engine.adversaries.described import Described, distinct
from riskapp.engine.adversaries.matching import suggest
from riskapp.engine.adversaries.what_if import Rebuild, what_if
from riskapp.engine.assessment import Built, build, read
from riskapp.engine.assessment.settings import Match
from riskapp.engine.coded import CodedTable
from riskapp.engine.reporting import Report
from riskapp.models import Attribute, ColumnRole, FrozenAssessment, Setup, Upload

Question = Mapping[str, Any]
Figures = dict[str, Any]

EXAMPLE_PAIRS = 4_000_000
"""Examples are looked for while somebody waits, so among so many pairs only."""


# Questions


def matching_question(setup: Setup, register: Upload | None, what: str) -> Figures:
    """Which columns of a table hold which attributes, at which level."""
    return {
        "dataset": documents.table_of(setup.dataset, "the dataset"),
        "register": documents.table_of(register, what),
        "described": [[one.column, hierarchy_of(one)] for one in setup.attributes.all() if one.released],
    }


def likeness_question(setup: Setup, register: Upload | None, column: str, attribute: Attribute, level: str) -> Figures:
    """How many values of a column would match an attribute's by likeness."""
    return {
        "dataset": documents.table_of(setup.dataset, "the dataset"),
        "register": documents.table_of(register, "the attacker"),
        "column": column,
        "described": [attribute.column, hierarchy_of(attribute)],
        "level": level,
    }


def hierarchy_of(attribute: Attribute) -> Any:
    """The hierarchy that counts for an attribute: one that is kept as it is has none."""
    return attribute.hierarchy if attribute.role == ColumnRole.GENERALISED else None


# Answers


def matched(question: Question, project: UUID, report: Report) -> Figures:
    """What is suggested for each column of a table, and the names of the levels that one can choose."""
    dataset, register = _opened(question["dataset"], project), _opened(question["register"], project)
    described = [Described(name, hierarchy) for name, hierarchy in question["described"]]
    report(0, 2, "looking at the levels")
    levels = {one.name: _levels(one, dataset) for one in described}
    report(1, 2, "comparing names and contents")
    return suggest(dataset, described, register).facts() | {"levels": levels}


def _levels(described: Described, dataset: CodedTable) -> list[str]:
    """The names of the levels below the top; of a hierarchy that is impossible so far, the values themselves."""
    values = distinct(dataset, described.name, f"attributes.{described.name}")
    try:
        hierarchy = described.over(values)
    except RiskappError:
        return ["value"]
    return list(hierarchy.names[: hierarchy.height])


def likeness(question: Question, project: UUID, report: Report) -> Figures:
    """How many values match exactly, by likeness and not at all, for each threshold."""
    report(0, 1, "comparing values")
    dataset, register = _opened(question["dataset"], project), _opened(question["register"], project)
    described = Described(*question["described"])
    return fuzzy.counts(dataset, described, register, question["column"], level=question["level"]).facts()


@contextmanager
def _built(question: Question, project: UUID, report: Report) -> Iterator[tuple[Built, Rebuild]]:
    """The set-up that a question is about, and how to build it with a change, inside the `with` block."""
    document = FrozenAssessment.objects.get(pk=question["assessment"]).document
    with TemporaryDirectory(prefix="riskapp-") as folder:
        rebuild = partial(build, report=report, known=assessing.known(document, project))
        yield rebuild(read(assessing.write(document, project, Path(folder)))), rebuild


def coverage(question: Question, project: UUID, report: Report) -> Figures:
    """How many records fit how many people of an attacker's table."""
    with _built(question, project, report) as (built, _):
        report(0, 1, "counting the people whom each record fits")
        return chart(built.problem, question["attacker"]).facts()


def what_ifs(question: Question, project: UUID, report: Report) -> Figures:
    """The change in the figures about people for each column that the attacker could also know."""
    asked = question["more"]
    with _built(question, project, report) as (built, rebuild):
        nodes, found = some_nodes(built.problem), []
        for place, more in enumerate(asked):
            report(place, len(asked), f"counting with {more['attribute']}")
            known, likeness = Match(more["column"], more["attribute"], more["level"]), more.get("likeness", "")
            change = what_if(built, question["attacker"], known, nodes, likeness=likeness, rebuild=rebuild)
            found.append(change.facts() | {"more": more})
        return {"each": found}


def some_nodes(problem: Problem) -> dict[str, Node]:
    """Two rules between the ends: every column one level coarser, and half-way up its hierarchy."""
    heights = problem.lattice.heights
    one_up, half_way = tuple(min(1, height) for height in heights), tuple((height + 1) // 2 for height in heights)
    return {"one-up": one_up} if one_up == half_way else {"one-up": one_up, "half-way": half_way}


def compared(question: Question, project: UUID, report: Report) -> Figures:
    """For every two attackers, whether the figures of the one bound those of the other."""
    with _built(question, project, report) as (built, _):
        names = [dictionary.name for dictionary in built.problem.dictionaries]
        pairs = list(permutations(names, 2))
        found = []
        for place, (smaller, larger) in enumerate(pairs):
            report(place, len(pairs), "comparing the attackers' tables")
            found.append(between(built.problem, smaller, larger).facts())
        return {"pairs": found}


def _opened(about: Mapping[str, Any], project: UUID) -> CodedTable:
    return assessing.read_before(about, project).table


ANSWERS: dict[str, Callable[[Question, UUID, Report], Figures]] = {
    "matching": matched,
    "likeness": likeness,
    "coverage": coverage,
    "what-if": what_ifs,
    "compare": compared,
}


# Values


def seen_likeness(
    dataset: Upload, register: Upload, column: str, attribute: Attribute, level: str, threshold: str
) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Pairs of values that a threshold just matches and just does not: values of people, for an audited click."""
    described = Described(attribute.column, hierarchy_of(attribute))
    seen = fuzzy.seen_examples(
        coded_table(dataset), described, coded_table(register), column, threshold, level=level, pairs=EXAMPLE_PAIRS
    )
    return {"matched": _plain(seen.matched), "below": _plain(seen.below)}


def _plain(pairs: Iterable[fuzzy.Pair]) -> list[Mapping[str, Any]]:
    return [asdict(pair) for pair in pairs]
