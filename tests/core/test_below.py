"""θ̂ ≪ θ, against giving partners one by one as the oracle does; and coverage."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.below import first_without_partner
from riskapp.core.table.coverage import coverage
from riskapp.core.table.dictionary import Dictionary, Known
from tests.core.slow_identification import (
    RACE,
    SlowDictionary,
    climbed,
    columns_of,
    dictionaries,
    hierarchies,
    rows,
)
from tests.oracle import below as oracle
from tests.oracle import problem

SETTINGS = settings(deadline=None, max_examples=150)


class Ladder:
    """The steps of one of our hierarchies, in the words of the oracle."""

    def __init__(self, hierarchy: object) -> None:
        self.hierarchy = hierarchy

    def above(self, cell: tuple[int, int], level: int) -> tuple[int, int]:
        return level, climbed(self.hierarchy, cell, level)


def as_oracle(dictionary: SlowDictionary) -> problem.Dictionary:
    """Known cells; what is at the top says nothing, and what is matched by likeness is not compared."""
    entries = []
    for entry in range(len(dictionary.columns[0].codes)):
        known = {
            str(column.place): (column.level, column.codes[entry])
            for column in dictionary.columns
            if column.alike is None
            and column.codes[entry]
            and column.level < dictionary.hierarchies[column.place].height
        }
        entries.append(problem.Entry(known, {}, str(entry)))
    return problem.Dictionary("drawn", [], entries)


def expected(smaller: SlowDictionary, larger: SlowDictionary) -> int | None:
    ladders = {
        str(place): problem.Attribute(str(place), Ladder(hierarchy))
        for place, hierarchy in enumerate(smaller.hierarchies)
    }
    return oracle.first_without_partner(ladders, as_oracle(smaller), as_oracle(larger))


@SETTINGS
@given(st.data())
def test_the_first_entry_without_a_partner_is_the_oracle_s(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    smaller, larger = data.draw(dictionaries(some)), data.draw(dictionaries(some))
    assert first_without_partner(smaller.fast, larger.fast) == expected(smaller, larger)


@SETTINGS
@given(st.data())
def test_partners_are_exchanged_when_a_later_entry_needs_them(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    table = data.draw(rows(some, 7))
    places = range(len(some))
    exact = Dictionary.itself("self", columns_of(some, table), list(places))
    kept = [
        tuple(code if data.draw(st.integers(0, 3)) else 0 for code in row) for row in data.draw(st.permutations(table))
    ]
    coarser = Dictionary.itself("coarser", columns_of(some, kept), list(places))
    assert first_without_partner(exact, coarser) is None


def test_an_entry_in_too_large_a_crowd_has_no_partner_left() -> None:
    codes = np.array([1, 2, 1, 1], dtype=np.int32)
    guess = Dictionary("guess", (Known(0, RACE, 0, codes),))
    truth = Dictionary("truth", (Known(0, RACE, 0, codes[:3]),))
    assert first_without_partner(guess, truth) == 3
    assert first_without_partner(truth, guess) is None


def test_many_entries_are_given_partners_at_once() -> None:
    draw = np.random.default_rng(1)
    table = draw.integers(1, 5, (20_000, 2)).astype(np.int32)
    holes = np.where(draw.random(table.shape) < 0.3, 0, table).astype(np.int32)

    def known(cells: np.ndarray) -> Dictionary:
        return Dictionary("many", tuple(Known(place, RACE, 0, cells[:, place].copy()) for place in (0, 1)))

    assert first_without_partner(known(table), known(holes[::-1])) is None
    assert first_without_partner(known(np.vstack([table, table[:1]])), known(holes)) == len(table)


def test_records_are_counted_in_their_bands() -> None:
    people = np.random.default_rng(1).integers(0, 30, 1000)
    bands = {"0": (0, 0), "1": (1, 1), "2-5": (2, 5), "6-20": (6, 20), ">20": (21, 30)}
    assert coverage(people) == {name: sum(low <= n <= high for n in people) for name, (low, high) in bands.items()}
    assert coverage(people[:0]) == dict.fromkeys(bands, 0)
