"""Jaro's similarity of two texts."""

from fractions import Fraction


def jaro(one: str, other: str) -> Fraction:
    """(c/|a| + c/|b| + (c − t)/c) / 3, with c characters in common and t half of those in another order, rounded down.

    Two characters are common when they are equal and their places differ by at most half the longer length (rounded
    down) less one; each is used once, the earliest first. Nothing in common is 0, and two empty texts are alike.
    """
    if not one and not other:
        return Fraction(1)
    pairs = common(one, other)
    if not pairs:
        return Fraction(0)
    in_order = [one[place] for place, _ in pairs]
    in_other_order = [other[place] for place in sorted(place for _, place in pairs)]
    moved = sum(left != right for left, right in zip(in_order, in_other_order, strict=True))
    count, swaps = len(pairs), moved // 2
    return (Fraction(count, len(one)) + Fraction(count, len(other)) + Fraction(count - swaps, count)) / 3


def common(one: str, other: str) -> list[tuple[int, int]]:
    """The places of the common characters, in the order of the first text."""
    reach = max(max(len(one), len(other)) // 2 - 1, 0)
    used: set[int] = set()
    pairs = []
    for place, sign in enumerate(one):
        for across in range(max(place - reach, 0), min(place + reach + 1, len(other))):
            if across not in used and other[across] == sign:
                used.add(across)
                pairs.append((place, across))
                break
    return pairs
