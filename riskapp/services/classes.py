"""Release classes: the limits that the organisation sets for every kind of release."""

from typing import Any, cast

from riskapp import policies
from riskapp.models import STARTING_LIMITS, Actor, ReleaseClass, User
from riskapp.services import audit
from riskapp.services.states import Overtaken


def change(kind: str, limits: dict[str, Any], seen: int, *, by: Actor) -> None:
    """Other limits for one kind of release; projects that have no limits of their own follow at their next run."""
    policies.check_administers(cast(User, by.user))
    with audit.writing():
        row, _ = ReleaseClass.objects.get_or_create(kind=kind, defaults={"limits": STARTING_LIMITS[kind]})
        changed = ReleaseClass.objects.filter(pk=kind, version=seen)
        if not changed.update(limits=limits, version=seen + 1, changed_by=by.user):
            raise Overtaken("Somebody else changed these limits in the meantime. Look at them again.")
        audit.record("class limits changed", by=by, on=row, limits=limits)
