"""Which limits are broken. Against the oracle they are held together with all other figures, in test_measure."""

import numpy as np
import pytest

from riskapp.core.evaluation import People
from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.breaking import above, broken
from riskapp.core.table.inference import Inference
from riskapp.core.table.keys import Keys
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.requirements import Reached, reached

FOUND = People(expected_found=1.0, singled_out=0, uncovered=0, largest_chance=0.5, gain=0.5, share_above=0.25)
GROUPS = Groups.of(Keys((np.array([0, 0, 0, 1, 1]),), 2))
ILLNESS = [1, 1, 2, 1, 1]
LEARNT = [Inference(0.1, 0.2)]


def reaches(limits: Limits, values: list[int], ordered: int | None = None) -> Reached:
    codes = np.array(values, dtype=np.int32)
    return reached(limits, value_counts(GROUPS, codes), table_counts(GROUPS, codes), ordered)


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        (Limits(), ()),
        (Limits(largest_chance=0.5), ()),
        (Limits(largest_chance=0.49), ("largest_chance",)),
        (Limits(smallest_group=2), ()),
        (Limits(smallest_group=3), ("smallest_group",)),
        (Limits(share_above=ShareAbove(0.4, 0.25)), ()),
        (Limits(share_above=ShareAbove(0.4, 0.2)), ("share_above",)),
        (Limits(inference=0.2), ()),
        (Limits(inference=0.1), ("inference",)),
        (Limits(l={"distinct": 1}), ()),
        (Limits(l={"distinct": 2}), ("l",)),
        (Limits(l={"probabilistic": 1.1}), ("l",)),
        (Limits(l={"entropy": 1.1}), ("l",)),
        (Limits(recursive=(2.0, 1)), ()),
        (Limits(recursive=(2.0, 2)), ("l",)),
        (Limits(t=0.2), ()),
        (Limits(t=0.1), ("t",)),
    ],
)
def test_a_limit_is_broken_when_it_is_passed(limits: Limits, wanted: tuple[str, ...]) -> None:
    assert broken(limits, [FOUND], 2, LEARNT, [reaches(limits, ILLNESS)]) == wanted


def test_names_come_in_their_order_and_requirements_last() -> None:
    limits = Limits(0.1, 9, ShareAbove(0.1, 0.0), 0.0, {"distinct": 2}, None, 0.0)
    names = ("inference", "largest_chance", "share_above", "smallest_group", "l", "t")
    assert broken(limits, [FOUND], 2, LEARNT, [reaches(limits, ILLNESS)]) == names


def test_one_attacker_is_enough() -> None:
    worse = FOUND._replace(largest_chance=0.9)
    assert broken(Limits(largest_chance=0.5), [FOUND, worse, FOUND], 2) == ("largest_chance",)


def test_where_every_row_is_suppressed_no_group_is_too_small_or_too_uniform() -> None:
    assert broken(Limits(smallest_group=9, l={"distinct": 9}, recursive=(2.0, 2), t=0.0), [FOUND], None) == ()


def test_a_share_that_was_not_counted_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="were not counted"):
        broken(Limits(share_above=ShareAbove(0.4, 0.2)), [FOUND._replace(share_above=None)], 2)


def test_rounding_breaks_no_limit() -> None:
    assert not above(0.1 + 0.2, 0.3)
    assert not above(0.3 - 0.2 - 0.1 + 1e-16, 0.0)
    assert above(float("inf"), 1e9)


def test_along_an_order_the_way_counts() -> None:
    limits = Limits(t=0.3)
    assert broken(limits, [FOUND], 2, (), [reaches(limits, [1, 1, 2, 2, 2], ordered=3)]) == ()
    assert broken(limits, [FOUND], 2, (), [reaches(limits, [1, 1, 2, 2, 2])]) == ("t",)
