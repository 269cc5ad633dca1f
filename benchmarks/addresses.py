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
        *("dataset",),
    ),
    ("project", "member"): ("member", "member-remove"),
    ("project", "upload"): ("upload", "upload-row", "upload-purge"),
    ("project", "attribute"): ("attribute", "hierarchy", "hierarchy-take"),
    ("project", "template"): ("template", "template-apply"),
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
POSTED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("project", "attribute"): (*("hierarchy-preview", "hierarchy-examples", "hierarchy-uncovered", "hierarchy-tree"),),
    ("project", "attacker"): ("attacker-coverage",),
}
"""What is sent while somebody fills in a form, and answered at once; every time with something else in it."""
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
    """An address with its name; whether it is part of another page, or a file; the forms that are sent to it."""

    name: str
    address: str
    forms: tuple[tuple[tuple[str, Any], ...], ...] = ()

    @property
    def words(self) -> str:
        return f"{self.name}, posted" if self.forms else self.name

    @property
    def part(self) -> bool:
        return bool(self.forms) or self.name in PARTS

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
    forms = _forms(house)
    for things, listed in POSTED.items():
        for name in listed:
            yield Page(name, reverse(name, args=[places[thing] for thing in things]), forms[name])


def _forms(house: "House") -> dict[str, tuple[tuple[tuple[str, Any], ...], ...]]:
    setup = house.project.setup
    job, broker = setup.attributes.get(column="job"), setup.attackers.get(name="broker")
    names = broker.upload.column_names
    matched = [(f"match_{place}", broker.match.get(name, "")) for place, name in enumerate(names)]
    held = (("seen", broker.version), ("kind", broker.kind), ("identity", broker.identity), *matched)
    likeness = f"fuzzy_{names.index('job')}"
    masks = tuple(
        (("seen", job.version), ("kind", "mask"), ("was", "mask"), ("signs", signs), ("end", "right"))
        for signs in range(1, 8)
    )
    return {
        **dict.fromkeys(("hierarchy-preview", "hierarchy-examples", "hierarchy-uncovered"), masks),
        "hierarchy-tree": ((("seen", job.version), ("kind", "own"), ("was", "own")),),
        "attacker-coverage": tuple((*held, (likeness, hundredths / 100)) for hundredths in range(1, 100)),
    }


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
        **{name: [("upload", house.next_month.pk)] for name in ("template-apply", "dataset")},
    }
