"""Undo: of the last change to the table of columns, and of the last replacement of the whole set-up."""

from typing import Any, cast

from django.db import models
from django.utils import timezone

from riskapp import policies, selectors
from riskapp.models import Actor, Attribute, Setup, User
from riskapp.services import audit, copying
from riskapp.services.states import Overtaken

SAID = ("role", "knowable", "hurts", "keep_reason", "confirmed")
Rows = dict[int, dict[str, Any]]
Changed = list[dict[str, Any]]


def snapshot(setup: Setup) -> Rows:
    """What every column's row says now, with its version; no value of the data is among it."""
    return {row.pop("pk"): row for row in setup.attributes.values("pk", "version", *SAID)}


def changed(setup: Setup, before: Rows) -> Changed:
    """The rows that are different now: their id, the version they have, and what they said before."""
    now = snapshot(setup)
    return [
        {"id": pk, "seen": now[pk]["version"], "was": {name: row[name] for name in SAID}}
        for pk, row in before.items()
        if pk in now and now[pk]["version"] != row["version"]
    ]


def undo(setup: Setup, rows: Changed, *, by: Actor, kept: str = "") -> None:
    """Put the rows back as they were, all of them or none.

    Parameters
    ----------
    kept : where hierarchies were changed, the hash under which the set-up is kept as it was before
    """
    policies.check("describe", cast(User, by.user), setup.project)
    stamp = {"changed_at": timezone.now(), "changed_by": by.user}
    shapes = _hierarchies(setup, kept) if kept else {}
    with audit.writing():
        for row in rows:
            found = Attribute.objects.filter(pk=row["id"], setup=setup, version=row["seen"])
            was = row["was"] | shapes.get(row["id"], {})
            if not found.update(version=models.F("version") + 1, **was, **stamp):
                raise Overtaken("One of these columns was changed since. Nothing was undone; look at it again.")
        audit.record("columns set back", by=by, on=setup, project=setup.project_id, columns=len(rows))


def _hierarchies(setup: Setup, kept: str) -> dict[int, dict[str, Any]]:
    """What the hierarchies were, by the id of the column. They list values, so a session does not hold them."""
    was = {one["column"]: one["hierarchy"] for one in copying.kept(setup, kept)["attributes"]}
    columns = setup.attributes.values_list("pk", "column")
    return {pk: {"hierarchy": was[column]} for pk, column in columns if column in was}


def undo_overhaul(setup: Setup, number: int, *, by: Actor) -> None:
    """Go back to the set-up as it was before it was last replaced as a whole; `number` is the event that says so."""
    last = selectors.last_overhaul(setup.project)
    if last is None or last.number != number:
        raise Overtaken("Something else was changed in the meantime. Look at it again.")
    copying.restore(setup, last.details["before"], setup.version, by=by)
