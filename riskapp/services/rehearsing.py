"""Rehearsals: whether a set-up can be assessed, how attackers meet the records, and what a run would cost."""

from dataclasses import dataclass
from typing import Any

from riskapp.bridge.documents import NotReady
from riskapp.models import Actor, Run, Setup
from riskapp.services import findings, freezing


@dataclass(frozen=True)
class Rehearsal:
    """What is known about the set-up as it is: figures, or the run that finds them, or why there can be none."""

    figures: dict[str, Any] | None = None
    run: Run | None = None
    obstacle: str = ""


def of(setup: Setup) -> Rehearsal:
    """The rehearsal of the set-up as it is now, without asking for one."""
    try:
        asked = freezing.rehearsal_of(setup)
    except NotReady as trouble:
        return Rehearsal(obstacle=str(trouble))
    return Rehearsal(*findings.known(setup.project, "rehearse", asked))


def ask(setup: Setup, *, by: Actor) -> None:
    """Have the set-up rehearsed as it is now, unless it is or is about to be."""
    frozen = freezing.freeze_for_rehearsal(setup)
    question = {"assessment": frozen.sha256}
    findings.ask(setup.project, "rehearse", question, freezing.uses(frozen), by=by)
