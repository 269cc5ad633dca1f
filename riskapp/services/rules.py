"""Questions about one rule that a worker answers: its details, how stable the choice is, what an attacker sees."""

from dataclasses import dataclass
from typing import Any

from riskapp import selectors
from riskapp.bridge import ruling
from riskapp.models import Actor, Outcome, Run, RunState
from riskapp.services import assessing, findings, freezing, runs

MOST_BY_THEMSELVES = 3
"""So many questions of a project may be under way before pages stop asking by themselves."""
QUICK = 60.0
"""Seconds; what takes longer is asked by a click."""


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
        figures, run = findings.known(self.outcome.project, self.kind, self.asked)
        return Found(run=run) if figures is None else Found(figures)

    def ask(self, *, by: Actor) -> None:
        """Have it answered, unless it is or is about to be."""
        uses = freezing.uses(assessing.frozen(self.outcome.run))
        findings.ask(self.outcome.project, self.kind, self.asked, uses, by=by)

    def cancel(self, *, by: Actor) -> None:
        """Do without the answer."""
        known = self.known()
        if known.run is not None and known.waiting:
            runs.cancel(known.run, by=by)

    def asks_itself(self) -> bool:
        """Whether a page that is opened has it answered: the first time, if that is quick and few others wait."""
        known = self.known()
        if known.figures is not None or known.run is not None:
            return False
        if ruling.seconds_to_look(self.outcome, self.asked["rule"]) > QUICK:
            return False
        under_way = self.outcome.project.runs.filter(kind=self.kind, state__in=[RunState.QUEUED, RunState.RUNNING])
        return under_way.count() < MOST_BY_THEMSELVES


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
    return _assessed(outcome, "search")


def risk_of(outcome: Outcome) -> dict[str, Any]:
    """What the run measured as risk, as the assessment file says it."""
    return _assessed(outcome, "risk")


def _assessed(outcome: Outcome, key: str) -> dict[str, Any]:
    return dict(assessing.frozen(outcome.run).document["assessment"].get(key, {}))


def never(outcome: Outcome, rule: dict[str, Any]) -> list[str]:
    """The columns that weigh “never”, wholly or in some value, and that a rule shows of somebody."""
    levels, words = rule["node"] or {}, outcome.summary["words"]
    return [
        name
        for name, one in _assessed(outcome, "attributes").items()
        if _weighs_never(one) and (name not in words or levels.get(name, 0) < len(words[name]) - 1)
    ]


def _weighs_never(attribute: dict[str, Any]) -> bool:
    weights = attribute.get("weights") or {}
    return any(str(weight) == "inf" for weight in (attribute.get("weight"), *weights.values()))


def least_share(outcome: Outcome) -> float | None:
    """The share of the detail that the run was asked to keep, where it was."""
    wanted = asked_of(outcome).get("least_utility")
    return None if wanted is None else ruling.share_of(outcome, float(wanted))
