"""Jaro's similarity of two texts, exactly.

c signs are common: equal, at places that differ by at most half the longer length (rounded down) less one, each used
once, the earliest first. t is half the number of them (rounded down) that stand in another order. The similarity is
(c/|a| + c/|b| + (c − t)/c) / 3; it is 0 without anything common, and two empty texts are the same.
"""

from fractions import Fraction


def similarity(one: str, other: str) -> Fraction:
    """Jaro's similarity as a fraction.

    >>> similarity("MARTHA", "MARHTA"), similarity("DIXON", "DICKSONX")
    (Fraction(17, 18), Fraction(23, 30))
    """
    if not one and not other:
        return Fraction(1)
    places = _common(one, other)
    mine = [sign for sign, place in zip(one, places, strict=True) if place >= 0]
    theirs = [other[place] for place in sorted(place for place in places if place >= 0)]
    moved = sum(left != right for left, right in zip(mine, theirs, strict=True))
    return value(len(one), len(other), len(mine), moved // 2)


def value(one: int, other: int, common: int, swaps: int) -> Fraction:
    """The similarity of texts of these lengths with so many common signs and so many swaps among them."""
    if not common:
        return Fraction(0)
    return (Fraction(common, one) + Fraction(common, other) + Fraction(common - swaps, common)) / 3


def largest(one: int, other: int) -> Fraction:
    """The most that texts of these lengths can have: the shorter one is found in the longer one.

    >>> largest(4, 8)
    Fraction(5, 6)
    """
    return value(one, other, min(one, other), 0) if one or other else Fraction(1)


def _common(one: str, other: str) -> list[int]:
    """For each sign of the first text the place of its partner in the other, −1 where it has none."""
    reach = max(max(len(one), len(other)) // 2 - 1, 0)
    left = list(other)
    places = []
    for place, sign in enumerate(one):
        first = max(place - reach, 0)
        try:
            found = left.index(sign, first, max(place + reach + 1, first))
        except ValueError:
            found = -1
        else:
            left[found] = ""
        places.append(found)
    return places
