"""Ways to reach somebody: e-mail addresses, phone numbers, web and IP addresses, as values or inside text."""

from collections.abc import Iterator

import pyarrow.compute as pc

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.look import LETTERS, Found, Look
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, POSSIBLE, Facts
from riskapp.engine.profile.value_types import DATES_AND_TIMES, DECIMAL, NUMBERS, YES_NO
from riskapp.engine.profile.words import many

MOST = 0.8
NEARLY_ALL = 0.95

_SIGN = rf"[{LETTERS}0-9]"
ADDRESS = rf"[{LETTERS}0-9._%+'-]+@(?:{_SIGN}+(?:-+{_SIGN}+)*\.)+[{LETTERS}]{{2,24}}"
EMAIL = rf"^(?:mailto:)?<?{ADDRESS}>?$"
URL = r"^(?i:https?://|ftp://|www\.)[^\s]+\.[^\s]+$"
OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
IPV4 = rf"^(?:{OCTET}\.){{3}}{OCTET}(?:/\d\d?|:\d{{1,5}})?$"
IPV6 = r"^(?i:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{1,4}){0,6}:?|::[0-9a-f:]{1,35})$"

_INTERNATIONAL = r"\(?\+[1-9](?:[ ./()-]{0,2}\d){6,14}"
_DIALLED = r"00[1-9]\d{0,2}[ ./-](?:[ ./()-]{0,2}\d){6,12}"
# The area code has three digits at least, so that 01-02-2020 is a date.
_NATIONAL = r"\(?0[1-9]\d{1,4}\)?[ /-]{1,3}\d(?:[ -]?\d){3,9}"
_FRENCH = r"0[1-9](?:[ .-]\d\d){4}"
_AMERICAN = r"(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}"
CLEAR_PHONE = f"(?:{_INTERNATIONAL}|{_DIALLED}|{_NATIONAL}|{_FRENCH}|{_AMERICAN})"
PHONE = f"^{CLEAR_PHONE}$"
PHONE_IF_NAMED = r"^\(?\+?\d(?:[ ./()-]{0,3}\d){5,14}$"
PHONE_BY_ZERO = r"^0[1-9]\d{7,9}$"
PHONE_INSIDE = rf"(?:^|[^0-9{LETTERS}+./:_-])(?:{CLEAR_PHONE})(?:$|[^0-9{LETTERS}_@-])"
# Four-digit groups of account numbers and moments in time read like phone numbers when cut in two.
_ACCOUNT = r"[A-Z]{2}\d\d(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,3})?"
_MOMENT = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?"
_CARD = r"(?:\d{4}[ -]){3}\d{4}"
NOT_PHONES = f"{_ACCOUNT}|{_MOMENT}|{_CARD}"


def emails(facts: Facts) -> Iterator[Suggestion]:
    """A column of e-mail addresses."""
    if facts.type.kind in (*NUMBERS, *DATES_AND_TIMES, YES_NO):
        return
    found = facts.look.find(EMAIL, "@.")
    if facts.share(found) >= (0.5 if facts.named("email") else MOST):
        confidence = CERTAIN if facts.share(found) >= NEARLY_ALL else LIKELY
        yield facts.suggest(
            "email", confidence, f"{facts.cells_words(found)} have the form of an e-mail address.", found
        )


def phones(facts: Facts) -> Iterator[Suggestion]:
    """A column of phone numbers: by a form that only they have, or by the column's name and a form they may have."""
    if facts.type.kind in (DECIMAL, *DATES_AND_TIMES, YES_NO):
        return
    if facts.named("phone"):
        yield from _named_phones(facts)
        return
    found = facts.look.find(PHONE, "0")
    by_zero = facts.look.find(PHONE_BY_ZERO, "0") if not found.cells else Found(0, 0)
    if facts.share(found) >= MOST:
        yield facts.suggest("phone", LIKELY, f"{facts.cells_words(found)} have the form of a phone number.", found)
    elif facts.share(by_zero) >= NEARLY_ALL and by_zero.values >= 20:
        words = f"{facts.cells_words(by_zero)} are digits in the length of a phone number, beginning with one zero."
        yield facts.suggest("phone", POSSIBLE, words, by_zero)


def _named_phones(facts: Facts) -> Iterator[Suggestion]:
    found = facts.look.find(PHONE_IF_NAMED, "0")
    if facts.share(found) >= 0.5:
        words = f"the column's name says so, and {_small(facts.cells_words(found))} have the form of a phone number."
        yield facts.suggest("phone", CERTAIN if facts.share(found) >= MOST else LIKELY, words, found)


def web_addresses(facts: Facts) -> Iterator[Suggestion]:
    """A column of web addresses or of IP addresses."""
    if facts.type.kind in (*NUMBERS, *DATES_AND_TIMES, YES_NO):
        return
    for kind, pattern, needs, words in (
        ("url", URL, "a.", "a web address"),
        ("ip_address", IPV4, "0.", "an IP address"),
        ("ip_address", IPV6, ":", "an IP address (version 6)"),
    ):
        found = facts.look.find(pattern, needs)
        if facts.share(found) >= MOST:
            yield facts.suggest(kind, LIKELY, f"{facts.cells_words(found)} have the form of {words}.", found)


def inside_text(facts: Facts) -> Iterator[Suggestion]:
    """E-mail addresses and phone numbers somewhere in a text column; every row with one counts."""
    if facts.type.kind in (*NUMBERS, *DATES_AND_TIMES, YES_NO):
        return
    mails = facts.look.holding("@")
    found = mails.found(mails.fits(ADDRESS))
    if found.cells and facts.share(facts.look.find(EMAIL, "@.")) < MOST:
        yield facts.suggest("email_in_text", CERTAIN, _inside(facts, found, "an e-mail address"), found)
    numbers = _phones_inside(facts.look)
    if numbers.cells and facts.share(facts.look.find(PHONE, "0")) < MOST:
        yield facts.suggest("phone_in_text", LIKELY, _inside(facts, numbers, "a phone number"), numbers)


def _phones_inside(look: Look) -> Found:
    rough = look.only(look.fits(PHONE_INSIDE))
    cleaned = pc.replace_substring_regex(rough.values, NOT_PHONES, "x")
    return rough.found(rough.with_values(cleaned).fits(PHONE_INSIDE))


def _inside(facts: Facts, found: Found, what: str) -> str:
    looked = "" if facts.look.all else " looked at"
    rows = many(found.cells, "row", "rows")
    return f"In {rows}{looked} ({facts.percent(found)} of the filled cells{looked}) the text holds {what}."


def _small(words: str) -> str:
    return words[0].lower() + words[1:]
