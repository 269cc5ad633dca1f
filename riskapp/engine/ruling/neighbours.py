"""Why not better? The nearest other rules, and what each would cost or gain."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from riskapp.engine.plain_json import in_words
from riskapp.engine.rule_ids import full_domain_id
from riskapp.engine.ruling.columns import of_people, risk_that_counts
from riskapp.engine.standing import Listed, standing

Node = Mapping[str, int]


def neighbours(
    result_rules: Mapping[str, Listed] | Iterable[Listed],
    node: Node,
    rule: Listed | None = None,
    *,
    limits: Mapping[str, Any],
) -> dict[str, Any]:
    """The full-domain rules with one step less, and one more, in each attribute.

    Parameters
    ----------
    result_rules : the listed rules, or a mapping from a rule's name to the rule, of which only the few are asked
    node : the levels of the rule by attribute, as it is listed
    rule : where it is of another family and yet has one level for everybody
    limits : of the assessment, as its file names them

    Returns
    -------
    dict
        `rule`, and `finer` and `coarser`: for each attribute that has such a step the rule, its figures, and their
        `change` against the rule itself; `limits` says how it stands to them. Figures about people are the worst of
        any attacker. A change from ∞ to ∞ is 0. Rules that are not listed are left out.

    Raises
    ------
    KeyError
        If the rule itself is not listed.
    """
    wanted = {way: dict(_steps(node, step)) for way, step in (("finer", -1), ("coarser", 1))}
    known = _lookup(result_rules, {_id(node), *wanted["finer"], *wanted["coarser"]})
    itself = rule or known[_id(node)]
    told: dict[str, Any] = {"rule": itself["id"]}
    for way, names in wanted.items():
        there = [(name, attribute) for name, attribute in names.items() if known.get(name) is not None]
        told[way] = [_step(known[name], attribute, node, itself, limits) for name, attribute in there]
    words: dict[str, Any] = in_words(told)
    return words


def beside(rule: Listed, finer: Listed | None, coarser: Listed | None, *, limits: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a rule with different levels for different records, which has no step less or more.

    Parameters
    ----------
    finer, coarser : the next rules on the frontier with more and with less detail, where there are any
    limits : of the assessment, as its file names them
    """
    others = {"finer": [finer] if finer else [], "coarser": [coarser] if coarser else []}
    told = {way: [_told(other, rule, limits) for other in found] for way, found in others.items()}
    words: dict[str, Any] = in_words({"rule": rule["id"], **told})
    return words


def _id(node: Node) -> str:
    return full_domain_id(list(node.values()))


def _steps(node: Node, step: int) -> Iterable[tuple[str, str]]:
    """The names of the rules one step away, each with the attribute that it differs in."""
    return (
        (_id({**node, attribute: level + step}), attribute) for attribute, level in node.items() if level + step >= 0
    )


def _lookup(rules: Mapping[str, Listed] | Iterable[Listed], wanted: set[str]) -> dict[str, Listed]:
    if isinstance(rules, Mapping):
        found = {name: rules.get(name) for name in wanted}
        return {name: rule for name, rule in found.items() if rule is not None}
    return {rule["id"]: rule for rule in rules if rule["id"] in wanted}


def _step(rule: Listed, attribute: str, node: Node, itself: Listed, limits: Mapping[str, Any]) -> dict[str, Any]:
    step = {"attribute": attribute, "from": node[attribute], "to": rule["node"][attribute]}
    return step | _told(rule, itself, limits)


def _told(rule: Listed, itself: Listed, limits: Mapping[str, Any]) -> dict[str, Any]:
    figures, own = _figures(rule), _figures(itself)
    return {
        "rule": rule["id"],
        "limits": standing(rule, limits),
        **figures,
        "change": {name: _change(own[name], figures[name]) for name in own},
    }


def _figures(rule: Listed) -> dict[str, float]:
    return {
        "risk": risk_that_counts(rule),
        "expected_found": of_people(rule, "expected_found"),
        "largest_chance": of_people(rule, "largest_chance"),
        "utility": float(rule["utility"]),
        "utility_share": float(rule["utility_share"]),
    }


def _change(before: float, after: float) -> float:
    return 0.0 if math.isinf(before) and before == after else after - before
