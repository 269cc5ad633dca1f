"""Drift: what is different in a file, before a set-up that was made for another is used on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riskapp.bridge import documents
from riskapp.bridge.documents import NotReady
from riskapp.models import Actor, Project, Run, Setup, Template, Upload
from riskapp.services import copying, findings

DOUBTFUL = frozenset({"type", "identifier", "uncovered", "order", "broken"})
Question = dict[str, Any]


class SameTwice(NotReady):
    """Two columns are said to be called the same now."""


@dataclass(frozen=True)
class Drift:
    """What is different, or the run that finds it out."""

    facts: list[dict[str, Any]] | None = None
    run: Run | None = None

    @property
    def missing(self) -> list[dict[str, Any]]:
        return [fact for fact in self.facts or [] if fact["kind"] == "missing"]

    @property
    def new(self) -> list[dict[str, Any]]:
        return [fact for fact in self.facts or [] if fact["kind"] == "new"]

    @property
    def changed(self) -> list[dict[str, Any]]:
        return [fact for fact in self.facts or [] if fact["kind"] in DOUBTFUL]

    @property
    def stops(self) -> int:
        """How many differences stop a run until they are mended, the missing columns left out: they go."""
        return sum(fact["stops"] for fact in self.changed)


def from_template(template: Template, upload: Upload) -> Question:
    return {"upload": str(upload.pk), "table": str(upload.table), "template": str(template.pk)}


def from_setup(setup: Setup, upload: Upload) -> Question:
    kept = documents.fingerprint(copying.copied(setup))
    return {"upload": str(upload.pk), "table": str(upload.table), "kept": kept}


def of(project: Project, question: Question) -> Drift:
    figures, run = findings.known(project, "drift", question)
    return Drift(None if figures is None else figures["facts"], run)


def ask(setup: Setup, question: Question, *, by: Actor) -> None:
    """Have a file compared; a set-up is kept as it is for that."""
    project = setup.project
    if "kept" in question:
        copying.keep(setup)
    findings.ask(project, "drift", question, [question["upload"]], by=by)


def known(project: Project, question: Question) -> Drift:
    """What is different; raises while nobody knows."""
    drift = of(project, question)
    if drift.facts is None:
        raise NotReady("Wait until the file has been compared with the set-up, then use it.")
    return drift


def doubtful(drift: Drift, renamed: Mapping[str, str]) -> set[str]:
    """The columns to look at again: those that differ, and those that are called something else now."""
    return {fact["column"] for fact in drift.changed} | set(renamed.values())


def check_renamed(drift: Drift, renamed: Mapping[str, str]) -> dict[str, str]:
    """Only a missing column can be called something else now, and only a new one can be it."""
    missing = {fact["column"] for fact in drift.missing}
    new = [fact["column"] for fact in drift.new]
    kept = {old: name for old, name in renamed.items() if old in missing and name in new}
    if len(set(kept.values())) < len(kept):
        raise SameTwice("Two columns cannot have become the same one. Choose another for one of them.")
    return kept
