"""Suggestions: what a column may be, found by rules that each look at its name, its figures and its values."""

from collections.abc import Callable, Iterable

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.suggest import contact, content, identifier, person, place
from riskapp.engine.profile.suggest.facts import CONFIDENCES, TITLES, Facts

Rule = Callable[[Facts], Iterable[Suggestion]]

RULES: list[Rule] = [
    content.yes_or_no,
    content.amounts,
    content.free_texts,
    contact.emails,
    contact.phones,
    contact.web_addresses,
    contact.inside_text,
    identifier.identifiers,
    identifier.official_numbers,
    person.person_names,
    person.dates,
    person.ages,
    person.sexes,
    person.traits,
    person.sensitive,
    place.postcodes,
    place.places,
    place.addresses,
]
NAMING = [contact.emails, person.person_names]


def suggestions(facts: Facts) -> tuple[Suggestion, ...]:
    """All suggestions for a column, the surest first; one value throughout is only asked whether it names somebody."""
    silent = tuple(content.nothing(facts))
    if silent and facts.measured.constant:
        return (*silent, *(suggestion for rule in NAMING for suggestion in rule(facts)))
    found = [*silent, *(suggestion for rule in RULES for suggestion in rule(facts))]
    order = list(TITLES)
    found.sort(key=lambda each: (CONFIDENCES.index(each.confidence), order.index(each.kind)))
    return tuple(found)
