"""Answers to single questions, by the kind of run that asks them."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from riskapp.bridge import adversaries, assessing, drifting, harm, leaving, ruling, warning
from riskapp.engine.reporting import Report
from riskapp.models import FrozenAssessment

Question = Mapping[str, Any]
Figures = dict[str, Any]


def found(kind: str, question: Question, project: UUID, report: Report) -> Figures:
    """The figures that answer a question."""
    return ANSWERS[kind](question, project, report)


def _rehearsal(question: Question, project: UUID, report: Report) -> Figures:
    return assessing.rehearse(_document(question), project, report)


def _examples(question: Question, project: UUID, report: Report) -> Figures:
    return harm.example_records(_document(question), project, report)


def _document(question: Question) -> Any:
    return FrozenAssessment.objects.get(pk=question["assessment"]).document


ANSWERS: dict[str, Callable[[Question, UUID, Report], Figures]] = {
    "rehearse": _rehearsal,
    "examples": _examples,
    "detail": ruling.detail,
    "stability": ruling.stability,
    "attacker": ruling.attacker,
    "drift": drifting.drifted,
    "leave-out": leaving.left_out,
    "warn": warning.warned,
    "together": warning.together,
    **adversaries.ANSWERS,
}
