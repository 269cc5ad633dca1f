"""Which limits a rule breaks.

Chances are limited for every dictionary, by definition and by replay. A limit is broken when it is passed in the first
twelve digits. What is required of sensitive columns, l and t, holds for every one of them.
"""

from collections.abc import Iterable, Iterator, Sequence

from riskapp.core.digits import rounded
from riskapp.core.evaluation import People
from riskapp.core.table.inference import Inference
from riskapp.core.table.limits import Limits
from riskapp.core.table.requirements import Reached


def broken(
    limits: Limits,
    people: Sequence[People],
    smallest: int | None,
    inference: Iterable[Inference] = (),
    reached: Sequence[Reached] = (),
) -> tuple[str, ...]:
    """The names of the limits that are broken: in the order of the names, and then `l` and `t`.

    Parameters
    ----------
    limits : what a rule must keep
    people : the figures for every dictionary, by definition and by replay, with `share_above` for its chance
    smallest : the people in the smallest group; None when there is none
    inference : of every sensitive column
    reached : by every sensitive column, where there are groups

    Examples
    --------
    >>> found = [People(expected_found=1.5, singled_out=1, uncovered=0, largest_chance=0.5, gain=1.4)]
    >>> broken(Limits(smallest_group=2, largest_chance=0.4), found, 1)
    ('largest_chance', 'smallest_group')
    """
    return (*_limits(limits, people, smallest, inference), *_requirements(limits, reached))


def above(number: float, limit: float) -> bool:
    """Whether a number is above its limit; in twelve digits, those after a leading zero counted.

    >>> above(0.1 + 0.2, 0.3), above(1e-17, 0.0), above(0.31, 0.3)
    (False, False, True)
    """
    return rounded(number, max(abs(number), 1.0)) > rounded(limit, max(abs(limit), 1.0))


def _limits(
    limits: Limits, people: Sequence[People], smallest: int | None, inference: Iterable[Inference]
) -> Iterator[str]:
    most = limits.inference
    if most is not None and any(above(found.worst, most) for found in inference):
        yield "inference"
    chance = limits.largest_chance
    if chance is not None and any(above(figures.largest_chance, chance) for figures in people):
        yield "largest_chance"
    if limits.share_above is not None and any(_too_many(figures, limits.share_above.share) for figures in people):
        yield "share_above"
    if limits.smallest_group is not None and smallest is not None and smallest < limits.smallest_group:
        yield "smallest_group"


def _too_many(figures: People, share: float) -> bool:
    if figures.share_above is None:
        raise ValueError("The people above the chance of the limit were not counted.")
    return above(figures.share_above, share)


def _requirements(limits: Limits, reached: Sequence[Reached]) -> Iterator[str]:
    if any(_too_uniform(limits, column) for column in reached):
        yield "l"
    if limits.t is not None and any(above(column.t, limits.t) for column in reached):
        yield "t"


def _too_uniform(limits: Limits, column: Reached) -> bool:
    """Whether some group has too few values, in one of the senses of l that are asked for."""
    return not column.recursive or any(above(least, getattr(column, kind)) for kind, least in limits.l.items())
