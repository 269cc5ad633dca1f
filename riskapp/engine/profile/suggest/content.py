"""What a column is, whoever it is about: empty, constant, yes/no, amounts, free text."""

from collections.abc import Iterator

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.look import Found
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, NAME_SAYS_SO, POSSIBLE, Facts
from riskapp.engine.profile.value_types import NUMBERS, TEXT, YES_NO
from riskapp.engine.profile.words import many, number

MONEY = r"^[+-]?(?:(?:[€$£¥]|EUR|USD|GBP|CHF)\s?[+-]?\d[\d.,' ]*|\d[\d.,' ]*\s?(?:[€$£¥]|EUR|USD|GBP|CHF|Euro))$"
DISTINCT_LEAST = 5


def nothing(facts: Facts) -> Iterator[Suggestion]:
    """A column that says nothing: no cell filled, or the same everywhere."""
    if not facts.measured.distinct:
        yield facts.suggest("empty", CERTAIN, "no cell of the column is filled.")
    elif facts.measured.constant:
        yield facts.suggest("constant", CERTAIN, "all rows hold the same value.")
    elif facts.measured.distinct == 1:
        missing = many(facts.measured.missing, "cell is", "cells are")
        reason = f"all filled cells hold the same value; {missing} missing, which may tell something."
        yield facts.suggest("constant", POSSIBLE, reason)


def yes_or_no(facts: Facts) -> Iterator[Suggestion]:
    if facts.type.kind == YES_NO and facts.measured.distinct == 2:
        yield facts.suggest("yes_no", CERTAIN, "the only two values are words, letters or digits for yes and no.")


def amounts(facts: Facts) -> Iterator[Suggestion]:
    """A column of sums of money: by a currency sign, or by its name and its numbers."""
    if facts.type.kind == TEXT:
        found = facts.look.find(MONEY, "0")
        if facts.share(found) >= 0.8:
            yield facts.suggest("amount", CERTAIN, f"{facts.cells_words(found)} are numbers with a currency.", found)
    elif facts.type.kind in NUMBERS and facts.named("amount") and not facts.named("identifier"):
        found = Found(0, facts.look.cells - facts.type.exceptions_cells)
        yield facts.suggest("amount", LIKELY, f"{NAME_SAYS_SO}, and the values are numbers.", found)


def free_texts(facts: Facts) -> Iterator[Suggestion]:
    """A column of sentences: many words in a value, and values that seldom repeat."""
    if facts.type.kind != TEXT or facts.measured.distinct < DISTINCT_LEAST:
        return
    words, named = facts.look.words, facts.named("free_text")
    if (words >= 5 and facts.distinct_share >= 0.2) or (words >= 3 and named and facts.distinct_share >= 0.05):
        yield facts.suggest("free_text", CERTAIN if named or words >= 8 else LIKELY, _reason(facts))
    elif words >= 3.5 and facts.distinct_share >= 0.5 and not facts.named("address", "person_name", "bare_name"):
        yield facts.suggest("free_text", POSSIBLE, _reason(facts))


def _reason(facts: Facts) -> str:
    values = many(facts.measured.distinct, "different text", "different texts")
    return f"{values} in {number(facts.measured.filled)} filled cells, of about {facts.look.words:.0f} words each."
