"""Runs side by side: what each came to, and what differs in what they were made from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from riskapp.bridge import outcomes
from riskapp.engine.standing import Listed, standing
from riskapp.models import Run
from riskapp.services import assessing
from riskapp.web import rule_words
from riskapp.web.comparing import Row, row_of
from riskapp.web.templatetags.runs import flat

FOUND = {
    "expected_found": ("expected found", "figure"),
    "singled_out": ("singled out", "count"),
    "largest_chance": ("largest chance", "chance"),
}


@dataclass(frozen=True)
class Ended:
    """A run that has ended: its name, what it says besides the rules, its best rule, and its frozen assessment."""

    name: str
    summary: dict[str, Any]
    best: Listed
    assessment: dict[str, Any]


def ended(run: Run) -> Ended:
    """What there is to say about a run that has an outcome."""
    summary = run.outcome.summary
    best = outcomes.rules(run.outcome, [summary["best"]])[summary["best"]]
    assessment = assessing.frozen(run).document["assessment"]
    return Ended(run.parameters.get("name", ""), summary, best, assessment)


def rows(runs: Sequence[Ended]) -> list[Row]:
    """What they came to, people first, then every parameter in which they differ."""
    return [*_outcomes(runs), *_best(runs), *_differences(runs)]


def _outcomes(runs: Sequence[Ended]) -> list[Row]:
    return [
        row_of("people", runs, lambda run: run.summary["dataset"]["people"], "count", part="What they came to"),
        row_of("rules measured", runs, lambda run: run.summary["rules"], "count"),
        row_of("on the frontier", runs, lambda run: len(run.summary["frontier"]), "count"),
        row_of("best rule", runs, lambda run: rule_words.short(run.best, run.summary["words"]), "text"),
        row_of("why that one", runs, lambda run: rule_words.chosen_as(run.best, run.summary), "text"),
    ]


def _best(runs: Sequence[Ended]) -> list[Row]:
    names = dict.fromkeys(name for run in runs for name in run.best["people"])
    people = [
        row_of(f"{words}, {name}", runs, _of_people(name, key), way, least=True)
        for key, (words, way) in FOUND.items()
        for name in names
    ]
    return [
        *people,
        row_of("risk by definition", runs, lambda run: run.best["risk"], "figure", least=True),
        row_of("risk by replay", runs, lambda run: run.best["risk_replay"], "figure", least=True),
        row_of("smallest group", runs, lambda run: run.best["smallest_group"], "count", least=False),
        row_of("detail kept", runs, lambda run: run.best["utility_share"], "share", least=False),
        row_of("limits", runs, lambda run: standing(run.best, run.summary["limits"]), "text"),
    ]


def _of_people(name: str, key: str) -> Callable[[Ended], Any]:
    """A figure against one attacker; none where a run has no such attacker."""
    return lambda run: run.best["people"].get(name, {}).get(key)


def _differences(runs: Sequence[Ended]) -> list[Row]:
    told = [dict(flat(run.assessment)) for run in runs]
    paths = dict.fromkeys(path for one in told for path in one)
    found = [row_of(path, told, _said(path), "text") for path in paths]
    differing = [row for row in found if row.differs]
    return [replace(row, part="" if place else "What differs") for place, row in enumerate(differing)]


USUAL = {
    "risk › over_dictionaries": "worst",
    "risk › model": "sensitivity",
    "risk › over_records": "mean",
    "risk › uncovered": "one",
    "utility › measure": "depth",
    "utility › over_records": "mean",
    "sensitivity › family": "linear",
    "sensitivity › fall": "step",
}
"""What holds where an assessment says nothing, so that saying it makes no difference."""


def _said(path: str) -> Callable[[dict[str, str]], str]:
    """
    >>> _said("risk › model")({"risk › model": "sensitivity"}), _said("risk › model")({"risk › model": "entropic"})
    ('as usual', 'entropic')
    """
    return lambda told: "as usual" if told.get(path) in (None, USUAL.get(path)) else told[path]
