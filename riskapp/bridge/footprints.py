"""Footprints of releases: whom each is about and in which group, kept to hold later releases against them."""

import hmac
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from riskapp import storage
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.releasing.attack.footprint import Footprint, footprint
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.ruling import Ruling
from riskapp.models import Release

FILE = "footprint.parquet"


def own(found: Ruling, name: str, known: Known = NOTHING_KNOWN) -> Footprint:
    """Who is in the table and in which group: by the identifier, else by the values of the generalised columns."""
    secret = hmac.digest(settings.SECRET_KEY.encode(), b"footprints of releases", "sha256")
    columns = [found.problem.names[place] for place in found.problem.generalised]
    by: list[str] = [] if found.prepared.assessment.dataset.identifier else columns
    return footprint(found, name, secret, by=by, known=known)


class Earlier(NamedTuple):
    """Earlier releases that can be held against a new one, each with its footprint, and how many cannot."""

    footprints: list[tuple[Release, Footprint]]
    not_compared: int

    def together(self, with_own: Footprint, recipient: str | None = None) -> dict[str, Any] | None:
        """What all of them, or those that one recipient holds, say together with a new one; None where none is."""
        some = [one for release, one in self.footprints if recipient in (None, spelled(release.proposal.recipient))]
        return intersected([*some, with_own]) if some else None


def earlier(project: UUID, releases: Iterable[str], against: Footprint) -> Earlier:
    """The footprints of releases whose file somebody may hold, be it shredded here or not."""
    rows = Release.objects.filter(project_id=project, pk__in=list(releases)).select_related("proposal")
    listed = list(rows.order_by("ready_at"))
    places = [(row, storage.footprint_place(project, row.pk)) for row in listed]
    read = [(row, Footprint.open(place)) for row, place in places if place.is_file()]
    fitting = [(row, one) for row, one in read if one.comparable(against)]
    return Earlier(fitting, len(listed) - len(fitting))


def spelled(recipient: str) -> str:
    """A recipient's name whatever its capitals and spaces.

    >>> spelled(" University  of X ") == spelled("university of x")
    True
    """
    return " ".join(recipient.lower().split())
