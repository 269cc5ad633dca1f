"""What a profile and a reading say of a file."""

from typing import Any

from django import template

from riskapp.web.templatetags.words import count

register = template.Library()

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
