"""What the searches answer, as results list it: rules with their figures, and what could not be found.

The tables themselves are not held: hundreds of rules of millions of records would not fit. A rule that is to be
released is searched for with its name, and then its table is at hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from riskapp.core.evaluation import Evaluation
from riskapp.core.search.anytime import NoneFound
from riskapp.core.search.candidate import Candidate, Tag
from riskapp.core.search.unmet import NotMet, Unmet
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.engine.plain_json import in_words
from riskapp.engine.rule_ids import FULL_DOMAIN, full_domain_id

NO_EXACT_FRONTIER = "It is drawn when per-record rules are among the families searched."


@dataclass(frozen=True, eq=False)
class Measured:
    """One rule.

    Attributes
    ----------
    id, family : its name, and the search it comes from
    evaluation : its figures
    node : the level of every attribute where all records that are released have the same; else None
    number : how the figures were got
    closed : whether there is nothing to gain by replaying it
    told : what else the search says, ready for JSON
    """

    id: str
    family: str
    evaluation: Evaluation
    node: Node | None = None
    number: Tag = field(default_factory=Tag)
    closed: bool = True
    told: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Candidate) -> "Measured":
        """A candidate without its table."""
        closed, told = found.rule is None, in_words(found.told)
        return cls(found.id, found.family, found.evaluation, found.node, found.number, closed, told)


@dataclass(frozen=True, eq=False)
class EveryNode(Sequence[Measured]):
    """All full-domain rules, in the order of the lattice.

    Parameters
    ----------
    problem : whose rules they are
    evaluations : the figures of every node
    """

    problem: Problem
    evaluations: Sequence[Evaluation]

    def __post_init__(self) -> None:
        if len(self.evaluations) != self.problem.lattice.size:
            raise ValueError("Every node of the lattice has its figures.")

    def __len__(self) -> int:
        return len(self.evaluations)

    @overload
    def __getitem__(self, place: int) -> Measured: ...
    @overload
    def __getitem__(self, place: slice) -> list[Measured]: ...
    def __getitem__(self, place: int | slice) -> Measured | list[Measured]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        node = self.problem.lattice.node(range(len(self))[place])
        return Measured(full_domain_id(self.problem.chosen(node)), FULL_DOMAIN, self.evaluations[place], node)


def at_node(problem: Problem, node: Node, evaluation: Evaluation) -> Candidate:
    """A full-domain rule with its table."""
    name = full_domain_id(problem.chosen(node))
    return Candidate(name, FULL_DOMAIN, Released.at(problem.records, node), evaluation, node=node)


@dataclass(frozen=True, eq=False)
class Answers:
    """What one search answered.

    Attributes
    ----------
    rules : that it found
    not_found : what it could not find, as RESULT.json tells it
    frontier : the points of the exact frontier; None where there is none
    reason : why there is none
    notes : what is to be said about the list of rules, each a sentence
    """

    rules: Sequence[Measured] = ()
    not_found: Sequence[Mapping[str, Any]] = ()
    frontier: Sequence[Mapping[str, Any]] | None = None
    reason: str = NO_EXACT_FRONTIER
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, found: Sequence[Candidate | Unmet | NotMet], problem: Problem) -> "Answers":
        """What a family found, without the tables."""
        rules = [Measured.of(one) for one in found if isinstance(one, Candidate)]
        return cls(rules, [missed(one, problem) for one in found if not isinstance(one, Candidate)])


def missed(found: Unmet | NotMet, problem: Problem) -> dict[str, Any]:
    """Why there is no such rule, and what could be had instead."""
    if isinstance(found, NotMet):
        near = {} if found.nearest is None else {"setting": _setting(found.missed[0]), "value": found.nearest}
        certain = "" if found.proved else "; a heuristic has not found one, which is no proof"
        return _told("per-record", found.id, f"{found}{certain}.", near)
    nearest: dict[str, Any] = {}
    if found.reachable is not None:
        nearest |= {"setting": found.missed, "value": found.reachable}
    if found.nearest is not None:
        nearest["node"] = named(problem, found.nearest)
    return _told(found.family, found.id, str(found), nearest)


def none_found(found: NoneFound, problem: Problem) -> dict[str, Any]:
    """That a search was over before it found a full-domain rule that will do, and what comes nearest."""
    why = "full-domain: no rule that will do was found in search.seconds, which is no proof that there is none."
    node = found.nearest.node
    return {"family": FULL_DOMAIN, "id": None, "why": why, "nearest": node and {"node": named(problem, node)}}


def _setting(missed: str) -> str:
    return "search.limits.largest_chance" if missed == "largest_chance" else f"search.{missed}"


def _told(family: str, name: str, why: str, nearest: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = in_words({"family": family, "id": name, "why": why, "nearest": nearest or None})
    return told


def named(problem: Problem, node: Node) -> dict[str, int]:
    """The levels of a node by the names of the attributes that have a level to choose."""
    return {problem.names[place]: node[place] for place in problem.generalised}
