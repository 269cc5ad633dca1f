"""Set-ups: which upload is the dataset, what happens with its columns, for which release, under which limits."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from django.db import models
from django.utils import timezone

from riskapp import bridge, policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Attacker, AttackerKind, Attribute, ColumnRole, Setup, Upload, UploadState, User
from riskapp.services import audit
from riskapp.services.states import Overtaken

Row = TypeVar("Row", Setup, Attribute, Attacker)


class Unfit(RiskappError):
    """What was said about the set-up does not go together; the message says what to mend."""


def change(row: Row, seen: int, *, by: Actor, action: str, details: Mapping[str, Any], **changes: Any) -> None:
    """Save changes to a part of the set-up, if it still is as it was seen; else raise and change nothing."""
    setup = row if isinstance(row, Setup) else row.setup
    policies.check("describe", cast(User, by.user), setup.project)
    if not isinstance(row, Setup):
        changes |= {"changed_at": timezone.now(), "changed_by": by.user}
    with audit.writing():
        kept: Any = type(row).objects.filter(pk=row.pk, version=seen)
        if not kept.update(version=models.F("version") + 1, **changes):
            raise Overtaken("Somebody else changed this in the meantime. Look at it as it is now, then change it.")
        audit.record(action, by=by, on=row, project=setup.project_id, **details)
    row.refresh_from_db()


def differing(row: Row, changes: Mapping[str, Any]) -> list[str]:
    """What of a part of the set-up would not stay as it is, by name."""
    return sorted(name for name, value in changes.items() if getattr(row, name) != value)


# The release and the dataset


def set_class(setup: Setup, kind: str, limits: dict[str, Any] | None, seen: int, *, by: Actor) -> None:
    """For which kind of release the project is, and its own limits where it has any."""
    own = "the project's own" if limits is not None else "the class's"
    change(
        setup,
        seen,
        by=by,
        action="release class set",
        details={"class": kind, "limits": own},
        release_class=kind,
        limits=limits,
    )


def choose_dataset(setup: Setup, upload: Upload, seen: int, *, by: Actor) -> None:
    """Make an upload the dataset. Columns that were described under the same name before keep what was said."""
    if upload.project_id != setup.project_id or upload.state != UploadState.READY:
        raise Overtaken("This upload cannot be the dataset: it is not read, or it was shredded.")
    suggested = bridge.suggestions(upload)  # before the chain is locked: it looks into the table
    with audit.writing():
        change(setup, seen, by=by, action="dataset chosen", details={"upload": str(upload.pk)}, dataset=upload)
        _describe_columns(setup, suggested)
        if not setup.attackers.exists():
            Attacker.objects.create(setup=setup, position=0, name="neighbour", kind=AttackerKind.ITSELF)


def _describe_columns(setup: Setup, suggested: list[dict[str, Any]]) -> None:
    """An attribute for every column: what was said under its name, or what is suggested."""
    known = {one.column: one for one in setup.attributes.all()}
    for position, one in enumerate(suggested):
        if before := known.pop(one["column"], None):
            Attribute.objects.filter(pk=before.pk).update(position=position, suggestion=one)
        else:
            _add(setup, position, one)
    setup.attributes.filter(pk__in=[one.pk for one in known.values()]).delete()


def _add(setup: Setup, position: int, one: dict[str, Any]) -> None:
    """A new column with the part suggested for it; where another says who is who already, it is dropped instead."""
    told = _suggested(one)
    if told["role"] == ColumnRole.IDENTIFIER and setup.attributes.filter(role=ColumnRole.IDENTIFIER).exists():
        told["role"] = ColumnRole.DROPPED
    Attribute.objects.create(setup=setup, position=position, suggestion=one, **told)


def _suggested(one: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one[key] for key in ("column", "role", "knowable", "hurts", "hierarchy")}


def read_anew(upload: Upload, suggested: list[dict[str, Any]], *, by: Actor) -> None:
    """The dataset was read in another way: suggestions follow, also where they had been taken.

    What is suggested otherwise now is to be confirmed anew. Nothing that somebody said is changed, and columns that are
    no longer there stay while somebody has said something about them: the next reading may bring them back.
    """
    setup = Setup.objects.filter(dataset=upload).first()
    if setup is None:
        return
    with audit.writing():
        known = {one.column: one for one in setup.attributes.all()}
        for position, one in enumerate(suggested):
            if before := known.pop(one["column"], None):
                changes = {"position": position, "suggestion": one} | _suggested_anew(before, one)
                Attribute.objects.filter(pk=before.pk).update(version=models.F("version") + 1, **changes)
            else:
                _add(setup, position, one)
        gone = [one.pk for one in known.values() if not one.confirmed and one.changed_by_id is None]
        Attribute.objects.filter(pk__in=gone).delete()
        Setup.objects.filter(pk=setup.pk).update(version=models.F("version") + 1)
        audit.record("dataset read again", by=by, on=setup, project=setup.project_id, upload=str(upload.pk))


def _suggested_anew(before: Attribute, one: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of a column whose suggestion is another now; nothing where it is the same."""
    was, now = _suggested(before.suggestion), _suggested(one)
    if was == now:
        return {}
    followed = {key: getattr(before, key) for key in was} == was
    return (now if followed else {}) | {"confirmed": False}


def leave_out(setup: Setup, upload: Upload | None, seen: int, *, by: Actor) -> None:
    """The list of people who are removed before anything else; None for nobody."""
    if upload is not None and (upload.project_id != setup.project_id or upload.state != UploadState.READY):
        raise Overtaken("This upload cannot be used: it is not read, or it was shredded.")
    told = str(upload.pk) if upload else ""
    change(setup, seen, by=by, action="people left out", details={"upload": told}, leave_out=upload)


# Columns

QUESTIONS = frozenset({"least_share", "least_utility", "most_risk", "trade_off", "aggregate"})
FIELDS = frozenset(
    {"role", "knowable", "hurts", "hierarchy", "weight", "weights", "fall", "personal", "order", "keep_reason"}
)


def describe(attribute: Attribute, seen: int, *, by: Actor, **changes: Any) -> None:
    """Say what happens with a column, which also confirms the rest of what is suggested for it."""
    assert changes.keys() <= FIELDS, "only what an officer says about a column"
    _check_column(attribute, changes)
    with audit.writing():
        details = {"column": attribute.column, "what": differing(attribute, changes), **_told(changes)}
        change(attribute, seen, by=by, action="column described", details=details, confirmed=True, **changes)
        if changes.get("role") == ColumnRole.IDENTIFIER:
            _only_identifier(attribute)


def _told(changes: Mapping[str, Any]) -> dict[str, Any]:
    """What of a change the audit trail holds: never a value of the data, which hierarchies and weights have."""
    return {key: changes[key] for key in ("role", "knowable", "hurts") if key in changes}


def _check_column(attribute: Attribute, changes: Mapping[str, Any]) -> None:
    role = changes.get("role", attribute.role)
    reason = changes.get("keep_reason", attribute.keep_reason)
    released = role in {ColumnRole.GENERALISED, ColumnRole.KEPT}
    if released and attribute.suggestion.get("needs_reason") and not reason.strip():
        why = attribute.suggestion.get("reason", "")
        raise Unfit(f"“{attribute.column}” is not suggested for release. {why} To release it all the same, say why.")


def _only_identifier(attribute: Attribute) -> None:
    """One column says who is who; one that did so before is dropped, not released."""
    others = Attribute.objects.filter(setup=attribute.setup, role=ColumnRole.IDENTIFIER).exclude(pk=attribute.pk)
    others.update(role=ColumnRole.DROPPED, version=models.F("version") + 1)


def describe_many(attributes: Iterable[tuple[Attribute, int]], *, by: Actor, **changes: Any) -> None:
    """The same change to several columns, to all of them or to none. A reason is kept where one is needed."""
    without = {key: value for key, value in changes.items() if key != "keep_reason"}
    with audit.writing():
        for attribute, seen in attributes:
            describe(attribute, seen, by=by, **(changes if attribute.suggestion.get("needs_reason") else without))


def accept_all(setup: Setup, *, by: Actor) -> int:
    """Confirm what is suggested for every column that nobody has confirmed yet; how many there were."""
    policies.check("describe", cast(User, by.user), setup.project)
    with audit.writing():
        waiting = setup.attributes.filter(confirmed=False)
        count = waiting.update(
            confirmed=True, version=models.F("version") + 1, changed_at=timezone.now(), changed_by=by.user
        )
        audit.record("suggestions accepted", by=by, on=setup, project=setup.project_id, columns=count)
    return count


def plan(
    setup: Setup, seen: int, *, by: Actor, search: dict[str, Any], risk: dict[str, Any], utility: dict[str, Any]
) -> None:
    """Which rules the next run considers, what is asked of them, and how risk and utility are told."""
    told = {"rules": search["rules"], "question": sorted(search.keys() & QUESTIONS)}
    change(setup, seen, by=by, action="search planned", details=told, search=search, risk=risk, utility=utility)
