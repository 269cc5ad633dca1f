"""The organisation's register of releases: who got what about whom, and what it adds up to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from riskapp.models import Membership, Release, Role, User
from riskapp.models.proposal import spelled
from riskapp.selectors.words import holds

KEEPERS = [Role.OFFICER, Role.AUDITOR]
LARGE = ("figures", "attacks", "analyses", "proposal__evidence")
"""What a line of the register does not show and would be long to load."""


def register_for(user: User, words: str = "") -> QuerySet[Release]:
    """The releases that somebody may know of: an administrator of all projects, officers and auditors of theirs."""
    rows = Release.objects.exclude(ready_at=None).select_related("project", "proposal__proposed_by").defer(*LARGE)
    if not user.is_administrator:
        rows = rows.filter(project__in=Membership.objects.filter(user=user, role__in=KEEPERS).values("project"))
    if words:
        said = holds("proposal__recipient", words) | holds("project__name", words) | holds("proposal__purpose", words)
        hashes = Q(sha256__startswith=words.lower()) | Q(digest__startswith=words.lower())
        rows = rows.filter(said | hashes)
    return rows.order_by("-ready_at")


def for_register(evidence: Mapping[str, Any], figures: Mapping[str, Any], attacks: Mapping[str, Any]) -> dict[str, Any]:
    """What the register says of a release: of its people, how many the worst attacker finds and singles out.

    Measured from the file, by definition and by replay. Who is singled out is so by the release and by what its
    recipient held before; who would be, if they are in releases that tell people apart by other things, is told apart.
    """
    people = figures["people"].values()
    counted = [*people, *(one["by_replay"] for one in people if one.get("by_replay"))]
    together, by_columns = attacks.get("same_recipient"), attacks.get("same_recipient_by_columns")
    singled_out = [one["singled_out"] for one in counted] + ([together["singled_out"]] if together else [])
    return {
        "people": evidence["people"],
        "expected_found": max((float(one["expected_found"]) for one in counted), default=0.0),
        "singled_out": max(singled_out, default=0),
        "would_be_singled_out": by_columns["newly_singled_out"] if by_columns else 0,
    }


def with_downloads(releases: QuerySet[Release]) -> QuerySet[Release]:
    """How often each was downloaded, as `fetched`."""
    return releases.annotate(fetched=Count("downloads"))


def places_of(user: User) -> set[UUID]:
    """The projects in which somebody has a place, and so a page to look at."""
    return set(Membership.objects.filter(user=user).values_list("project_id", flat=True))


def keeps_register(user: User) -> bool:
    """Whether the register exists for somebody."""
    return user.is_administrator or Membership.objects.filter(user=user, role__in=KEEPERS).exists()


class Known(NamedTuple):
    """What a release of a project says, put together with those that its recipient held before it."""

    singled_out: int
    would_be: int


@dataclass
class Held:
    """What one recipient holds.

    Attributes
    ----------
    expected_found : people that each release by itself would be expected to give away, added up
    releases : how many there are
    """

    recipient: str
    releases: int = 0
    expected_found: float = 0.0
    _most: dict[UUID, Known] = field(default_factory=dict)

    def add(self, project: UUID, expected_found: float | None, known: Known) -> None:
        self.releases += 1
        self.expected_found += expected_found or 0.0
        self._most[project] = Known(*map(max, known, self._most.get(project, Known(0, 0))))

    @property
    def singled_out(self) -> int:
        """At least so many people are singled out: the most of each project, added up over the projects.

        Each release was held against all that its recipient had before it; whom an earlier one singled out stays so,
        whatever a later one says.
        """
        return sum(most.singled_out for most in self._most.values())

    @property
    def would_be(self) -> int:
        """People who would be singled out, too, if they are in releases that tell people apart by other things."""
        return sum(most.would_be for most in self._most.values())

    @property
    def projects(self) -> int:
        return len(self._most)


def by_recipient(releases: QuerySet[Release]) -> Iterator[Held]:
    """The releases gathered by who received them, however they are spelled; who holds the most first."""
    return iter(sorted(held(releases).values(), key=lambda one: (-one.releases, one.recipient.lower())))


def held(releases: QuerySet[Release]) -> dict[str, Held]:
    """What each recipient holds, by their name as `spelled` gives it."""
    found: dict[str, Held] = {}
    told = ("proposal__recipient", "project_id", "expected_found", "singled_out", "would_be_singled_out")
    for recipient, project, expected, *people in releases.select_related(None).values_list(*told):
        one = found.setdefault(spelled(recipient), Held(recipient))
        one.add(project, expected, Known(*(number or 0 for number in people)))
    return found
