"""The organisation's shelf of hierarchies: putting one on it, renaming it, taking it off."""

from collections.abc import Mapping
from typing import Any, cast

from riskapp import policies
from riskapp.bridge import shaping
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, ShelvedHierarchy, User
from riskapp.services import audit

Spec = Mapping[str, Any] | None


class NotShelved(RiskappError):
    """The hierarchy cannot be put on the shelf like this; the message says what to change."""


def add(name: str, about: str, spec: Spec, *, by: Actor, open_to_all: bool) -> ShelvedHierarchy:
    """Put a hierarchy on the shelf.

    Parameters
    ----------
    open_to_all : the person knows that everybody who works in a project can then read the values it lists
    """
    policies.check_uses_shelf(cast(User, by.user))
    if shaping.lists_values(spec) and not open_to_all:
        raise NotShelved("This hierarchy lists values. Say that everybody who works in a project may read them.")
    with audit.writing():
        _check_name(name)
        row = ShelvedHierarchy.objects.create(name=name, about=about, hierarchy=spec, made_by=cast(User, by.user))
        audit.record("hierarchy shelved", by=by, on=row, hierarchy=name)
    return row


def rename(row: ShelvedHierarchy, name: str, about: str, *, by: Actor) -> None:
    policies.check_keeps_shelved(cast(User, by.user), row)
    with audit.writing():
        _check_name(name, row)
        if not ShelvedHierarchy.objects.filter(pk=row.pk).update(name=name, about=about):
            raise NotShelved("Somebody took it off the shelf in the meantime.")
        audit.record("hierarchy renamed", by=by, on=row, hierarchy=name)


def remove(row: ShelvedHierarchy, *, by: Actor) -> None:
    """Take a hierarchy off the shelf. Columns that use it have a copy of their own and keep it."""
    policies.check_keeps_shelved(cast(User, by.user), row)
    with audit.writing():
        audit.record("hierarchy removed", by=by, on=row, hierarchy=row.name)
        ShelvedHierarchy.objects.filter(pk=row.pk).delete()


def _check_name(name: str, row: ShelvedHierarchy | None = None) -> None:
    same = ShelvedHierarchy.objects.filter(name__iexact=name)
    if (same.exclude(pk=row.pk) if row else same).exists():
        raise NotShelved("A hierarchy of this name is on the shelf already. Choose another name.")
