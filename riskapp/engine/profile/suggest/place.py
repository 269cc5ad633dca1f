"""Where a person is: postcodes, places, street addresses, coordinates."""

from collections.abc import Iterator

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, NAME_SAYS_SO, POSSIBLE, Facts
from riskapp.engine.profile.value_types import DATES_AND_TIMES, DECIMAL, NUMBERS, TEXT, YES_NO

# Forms that hardly anything but a postcode has.
OWN_FORMS = (
    (r"^(?i:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$", "a0", "a British postcode"),
    (r"^[1-9]\d{3} ?[A-Z]{2}$", "a0", "a Dutch postcode"),
    (r"^(?i:[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d)$", "a0", "a Canadian postcode"),
    (r"^\d{5}-\d{4}$", "0-", "a United States ZIP+4 code"),
    (r"^(?:D|A|CH|F|I|E|NL|B|L)-\d{4,5}$", "a0-", "a postcode with its country"),
)
_DIGITS = r"(?:[A-Z]{1,2}-)?\d{3,6}(?:\.0)?|\d{2,3}[- ]\d{2,4}|\d{5}-\d{4}"
_LETTERED = r"\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?(?: ?\d[A-Z]{2})?|[A-Z]\d[A-Z](?: ?\d[A-Z]\d)?"
_MASKED = r"\d{2,5}[xX*]{1,3}"
IF_NAMED = f"^(?i:{_DIGITS}|{_LETTERED}|{_MASKED})$"
FIVE_DIGITS, LEADING_ZERO = r"^\d{5}$", r"^0\d{4}$"
STREET = (
    r"(?i:str(?:a(?:ß|ss)e|\.)?\s+\d|(?:weg|platz|allee|gasse|laan|straat|plein)\s+\d|"
    r"^\d+[a-z]?,?\s.*\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|blvd|boulevard|rue|chemin|place|way)\b|"
    r"^(?:calle|c/|avenida|via|viale|piazza|corso|rue)\s.*\d)"
)
DEGREES = r"^-?(?:1[0-7]\d|180|\d{1,2})[.,]\d{2,}$"
PAIR_OF_DEGREES = r"^\(?-?\d{1,2}\.\d{3,} ?[,;] ?-?\d{1,3}\.\d{3,}\)?$"


def postcodes(facts: Facts) -> Iterator[Suggestion]:
    """A column of postcodes: by a form of their own, or by the column's name and a form they may have."""
    if facts.type.kind in (*DATES_AND_TIMES, YES_NO):
        return
    for pattern, needs, words in OWN_FORMS:
        found = facts.look.find(pattern, needs)
        if facts.share(found) >= 0.9 and found.values >= 5:
            sure = CERTAIN if facts.named("postcode") else LIKELY
            yield facts.suggest("postcode", sure, f"{facts.cells_words(found)} have the form of {words}.", found)
            return
    yield from _named(facts) if facts.named("postcode") else _five_digits(facts)


def _named(facts: Facts) -> Iterator[Suggestion]:
    found = facts.look.find(IF_NAMED)
    if facts.share(found) >= 0.7:
        share = facts.cells_words(found)
        reason = f"{NAME_SAYS_SO}, and {share[0].lower()}{share[1:]} have the form of a postcode."
        yield facts.suggest("postcode", CERTAIN, reason, found)


def _five_digits(facts: Facts) -> Iterator[Suggestion]:
    """Five digits, some with a zero in front, that repeat: numbers given out one by one do not."""
    if facts.type.format != "with leading zeros" or facts.distinct_share > 0.5 or facts.measured.distinct < 20:
        return
    found = facts.look.find(FIVE_DIGITS)
    if facts.share(found) >= 0.99 and not facts.named("identifier", "amount"):
        words = f"{facts.cells_words(found)} are five digits, some with a zero in front, and many repeat."
        yield facts.suggest("postcode", POSSIBLE, words, found)


def places(facts: Facts) -> Iterator[Suggestion]:
    """A column of places or coordinates: by its name, or by pairs of degrees."""
    if facts.type.kind in (*DATES_AND_TIMES, YES_NO) or not facts.measured.distinct:
        return
    if facts.named("coordinate") and facts.share(facts.look.find(DEGREES)) >= 0.8:
        yield facts.suggest("place", CERTAIN, f"{NAME_SAYS_SO}, and the values are degrees as of a coordinate.")
    elif facts.type.kind == TEXT and facts.share(found := facts.look.find(PAIR_OF_DEGREES, "0.")) >= 0.8:
        yield facts.suggest("place", LIKELY, f"{facts.cells_words(found)} have the form of coordinates.", found)
    elif facts.named("place") and facts.type.kind != DECIMAL:
        sure = LIKELY if facts.type.kind == TEXT else POSSIBLE
        yield facts.suggest("place", sure, f"{NAME_SAYS_SO}.")
    elif facts.named("perhaps_place") and facts.type.kind not in NUMBERS:
        yield facts.suggest("place", POSSIBLE, "the column's name may mean a place.")


def addresses(facts: Facts) -> Iterator[Suggestion]:
    """A column of street addresses, or a part of them."""
    if facts.type.kind in (DECIMAL, *DATES_AND_TIMES, YES_NO) or facts.named("email"):
        return
    found = facts.look.find(STREET, "a0")
    if facts.share(found) >= 0.5:
        sure = CERTAIN if facts.named("address") else LIKELY
        yield facts.suggest("address", sure, f"{facts.cells_words(found)} have the form of a street and number.", found)
    elif facts.named("address") and not facts.share(facts.look.find(r"[@:]|^\d+\.\d+\.")) >= 0.5:
        yield facts.suggest("address", LIKELY, f"{NAME_SAYS_SO}.")
