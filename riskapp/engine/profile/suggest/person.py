"""What a person is: names, dates of birth, age, sex, and what others know of them."""

from collections.abc import Iterator

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.look import LETTERS, Found
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, NAME_SAYS_SO, POSSIBLE, Facts
from riskapp.engine.profile.suggest.given_names import GIVEN_NAMES
from riskapp.engine.profile.suggest.meanings import plain
from riskapp.engine.profile.value_types import DATES_AND_TIMES, DECIMAL, NUMBERS, TEXT, WHOLE, YES_NO
from riskapp.engine.profile.words import number, percent

LIKE_A_NAME = rf"^[{LETTERS}][{LETTERS}'.-]*(?:,? [{LETTERS}][{LETTERS}'.-]*){{0,5}}$"
SMALL_NUMBER = r"^(?:\d|[1-9]\d|1[0-2]\d)(?:\.0)?$"
_YEARS = r"(?: ?(?i:years|jahre|ans|años|anni|jaar))?"
AGE_GROUP = (
    r"^(?:[<>\x{2264}\x{2265}]=? ?|under |over |unter |über )?\d{1,3}"
    rf"(?: ?(?:-|\x{{2013}}|to|bis|a|-<) ?\d{{1,3}}|\+| ?(?i:and|und|et) .*)?{_YEARS}$"
)
YEAR = r"^(?:19|20)\d\d$"
SEXES = [
    {"m", "f", "x", "u"},
    {"m", "w", "d", "x", "u"},
    {"m", "v", "x"},
    {"h", "f"},
    {"h", "m"},
    {"male", "female", "other", "unknown", "nonbinary", "non-binary", "diverse", "intersex"},
    {"man", "woman"},
    {"men", "women"},
    {"boy", "girl"},
    {"mr", "mrs", "ms", "miss", "mr.", "mrs.", "ms."},
    {"männlich", "weiblich", "divers", "unbekannt"},
    {"mann", "frau"},
    {"herr", "frau", "divers"},
    {"homme", "femme", "autre"},
    {"masculin", "féminin", "feminin"},
    {"m.", "mme", "monsieur", "madame"},
    {"hombre", "mujer", "otro"},
    {"masculino", "femenino"},
    {"varón", "mujer"},
    {"uomo", "donna", "altro"},
    {"maschio", "femmina"},
    {"maschile", "femminile"},
    {"man", "vrouw", "anders"},
    {"mannelijk", "vrouwelijk"},
]


def person_names(facts: Facts) -> Iterator[Suggestion]:
    """A column of people's names: by the column's name and the form of the values, or by common given names."""
    if facts.type.kind != TEXT or facts.look.words > 6:
        return
    shaped = facts.look.find(LIKE_A_NAME, "a")
    if facts.share(shaped) < 0.6:
        return
    given = _with_given_name(facts)
    if facts.named("person_name", "bare_name") and not _only_a_word_for_a_thing(facts):
        strong = facts.named("person_name") or given >= 0.2
        yield facts.suggest("person_name", CERTAIN if strong else LIKELY, _named(facts, shaped), shaped)
    elif given >= 0.4 and facts.measured.distinct >= 5 and not facts.named("place", "thing"):
        words = f"{percent(int(1000 * given), 1000)} of the values tried hold a common given name."
        yield facts.suggest("person_name", LIKELY, words, shaped)


def _named(facts: Facts, shaped: Found) -> str:
    share = facts.cells_words(shaped)
    return f"{NAME_SAYS_SO}, and {share[0].lower()}{share[1:]} are made of letters as names are."


def _only_a_word_for_a_thing(facts: Facts) -> bool:
    return facts.named("thing") and not facts.named("person_name", "person")


def _with_given_name(facts: Facts) -> float:
    """The share of the pilot's values that hold a common given name as a word."""
    values = facts.look.pilot.values.to_pylist()
    hits = sum(1 for value in values if not GIVEN_NAMES.isdisjoint(value.casefold().replace(",", " ").split()))
    return hits / len(values) if values else 0.0


def dates(facts: Facts) -> Iterator[Suggestion]:
    """A column of dates, of birth if its name says so; years and months count where the name speaks of them."""
    kind, words = ("birth_date", " of birth") if facts.named("birth_date") else ("date", "")
    if facts.type.kind in DATES_AND_TIMES:
        found = Found(0, facts.look.cells - facts.type.exceptions_cells)
        reason = f"{facts.cells_words(found)} are dates ({facts.type.format})"
        reason += f", and the column's name speaks of a date{words}." if facts.named("date", "birth_date") else "."
        yield facts.suggest(kind, CERTAIN if facts.named("date", "birth_date") else LIKELY, reason, found)
    elif facts.type.kind == WHOLE and facts.named("date", "birth_date"):
        yield from _years(facts, kind)


def _years(facts: Facts, kind: str) -> Iterator[Suggestion]:
    found = facts.look.find(YEAR)
    if facts.share(found) >= 0.9:
        share = facts.cells_words(found)
        reason = f"{NAME_SAYS_SO}, and {share[0].lower()}{share[1:]} have the form of a year."
        yield facts.suggest(kind, LIKELY, reason, found)


def ages(facts: Facts) -> Iterator[Suggestion]:
    """A column called age whose values can be years of life, or groups of them."""
    if not facts.named("age") or facts.type.kind in (*DATES_AND_TIMES, YES_NO):
        return
    found = facts.look.find(SMALL_NUMBER)
    grouped = facts.look.find(AGE_GROUP) if facts.type.kind not in NUMBERS else Found(0, 0)
    best = max(found, grouped, key=lambda each: each.cells)
    if facts.share(best) >= 0.9:
        what = "numbers" if best == found else "groups of numbers"
        yield facts.suggest("age", CERTAIN, f"{NAME_SAYS_SO}, and the values are {what} in the range of ages.", best)


def sexes(facts: Facts) -> Iterator[Suggestion]:
    """A column with a few values that are words or letters for the sexes, or codes where the name says so."""
    if facts.measured.distinct > 8 or not facts.measured.distinct:
        return
    values = {value.casefold() for value in facts.look.values.to_pylist()}
    words = any(len(values & known) >= min(2, len(values)) and len(values - known) <= 1 for known in SEXES)
    named = facts.named("sex") and not facts.named("free_text")
    if words and named:
        yield facts.suggest("sex", CERTAIN, f"{NAME_SAYS_SO}, and the values are words or letters for the sexes.")
    elif words and len(values) >= 2:
        yield facts.suggest("sex", LIKELY, "the values are words or letters for the sexes.")
    elif named and _speaks_of_sex(facts):
        reason = f"{NAME_SAYS_SO}; there are {number(facts.measured.distinct)} different values."
        yield facts.suggest("sex", LIKELY, reason)


def _speaks_of_sex(facts: Facts) -> bool:
    """A title or form of address may be about anything; the other words are not."""
    return not {"title", "salutation", "tratamiento", "genre", "genere"} & set(plain(facts.name).split("_"))


def traits(facts: Facts) -> Iterator[Suggestion]:
    """A column about something others can know of a person: occupation, nationality, marital status."""
    if facts.named("trait") and facts.type.kind != DECIMAL and facts.distinct_share < 0.5:
        reason = "by its name, the column tells something about a person that others may know or see."
        yield facts.suggest("trait", POSSIBLE, reason)


def sensitive(facts: Facts) -> Iterator[Suggestion]:
    """A column about something that can hurt a person who is found: illness, belief, origin, debts, crimes."""
    if facts.named("sensitive"):
        reason = "by its name, the column tells something that can hurt people if it is learnt about them."
        yield facts.suggest("sensitive", LIKELY, reason)
