"""Hierarchies of columns: saved into the set-up, looked at value by value, put on the organisation's shelf."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from riskapp import policies
from riskapp.bridge import homing, shaping, trees
from riskapp.bridge.holding import Holder
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Attribute, Setup, Upload, User
from riskapp.services import audit, copying, setups

Spec = Mapping[str, Any] | None


class Homeless(RiskappError):
    """Values of the column have no place in the hierarchy, and nobody said that this is meant."""

    def __init__(self, values: int, records: int) -> None:
        some = "1 value has" if values == 1 else f"{values} values have"
        cells = "1 record" if records == 1 else f"{records} records"
        super().__init__(f"{some} no place in this hierarchy ({cells}). Nothing was saved.")
        self.values = values
        self.records = records


def save(
    attribute: Attribute, spec: Spec, seen: int, *, by: Actor, knowing: bool = False, order: list[str] | None = None
) -> None:
    """Make a hierarchy that of the column.

    Parameters
    ----------
    order : the order of the column's values that it was made in, where it shall be the column's from now on
    knowing : the person knows that values have no place, and that no run is possible before they have one

    Raises
    ------
    Homeless
        If values have no place and nobody knows.
    Overtaken
        If the column was changed since it was seen.
    """
    outside = shaping.shown(shaping.column_of(attribute), spec).preview.uncovered
    if outside.values and not knowing:
        raise Homeless(outside.values, outside.records)
    told = {} if order is None else {"order": order}
    setups.describe(attribute, seen, by=by, hierarchy=spec, **told)


def save_many(setup: Setup, chosen: Iterable[tuple[Attribute, Spec, int]], *, by: Actor) -> str:
    """Make hierarchies those of their columns, all of them or none, by somebody who was told what they do not cover.

    Parameters
    ----------
    chosen : each column with its hierarchy and the version in which the column was seen

    Returns
    -------
    The hash under which the set-up is kept as it was, to be gone back to.

    Raises
    ------
    Overtaken
        If one of the columns was changed since it was seen.
    """
    with audit.writing():
        before = copying.keep(setup)
        for attribute, spec, seen in chosen:
            setups.describe(attribute, seen, by=by, hierarchy=spec)
    return str(before.sha256)


# Looks: recorded before anything is shown


def look(attribute: Attribute, *, by: Actor, of: Holder | None = None) -> None:
    """Record that somebody sees values of the column, or of the one in another table that holds it."""
    policies.check("see_values", cast(User, by.user), attribute.setup.project)
    upload = of.upload if of else cast(Upload, attribute.setup.dataset)
    with audit.writing():
        audit.record("values seen", by=by, on=upload, column=of.column if of else attribute.column)


def examples(attribute: Attribute, spec: Spec, *, by: Actor) -> list[list[dict[str, Any]]]:
    """The commonest values, each with its labels from level to level."""
    look(attribute, by=by)
    return shaping.seen_examples(attribute, spec)


def uncovered(attribute: Attribute, spec: Spec, *, by: Actor, of: Holder | None = None) -> list[Mapping[str, Any]]:
    """The commonest values without a place, each with the groups that it may belong to."""
    look(attribute, by=by, of=of)
    return homing.seen_uncovered(attribute, spec, of)


def written_out(attribute: Attribute, spec: Spec, *, by: Actor) -> dict[str, Any]:
    """The hierarchy value by value, so that it can be edited or written to a file."""
    look(attribute, by=by)
    return trees.seen_rows(attribute, spec)


def in_order(attribute: Attribute, merge: int, order: list[str] | None, *, by: Actor) -> tuple[dict[str, Any], int]:
    """The column's values in an order, neighbours merged, and how many of them have no place there: those come last.

    Without an order in the one that the column has, or in the natural one.
    """
    column = shaping.column_of(attribute)
    column = column if order is None else shaping.arranged(column, order)
    look(attribute, by=by)
    return dict(shaping.merged(column, merge) or {}), shaping.without_place(column) if column.order else 0


def read(attribute: Attribute, text: str, header: bool | None, *, by: Actor) -> dict[str, Any]:
    """The hierarchy in a CSV file. Its tree tells how many records hold each value, so it is a look too."""
    found = trees.from_csv(attribute, text, header)
    look(attribute, by=by)
    return found


# Homes for values without a place


@dataclass(frozen=True)
class Housed:
    """A hierarchy written out, not saved yet, and the values that still have no place in it."""

    rows: dict[str, Any]
    left: list[Mapping[str, Any]]


def house(
    attribute: Attribute, spec: Spec, homes: Mapping[str, str | None], *, by: Actor, of: Holder | None = None
) -> Housed:
    """Give values homes: each a group of the next level, or None to stand by itself."""
    look(attribute, by=by, of=of)
    rows = homing.housed(attribute, spec, homes, of)
    return Housed(rows, homing.seen_uncovered(attribute, rows, of))


def house_all(attribute: Attribute, spec: Spec, *, likeliest: bool, by: Actor, of: Holder | None = None) -> Housed:
    """Give every value a home: the likeliest, or none but itself."""
    look(attribute, by=by, of=of)
    rows = homing.all_housed(attribute, spec, likeliest=likeliest, of=of)
    return Housed(rows, homing.seen_uncovered(attribute, rows, of))
