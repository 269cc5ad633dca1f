"""Types of values: whole number, decimal number, date, date and time, yes/no, text.

A column has the type that most of its distinct values fit. The type must fit more than half of the distinct values and
more than half of the filled cells; the others are exceptions and the column is called mixed. Otherwise it is text.
"""

from dataclasses import dataclass

from riskapp.engine.profile.dates import DATES, MONTH, TIMES
from riskapp.engine.profile.figures import Type
from riskapp.engine.profile.look import Found, Look

WHOLE, DECIMAL, DATE, TIME, YES_NO, TEXT = (
    "whole number",
    "decimal number",
    "date",
    "date and time",
    "yes/no",
    "text",
)
NUMBERS = (WHOLE, DECIMAL)
DATES_AND_TIMES = (DATE, TIME)
EMPTY = "empty"

YES_AND_NO = [
    {"yes", "no"},
    {"y", "n"},
    {"true", "false"},
    {"t", "f"},
    {"ja", "nein"},
    {"j", "n"},
    {"wahr", "falsch"},
    {"oui", "non"},
    {"o", "n"},
    {"vrai", "faux"},
    {"sí", "no"},
    {"si", "no"},
    {"s", "n"},
    {"verdadero", "falso"},
    {"vero", "falso"},
    {"ja", "nee"},
    {"waar", "onwaar"},
    {"on", "off"},
]
ZERO_AND_ONE = {"0", "1"}

_WHOLE = [
    (None, r"\d+"),
    ("thousands apart by a comma", r"(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)"),
    ("thousands apart by a blank or apostrophe", "(?:\\d+|[1-9]\\d{0,2}(?:[ '\u2019\u00a0\u202f]\\d{3})+)"),
]
_EXPONENT = r"(?:[eE][+-]?\d{1,3})?"
_DECIMAL = [
    ("decimal point", rf"(?:(?:\d+|[1-9]\d{{0,2}}(?:,\d{{3}})+)(?:\.\d*)?|\.\d+){_EXPONENT}"),
    ("decimal comma", rf"(?:(?:\d+|[1-9]\d{{0,2}}(?:[. ]\d{{3}})+)(?:,\d*)?|,\d+){_EXPONENT}"),
]


@dataclass(frozen=True)
class Candidate:
    """A type and format a column may have; `needs` are signs without which no value has it."""

    kind: str
    format: str | None
    pattern: str
    needs: str


def _dated(kind: str, forms: dict[str, str], needs: str) -> list[Candidate]:
    signs = {words: {sign for sign in words[:8] if sign in "-/."} for words in forms}
    return [
        Candidate(kind, words, f"^{form}$", "".join(signs[words]) + needs + ("a" if MONTH in words else ""))
        for words, form in forms.items()
    ]


# Of types that fit equally many values the first is meant: YYYYMMDD before a number, a number before a decimal.
CANDIDATES = [
    Candidate(DATE, "YYYYMMDD", f"^{DATES['YYYYMMDD']}$", "0"),
    *(Candidate(WHOLE, words, f"^[+-]?{form}$", "0") for words, form in _WHOLE),
    *(Candidate(DECIMAL, words, f"^[+-]?{form}$", "0") for words, form in _DECIMAL),
    *_dated(DATE, {words: form for words, form in DATES.items() if words != "YYYYMMDD"}, "0"),
    *_dated(TIME, TIMES, "0:"),
]
MONTH_FIRST = [candidate for candidate in CANDIDATES if (candidate.format or "").startswith(MONTH)]
# Whatever fits more than half of the values fits about a quarter of a pilot that is half common and half spread.
PILOT_SHARE = 0.2


def type_of(look: Look) -> Type:
    """The type of the values looked at, with the format found and the exceptions."""
    if not len(look.values):
        return Type(EMPTY, None, False, 0, 0)
    if _yes_no(look):
        return Type(YES_NO, None, False, 0, 0)
    tried = _tried(look)
    best = max(tried, key=lambda candidate: tried[candidate].values, default=None)
    if best is None or not _mostly(tried[best], look):
        return Type(TEXT, None, False, 0, 0)
    values, cells = len(look.values) - tried[best].values, look.cells - tried[best].cells
    return Type(best.kind, _format(best, tried[best], look), values > 0, values, cells)


def _yes_no(look: Look) -> bool:
    if len(look.values) > 8:
        return False
    values = {value.casefold() for value in look.values.to_pylist()}
    return values == ZERO_AND_ONE or any(values <= pair for pair in YES_AND_NO)


def _tried(look: Look) -> dict[Candidate, Found]:
    """What fits, of the candidates the pilot speaks for, up to the first that fits everything."""
    least = PILOT_SHARE * len(look.pilot.values)
    tried: dict[Candidate, Found] = {}
    for candidate in CANDIDATES if _begin_as_numbers(look) > least else MONTH_FIRST:
        if look.signs.issuperset(candidate.needs) and look.pilot.fits(candidate.pattern).sum() > least:
            tried[candidate] = look.found(look.fits(candidate.pattern))
            if tried[candidate].values == len(look.values):
                break
    return tried


def _begin_as_numbers(look: Look) -> int:
    """How many of the pilot's values begin with a digit or a sign in front of one: no other can be a number or date."""
    return sum(1 for value in look.pilot.values.to_pylist() if value[:1].isdigit() or value[:1] in "+-.,")


def _mostly(found: Found, look: Look) -> bool:
    return 2 * found.values > len(look.values) and 2 * found.cells > look.cells


def _format(best: Candidate, found: Found, look: Look) -> str | None:
    if best.kind == WHOLE and best.format is None:
        return "with leading zeros" if look.find(r"^[+-]?0\d").values else None
    if best.format is None or not best.format.startswith("DD"):
        return best.format
    return f"{best.format} or {_turned(best.format)}" if _fits_turned(best, found, look) else best.format


def _fits_turned(best: Candidate, found: Found, look: Look) -> bool:
    """Day and month cannot be told apart when both orders fit equally many values: then both are named."""
    turned = next(each for each in CANDIDATES if each.format == _turned(best.format or ""))
    return look.found(look.fits(turned.pattern)).values == found.values


def _turned(words: str) -> str:
    return "MM" + words[2] + "DD" + words[5:]
