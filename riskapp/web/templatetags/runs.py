"""What a run and its result say, in words: kinds of rules, progress, forecasts, limits that are missed."""

import re
from datetime import timedelta
from typing import Any

from django import template

from riskapp.web.costs import at_most
from riskapp.web.templatetags.words import count, lasting, lasting_left

register = template.Library()

KINDS = {
    "full-domain": "whole-table rules",
    "regional": "rules by region",
    "per-record": "record by record",
    "random-k": "random k-anonymity",
    "mondrian": "Mondrian",
}
METHODS = {
    "exhaustive": "exhaustive search",
    "btda": "BTDA",
    "aruba": "ARUBA",
    "branch-and-bound": "branch and bound",
    "genetic": "genetic search",
    "approximate": "approximate search",
    "milp": "integer programming",
    "aggregate": "the aggregate search",
}
"""How a rule is chosen for every record; `static/js/frontier/words.js` says the same."""


@register.filter
def kind_of_rule(family: str) -> str:
    """A family of rules as the pages call it."""
    return KINDS.get(family, family)


PART = re.compile(
    r"Measuring rules: (?P<what>[^(;]+?)(?: \((?P<part>\d+ of \d+)\))?(?:; best so far: .+? with (?P<best>.*))?"
)


@register.filter
def part_words(words: str) -> str:
    """What a run is at, with the kinds of rules as the pages call them.

    >>> part_words("Measuring rules: regional (2 of 6); best so far: full-domain:0.1 with risk 0.1 and utility 4")
    'Part 2 of 6: rules by region. Best so far: risk 0.1 and utility 4'
    >>> part_words("Measuring rules: full-domain (1 of 8); best so far: a rule with risk 0.1 and utility 4")
    'Part 1 of 8: whole-table rules. Best so far: risk 0.1 and utility 4'
    >>> part_words("Measuring rules: mondrian:5 (3 of 3)"), part_words("starting")
    ('Part 3 of 3: Mondrian with k = 5', 'Starting')
    >>> part_words("Measuring rules: per-record by exhaustive")
    'Measuring record by record, by exhaustive search'
    """
    found = PART.fullmatch(words)
    if found is None:
        return f"{words[:1].upper()}{words[1:]}"
    part = f"Part {found['part']}: " if found["part"] else "Measuring "
    return f"{part}{_searched(found['what'])}{'. Best so far: ' + found['best'] if found['best'] else ''}"


@register.filter
def left_words(run: Any) -> str:
    """How far a run is and the time that is left, of the part at work where there are several."""
    if run.all_done:
        return f"All {_many(run.total)} done; what came of it is being put together"
    told, found = lasting_left(run.time_left()), PART.fullmatch(run.words)
    left = f"{told} in this part" if told and found and found["part"] else told
    return ", ".join(words for words in (_steps(run), left) if words)


def _steps(run: Any) -> str:
    return f"{count(run.done)} of {_many(run.total)}" if run.total else ""


def _many(steps: int) -> str:
    return "1 step" if steps == 1 else f"{count(steps)} steps"


def _searched(what: str) -> str:
    if what.startswith("per-record by "):
        method = what.removeprefix("per-record by ")
        return f"record by record, by {METHODS.get(method, method)}"
    family, _, k = what.partition(":")
    exact = {"exact frontier": "record by record, the best possible", "both ends": "everything and nothing released"}
    return exact.get(what, kind_of_rule(family)) + (f" with k = {k}" if k else "")


@register.filter
def by_family(forecast: dict[str, Any]) -> list[tuple[str, timedelta]]:
    """The most that each family takes, in words.

    >>> [words for words, _ in by_family({"seconds": 4, "regional": 100})][:2]
    ['whole-table rules', 'rules by region']
    """
    return [(kind_of_rule(family), whole_second(seconds)) for family, seconds in at_most(forecast).items()]


@register.filter
def whole_second(seconds: float) -> timedelta:
    """A length of time, told as a second at least."""
    return timedelta(seconds=max(1, seconds))


@register.filter
def from_to(forecast: dict[str, Any]) -> str:
    """A range of time.

    >>> from_to({"seconds": 0.2, "at_most": 0.4}), from_to({"seconds": 40, "at_most": 200})
    ('under 1 s', '40 s to 3 min 20 s')

    Where nobody knows the least:

    >>> from_to({"seconds": 0, "at_most": 40})
    'up to 40 s'
    """
    least, most = forecast["seconds"], forecast.get("at_most") or forecast["seconds"]
    if most < 1:
        return "under 1 s"
    if not least:
        return f"up to {lasting(timedelta(seconds=most))}"
    first, last = (lasting(timedelta(seconds=max(1, number))) for number in (least, most))
    return first if first == last else f"{first} to {last}"


@register.filter
def flat(told: Any, path: str = "") -> list[tuple[str, str]]:
    """Everything in a mapping, however deep, as its path and its value in words; lists of words stand in one line."""
    if isinstance(told, dict) and told:
        return [row for key, inner in told.items() for row in flat(inner, f"{path} › {key}" if path else str(key))]
    if isinstance(told, list) and any(isinstance(inner, dict) for inner in told):
        return [row for place, inner in enumerate(told, start=1) for row in flat(inner, f"{path} › {place}")]
    if isinstance(told, list):
        return [(path, ", ".join(_told(inner) for inner in told))]
    return [(path, _told(told))]


def _told(value: Any) -> str:
    words = {True: "yes", False: "no", None: "none"}
    if isinstance(value, bool) or value is None:
        return words[value]
    return {"inf": "never", "": "(empty)", "{}": "as usual"}.get(str(value), str(value))


MISSED = {
    "largest_chance": "the largest chance for one person",
    "smallest_group": "the smallest group",
    "share_above": "the share of people above a chance",
    "inference": "the largest gain in belief",
    "least_utility": "the detail to keep",
    "most_risk": "the largest risk",
    "search.suppression_limit": "the share of rows that may be withheld",
    "search.seconds": "the seconds allowed",
    "search.require.l.distinct": "l (distinct)",
    "search.require.l.probabilistic": "l (probabilistic)",
    "search.require.l.entropy": "l (entropy)",
    "search.require.l": "l",
    "search.require.t": "t",
    "search.k": "k",
}
A_SETTING = re.compile(rf"\b(?:search\.(?:limits\.)?)?({'|'.join(map(re.escape, MISSED))})\b")
MANY_DIGITS = re.compile(r"(?<![\d.])\d{5,}(?!\d|\.\d)")


@register.filter
def limits_in_words(told: str) -> str:
    """A sentence of the result in which settings are named, with their names as the pages have them.

    >>> limits_in_words("The nearest misses: least_utility.")
    'The nearest misses: the detail to keep.'
    >>> limits_in_words("Only 3 of 12345 full-domain rules are listed: search.seconds were not enough.")
    'Only 3 of 12\u202f345 whole-table rules are listed: the seconds allowed were not enough.'
    >>> limits_in_words("search.k would have to be 4.")
    'k would have to be 4.'
    >>> limits_in_words("search.require.l.distinct would have to be 2.")
    'l (distinct) would have to be 2.'
    """
    told = A_SETTING.sub(lambda found: MISSED[found[1]], told).replace("full-domain rules", "whole-table rules")
    return MANY_DIGITS.sub(lambda found: count(int(found[0])), told)
