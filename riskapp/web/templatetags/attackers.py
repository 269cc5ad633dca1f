"""Figures about attackers in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from riskapp.engine.conditions import ENOUGH
from riskapp.web.forms.attackers import more_key as _more_key
from riskapp.web.templatetags.rules import chance_words
from riskapp.web.templatetags.words import count

register = template.Library()

BANDS = {
    "0": "fit nobody",
    "1": "fit exactly one",
    "2-5": "fit 2 to 5",
    "6-20": "fit 6 to 20",
    ">20": "fit more than 20",
}
ALIKE = {
    "0": "like nobody",
    "1": "like nobody else",
    "2-5": "2 to 5 alike",
    "6-20": "6 to 20 alike",
    ">20": "more than 20",
}
TABLES = {
    "unchanged": "the table unchanged",
    "one-up": "every column one level coarser",
    "half-way": "every column half-way up",
}
FIGURES = {
    "expected_found": "expected found",
    "singled_out": "singled out",
    "largest_chance": "largest chance",
    "uncovered": "fit nobody",
}

more_key = register.filter("more_key", _more_key)


@register.filter
def bands(found: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """The bands of a coverage, each with its words, records and share; who knows the file itself always fits."""
    whole, itself = found["records"] or 1, kind == "self"
    return [
        {"place": place, "words": words, "records": found["bands"][key], "share": found["bands"][key] / whole,
         "percent": 100 * found["bands"][key] / whole}
        for place, (key, words) in enumerate((ALIKE if itself else BANDS).items())
        if found["bands"][key] or key != "0" or not itself
    ]  # fmt: skip


@register.filter
def strip(found: Mapping[str, int], records: int) -> list[dict[str, Any]]:
    """The bands side by side, from 0 to 100."""
    parts, start = [], 0.0
    for place, key in enumerate(BANDS):
        width = 100 * found[key] / (records or 1)
        parts.append({"place": place, "start": f"{start:.3f}", "width": f"{width:.3f}"})
        start += width
    return parts


@register.filter
def match_words(match: str) -> str:
    """`attribute@level` as a person says it."""
    attribute, found, level = match.rpartition("@")
    return f"{attribute}, level {level}" if found else match


@register.filter
def likeness_words(likeness: str) -> str:
    return f"by likeness, at least {likeness}"


@register.filter
def thresholds(found: Iterable[Mapping[str, Any]], least: str) -> list[tuple[str, bool]]:
    """The likenesses that were tried and the one that somebody has in mind, which is marked.

    >>> thresholds([{"threshold": "0.9"}, {"threshold": "1.0"}], "0.93")
    [('0.9', False), ('0.93', True), ('1.0', False)]
    """
    named = {float(one["threshold"]): one["threshold"] for one in found}
    named.setdefault(float(least), least)
    return [(named[number], number == float(least)) for number in sorted(named)]


@register.filter
def changes(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[dict[str, Any]]:
    """The figures about people before and after, a line for each released table."""
    return [
        {"words": words, "cells": [_cell(found[table], figure) for figure in FIGURES]}
        for table, words in TABLES.items()
        if table in found
    ]


@register.filter
def lost(found: Mapping[str, Any]) -> int:
    """How many people would fit nobody, where that is why an attacker who knows more finds fewer.

    >>> figures = {"unchanged": {"before": {"uncovered": 10}, "after": {"uncovered": 90}}}
    >>> [lost({"people": people, "changes": figures}) for people in (100, 9000)]
    [90, 0]
    """
    change = found["changes"]["unchanged"]
    before, after = change["before"]["uncovered"], change["after"]["uncovered"]
    return int(after) if after > before and after > (1 - ENOUGH) * found["people"] else 0


def _cell(change: Mapping[str, Mapping[str, float]], figure: str) -> dict[str, Any]:
    before, after = change["before"][figure], change["after"][figure]
    said = chance_words if figure == "largest_chance" else _told
    told = said(before), said(after)
    return {
        "words": FIGURES[figure],
        "before": told[0],
        "after": told[1],
        "same": told[0] == told[1],
        "worse": after > before and figure != "uncovered",
    }


def _told(number: float) -> str:
    if isinstance(number, int):
        return count(number)
    return count(round(number)) if number >= 100 else f"{number:.3g}"


@register.filter
def condition_words(condition: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """One of the conditions under which figures bound others, and where it fails."""
    smaller, larger = pair["smaller"], pair["larger"]
    holds, failing, of = condition["holds"], count(condition["failing"]), count(condition["of"])
    if condition["code"] == "partners":
        if holds is None:
            return f"{of} people are too many to be compared one by one."
        if holds:
            return f"Each of the {of} people of {smaller} is also in {larger}, known there no more finely."
        return (
            f"{failing} of {of} people of {smaller} have nobody of their own in {larger} who is known no more finely."
        )
    words = {
        "one-entry": ("Nobody has two entries.", f"{failing} entries belong to somebody who has another."),
        "exact": ("Every column is matched exactly.", f"Matched by likeness: {', '.join(condition['attributes'])}."),
        "model": ("The model of risk is one for which it holds.", "With the entropic model of risk it does not hold."),
        "unidentified": (
            "A failed identification does no harm.",
            "A failed identification does harm here (Harm page).",
        ),
    }[condition["code"]]
    return words[0] if holds else words[1]


@register.filter
def reason_words(reason: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """Why some people have no partner."""
    attribute, many, larger = reason["attribute"], count(reason["failing"]), pair["larger"]
    return {
        "people": f"{larger} has {many} people too few.",
        "finer": f"{larger} knows {attribute} more finely than {pair['smaller']}; that alone leaves {many} without.",
        "values": f"{larger} has too few people with their values of {attribute}; that alone leaves {many} without.",
    }[reason["code"]]
