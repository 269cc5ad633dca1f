"""Counts and shares in words an officer reads."""

# A no-break space, so that a number is never torn apart at the end of a line.
SPACE = "\u00a0"


def number(count: int) -> str:
    """A whole number in groups of three.

    >>> number(48200) == "48\u00a0200"
    True
    """
    return f"{count:,}".replace(",", SPACE)


def many(count: int, one: str, more: str) -> str:
    """A number with its noun.

    >>> many(1, "row", "rows") == "1\u00a0row"
    True
    """
    return f"{number(count)}{SPACE}{one if count == 1 else more}"


def percent(part: int, whole: int) -> str:
    """A share in per cent, rounded, but never rounded to 0 or 100 when it is neither.

    >>> percent(999, 1000) == "99.9\u00a0%", percent(1, 2) == "50\u00a0%", percent(1, 5000) == "under 0.1\u00a0%"
    (True, True, True)
    """
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return f"under 0.1{SPACE}%"
    if 99.9 < share < 100:
        return f"over 99.9{SPACE}%"
    if share < 1 or 99 < share < 100:
        return f"{min(share, 99.9) if share < 100 else share:.1f}{SPACE}%"
    return f"{share:.0f}{SPACE}%"
