"""Which column of a dictionary may say who an entry is, or for how many people it stands."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pyarrow.compute as pc

from riskapp.core.table.value_list import texts
from riskapp.engine.coded import CodedTable
from riskapp.engine.profile.suggest.facts import CERTAIN, CONFIDENCES, LIKELY, POSSIBLE
from riskapp.engine.profile.suggest.meanings import meanings, plain
from riskapp.engine.profile.words import number

NAMING = frozenset({"identifier", "national_number", "person_name", "bare_name", "email"})
NAMES = frozenset({"person_name", "bare_name"})
"""Different people may share one of these."""
OTHERS = frozenset({"thing", "place", "postcode", "date", "birth_date", "amount", "age"})
"""What is named like this points to no person, whatever else the name says."""
COUNT_WORDS = frozenset(
    "population count counts n number people persons inhabitants residents frequency freq headcount size "
    "anzahl einwohner bevoelkerung personen haeufigkeit effectif effectifs nombre habitants "
    "poblacion habitantes frecuencia popolazione abitanti numero aantal inwoners bevolking".split()
)
WHOLE = r"^[0-9]{1,15}$"
LEAST_ENTRIES = 20
"""In a smaller table most columns are all different by chance."""


@dataclass(frozen=True)
class Proposal:
    """A column with how sure it is and the reason, which holds no value."""

    column: str
    confidence: str
    reason: str


def count_column(dictionary: CodedTable) -> Proposal | None:
    """The column that says for how many people each entry stands: named so, and whole numbers throughout."""
    for place, name in enumerate(dictionary.names):
        words = plain(name).split("_")
        if COUNT_WORDS.isdisjoint(words) or not _all_whole(dictionary, place):
            continue
        sure = LIKELY if len(words) == 1 else POSSIBLE
        return Proposal(name, sure, "Its name says so, and every cell is a whole number.")
    return None


def identity_column(dictionary: CodedTable, taken: Collection[str]) -> Proposal | None:
    """The column that says who an entry is, the surest one; columns that are taken hold something else."""
    found = [proposal for proposal in _identities(dictionary) if proposal.column not in taken]
    return min(found, key=lambda proposal: CONFIDENCES.index(proposal.confidence), default=None)


def _identities(dictionary: CodedTable) -> Iterator[Proposal]:
    for place, name in enumerate(dictionary.names):
        unique = 0 < dictionary.rows == dictionary.distinct[place]
        says = meanings(name)
        named = bool(says & NAMING) and not says & OTHERS and dictionary.distinct[place] > 1
        if named and unique:
            yield Proposal(name, CERTAIN, "Its name says so, and every entry has a value of its own.")
        elif named and not says & NAMING <= NAMES:
            yield Proposal(name, LIKELY, f"Its name says so. {_shared(dictionary, place)}")
        elif named:
            told = f"Its name says so, but different people may share a name. {_shared(dictionary, place)}"
            yield Proposal(name, POSSIBLE, told)
        elif unique and dictionary.rows >= LEAST_ENTRIES and not says & OTHERS:
            yield Proposal(name, POSSIBLE, "Every entry has a value of its own.")


def _shared(dictionary: CodedTable, place: int) -> str:
    entries, people = number(dictionary.rows), number(dictionary.distinct[place])
    return f"The {entries} entries have {people} different values: those that share one are counted as one person."


def _all_whole(dictionary: CodedTable, place: int) -> bool:
    if not dictionary.rows or dictionary.missing[place]:
        return False
    return bool(pc.all(pc.match_substring_regex(texts(dictionary.values(place)).drop_null(), WHOLE)).as_py())
