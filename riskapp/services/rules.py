"""Questions about one rule that a worker answers: its details, how stable the choice is, what an attacker sees."""

from dataclasses import dataclass
from typing import Any

from riskapp import selectors
from riskapp.bridge import ruling
from riskapp.models import Actor, Outcome, Run
from riskapp.services import assessing, findings, freezing


@dataclass(frozen=True)
class Found:
    """What is known about a question: the figures, or the run that finds them or failed to, or neither."""

    figures: dict[str, Any] | None = None
    run: Run | None = None

    @property
    def waiting(self) -> bool:
        return self.figures is None and self.run is not None and not self.run.is_over

    @property
    def failed(self) -> bool:
        return self.figures is None and self.run is not None and self.run.state == "failed"


@dataclass(frozen=True)
class Question:
    """A question about a rule of an outcome, by the kind of run that answers it."""

    outcome: Outcome
    kind: str
    asked: dict[str, Any]

    def known(self) -> Found:
        answer = findings.answer(self.outcome.project, self.kind, self.asked)
        if answer is not None:
            return Found(answer.figures)
        return Found(run=findings.last_run(self.outcome.project, self.kind, self.asked))

    def ask(self, *, by: Actor) -> None:
        """Have it answered, unless it is or is about to be."""
        uses = freezing.uses(assessing.frozen(self.outcome.run))
        findings.ask(self.outcome.project, self.kind, self.asked, uses, by=by)


def detail(outcome: Outcome, rule: str) -> Question:
    return Question(outcome, "detail", ruling.detail_asked(outcome, rule))


def stability(outcome: Outcome, rule: dict[str, Any]) -> Question:
    return Question(outcome, "stability", ruling.stability_asked(outcome, rule))


def together(outcome: Outcome, rule: dict[str, Any]) -> Question:
    """Whom the rule would single out together with the releases of the project that others hold."""
    earlier = [str(release.pk) for release in selectors.held_releases(outcome.project)]
    asked = {"assessment": outcome.run.parameters["assessment"], "rule": rule["id"], "earlier": earlier}
    return Question(outcome, "together", asked)


def attacker(outcome: Outcome, rule: str, record: int, dictionary: str) -> Question:
    return Question(outcome, "attacker", ruling.attacker_asked(outcome, rule, record, dictionary))


# What the run was asked


def asked_of(outcome: Outcome) -> dict[str, Any]:
    """The search that the run was asked for."""
    return dict(assessing.frozen(outcome.run).document["assessment"].get("search", {}))


def least_share(outcome: Outcome) -> float | None:
    """The share of the detail that the run was asked to keep, where it was."""
    wanted = asked_of(outcome).get("least_utility")
    return None if wanted is None else ruling.share_of(outcome, float(wanted))
