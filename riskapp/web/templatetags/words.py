"""Numbers, sizes and times in words a person reads."""

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

WHOLE = Context(prec=400)  # every digit of the largest float there is


@register.filter
def count(number: int | None) -> str:
    """A whole number in groups of three: 30 162, kept on one line; one that nobody can read by its size: 10^72."""
    if number is None:
        return ""
    if abs(number) >= 10**15:
        return f"{'-' if number < 0 else ''}10^{len(str(abs(number))) - 1}"
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def to_places(number: float, places: int) -> str:
    """A number with so many decimal places. Halves go up, as `static/js/frontier/numbers.js` rounds.

    >>> to_places(6.25, 1), to_places(2.5, 0)
    ('6.3', '3')
    """
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, WHOLE):f}"


def to_digits(number: float, digits: int) -> float:
    """A number with so many significant digits, rounded likewise.

    >>> to_digits(12.25, 3), to_digits(0.00012345, 2)
    (12.3, 0.00012)
    """
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).plus(Decimal(number)))


@register.filter
def coded(words: str) -> SafeString:
    """What stands between backticks as code.

    >>> coded("the part `file` of a <form>")
    'the part <code>file</code> of a &lt;form&gt;'
    """
    parts = enumerate(words.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if place % 2 else part,) for place, part in parts)
    )


@register.filter
def size(number: int) -> str:
    """A number of bytes: 65.5 MB."""
    amount, unit = float(number), "bytes"
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    figure = f"{amount:.0f}" if unit == "bytes" or amount >= 100 else f"{amount:.1f}"
    return f"{figure}\N{NO-BREAK SPACE}{unit}"


@register.filter
def share(number: float | None) -> str:
    """A share as a percentage; what is not quite none or all never looks like it."""
    if number is None:
        return ""
    percent = 100 * number
    if 0 < percent < 0.1:
        figure = "< 0.1"
    elif 99.9 < percent < 100:
        figure = "> 99.9"
    else:
        figure = to_places(percent, 1).removesuffix(".0")
    return f"{figure}\N{NO-BREAK SPACE}%"


@register.filter
def lasting(time: timedelta | None) -> str:
    """A length of time: 4 s, 3 min, 2 h 5 min."""
    if time is None:
        return ""
    seconds = round(time.total_seconds())
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min" if seconds >= 600 else f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


@register.filter
def seconds(number: float) -> str:
    return f"{number:.1f} s"


@register.filter
def moment(at: datetime | None) -> str:
    """A point in time, told exactly in the element and shortly in the text."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        local.strftime("%Y-%m-%d %H:%M:%S %Z"),
        local.strftime("%-d %b %Y, %H:%M"),
    )


@register.filter
def item(mapping: dict[Any, Any] | None, key: Any) -> Any:
    """What a mapping has under a key; nothing where there is no mapping."""
    return mapping.get(key) if mapping else None


@register.filter
def lasting_left(time: timedelta | None) -> str:
    return f"about {lasting(time)} left" if time is not None else ""


@register.filter
def percent(share_of_one: float) -> float:
    return 100 * share_of_one


@register.filter
def risky(share_of_one: float) -> str:
    """The kind of a figure that tells of exposed people."""
    return "bad" if share_of_one > 0 else ""


@register.filter
def weight(number: float | str) -> str:
    """A weight or what it adds up to: 12.5, or never."""
    return "never" if str(number) == "inf" else f"{float(number):.4g}"


KINDS = {
    "full-domain": "whole-table rules",
    "regional": "rules by region",
    "per-record": "record by record",
    "random-k": "random k-anonymity",
    "mondrian": "Mondrian",
}


@register.filter
def kind_of_rule(family: str) -> str:
    """A family of rules as the pages call it."""
    return KINDS.get(family, family)


PART = re.compile(
    r"Measuring rules: (?P<what>[^(;]+?)(?: \((?P<part>\d+ of \d+)\))?(?:; best so far: \S+ with (?P<best>.*))?"
)


@register.filter
def part_words(words: str) -> str:
    """What a run is at, with the kinds of rules as the pages call them.

    >>> part_words("Measuring rules: regional (2 of 6); best so far: full-domain:0.1 with risk 0.1 and utility 4")
    'Part 2 of 6: rules by region. Best so far: risk 0.1 and utility 4'
    >>> part_words("Measuring rules: mondrian:5 (3 of 3)"), part_words("starting")
    ('Part 3 of 3: Mondrian with k = 5', 'Starting')
    """
    found = PART.fullmatch(words)
    if found is None:
        return f"{words[:1].upper()}{words[1:]}"
    part = f"Part {found['part']}: " if found["part"] else "Measuring "
    return f"{part}{_searched(found['what'])}{'. Best so far: ' + found['best'] if found['best'] else ''}"


@register.filter
def left_words(run: Any) -> str:
    """The time that is left, of the part at work where there are several."""
    told, found = lasting_left(run.time_left()), PART.fullmatch(run.words)
    return f"{told} in this part" if told and found and found["part"] else told


def _searched(what: str) -> str:
    if what.startswith("per-record by "):
        return f"record by record, {what.removeprefix('per-record ')}"
    family, _, k = what.partition(":")
    exact = {"exact frontier": "record by record, the best possible", "both ends": "everything and nothing released"}
    return exact.get(what, kind_of_rule(family)) + (f" with k = {k}" if k else "")


# How many times as long as all full-domain rules a family took at most, on tables of 20 000 to 100 000 records.
FAMILY_TIMES = {"full-domain": 1, "regional": 2, "per-record": 2, "k-anonymity": 8, "random-k": 15, "mondrian": 1}


@register.filter
def by_family(forecast: dict[str, Any]) -> list[tuple[str, timedelta]]:
    """The most that each family takes, from what the full-domain rules are foreseen to."""
    most = forecast.get("at_most") or forecast["seconds"]
    return [(kind_of_rule(family), timedelta(seconds=max(1, times * most))) for family, times in FAMILY_TIMES.items()]


@register.filter
def from_to(forecast: dict[str, Any]) -> str:
    """A range of time.

    >>> from_to({"seconds": 0.2, "at_most": 0.4}), from_to({"seconds": 40, "at_most": 200})
    ('under 1 s', '40 s to 3 min 20 s')
    """
    least, most = forecast["seconds"], forecast.get("at_most") or forecast["seconds"]
    if most < 1:
        return "under 1 s"
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


# What a profile and a reading say

IDENTIFYING = {
    *("identifier", "national_number", "iban", "card_number", "person_name", "email", "phone", "address"),
    *("email_in_text", "phone_in_text", "ip_address", "free_text"),
}
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ":": "colon", " ": "space"}
HEADERS = {"names": "in the first row", "none": "none; numbered by us", "repair": "in the first row, mended by us"}


@register.filter
def type_words(kind: dict[str, Any]) -> str:
    """A column's type: "date (day.month.year)", "whole number, 12 cells are not"."""
    words = str(kind["kind"])
    if kind.get("format"):
        words += f" ({kind['format']})"
    if kind.get("mixed"):
        words += f", {count(kind['exceptions_cells'])} cells are not"
    return words


@register.filter
def suggestion_kind(suggestion: dict[str, Any]) -> str:
    return "warm" if suggestion["kind"] in IDENTIFYING else ""


@register.filter
def counted_pairs(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pairs that leave somebody alone, and whose columns do not do so by themselves."""
    return [pair for pair in pairs if pair["counted"] and pair["alone"]]


@register.filter
def column_name(profile: dict[str, Any], position: int) -> str:
    return str(profile["columns"][position]["name"])


@register.filter
def reading_facts(reading: dict[str, Any]) -> list[tuple[str, str, str]]:
    """How a file was read: what, the choice, and why where it was found out."""
    reasons = reading.get("reasons", {})
    told = {
        "format": ("format", str(reading["format"]).upper()),
        "compression": ("packed as", {"none": ""}.get(reading["compression"], reading["compression"])),
        "encoding": ("encoding", reading.get("encoding")),
        "delimiter": (
            "cells are separated by",
            DELIMITERS.get(str(reading.get("delimiter")), reading.get("delimiter")),
        ),
        "quote": ("cells are quoted with", reading.get("quote")),
        "line_ending": ("lines end with", reading.get("line_ending")),
        "header": ("names of the columns", HEADERS.get(reading["header"])),
        "sheet": ("sheet", reading.get("sheet")),
        "missing": ("cells that mean missing", ", ".join(cell or "empty" for cell in reading["missing"])),
    }
    return [(term, str(value), reasons.get(key, "")) for key, (term, value) in told.items() if value]
