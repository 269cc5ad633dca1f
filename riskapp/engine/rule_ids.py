"""The names of rules: a family, and within it the rule. For full-domain rules that is the node, `full-domain:1.0.2`."""

from collections.abc import Sequence

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.problem import Problem

FULL_DOMAIN = "full-domain"


def full_domain_id(levels: Sequence[int]) -> str:
    """The name of the rule that takes everybody to one node, given by the levels that are chosen.

    >>> full_domain_id((1, 0, 2))
    'full-domain:1.0.2'
    """
    return f"{FULL_DOMAIN}:{'.'.join(map(str, levels))}"


def full_domain_ids(problem: Problem) -> list[str]:
    """The names of all nodes, in the order of the lattice."""
    return [full_domain_id(problem.chosen(node)) for node in problem.lattice]


def node_of(name: str, problem: Problem) -> Node:
    """The node of a full-domain rule, with level 0 for the attributes that are kept.

    Raises
    ------
    BadSetting
        If there is no such rule.
    """
    family, _, text = name.partition(":")
    levels = tuple(int(word) if word.isascii() and word.isdecimal() else -1 for word in text.split(".") if text)
    heights = problem.chosen(problem.lattice.heights)
    if family != FULL_DOMAIN or levels not in Lattice(heights) or full_domain_id(levels) != name:
        least, most = full_domain_id([0] * len(heights)), full_domain_id(heights)
        raise BadSetting("--release", f"There is no such rule. There are those from {least} to {most}.")
    chosen = dict(zip(problem.generalised, levels, strict=True))
    return tuple(chosen.get(place, 0) for place in range(len(problem.columns)))
