"""The key `search`: which rules are tried, by which methods, and what is asked of them."""

from collections.abc import Mapping
from typing import Any

from riskapp.core.optimum import QUESTIONS, Question
from riskapp.core.table.limits import L_KINDS, Limits, ShareAbove
from riskapp.engine.assessment.given import Given
from riskapp.engine.assessment.read_dictionaries import target
from riskapp.engine.assessment.settings import Aggregate, Approximate, AttributeKey, Regions, SearchKey, Split

RULES = ("full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian")
METHODS = ("exhaustive", "btda", "aruba", "branch-and-bound", "genetic", "aggregate", "approximate", "milp")
ASKED = (*QUESTIONS, "aggregate")
KEYS = ("rules", "methods", *ASKED, "per_record", "limits", "require", "regions", "k", "suppression_limit")
REST = ("approximate", "seconds", "seed")
LIMITS = ("largest_chance", "smallest_group", "share_above", "inference")

Attributes = Mapping[str, AttributeKey]
Keys = Mapping[str, Given]


def read_search(given: Given, attributes: Attributes) -> SearchKey:
    """The search.

    Raises
    ------
    BadSetting
        If two questions are asked at once, or a value is impossible.
    """
    keys = given.keys(*KEYS, *REST)
    asked = [key for key in ASKED if key in keys]
    if len(asked) > 1:
        raise given.wrong(f"Ask one question, not {' and '.join(asked)} at once.")
    questions = {key: keys[key].number() for key in asked if key != "aggregate"}
    return SearchKey(
        rules=keys["rules"].distinct(lambda item: item.choice(*RULES)) if "rules" in keys else ("full-domain",),
        methods=keys["methods"].distinct(lambda item: item.choice(*METHODS)) if "methods" in keys else ("exhaustive",),
        question=Question.asked(**questions),
        aggregate=_aggregate(keys["aggregate"]) if "aggregate" in keys else None,
        per_record="per_record" in keys and keys["per_record"].flag(),
        limits=_limits(keys, attributes),
        regions=_regions(keys["regions"], attributes) if "regions" in keys else None,
        **_spending(keys),
    )


def _spending(keys: Keys) -> dict[str, Any]:
    """The keys that say how large, how many, how long."""
    found: dict[str, Any] = {}
    if "k" in keys:
        found["k"] = tuple(map(int, keys["k"].distinct(lambda item: str(item.whole(1)))))
    if "suppression_limit" in keys:
        found["suppression_limit"] = keys["suppression_limit"].share()
    if "approximate" in keys:
        inner = keys["approximate"].keys("epsilon", "sigma1", "sigma2")
        found["approximate"] = Approximate(**{key: number.above_zero() for key, number in inner.items()})
    if "seconds" in keys:
        found["seconds"] = keys["seconds"].above_zero()
    if "seed" in keys:
        found["seed"] = keys["seed"].whole(0)
    return found


def _aggregate(given: Given) -> Aggregate:
    keys = given.keys("lambda", "kappa")
    return Aggregate(
        lambda_=keys["lambda"].amount(finite=True) if "lambda" in keys else 1.0,
        kappa=keys["kappa"].amount(finite=True) if "kappa" in keys else 1.0,
    )


def _limits(keys: Keys, attributes: Attributes) -> Limits:
    """The limits and the requirements, which are limits for sensitive columns."""
    limits = keys["limits"].keys(*LIMITS) if "limits" in keys else {}
    require = keys["require"].keys("l", "t") if "require" in keys else {}
    if require and not any(attribute.sensitive for attribute in attributes.values()):
        raise keys["require"].wrong("No column is sensitive. Say sensitive: true where this is required.")
    kinds = require["l"].keys(*L_KINDS, "recursive") if "l" in require else {}
    return Limits(
        largest_chance=limits["largest_chance"].share() if "largest_chance" in limits else None,
        smallest_group=limits["smallest_group"].whole(1) if "smallest_group" in limits else None,
        share_above=_share_above(limits["share_above"]) if "share_above" in limits else None,
        inference=limits["inference"].share() if "inference" in limits else None,
        l={kind: inner.amount(finite=True) for kind, inner in kinds.items() if kind != "recursive"},
        recursive=_recursive(kinds["recursive"]) if "recursive" in kinds else None,
        t=require["t"].share() if "t" in require else None,
    )


def _share_above(given: Given) -> ShareAbove:
    keys = given.keys("chance", "share", needed=("chance", "share"))
    return ShareAbove(keys["chance"].share(), keys["share"].share())


def _recursive(given: Given) -> tuple[float, int]:
    items = given.items()
    if len(items) != 2:
        raise given.wrong("Give c and l, a list of two numbers.")
    return items[0].above_zero(), items[1].whole(1)


def _regions(given: Given, attributes: Attributes) -> Regions:
    if isinstance(given.tree, dict):
        return Regions(auto=given.keys("auto", needed=("auto",))["auto"].whole(1))
    splits = tuple(_split(item, attributes) for item in given.items())
    if not splits:
        raise given.wrong("The list is empty. Name at least one attribute@level.")
    return Regions(splits)


def _split(given: Given, attributes: Attributes) -> Split:
    attribute, level = target(given, attributes)
    if attributes[attribute].kept or given.name() == attribute:
        raise given.wrong("Name an attribute that has a hierarchy and one of its levels, as attribute@level.")
    return Split(attribute, level)
