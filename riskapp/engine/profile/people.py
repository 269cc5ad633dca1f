"""How many people the rows are about: going by a column that looks like the number or sign of a person."""

from collections.abc import Sequence

from riskapp.engine.profile.figures import People
from riskapp.engine.profile.suggest.facts import CONFIDENCES, LIKELY, POSSIBLE, Facts
from riskapp.engine.profile.suggest.identifier import names_a_person
from riskapp.engine.profile.words import many

# Signs that belong to one person each, if not always for ever.
OWN_SIGNS = ("national_number", "email")


def people(facts: Facts, kinds: Sequence[str], column: int) -> People | None:
    """The count of people by this column, if it looks like one that tells people apart."""
    identifier = "identifier" in kinds and names_a_person(facts)
    own = not set(OWN_SIGNS).isdisjoint(kinds)
    if not (identifier or own) or facts.measured.distinct < 2:
        return None
    confidence = LIKELY if identifier or "national_number" in kinds else POSSIBLE
    measured = facts.measured
    return People(column, measured.filled, measured.distinct, measured.missing, confidence, _words(facts))


def best_first(found: Sequence[People]) -> tuple[People, ...]:
    """The surest first, then the column with the fewest missing cells."""
    return tuple(sorted(found, key=lambda each: (CONFIDENCES.index(each.confidence), each.missing, each.column)))


def _words(facts: Facts) -> str:
    it = facts.measured
    words = f"{many(it.filled, 'row', 'rows')} about {many(it.distinct, 'person', 'people')}, by column {facts.name}"
    if it.missing:
        words += f"; {many(it.missing, 'row does', 'rows do')} not say whom"
    return f"{words}."
