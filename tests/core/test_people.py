"""People figures, one person at a time."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.core.evaluation import People
from riskapp.core.loss import Loss
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.people import people

UNCOVERED = st.sampled_from(["one", "zero"])


@dataclass
class SlowPeople:
    """The definitions, one person at a time."""

    counts: list[int]
    persons: list[int]
    uncovered: str
    everybody: int

    def each(self) -> list[list[int]]:
        return [
            [count for count, person in zip(self.counts, self.persons, strict=True) if person == one]
            for one in sorted(set(self.persons))
        ]

    def chance(self, count: int) -> float:
        return 1 / count if count else float(self.uncovered == "one")

    def figures(self, limit: float) -> People:
        each = self.each()
        found = sum(max(1 / count for count in own if count) for own in each if any(own))
        chances = [max(map(self.chance, own)) for own in each]
        return People(
            expected_found=found,
            singled_out=sum(1 in own for own in each),
            uncovered=sum(not any(own) for own in each),
            largest_chance=max(chances),
            gain=found - (len(each) / self.everybody if self.everybody else 0),
            share_above=sum(round(chance, 12) > round(limit, 12) for chance in chances) / len(chances),
        )


RECORDS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=12)


@given(RECORDS, UNCOVERED, st.integers(6, 20), st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0]))
def test_figures_are_those_of_one_person_after_the_other(
    records: list[tuple[int, int]], uncovered: str, everybody: int, limit: float
) -> None:
    counts, persons = (list(column) for column in zip(*records, strict=True))
    found = people(np.array(counts), codes(persons), Loss(uncovered=uncovered), everybody, limit)
    assert found == pytest.approx(SlowPeople(counts, persons, uncovered, everybody).figures(limit))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), UNCOVERED)
def test_without_persons_every_record_is_somebody_else_s(counts: list[int], uncovered: str) -> None:
    loss, numbers = Loss(uncovered=uncovered), np.array(counts)
    assert people(numbers, None, loss, 9, 0.4) == people(numbers, codes(list(range(len(counts)))), loss, 9, 0.4)


def test_an_empty_dictionary_leaves_nothing_to_guess() -> None:
    found = people(np.array([0, 0]), None, Loss(uncovered="zero"), everybody=0)
    assert (found.gain, found.largest_chance, found.uncovered, found.share_above) == (0.0, 0.0, 2, None)


def test_a_chance_at_the_limit_is_not_above_it() -> None:
    assert people(np.array([10, 3]), None, Loss(), everybody=10, limit=0.1).share_above == 0.5
    assert people(np.array([49, 49]), None, Loss(), everybody=49, limit=1 - 48 / 49).share_above == 0.0


def test_records_without_a_person_are_refused() -> None:
    with pytest.raises(ValueError, match="a person for each"):
        people(np.array([1, 2]), codes([0]), Loss(), everybody=3)
    with pytest.raises(ValueError, match="at least one record"):
        people(np.zeros(0, dtype=np.int64), None, Loss(), everybody=3)


def codes(numbers: list[int]) -> Codes:
    return np.array(numbers, dtype=np.int32)
