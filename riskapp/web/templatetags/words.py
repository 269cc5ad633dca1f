"""Numbers, sizes and times in words a person reads."""

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html

register = template.Library()


@register.filter
def count(number: int | None) -> str:
    """A whole number in groups of three: 30 162, kept on one line."""
    return "" if number is None else f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


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
        figure = f"{percent:.1f}".removesuffix(".0")
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
def item(mapping: dict[Any, Any], key: Any) -> Any:
    return mapping.get(key)


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


# How many times as long as all full-domain rules a family took at most, on tables of 20 000 to 100 000 records.
FAMILY_TIMES = {
    "whole-table rules": 1,
    "rules by region": 2,
    "record by record": 2,
    "k-anonymity": 8,
    "random k-anonymity": 15,
    "Mondrian": 1,
}


@register.filter
def by_family(forecast: dict[str, Any]) -> list[tuple[str, timedelta]]:
    """The most that each family takes, from what the full-domain rules are foreseen to."""
    most = forecast.get("at_most") or forecast["seconds"]
    return [(family, timedelta(seconds=max(1, times * most))) for family, times in FAMILY_TIMES.items()]


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
}


@register.filter
def limits_in_words(told: str) -> str:
    """A sentence of the result in which settings are named, with their names as the pages have them."""
    for key, words in MISSED.items():
        told = told.replace(key, words)
    return told


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
