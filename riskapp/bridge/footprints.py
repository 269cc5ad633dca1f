"""Footprints of releases: whom each is about and in which group, kept to hold later releases against them."""

import hmac
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from riskapp import storage
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.releasing.attack.by_columns import by_columns, can_be_compared, same_people
from riskapp.engine.releasing.attack.footprint import Footprint, footprint
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.ruling import Ruling
from riskapp.models import Release

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
    not_compared : how many cannot be compared at all
    """

    footprints: list[tuple[Release, Footprint]]
    others: list[tuple[Release, Footprint]]
    not_compared: int

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

    def by_columns(self, with_own: Footprint, recipient: str | None = None) -> dict[str, Any] | None:
        """What the others would say about people of the new one who are in them too; None where none is."""
        some = _of(recipient, self.others)
        return by_columns(some, with_own) if some else None


def _of(recipient: str | None, footprints: Iterable[tuple[Release, Footprint]]) -> list[Footprint]:
    return [one for release, one in footprints if recipient in (None, spelled(release.proposal.recipient))]


def earlier(project: UUID, releases: Iterable[str], against: Footprint) -> Earlier:
    """The footprints of releases whose file somebody may hold, be it shredded here or not."""
    rows = Release.objects.filter(project_id=project, pk__in=list(releases)).select_related("proposal")
    listed = list(rows.order_by("ready_at"))
    places = [(row, storage.footprint_place(project, row.pk)) for row in listed]
    read = [(row, Footprint.open(place)) for row, place in places if place.is_file()]
    same = [(row, one) for row, one in read if same_people(one, against)]
    rest = [(row, one) for row, one in read if not same_people(one, against)]
    others = [(row, one) for row, one in rest if can_be_compared(one, against)]
    return Earlier(same, others, len(listed) - len(same) - len(others))


def spelled(recipient: str) -> str:
    """A recipient's name whatever its capitals and spaces.

    >>> spelled(" University  of X ") == spelled("university of x")
    True
    """
    return " ".join(recipient.lower().split())
