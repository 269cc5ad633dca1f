"""The order of a column's values, from least to most: where there is one, closeness to the whole table respects it."""

from typing import cast

from riskapp import bridge, policies
from riskapp.models import Actor, Attribute, Upload, UploadState, User
from riskapp.services import audit, setups
from riskapp.services.states import Overtaken

MOST = 500
"""More values than this nobody puts in order by hand."""


def look_at_values(attribute: Attribute, *, by: Actor) -> list[str]:
    """All values of a column in the order they have, to be moved. The look is audited before anything is shown."""
    policies.check("see_values", cast(User, by.user), attribute.setup.project)
    upload, position = _table(attribute)
    if attribute.suggestion.get("distinct", 0) > MOST:
        raise setups.Unfit(f"The column has more than {MOST} different values: too many to put in order by hand.")
    with audit.writing():
        audit.record("values seen", by=by, on=upload, column=attribute.column)
    return bridge.seen_in_order(upload, position, attribute.order or [])


def put(attribute: Attribute, order: list[str], seen: int, *, by: Actor) -> None:
    """Say in which order the values stand; none is no order. Every value of the column must have its place.

    Blanks around a value, and line breaks in it, need not be written.
    """
    values = bridge.meant_in_order(*_table(attribute), order) if order else []
    if len(set(values)) < len(values):
        raise setups.Unfit("A value stands there twice. Take one of the two lines out.")
    check(attribute, values)
    setups.describe(attribute, seen, by=by, order=values or None)


def check(attribute: Attribute, order: list[str]) -> None:
    """Raises where a value of the column has no place in the order, if there is one."""
    upload, position = _table(attribute)
    outside = bridge.without_place(upload, position, order) if order else 0
    if outside:
        raise setups.Unfit(
            f"{outside} of the column's values {'has' if outside == 1 else 'have'} no place in the order. "
            "List the values to see which, and put them in."
        )


def _table(attribute: Attribute) -> tuple[Upload, int]:
    upload = attribute.setup.dataset
    if upload is None or upload.state != UploadState.READY:
        raise Overtaken("The dataset is not read, or it was shredded. Look at it on the Data page.")
    names = upload.column_names
    if attribute.column not in names:
        raise Overtaken("The dataset has no such column any more. Look at the columns again.")
    return upload, names.index(attribute.column)
