"""Suggested parts: from the profile of a table, what each column should be in the release, and why.

Nothing that points at a person is ever suggested for release: it is dropped, or, once, the identifier that tells people
apart and is never released either. What cannot be judged is dropped or left for the officer, never kept.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from riskapp.engine.profile.figures import ColumnProfile, Profile, Suggestion
from riskapp.engine.profile.suggest.facts import CERTAIN, LIKELY, POSSIBLE
from riskapp.engine.profile.suggest.meanings import plain
from riskapp.engine.profile.value_types import DATES_AND_TIMES, NUMBERS, WHOLE
from riskapp.engine.profile.words import many, number, percent

IDENTIFIER, GENERALISED, KEPT, DROPPED = "identifier", "generalised", "kept", "dropped"
NONE, DATES, INTERVALS, MASK, ORDERED, COUNTRIES, PREFIXES = (
    "none",
    "dates",
    "intervals",
    "mask",
    "ordered",
    "countries",
    "prefixes",
)

POINTING = (
    *("identifier", "national_number", "iban", "card_number", "person_name", "email", "phone", "url", "ip_address"),
    *("address", "free_text", "email_in_text", "phone_in_text"),
)
"""What points at a person, or may hold what does. However unsure the profile is of it, it is not released."""
KNOWABLE = {
    *("birth_date", "date", "age", "sex", "postcode", "place", "trait"),
    *("national_number", "person_name", "email", "phone", "address"),
}
UNRECOGNISED = "What it says of people was not recognised, so somebody is taken to know it."
COUNTRY_WORDS = set("country countries pays pais nazione staat iso".split())
CODE_WORDS = set("icd nace isic isco atc sic naics loinc ccs gem cpv nuts code codes".split())
BAND_WORDS = set("band group class grade level stage size scale score education degree".split())
IN_ORDER = "The values seem to have an order: neighbours are merged."
OF_NO_KNOWN_ORDER = "By its name the column has an order, but none that is known here: order or group its values."
FEW = 10
"""So few different values are categories, also where they are numbers."""
CODES = 3
"""So few different whole numbers are no amounts, whatever the name of the column says."""
UNIQUE = 0.5
"""With more different values than this share of the filled cells, they are hardly categories."""


@dataclass(frozen=True)
class Part:
    """The part suggested for one column: the reason is a sentence without any value of the table."""

    column: str
    position: int
    role: str
    knowable: bool
    hurts: bool
    hierarchy: str | None
    confidence: str
    reason: str


def suggested(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The part of every column of a profile, as JSON can hold it, in the order of the table.

    Parameters
    ----------
    told : the profile as `Profile.as_json` tells it

    Returns
    -------
    for each column its name, position, role (identifier, generalised, kept, dropped), whether an attacker could know it
    and whether it hurts if learnt, the kind of hierarchy (None unless generalised), confidence and reason
    """
    profile = Profile.from_json(told)
    identifier = profile.people[0].column if profile.people else None
    return [asdict(_part(column, profile.rows, column.position == identifier)) for column in profile.columns]


def _part(column: ColumnProfile, rows: int, identifier: bool) -> Part:
    if identifier:
        surest = next((each for each in column.suggestions if each.kind in POINTING), None)
        sure = surest.confidence if surest else POSSIBLE
        return _as(column, IDENTIFIER, sure, "It tells people apart, so rows of one person are counted as one.")
    if not column.distinct:
        return _as(column, DROPPED, CERTAIN, "No cell of the column is filled.")
    pointing = [each for each in column.suggestions if each.kind in POINTING]
    if pointing:
        return _dropped(column, pointing[0])
    if column.distinct == 1 and not column.missing.count and rows > 1:
        return _as(column, KEPT, CERTAIN, "All rows hold the same value, so it tells nobody apart.")
    kind, sure, reason = _hierarchy(column)
    unique = column.distinct > max(FEW, UNIQUE * (rows - column.missing.count))
    if unique and kind in (NONE, ORDERED, COUNTRIES):
        share = f"{number(column.distinct)} different values in {many(rows, 'row', 'rows')}"
        return _unless_recognised(column, DROPPED, LIKELY, f"{share}: released, they would point at single people.")
    if not column.suggestions:
        reason = f"{reason} {UNRECOGNISED}"
    return _unless_recognised(column, GENERALISED, sure, reason, kind)


def _unless_recognised(column: ColumnProfile, role: str, sure: str, reason: str, hierarchy: str | None = None) -> Part:
    """Somebody is taken to know what was not recognised, also should it be released against the suggestion."""
    part = _as(column, role, sure, reason, hierarchy)
    return part if column.suggestions else replace(part, knowable=True)


def _as(column: ColumnProfile, role: str, sure: str, reason: str, hierarchy: str | None = None) -> Part:
    kinds = {each.kind for each in column.suggestions}
    return Part(
        column=column.name,
        position=column.position,
        role=role,
        knowable=bool(kinds & KNOWABLE),
        hurts="sensitive" in kinds,
        hierarchy=hierarchy,
        confidence=sure,
        reason=reason,
    )


def _dropped(column: ColumnProfile, surest: Suggestion) -> Part:
    title = surest.title[0].lower() + surest.title[1:]
    reason = f"It may be released only for a reason ({title}): {surest.reason}"
    # What points at people is what others know of them; it counts if the officer has it released all the same.
    return replace(_as(column, DROPPED, surest.confidence, reason), knowable=True)


def _hierarchy(column: ColumnProfile) -> tuple[str, str, str]:
    """The kind of hierarchy, how sure that is, and the reason."""
    met = {each.kind: each for each in column.suggestions}
    words = set(plain(column.name).split("_"))
    if column.type.kind in DATES_AND_TIMES:
        return DATES, _sure(column), _told(column, "The values are dates: day, month, year.")
    if "postcode" in met:
        why = "The values are postcodes: signs are hidden from one end."
        return MASK, met["postcode"].confidence, why
    if words & COUNTRY_WORDS and column.type.kind not in NUMBERS:
        return COUNTRIES, LIKELY, "By its name, the column holds countries: region, continent."
    if words & CODE_WORDS and column.distinct > FEW:
        return PREFIXES, POSSIBLE, "By its name, the column holds codes, whose beginnings are groups."
    if column.type.kind in NUMBERS:
        return _of_numbers(column, met)
    if column.distinct > 2 and ("age" in met or words & BAND_WORDS):
        return ORDERED, POSSIBLE, IN_ORDER
    count = many(column.distinct, "different value", "different values")
    return NONE, LIKELY if column.distinct <= FEW else POSSIBLE, f"{count}: shown, or hidden altogether."


def _of_numbers(column: ColumnProfile, met: Mapping[str, Suggestion]) -> tuple[str, str, str]:
    if column.type.format == "with leading zeros":
        return (
            MASK,
            POSSIBLE,
            "Digits with zeros in front are rather codes than numbers: signs are hidden from one end.",
        )
    known = {"age", "date", "birth_date"} | ({"amount"} if column.distinct > CODES else set())
    if column.distinct <= FEW and column.type.kind == WHOLE and not known & set(met):
        return NONE, POSSIBLE, f"Only {number(column.distinct)} different numbers, perhaps codes of categories."
    return INTERVALS, _sure(column), _told(column, "The values are numbers: intervals that get wider.")


def _sure(column: ColumnProfile) -> str:
    return LIKELY if column.type.mixed else CERTAIN


def _told(column: ColumnProfile, reason: str) -> str:
    if not column.type.mixed:
        return reason
    others = many(column.type.exceptions_values, "value is", "values are")
    share = percent(column.type.exceptions_values, column.distinct)
    return f"{reason} {others} something else ({share})."
