"""Figures and tags in an officer's words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

HOW = {
    "exact": "Exact: worked out for every record, without estimating.",
    "estimated": "Estimated: the true figure may differ by the error told.",
    "heuristic": "Heuristic: a better rule of this kind may exist; the gap told is how much better at most.",
}
FAMILIES = {
    "full-domain": "every record at the same levels",
    "regional": "levels by region; each row still shows its region",
    "per-record": "levels chosen for each record by itself",
    "k-anonymity": "every record at the same levels, rare ones suppressed",
    "random-k": "levels drawn at random among those that keep k",
    "mondrian": "the table parted into groups of at least k",
    "exact": "levels chosen for each record, on the exact frontier",
}


def figure(value: Any, digits: int = 4) -> str:
    """A number as a reader wants it: so many digits, and from a thousand on all before the point, never parted.

    >>> figure(0.123456), figure(30162), figure("inf"), figure(None), figure(12.0), figure(True)
    ('0.1235', '30\\u202f162', '∞', '–', '12', 'yes')
    >>> figure(37987.6), figure(-1234.5)
    ('37\\u202f988', '−1\\u202f234')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    number = float(value)
    if number in (float("inf"), float("-inf")):
        return "∞" if number > 0 else "−∞"
    if (number == int(number) or abs(number) >= 1000) and abs(number) < 1e15:
        return f"{round(number):,}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "−")
    return f"{number:.{digits}g}".replace("-", "−")


def so_many(number: int, one: str, many: str | None = None) -> str:
    """
    >>> so_many(1, "group"), so_many(2, "person", "people")
    ('1 group', '2 people')
    """
    return f"{figure(number)} {one if number == 1 else many or f'{one}s'}"


def share(value: Any) -> str:
    """A share as a percentage.

    >>> share(0.5421), share(0.00012), share(1)
    ('54.2 %', '0.012 %', '100 %')
    """
    percent = 100 * float(value)
    return f"{percent:.3g} %"


def day(value: Any) -> str:
    """A time without its fractions.

    >>> day("2026-11-18T01:02:03.456+00:00"), day("2026-11-18"), day("soon")
    ('2026-11-18 01:02 UTC', '2026-11-18', 'soon')
    """
    text = str(value)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if len(text) <= 10:
        return text
    return f"{moment:%Y-%m-%d %H:%M}{' UTC' if moment.utcoffset() is not None and not moment.utcoffset() else ''}"


def number_tag(number: str) -> str:
    """How the figures were got, in a sentence."""
    return HOW.get(number.partition(",")[0], f"{number}.")


def holds_tag(against: Sequence[str], conditions: Sequence[str]) -> str:
    """What the figures hold against, in a sentence.

    >>> holds_tag(["register", "replay"], [])
    'The figures hold against an attacker who holds the dictionary register, even one who knows and replays the rule.'
    """
    names = [name for name in against if name != "replay"]
    knowing = "even one who knows and replays the rule" if "replay" in against else "but not one who knows the rule"
    whole = f"The figures hold against an attacker who holds the dictionary {in_a_row(names, 'or')}, {knowing}"
    return f"{whole}. They are conditional: see the assumptions." if conditions else f"{whole}."


def in_a_row(names: Sequence[str], word: str) -> str:
    """Names in a sentence.

    >>> in_a_row(["a", "b", "c"], "or"), in_a_row(["a"], "or"), in_a_row([], "or")
    ('a, b or c', 'a', 'nothing')
    """
    if len(names) < 2:
        return "".join(names) or "nothing"
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def three_answers(figures: Mapping[str, Any], people: int) -> dict[str, str]:
    """Answers to the three questions that data protection authorities ask of anonymised data.

    Parameters
    ----------
    figures : of the rule, as RESULT.json lists it
    people : in the data
    """
    worst, learnt = strongest(figures), figures["inference"]
    return {
        "singling_out": (
            f"{figure(worst.singled_out)} of {figure(people)} people are fitted by exactly one person of a dictionary; "
            f"the smallest group of people who look alike has {figure(figures['smallest_group'])}. "
            f"For the person most exposed, the chance to be named correctly is {figure(worst.largest_chance)}."
        ),
        "linkability": (
            f"With {worst.name}, the strongest dictionary, an attacker would be expected to name "
            f"{figure(worst.expected_found)} people correctly, {share(worst.expected_found / max(people, 1))} of "
            f"all; {figure(worst.gain)} of them only because of the release."
        ),
        "inference": (
            "No column was marked as sensitive, so inference was not measured."
            if not learnt
            else "Somebody who finds a person's group is surer of the true value than the whole table makes them, on a "
            "scale from 0 to 1: "
            + "; ".join(
                f"{name} by {figure(one['worst'])} for the person worst off, by {figure(one['mean'])} on average"
                for name, one in learnt.items()
            )
            + "."
        ),
    }


class Strongest(NamedTuple):
    """The attacker who finds the most people, and the worst that any attacker does in the other figures."""

    name: str
    expected_found: float
    gain: float
    singled_out: float
    largest_chance: float


def strongest(figures: Mapping[str, Any]) -> Strongest:
    """
    >>> told = {"expected_found": 2.5, "singled_out": 1, "largest_chance": 0.5, "gain": 2}
    >>> strongest({"people": {"register": told, "neighbour": told | {"expected_found": 1, "singled_out": 3}}})
    Strongest(name='register', expected_found=2.5, gain=2.0, singled_out=3.0, largest_chance=0.5)
    """
    worst = {name: _worst(told) for name, told in figures["people"].items()}
    nobody = ("", {"expected_found": 0.0, "gain": 0.0})
    name, most = max(worst.items(), key=lambda pair: pair[1]["expected_found"], default=nobody)
    rest = {key: max((one[key] for one in worst.values()), default=0.0) for key in ("singled_out", "largest_chance")}
    return Strongest(name, most["expected_found"], most["gain"], **rest)


def _worst(told: Mapping[str, Any]) -> dict[str, float]:
    """By definition or by replay, whichever finds more."""
    again = told.get("by_replay") or {}
    names = ("expected_found", "singled_out", "largest_chance", "gain")
    return {name: max(float(told[name]), float(again.get(name, 0))) for name in names}
