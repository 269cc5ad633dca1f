"""Whether the values of a column that are no labels are labels that somebody misspelt.

Nearly every slip makes a value of its own, so with a tenth of the entries misspelt most of the different values are no
labels. Therefore a sample of those that are none is compared with the labels, as matching by likeness would do it. Only
words are compared: numbers are alike whatever they mean. And labels that are alike one another say nothing, since a
word near to one of them may be a word of its own.
"""

from dataclasses import dataclass

import pyarrow.compute as pc

from riskapp.core.table.alike import CLOSE
from riskapp.core.table.value_list import Texts
from riskapp.engine.adversaries.described import spread
from riskapp.engine.adversaries.fuzzy import best_of_others

LIKENESSES = ("0.95", "0.9", "0.85")
"""Those that are tried, the strictest first: one slip in a word of five letters leaves 0.86 or more."""
MOST, NEARLY_ALL = 0.5, 0.9
BY_CHANCE = 2
"""So many times as often as the labels among themselves must the others be alike a label."""
MOST_COMPARED = 500
MOST_PAIRS = 4_000_000
WORD = r"\p{L}.*\p{L}.*\p{L}"
"""Three letters at least."""


@dataclass(frozen=True)
class Slips:
    """The share of the values that are no labels but alike one, and the likeness that finds them."""

    share: float
    likeness: str


def slips(others: Texts, labels: Texts) -> Slips | None:
    """What the values that are no labels have of misspelt labels; None where most of them are none.

    The likeness is the strictest that finds nearly as many as the loosest.

    >>> from riskapp.core.table.value_list import texts
    >>> slips(texts(["Aldersea", "Brakc", "Rome"]), texts(["Aldersee", "Brack"]))
    Slips(share=0.6666666666666666, likeness='0.9')
    >>> slips(texts(["Maria", "Marta"]), texts(["Marie", "Marit", "Marta"]))
    """
    found = {one: _alike(others, labels, one) for one in LIKENESSES}
    loosest = found[LIKENESSES[-1]]
    if loosest < MOST:
        return None
    likeness = next(one for one in LIKENESSES if found[one] >= NEARLY_ALL * loosest)
    if found[likeness] < BY_CHANCE * _alike(labels, labels, likeness):
        return None
    return Slips(found[likeness], likeness)


def _alike(values: Texts, labels: Texts, likeness: str) -> float:
    """The share of the values, of a sample, that are words alike a label other than themselves."""
    names = words(labels)
    some = spread(values, max(min(MOST_COMPARED, MOST_PAIRS // max(len(names), 1)), 1))
    best = best_of_others(words(some).to_pylist(), names.to_pylist(), float(likeness))
    return int((best >= float(likeness) - CLOSE).sum()) / max(len(some), 1)


def words(values: Texts) -> Texts:
    """Those that are words.

    >>> from riskapp.core.table.value_list import texts
    >>> words(texts(["Łódź", "NW1 7", "12", "f"])).to_pylist()
    ['Łódź']
    """
    return values.filter(pc.match_substring_regex(values, WORD))
