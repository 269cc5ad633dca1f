"""Pieces of the report's HTML. What comes from outside goes through `escape`, here and nowhere else."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

SHORT = 10
"""Tables of so many rows stay on one page."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def safe(value: Any) -> str:
    """The value as HTML.

    >>> safe("<b>"), safe(Html("<b>")), safe(None)
    ('&lt;b&gt;', '<b>', '–')
    """
    if isinstance(value, Html):
        return str(value)
    return "–" if value is None or value == "" else escape(str(value))


def section(title: str, *parts: str) -> Html:
    """A part of the report with its heading; nothing where it would be empty."""
    inside = "".join(parts)
    return Html(f"<section><h2>{escape(title)}</h2>{inside}</section>" if inside else "")


def heading(title: str) -> Html:
    """A smaller heading."""
    return Html(f"<h3>{escape(title)}</h3>")


def paragraph(text: Any, kind: str = "") -> Html:
    """A paragraph; nothing for nothing."""
    if text is None or text == "":
        return Html("")
    return Html(f"<p{f' class={kind}' if kind else ''}>{safe(text)}</p>")


def facts(pairs: Mapping[str, Any]) -> Html:
    """Names and what they are; what is not known is left out."""
    known = {name: value for name, value in pairs.items() if value is not None and value != ""}
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{safe(value)}</dd>" for name, value in known.items())
    return Html(f"<dl>{rows}</dl>" if rows else "")


def table(
    head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Sequence[int] = (), *, even: bool = False
) -> Html:
    """A table; nothing without a row.

    Parameters
    ----------
    head : of the columns
    rows : of cells
    numbers : the places of the columns that hold numbers
    even : columns as wide as each other, where all of them hold sentences; rows are tall, so pages break between them
    """
    lines = [f"<tr>{''.join(_cell(place, cell, numbers) for place, cell in enumerate(row))}</tr>" for row in rows]
    body, kinds = "".join(lines), " ".join(["short"] * (len(lines) <= SHORT and not even) + ["even"] * even)
    names = "".join(f"<th{_class(place, numbers)}>{escape(name)}</th>" for place, name in enumerate(head))
    kind = f' class="{kinds}"' if kinds else ""
    return Html(f"<table{kind}><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>" if body else "")


def _cell(place: int, cell: Any, numbers: Sequence[int]) -> str:
    return f"<td{_class(place, numbers)}>{safe(cell)}</td>"


def _class(place: int, numbers: Sequence[int]) -> str:
    return " class=number" if place in numbers else ""


def listed(items: Iterable[Any]) -> Html:
    """A list; nothing without an item."""
    inside = "".join(f"<li>{safe(item)}</li>" for item in items)
    return Html(f"<ul>{inside}</ul>" if inside else "")


def code(text: Any) -> Html:
    """A hash or a name of ours."""
    return Html(f"<code>{escape(str(text))}</code>")


def block(text: str) -> Html:
    """Text as it is written."""
    return Html(f"<pre>{escape(text)}</pre>")


def plot(drawing: str, caption: str, kind: str = "") -> Html:
    """A drawing of ours with what it shows; nothing without one."""
    if not drawing:
        return Html("")
    return Html(
        f"<figure{f' class={kind}' if kind else ''}>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"
    )
