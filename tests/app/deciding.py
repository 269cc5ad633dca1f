"""A project on its way to a release: a finished run, and people who propose and decide."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from threading import Barrier
from typing import Any

from django.db import connection
from django.utils import timezone

from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Membership, Project, Proposal, Release, Role, Run, Setup, Upload, User
from riskapp.services import assessing, deciding, proposals, rehearsing, remarks, setups, warnings
from riskapp.services.proposals import Wish
from tests.app.working import work_off

ILLS = ["flu", "cough", "none"]
# Sixteen towns and fifteen years: each alone leaves groups of fifteen and sixteen, both together leave nobody a crowd.
ROWS = "\n".join(f"p{i},Town {i % 16},{1950 + i % 15},{'mf'[i % 2]},{ILLS[i % 7 % 3]}" for i in range(240))
PEOPLE = f"id,town,born,sex,ill\n{ROWS}\n"


@dataclass
class Way:
    """The run, and who does what."""

    project: Project
    run: Run
    steward: Actor
    officer: Actor
    second: Actor
    recipient: User

    def rule(self, least_group: int = 1) -> str:
        """The frontier's rule with the most detail whose groups are not smaller."""
        from riskapp.bridge import outcomes

        listed = outcomes.rules(self.run.outcome, self.run.outcome.summary["frontier"])
        good = [one for one in listed.values() if (one["smallest_group"] or 0) >= least_group]
        return str(max(good, key=lambda one: one["utility"])["id"])

    def keeping(self, column: str) -> str:
        """The rule that shows one generalised column as it is and nothing of the others."""
        words = self.run.outcome.summary["words"]
        assert column in words
        levels = [0 if name == column else len(told) - 1 for name, told in words.items()]
        return "full-domain:" + ".".join(map(str, levels))

    def wish(self, **said: Any) -> Wish:
        about = {"purpose": "A study", "recipient": "University", "reason": "Enough detail"}
        until = timezone.localdate() + timedelta(days=30)
        return Wish(**{**about, "expires_on": until, "recipients": [self.recipient], "exception": "Agreed", **said})

    def propose(self, rule: str = "", **said: Any) -> Proposal:
        proposal = proposals.propose(self.run, rule or self.rule(), self.wish(**said), by=self.steward)
        work_off("warn")
        failed = Run.objects.filter(kind="warn", state="failed").first()
        assert failed is None, failed.fault
        return proposal

    def answer(self, proposal: Proposal) -> None:
        found = warnings.of(proposal).figures
        assert found is not None
        for one in found["warnings"]:
            remarks.answer_warning(proposal, one["key"], "It is known and accepted.", by=self.steward)

    def approve(self, proposal: Proposal, by: Actor | None = None) -> None:
        said, seen = "The figures convince me.", deciding.basis(proposal)
        deciding.decide(proposal, approves=True, reason=said, by=by or self.officer, seen=seen)

    def release(self, **said: Any) -> Release:
        """Proposed, answered, approved and built."""
        proposal = self.propose(**said)
        self.answer(proposal)
        self.approve(proposal)
        work_off("build")
        failed = Run.objects.filter(kind="build", state="failed").first()
        assert failed is None, failed.fault
        return Release.objects.get(proposal=proposal)


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What becomes of several who act in the same moment, each on a connection of their own: done, or the error."""
    ready = Barrier(len(acts))

    def done(act: Callable[[], object]) -> str:
        try:
            ready.wait(timeout=60)
            act()
            return "done"
        except RiskappError as trouble:
            return type(trouble).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as all_of_them:
        return sorted(all_of_them.map(done, acts))


# Four towns and four years of four people each: whoever has both columns knows everybody.
SQUARE = "id,town,born,ill\n" + "".join(
    f"p{4 * x + y},Town {x},{1950 + y},{ILLS[(x + y) % 3]}\n" for x in range(4) for y in range(4)
)


def way(
    project: Project,
    owner: Actor,
    person: Callable[..., User],
    arrive: Callable[..., Upload],
    rows: str = PEOPLE,
    hurting: Sequence[str] = ("ill",),
) -> Way:
    people = {name: person(name) for name in ("stella", "oscar", "otto", "rita")}
    roles = {"stella": Role.STEWARD, "oscar": Role.OFFICER, "otto": Role.OFFICER, "rita": Role.RECIPIENT}
    for name, user in people.items():
        Membership.objects.create(project=project, user=user, role=roles[name])
    upload = arrive(rows)
    work_off("read")
    upload.refresh_from_db()
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, upload, setup.version, by=owner)
    for kept in setup.attributes.filter(column__in=hurting):
        setups.describe(kept, kept.version, by=owner, role="kept", knowable=False, hurts=True, keep_reason="For it.")
    for identifier in setup.attributes.filter(column="id"):
        setups.describe(identifier, identifier.version, by=owner, role="identifier")
    run = assessed(setup, owner)
    if not setup.release_class:
        classed(setup, {"largest_chance": 1}, owner)
    actors = {name: Actor(user, "127.0.0.1") for name, user in people.items()}
    return Way(project, run, actors["stella"], actors["oscar"], actors["otto"], people["rita"])


def classed(setup: Setup, limits: dict[str, Any] | None, owner: Actor) -> None:
    """The release is under contract, with the project's own limits where any are given."""
    setup.refresh_from_db()
    setups.set_class(setup, "contract", limits, setup.version, by=owner)


def assessed(setup: Setup, owner: Actor) -> Run:
    """A finished run of the set-up as it is now."""
    setup.refresh_from_db()
    rehearsing.ask(setup, by=owner)
    work_off("rehearse")
    run = assessing.start(setup, by=owner)
    work_off("assess")
    run.refresh_from_db()
    return run
