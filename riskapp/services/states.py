"""Every change of state: one conditional update and one audit row, in one transaction."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Proposal, Release, ReleaseState, Run, RunState, Upload, UploadState
from riskapp.models.proposal import PROPOSAL_MOVES
from riskapp.models.release import RELEASE_MOVES
from riskapp.models.run import RUN_MOVES
from riskapp.models.upload import UPLOAD_MOVES
from riskapp.services import audit

MOVES: Mapping[type[models.Model], Mapping[Any, set[Any]]] = {
    Run: RUN_MOVES,
    Upload: UPLOAD_MOVES,
    Proposal: PROPOSAL_MOVES,
    Release: RELEASE_MOVES,
}
# Going back is not arriving: an auditor must not take it for a file that came or a run that somebody asked for.
BACK: Mapping[tuple[type[models.Model], str, str], str] = {
    (Upload, UploadState.READING, UploadState.RECEIVED): "upload set back",
    (Run, RunState.RUNNING, RunState.QUEUED): "run queued again",
    (Release, ReleaseState.FAILED, ReleaseState.BUILDING): "release built again",
}


class Overtaken(RiskappError):
    """Somebody else was faster, or the thing is no longer in the state it was shown in."""


def move(
    thing: Any,
    to: str,
    *,
    by: Actor,
    only_if: Mapping[str, Any] | None = None,
    details: Mapping[str, Any] | None = None,
    **changes: Any,
) -> None:
    """Move a thing to a state, if it is still where we believe it to be; else raise Overtaken and change nothing."""
    old = thing.state
    if to not in MOVES[type(thing)][old]:
        raise Overtaken(f"A {_noun(thing)} that is {thing.get_state_display()} cannot become {to}.")
    with audit.writing():
        rows = type(thing).objects.filter(pk=thing.pk, state=old, **(only_if or {}))
        if not rows.update(state=to, **changes):
            raise Overtaken(f"This {_noun(thing)} has changed in the meantime. Look at it again.")
        audit.record(action(type(thing), old, to), by=by, on=thing, was=old, **(details or {}))
    for name, value in {"state": to, **changes}.items():
        setattr(thing, name, value)


def action(kind: type[models.Model], old: str, to: str) -> str:
    """What the audit trail calls a move: the state that was entered, unless the move goes back."""
    return BACK.get((kind, old, to)) or f"{kind._meta.model_name} {to}"


def actions() -> set[str]:
    """What the audit trail calls all the moves there are."""
    return {action(kind, old, to) for kind, moves in MOVES.items() for old, new in moves.items() for to in new}


def _noun(thing: models.Model) -> str:
    return thing._meta.model_name or ""
