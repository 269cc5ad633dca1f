"""The attacker who knows the rule, runs it on the dictionary, and keeps the entries that give the published row."""

import itertools
import math
from collections.abc import Callable, Iterator

from tests.oracle.consistency import Cells, comparable_cells, consistent_entries
from tests.oracle.hierarchies import Cell
from tests.oracle.problem import Attribute, Dictionary, Entry, Problem, Values, counted
from tests.oracle.release import Node, Released, Shown, release_record
from tests.oracle.risk import Count

# What a rule may release of a record with these values: one row, or several where the rule is known from a table in
# which equal records were released differently.
Rule = Callable[[Values], set[Shown]]

MOST_COMPLETIONS = 10**6


class NotDone(Exception):
    """There are too many completions to run the rule on all of them."""


def full_domain_rule(problem: Problem, node: Node) -> Rule:
    """The rule that releases everybody at one node."""
    return lambda values: {release_record(problem, values, node).shown}


def table_rule(problem: Problem, rows: list[Released]) -> Rule:
    """The rule known only from its table: what a record of the table with these values received, else nothing."""
    received: dict[tuple[str | None, ...], set[Shown]] = {}
    for record, row in zip(problem.records, rows, strict=True):
        received.setdefault(tuple(record.values[name] for name in problem.attributes), set()).add(row.shown)
    return lambda values: received.get(tuple(values[name] for name in problem.attributes), set())


def occurring(problem: Problem, name: str) -> set[str | None]:
    """The values of an attribute that occur in the dataset, missing among them."""
    return {record.values[name] for record in problem.records}


def under(attribute: Attribute, cell: Cell, seen: set[str | None]) -> set[str | None]:
    """The leaves that a known cell may stand for: itself, else those that occur under it, else any one under it."""
    if cell[0] == 0:
        return {cell[1]}
    hierarchy = attribute.hierarchy
    leaves = {leaf for leaf in seen if leaf is not None and comparable_cells(hierarchy, (0, leaf), cell)}
    return set(leaves) or {hierarchy.some_leaf(*cell)}


def completions_of(problem: Problem, entry: Entry, name: str) -> set[str | None]:
    """What an entry's attribute may be in the dataset.

    Unknown: every value that occurs. Known: the value, the leaves under it, or the leaves it resembles; and missing,
    where the dataset has missing values.
    """
    seen = occurring(problem, name)
    if name not in entry.known and name not in entry.fuzzy:
        return seen
    attribute = problem.attributes[name]
    cells = entry.fuzzy.get(name) if name in entry.fuzzy else [entry.known[name]]
    found = set().union(*(under(attribute, cell, seen) for cell in cells or []))
    return found | {None} if None in seen else found


def completions(problem: Problem, entry: Entry) -> Iterator[Values]:
    """Every record that an entry could be in the dataset."""
    choices = [completions_of(problem, entry, name) for name in problem.attributes]
    if math.prod(len(choice) for choice in choices) > MOST_COMPLETIONS:
        raise NotDone
    for values in itertools.product(*choices):
        yield dict(zip(problem.attributes, values, strict=True))


def would_give(problem: Problem, rule: Rule, entry: Entry, shown: Shown) -> bool:
    """Whether the rule releases this row for some completion of the entry."""
    return any(shown in rule(values) for values in completions(problem, entry))


def replayed_entries(
    problem: Problem, dictionary: Dictionary, row: Released, rule: Rule, cells: Cells | None = None
) -> list[Entry]:
    """ρ_replay(y): the consistent entries for which the rule would have released this very row."""
    consistent = consistent_entries(problem.attributes, dictionary, cells or row.cells)
    return [entry for entry in consistent if would_give(problem, rule, entry, row.shown)]


def by_replay(problem: Problem, rule: Rule) -> Count:
    """The count of ρ_replay, to be used wherever that of ρ is."""
    return lambda dictionary, row, cells: counted(replayed_entries(problem, dictionary, row, rule, cells))


def closed(problem: Problem, dictionary: Dictionary, rows: list[Released], rule: Rule) -> bool:
    """A rule is closed when every entry consistent with a released row would itself have received that row."""
    return all(
        would_give(problem, rule, entry, row.shown)
        for row in rows
        for entry in consistent_entries(problem.attributes, dictionary, row.cells)
    )
