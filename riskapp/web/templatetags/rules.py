"""Figures of rules: rounded for the eye, with all their digits in the element."""

import math
from collections.abc import Callable
from typing import Any

from django import template
from django.utils.html import format_html

from riskapp.engine import standing
from riskapp.web import charts
from riskapp.web.rule_words import short, shown_in_words
from riskapp.web.templatetags.runs import kind_of_rule, limits_in_words
from riskapp.web.templatetags.words import count, share, to_digits, to_places

register = template.Library()
DUST, SMALL = 1e-12, 1e-4


def figure_words(value: Any) -> str:
    """Three significant digits, as `static/js/frontier/numbers.js` writes them.

    >>> figure_words(0.0324357), figure_words("inf"), figure_words(17.778), figure_words(0), figure_words(3.2e-9)
    ('0.0324', 'infinite', '17.8', '0', '3.2e-09')

    What adding up leaves of nothing is nothing, and what is below it has a minus sign, as in the report:

    >>> figure_words(-1.1e-16), figure_words(-260), figure_words(-1234)
    ('0', '−260', '−1\u202f234')
    """
    number = float(value)
    if math.isinf(number):
        return "infinite"
    size = abs(number)
    if size < DUST:
        return "0"
    sign = "−" if number < 0 else ""
    if size >= 1000:
        return f"{sign}{count(int(to_places(size, 0)))}"
    return f"{sign}{to_digits(size, 2 if size < SMALL else 3):g}"


def chance_words(value: Any) -> str:
    """A chance as people say it.

    >>> chance_words(0.5), chance_words(1.0), chance_words(0.0769), chance_words(0)
    ('1 in 2', '1 in 1', '1 in 13', 'none')
    """
    chance = float(value)
    return f"1 in {figure_words(to_places(1 / chance, 1))}" if chance > 0 else "none"


def share_words(value: Any) -> str:
    return share(float(value))


WAYS: dict[str, Callable[[Any], str]] = {
    "figure": figure_words,
    "chance": chance_words,
    "count": count,
    "share": share_words,
}


@register.simple_tag
def number(value: Any, way: str = "figure") -> str:
    """A figure in words of one of the ways, with all its digits as the element's value and title."""
    if value in (None, ""):  # a template's way of saying that there is none
        return format_html('<span class="soft" title="{}">–</span>', "not known")
    return format_html('<data value="{}" title="{}">{}</data>', value, value, WAYS[way](value))


@register.simple_tag
def changed(value: Any, way: str = "figure") -> str:
    """A change, with its sign and all its digits."""
    amount = float(value)
    text = WAYS[way](abs(amount))
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return format_html('<data value="{}" title="{}">{}{}</data>', value, value, sign, text)


@register.filter
def figure(value: Any) -> str:
    return figure_words(value)


@register.filter
def chance(value: Any) -> str:
    return chance_words(value)


@register.filter
def level_phrase(words: dict[str, list[str]], attribute: dict[str, Any]) -> str:
    """What is done to one attribute, where all records have the same level; kept ones are as they are."""
    if attribute["kept"]:
        return "released unchanged"
    return words[attribute["name"]][attribute["level"]] if attribute["level"] is not None else "different levels"


@register.filter
def at(phrases: list[str], level: int) -> str:
    """The phrase of one level."""
    return phrases[level]


@register.filter
def region_words(pattern: dict[str, Any], words: dict[str, list[str]]) -> str:
    """What a region gets."""
    return shown_in_words(pattern["node"], words)


@register.filter
def rule_name(name: str, words: dict[str, list[str]]) -> str:
    """A whole-table rule in words, by its name alone."""
    levels = map(int, name.partition(":")[2].split("."))
    node = dict(zip(words, levels, strict=True))
    return short({"id": name, "family": "full-domain", "node": node}, words)


@register.filter
def not_found_words(missing: dict[str, Any]) -> str:
    """Why a family has no rule that will do.

    >>> why = "full-domain: no rule that will do was found in search.seconds."
    >>> not_found_words({"family": "full-domain", "id": None, "why": why})
    'Whole-table rules: no rule that will do was found in the seconds allowed.'
    >>> why = "k-anonymity:5: no group of so many people can be formed; search.k would have to be 4."
    >>> not_found_words({"family": "k-anonymity", "id": "k-anonymity:5", "why": why})
    'K-anonymity, 5: no group of so many people can be formed; k would have to be 4.'
    """
    family, name = str(missing["family"]), str(missing["id"] or missing["family"])
    kind, which = kind_of_rule(family), name.removeprefix(family).removeprefix(":")
    why = limits_in_words(str(missing["why"]).removeprefix(f"{name}: "))
    return f"{kind[:1].upper()}{kind[1:]}{', ' if which else ''}{which}: {why}"


@register.filter
def entry_words(value: Any) -> str:
    """What an entry says; several labels where it was matched by likeness."""
    return "not known" if value is None else ", or ".join(value) if isinstance(value, list) else str(value)


@register.filter
def quantile(share_of_one: str) -> str:
    """
    >>> quantile("0.5"), quantile("1.0")
    ('50 %', 'all')
    """
    return "all" if share_of_one == "1.0" else f"{float(share_of_one):.0%}".replace("%", " %")


@register.filter
def coordinate(place: float) -> str:
    """A place in a drawing, written the same in every language."""
    return f"{place:.1f}"


@register.filter
def shape_words(shape: dict[str, Any]) -> str:
    """What a level does to a value, by an example that was made up or by how many groups there are.

    >>> shape_words({"kind": "example", "before": "1975-05-10", "after": "1975"})
    '1975-05-10 becomes 1975'
    """
    kind = shape["kind"]
    if kind == "example":
        return f"{shape['before']} becomes {shape['after']}"
    if kind == "groups":
        return f"{count(shape['groups'])} groups"
    return {"unchanged": "nothing is changed", "nothing": "nothing is shown"}[kind]


@register.filter
def attacker_detail(found: Any, name: str) -> dict[str, Any]:
    """What the details of a rule tell about one attacker; nothing while there are none."""
    return dict(found.figures["attackers"][name]) if found.figures else {}


@register.filter
def histogram(attacker: dict[str, Any]) -> charts.Histogram:
    """The losses of an attacker as a drawing."""
    return charts.histogram(attacker["losses"])


@register.filter
def nothing_limited(limits: Any) -> bool:
    """Whether no limit was set for what is proposed."""
    return standing.nothing_limited(limits or {})
