"""What if the attacker also knew one column more: the figures about people before and after.

An attacker with the dataset itself may know any column that is released. A register may know one that it has: then its
match with the attribute is added, and the problem is built again, because the hierarchy grows over the new values too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.evaluation import People
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.identification import Identification
from riskapp.core.table.lattice import Node
from riskapp.core.table.people import people
from riskapp.core.table.problem import Problem
from riskapp.engine.adversaries.coverage import dictionary_named
from riskapp.engine.assessment import Assessment, Built, build
from riskapp.engine.assessment.settings import DictionaryKey, FileKey, Match, SelfKey

Rebuild = Callable[[Assessment], Built]
UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Figures:
    """People in the dataset whom an attacker finds; `uncovered` fit nobody in the dictionary."""

    expected_found: float
    singled_out: int
    largest_chance: float
    uncovered: int

    @classmethod
    def of(cls, found: People) -> "Figures":
        return cls(found.expected_found, found.singled_out, found.largest_chance, found.uncovered)


@dataclass(frozen=True)
class Change:
    """The figures of one released table before and after."""

    before: Figures
    after: Figures


@dataclass(frozen=True)
class WhatIf:
    """One attacker, what it would also know, and the change in every released table that was asked about."""

    attacker: str
    attribute: str
    people: int
    changes: Mapping[str, Change]

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def what_if(
    built: Built,
    attacker: str,
    more: Match,
    nodes: Mapping[str, Node] | None = None,
    *,
    likeness: str = "",
    rebuild: Rebuild = build,
) -> WhatIf:
    """The change in the figures when an attacker also knows an attribute.

    Parameters
    ----------
    built : the assessment as it is
    attacker : the name of its dictionary
    more : the attribute; and for a register the column that holds it and the level
    nodes : by any name the nodes of rules to look at, beside the table as it is
    likeness : how alike the spellings in a register's column must be; "" where they must be the same
    rebuild : builds a changed assessment; only registers need it

    Raises
    ------
    BadSetting
        If there is no such attacker, the attribute is not released, or the attacker knows it already.
    ValueError
        If a node is not in the lattice.
    """
    assessment = knowing(built.assessment, attacker, more, likeness)
    before = built.problem
    if isinstance(_key(built.assessment, attacker), SelfKey):
        after, larger = before, _itself(before, attacker, more.attribute)
    else:
        after = rebuild(assessment).problem
        larger = dictionary_named(after, attacker)
    asked = {UNCHANGED: before.lattice.bottom, **(nodes or {})}
    first = _figures(before, dictionary_named(before, attacker), asked)
    then = _figures(after, larger, asked)
    changes = {name: Change(first[name], then[name]) for name in asked}
    return WhatIf(attacker, more.attribute, before.persons, changes)


def each(built: Built, attacker: str, nodes: Mapping[str, Node] | None = None) -> list[WhatIf]:
    """For an attacker with the dataset itself, what each released column that it does not know yet would add.

    Raises
    ------
    BadSetting
        If there is no such attacker.
    """
    key = _key(built.assessment, attacker)
    known = key.knows if isinstance(key, SelfKey) else built.names
    return [what_if(built, attacker, Match(name, name), nodes) for name in built.names if name not in known]


def knowing(assessment: Assessment, attacker: str, more: Match, likeness: str = "") -> Assessment:
    """The assessment in which an attacker also knows an attribute, exactly or by likeness.

    Raises
    ------
    BadSetting
        If there is no such attacker, the attribute is not released, or the attacker knows it already.
    """
    key = _key(assessment, attacker)
    if more.attribute not in assessment.names:
        raise BadSetting(key.key, "This column is not released, so knowing it gives nothing. Choose another.")
    used = [match.column for match in key.match] if isinstance(key, FileKey) else []
    if more.attribute in _known(key) or more.column in used:
        raise BadSetting(key.key, "The attacker knows this column already. Choose another.")
    return replace(
        assessment,
        dictionaries=tuple(_more(one, more, likeness) if one is key else one for one in assessment.dictionaries),
    )


def _key(assessment: Assessment, attacker: str) -> DictionaryKey:
    for key in assessment.dictionaries:
        if key.name == attacker:
            return key
    raise BadSetting("dictionaries", "There is no attacker of that name. Choose one of the list.")


def _known(key: DictionaryKey) -> Sequence[str]:
    return key.knows if isinstance(key, SelfKey) else [match.attribute for match in key.match]


def _more(key: DictionaryKey, more: Match, likeness: str) -> SelfKey | FileKey:
    if isinstance(key, SelfKey):
        return replace(key, knows=(*key.knows, more.attribute))
    fuzzy = {**key.fuzzy, more.column: likeness} if likeness else key.fuzzy
    return replace(key, match=(*key.match, more), fuzzy=fuzzy)


def _itself(problem: Problem, attacker: str, attribute: str) -> Dictionary:
    places = [*dictionary_named(problem, attacker).places, problem.names.index(attribute)]
    return Dictionary.itself(attacker, problem.records.columns, places, people=problem.people)


def _figures(problem: Problem, dictionary: Dictionary, nodes: Mapping[str, Node]) -> dict[str, Figures]:
    for node in nodes.values():
        problem.sensitivity.check(node)
    counting = Identification(dictionary, problem.records.columns)
    return {
        name: Figures.of(people(counting.at(node), problem.people, problem.loss, dictionary.everybody))
        for name, node in nodes.items()
    }
