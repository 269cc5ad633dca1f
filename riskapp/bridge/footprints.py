"""Footprints of releases: whom each is about and in which group, kept to hold later releases against them."""

import hmac
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from riskapp import storage
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.releasing.attack.by_columns import by_columns, can_be_compared
from riskapp.engine.releasing.attack.footprint import Footprint, footprint
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.releasing.attack.lining_up import Doubt, doubt, shared_columns
from riskapp.engine.releasing.warnings.earlier import IN_DOUBT
from riskapp.engine.ruling import Ruling
from riskapp.models import Release
from riskapp.models.proposal import spelled as spelled

FILE = "footprint.parquet"


def own(found: Ruling, name: str, known: Known = NOTHING_KNOWN) -> Footprint:
    """Who is in the table and in which group: by the identifier, else by the values that others may know."""
    secret = hmac.digest(settings.SECRET_KEY.encode(), b"footprints of releases", "sha256")
    columns = [found.problem.names[place] for place in found.problem.grouped]
    by: list[str] = [] if found.prepared.assessment.dataset.identifier else columns
    return footprint(found, name, secret, by=by, known=known)


class Earlier(NamedTuple):
    """Earlier releases that can be held against a new one, each with its footprint.

    Attributes
    ----------
    footprints : those that tell people apart by the same thing
    others : those that can only be compared by the columns that both have
    doubts : why identifiers were not taken for people's, or only for want of better, and for how many releases
    unheld : why some cannot be compared at all, and how many
    """

    footprints: list[tuple[Release, Footprint]]
    others: list[tuple[Release, Footprint]]
    doubts: Counter[Doubt]
    unheld: Counter[Doubt]

    @property
    def not_compared(self) -> int:
        return sum(self.unheld.values())

    def recipients(self, with_own: Footprint) -> list[dict[str, Any]]:
        """What those that each recipient holds say together with a new one."""
        held = [release.proposal.recipient for release, _ in [*self.footprints, *self.others]]
        return [
            {
                "recipient": name,
                "held": sum(spelled(one) == key for one in held),
                "together": self.together(with_own, key),
                "by_columns": self.by_columns(with_own, key),
            }
            for key, name in {spelled(one): one for one in held}.items()
        ]

    def together(self, with_own: Footprint, recipient: str | None = None) -> dict[str, Any] | None:
        """What all of them, or those that one recipient holds, say together with a new one; None where none is."""
        some = _of(recipient, self.footprints)
        return intersected([*some, with_own]) if some else None

    def without_it(self) -> dict[str, Any] | None:
        """What the earlier ones say together by themselves; None where there are not several."""
        some = _of(None, self.footprints)
        return intersected(some) if len(some) > 1 else None

    def by_columns(self, with_own: Footprint, recipient: str | None = None) -> dict[str, Any] | None:
        """What the others would say about people of the new one who are in them too; None where none is."""
        some = _of(recipient, self.others)
        return by_columns(some, with_own) if some else None


def _of(recipient: str | None, footprints: Iterable[tuple[Release, Footprint]]) -> list[Footprint]:
    return [one for release, one in footprints if recipient in (None, spelled(release.proposal.recipient))]


def earlier(project: UUID, releases: Iterable[str], against: Footprint) -> Earlier:
    """The footprints of releases whose file somebody may hold, be it shredded here or not."""
    rows = Release.objects.filter(project_id=project, pk__in=list(releases)).select_related("proposal")
    found = Earlier([], [], Counter(), Counter())
    for row in rows.order_by("ready_at"):
        _put(found, row, storage.footprint_place(project, row.pk), against)
    return found


def _put(found: Earlier, row: Release, place: Path, against: Footprint) -> None:
    """Among those that it can be compared with, by whatever can be; or with the reason why it cannot."""
    if not place.is_file():
        found.unheld[Doubt.NOTHING_KEPT] += 1
        return
    one = Footprint.open(place)
    why = doubt(one, against)
    if why is None or why is Doubt.ROWS_COUNTED:
        found.footprints.append((row, one))
    elif why is not Doubt.OTHER_KEY and can_be_compared(one, against):
        found.others.append((row, one))
    else:
        found.unheld[why if why is Doubt.OTHER_KEY or not shared_columns(one, against) else Doubt.TOO_LARGE] += 1
        return
    if why in IN_DOUBT:
        found.doubts[why] += 1
