"""The names of rules: a family, and within it the rule.

`full-domain:NODE`, `regional:SPLITS` for the best and `regional:SPLITS:I` for those on the family's frontier,
`per-record:METHOD`, `exact:I`, `k-anonymity:K:NODE`, `random-k:K:I`, `mondrian:K`. A node is written as the levels of
the attributes that have a hierarchy, `1.0.2`.
"""

from collections.abc import Callable, Sequence

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.regions import given_splits
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.problem import Problem
from riskapp.engine.assessment.settings import Regions, SearchKey

FULL_DOMAIN = "full-domain"
CHOSEN_BY_ITSELF = 8
"""Up to so many patterns are chosen when nobody says which regions there are."""


def full_domain_id(levels: Sequence[int]) -> str:
    """The name of the rule that takes everybody to one node, given by the levels that are chosen.

    >>> full_domain_id((1, 0, 2))
    'full-domain:1.0.2'
    """
    return f"{FULL_DOMAIN}:{'.'.join(map(str, levels))}"


def node_of(name: str, problem: Problem) -> Node:
    """The node of a full-domain rule, with level 0 for the attributes that are kept.

    Raises
    ------
    BadSetting
        If there is no such rule.
    """
    family, _, text = name.partition(":")
    levels = _levels(text)
    heights = problem.chosen(problem.lattice.heights)
    if family != FULL_DOMAIN or levels not in Lattice(heights) or full_domain_id(levels) != name:
        least, most = full_domain_id([0] * len(heights)), full_domain_id(heights)
        raise BadSetting("--release", f"There is no such rule. There are those from {least} to {most}.")
    chosen = dict(zip(problem.generalised, levels, strict=True))
    return tuple(chosen.get(place, 0) for place in range(len(problem.columns)))


def check(name: str, problem: Problem, search: SearchKey) -> None:
    """Raise `BadSetting` for a name that no rule of this search can have, before anything is searched."""
    family, _, rest = name.partition(":")
    possible = {
        FULL_DOMAIN: lambda: _is_node(name, problem, search),
        "regional": lambda: _is_regional(name, problem, search),
        "per-record": lambda: rest in search.methods,
        "exact": lambda: _is_number(rest),
        "k-anonymity": lambda: _with_k(rest, search, lambda text: _in_lattice(text, problem)),
        "random-k": lambda: _with_k(rest, search, _is_number),
        "mondrian": lambda: rest in map(str, search.k),
    }
    searched = {*search.rules, FULL_DOMAIN, *(["exact"] if "per-record" in search.rules else [])}
    if family not in searched or not possible[family]():
        raise no_such_rule()


def no_such_rule() -> BadSetting:
    """What is said about a name that no rule has."""
    return BadSetting("--release", "There is no such rule. Take one that the result lists, or a point of its frontier.")


def regions_of(regions: Regions | None) -> int | list[tuple[str, int | str]]:
    """The regions as the search for regional rules takes them."""
    if regions is None:
        return CHOSEN_BY_ITSELF
    return regions.auto or [(split.attribute, split.level) for split in regions.splits]


def _is_node(name: str, problem: Problem, search: SearchKey) -> bool:
    node = node_of(name, problem)
    return FULL_DOMAIN in search.rules or node in ends(problem)


def ends(problem: Problem) -> list[Node]:
    """The table as it is, and nothing of it."""
    return [problem.lattice.node(0), problem.lattice.node(problem.lattice.size - 1)]


def _is_regional(name: str, problem: Problem, search: SearchKey) -> bool:
    wanted = regions_of(search.regions)
    if isinstance(wanted, int):
        whole = f"regional:auto:{wanted}"
    else:
        splits = given_splits(problem, wanted)
        whole = f"regional:{','.join(f'{problem.names[split.place]}@{split.level}' for split in splits)}"
    return name == whole or (name.startswith(f"{whole}:") and _is_number(name.removeprefix(f"{whole}:")))


def _with_k(text: str, search: SearchKey, fits: Callable[[str], bool]) -> bool:
    k, _, rest = text.partition(":")
    return k in map(str, search.k) and fits(rest)


def _in_lattice(text: str, problem: Problem) -> bool:
    levels = _levels(text)
    return levels in Lattice(problem.chosen(problem.lattice.heights)) and ".".join(map(str, levels)) == text


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and str(int(text)) == text


def _levels(text: str) -> Node:
    return tuple(int(word) if word.isascii() and word.isdecimal() else -1 for word in text.split(".") if text)
