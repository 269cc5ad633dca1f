"""The organisation's register of releases: who got what about whom, and what it adds up to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from riskapp.models import Membership, Release, Role, User

KEEPERS = [Role.OFFICER, Role.AUDITOR]


def register_for(user: User, words: str = "") -> QuerySet[Release]:
    """The releases that somebody may know of: an administrator of all projects, officers and auditors of theirs."""
    rows = Release.objects.exclude(ready_at=None).select_related("project", "proposal__proposed_by").defer("attacks")
    if not user.is_administrator:
        rows = rows.filter(project__in=Membership.objects.filter(user=user, role__in=KEEPERS).values("project"))
    if words:
        said = Q(proposal__recipient__icontains=words) | Q(project__name__icontains=words)
        rows = rows.filter(said | Q(proposal__purpose__icontains=words) | Q(sha256__startswith=words.lower()))
    return rows.annotate(fetched=Count("downloads")).order_by("-ready_at")


def places_of(user: User) -> set[UUID]:
    """The projects in which somebody has a place, and so a page to look at."""
    return set(Membership.objects.filter(user=user).values_list("project_id", flat=True))


def keeps_register(user: User) -> bool:
    """Whether the register exists for somebody."""
    return user.is_administrator or Membership.objects.filter(user=user, role__in=KEEPERS).exists()


@dataclass
class Held:
    """What one recipient holds.

    Attributes
    ----------
    expected_found : people that each release by itself would be expected to give away, added up
    singled_out : people whom the releases put together single out
    """

    recipient: str
    releases: list[Release] = field(default_factory=list)

    @property
    def expected_found(self) -> float:
        return sum(found_in(release) for release in self.releases)

    @property
    def singled_out(self) -> int:
        """People whom the releases of a project single out together, added up over the projects.

        The last release of a project was held against all that its recipient had before it.
        """
        last = {one.project_id: one for one in sorted(self.releases, key=lambda one: cast(datetime, one.ready_at))}
        return sum(_singled_out(release) for release in last.values())

    @property
    def projects(self) -> int:
        return len({release.project_id for release in self.releases})


def _singled_out(release: Release) -> int:
    """By the release and what its recipient held before; by itself where that was nothing."""
    together = (release.attacks or {}).get("same_recipient")
    own = (release.figures or {}).get("people", {}).values()
    replays = [each["by_replay"]["singled_out"] for each in own if each.get("by_replay")]
    alone = max([each["singled_out"] for each in own] + replays, default=0)
    return max(alone, together["singled_out"] if together else 0)


def found_in(release: Release) -> float:
    """The people that the worst attacker would be expected to find, measured from the file."""
    people = (release.figures or {}).get("people", {})
    counts = [each["expected_found"] for each in people.values()]
    replays = [each["by_replay"]["expected_found"] for each in people.values() if each.get("by_replay")]
    return max(map(float, [*counts, *replays]), default=0.0)


def by_recipient(releases: Iterable[Release]) -> Iterator[Held]:
    """The releases gathered by who received them, whatever the capitals and spaces."""
    held: dict[str, Held] = {}
    for release in releases:
        key = " ".join(release.proposal.recipient.lower().split())
        held.setdefault(key, Held(release.proposal.recipient)).releases.append(release)
    return iter(sorted(held.values(), key=lambda one: (-len(one.releases), one.recipient.lower())))
