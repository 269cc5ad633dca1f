"""Every page of the product that a signed-in officer can look at, with its address in the busy house."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from benchmarks.busy_house import House

PAGES: dict[tuple[str, ...], tuple[str, ...]] = {
    (): (
        *("healthz", "projects", "project-new", "notices", "notices-badge", "tokens", "shelf", "account"),
        *("account-password", "second-factor", "help", "api", "people", "classes", "site-audit"),
        *("register", "register-export", "verify", "forgotten", "audit-projects", "audit-projects-export"),
    ),
    ("document",): ("help-page",),
    ("picture",): ("help-picture",),
    ("person",): ("person",),
    ("person", "action"): ("person-act",),
    ("shelved",): ("shelf-item", "shelf-remove"),
    ("project",): (
        *("project", "project-settings", "members", "release-class", "attributes", "attackers", "linkage"),
        *("harm", "harm-examples", "templates", "assessment-import", "runs", "runs-compare"),
        *("rehearsal", "proposals", "releases"),
        *("hierarchy-files", "project-decisions", "project-audit", "project-audit-export", "attacker-bounds"),
    ),
    ("project", "member"): ("member", "member-remove"),
    ("project", "upload"): ("upload", "upload-row", "upload-purge"),
    ("project", "attribute"): ("attribute", "hierarchy", "hierarchy-take"),
    ("project", "template"): ("template",),
    ("project", "attacker"): (
        *("attacker", "attacker-suggestions", "attacker-coverage", "attacker-likeness", "attacker-what-if"),
    ),
    ("project", "run"): (
        *("run", "run-row", "run-setup", "run-export", "frontier", "frontier-plane", "frontier-rules"),
        *("rule", "rule-detail", "rule-stability", "rule-together", "rule-attacker", "compare", "propose"),
    ),
    ("project", "proposal"): ("proposal", "proposal-warnings"),
    ("project", "release"): ("release", "release-report", "release-purge"),
    ("project", "release", "part"): ("release-part",),
}
"""The pages by the things that their addresses name."""
PARTS = {"attacker-suggestions", "attacker-coverage", "attacker-bounds"}
"""What the script of a page asks for; without one, the address sends to the page."""
FILES = {
    *("run-export", "frontier-rules", "register-export", "project-audit-export", "audit-projects-export"),
    *("release-part", "help-picture"),
}
"""Downloads, which may be long: their first bytes are waited for."""
EXCUSED = {
    "readyz": "asks Redis, which is not here",
    "sign-in": "for whom is not signed in",
}


@dataclass(frozen=True)
class Page:
    """An address with its name; whether it is part of another page, or a file."""

    name: str
    address: str

    @property
    def part(self) -> bool:
        return self.name in PARTS

    @property
    def file(self) -> bool:
        return self.name in FILES


def names() -> set[str]:
    return {name for listed in PAGES.values() for name in listed}


def pages(house: "House") -> Iterator[Page]:
    """Every page, by the name of its address."""
    from django.urls import reverse

    places, queries = _places(house), _queries(house)
    for things, listed in PAGES.items():
        for name in listed:
            address = reverse(name, args=[places[thing] for thing in things])
            yield Page(name, f"{address}?{urlencode(queries[name])}" if name in queries else address)


def _places(house: "House") -> dict[str, Any]:
    from riskapp.models import ShelvedHierarchy, Template

    setup = house.project.setup
    rows: dict[str, Any] = {
        "project": house.project,
        "run": house.run,
        "upload": setup.dataset,
        "attribute": setup.attributes.get(column="job"),
        "attacker": setup.attackers.get(name="broker"),
        "template": Template.objects.first(),
        "shelved": ShelvedHierarchy.objects.first(),
        "person": house.officer,
        "member": house.project.memberships.filter(owner=False).first(),
        "proposal": house.decided.waiting,
        "release": house.decided.release,
    }
    words = {
        "document": "reference/limits",
        "picture": "images/profile.png",
        "action": "deactivate",
        "part": "codebook",
    }
    return {name: row.pk for name, row in rows.items()} | words


def _queries(house: "House") -> dict[str, list[tuple[str, Any]]]:
    one, *others = [("rule", rule) for rule in house.rules]
    return {
        **{name: [one] for name in ("rule", "rule-detail", "rule-stability", "rule-together", "propose")},
        "compare": [one, *others],
        "runs-compare": [("run", run.pk) for run in house.project.runs.filter(kind="assess", state="succeeded")[:4]],
        "rule-attacker": [one, ("record", 1), ("attacker", "broker")],
        "attacker-likeness": [("column", 3), ("to", "job")],
        "attacker-what-if": [("of", house.what_if)],
    }
