"""Numbers, sizes and times in words a person reads."""

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
