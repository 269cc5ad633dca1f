"""Direct identifiers: columns that point to one person, by name, by being all different, or by check digits."""

from collections.abc import Iterator

from riskapp.engine.profile.figures import Suggestion
from riskapp.engine.profile.look import Found
from riskapp.engine.profile.suggest.check_digits import SOCIAL_SECURITY, OfficialNumber, official_number
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, NAME_SAYS_SO, POSSIBLE, Facts
from riskapp.engine.profile.value_types import DATES_AND_TIMES, DECIMAL, WHOLE, YES_NO
from riskapp.engine.profile.words import many, number, percent

NEARLY_ALL = 0.95
# In a smaller table most columns are all different by chance.
CELLS_LEAST = 20
CODE = r"^[^\W\d_]{0,8}[-_./ ]?\d{2,}$"
OFFICIAL_LEAST = 10
# A column of this name may be all different without being made to point to anybody.
SAYS_ANOTHER_THING = ("amount", "coordinate", "date", "birth_date", "postcode", "place", "age", "trait", "free_text")

SERIAL_LENGTH = 17
SERIALS = (
    (r"^(?i:[{(]?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}[)}]?)$", "a universally unique identifier (UUID)"),
    (r"^(?i:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$", "a hash value"),
    (r"^(?i:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5})$", "a device's network (MAC) address"),
)


def identifiers(facts: Facts) -> Iterator[Suggestion]:
    """The strongest reason to take the column for a direct identifier, if there is one."""
    if facts.type.kind in (*DATES_AND_TIMES, YES_NO):
        return
    for rule in (_serial, _of_a_person, _named, _all_different):
        suggestion = rule(facts)
        if suggestion:
            yield suggestion
            return


def _serial(facts: Facts) -> Suggestion | None:
    if facts.type.kind == DECIMAL or facts.look.longest < SERIAL_LENGTH:
        return None
    for pattern, words in SERIALS:
        found = facts.look.find(pattern)
        # A hash of digits only cannot be told from a long number: such columns do not exist by chance.
        if facts.share(found) >= NEARLY_ALL and found.values >= 2:
            return facts.suggest("identifier", CERTAIN, f"{facts.cells_words(found)} have the form of {words}.", found)
    return None


def _of_a_person(facts: Facts) -> Suggestion | None:
    if not names_a_person(facts) or facts.type.kind == DECIMAL:
        return None
    return facts.suggest("identifier", LIKELY if facts.distinct_share < NEARLY_ALL else CERTAIN, _reason(facts))


def _named(facts: Facts) -> Suggestion | None:
    if not facts.named("identifier", "national_number") or facts.named("phone", "date", "amount", "address"):
        return None
    if facts.type.kind == DECIMAL or facts.distinct_share < 0.5:
        return None
    sure = CERTAIN if facts.distinct_share >= NEARLY_ALL else POSSIBLE
    return facts.suggest("identifier", sure, _reason(facts))


def _all_different(facts: Facts) -> Suggestion | None:
    if facts.type.kind == DECIMAL or facts.measured.filled < CELLS_LEAST or facts.distinct_share < NEARLY_ALL:
        return None
    if facts.look.words >= 3 or facts.named(*SAYS_ANOTHER_THING):
        return None
    even = facts.type.kind == WHOLE and not _evenly_long(facts)
    return facts.suggest("identifier", POSSIBLE if even else LIKELY, f"{_differing(facts)}.")


def names_a_person(facts: Facts) -> bool:
    """Whether the column's name speaks of the number or sign of a person, such as `member_id` or `Kundennummer`.

    A column that is called like a person only, such as `patient`, does so where its values are codes given out.
    """
    if not facts.named("person") or facts.named("phone", "thing", "date", "address"):
        return False
    return facts.named("identifier") or (facts.called("person") and _given_out(facts))


def _given_out(facts: Facts) -> bool:
    """Whether values are codes of one make, and too many for kinds of people or for numbers of them."""
    if facts.measured.distinct < CELLS_LEAST or facts.share(facts.look.find(CODE, "0")) < NEARLY_ALL:
        return False
    return facts.type.kind != WHOLE or _evenly_long(facts)


def _evenly_long(facts: Facts) -> bool:
    """Whether numbers look like numbers given out: all of one length, or filling the numbers up to a highest."""
    values = facts.look.pilot.values.to_pylist()
    digits = [value.lstrip("+-") for value in values if value.lstrip("+-").isdecimal()]
    highest = max((int(value) for value in digits), default=0)
    return len({len(value) for value in digits}) <= 1 or highest <= 2 * facts.measured.distinct


def _reason(facts: Facts) -> str:
    return f"{NAME_SAYS_SO}; {_differing(facts)}."


def _differing(facts: Facts) -> str:
    distinct, filled = facts.measured.distinct, facts.measured.filled
    if distinct == filled:
        return f"all {number(filled)} filled cells differ from each other"
    values = many(distinct, "different value", "different values")
    return f"{values} in {many(filled, 'filled cell', 'filled cells')} ({percent(distinct, filled)})"


def official_numbers(facts: Facts) -> Iterator[Suggestion]:
    """Numbers given out by a state or a bank, found by their form and check digits, or by the column's name."""
    if facts.type.kind in (DECIMAL, *DATES_AND_TIMES, YES_NO) or not len(facts.look.values):
        return
    tried = facts.look.pilot.values.to_pylist()
    met = official_number(tried) if len(tried) >= OFFICIAL_LEAST and facts.measured.distinct > 1 else None
    if met:
        yield _by_check(facts, *met, len(tried))
        return
    found = facts.look.find(SOCIAL_SECURITY, "0-")
    if facts.share(found) >= NEARLY_ALL and found.values >= OFFICIAL_LEAST:
        words = f"{facts.cells_words(found)} have the form of a United States social security number."
        yield facts.suggest("national_number", LIKELY, words, found)
    elif facts.named("national_number") and facts.distinct_share >= 0.05:
        yield facts.suggest("national_number", LIKELY, f"{NAME_SAYS_SO}; {_differing(facts)}.")


def _by_check(facts: Facts, official: OfficialNumber, valid: int, tried: int) -> Suggestion:
    check = "the form and valid check digits" if official.checked else "the form"
    words = f"{number(valid)} of {many(tried, 'value', 'values')} tried have {check} of {official.words}."
    pilot = facts.look.pilot
    cells = facts.look.cells if valid == tried else int(facts.look.cells * valid / tried)
    confidence = CERTAIN if official.checked and len(pilot.values) >= 2 * OFFICIAL_LEAST else LIKELY
    return facts.suggest(official.kind, confidence, words, Found(valid, cells))
