"""Rows as programs get them."""

from typing import Any

from riskapp.models import (
    Attacker,
    Attribute,
    Proposal,
    Release,
    Remark,
    Run,
    ShelvedHierarchy,
    Template,
    Upload,
    Vote,
)
from riskapp.services import turns
from riskapp.services.drifting import Drift
from riskapp.web.comparing import Row


def run(one: Run | None) -> dict[str, Any] | None:
    if one is None:
        return None
    names = ("id", "kind", "state", "percent", "words", "created_at", "started_at", "finished_at", "fault")
    told = {name: getattr(one, name) for name in names}
    return told | {"name": one.parameters.get("name", ""), "assessment": one.parameters.get("assessment")}


def upload(one: Upload, last: Run | None) -> dict[str, Any]:
    names = ("id", "name", "size", "sha256", "state", "rows", "columns", "uploaded_at", "fault")
    return {name: getattr(one, name) for name in names} | {"run": run(last)}


SAID = ("role", "knowable", "hurts", "hierarchy", "weight", "weights", "fall", "personal", "order", "keep_reason")
SUGGESTED = ("role", "knowable", "hurts", "kind", "confidence", "reason")


def attribute(one: Attribute) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("id", "version", "column", "confirmed", *SAID)}
    return told | {"suggested": {key: one.suggestion.get(key) for key in SUGGESTED}}


HELD = ("knows", "match", "identity", "count", "prior", "fuzzy", "source", "licence", "as_of", "delete_after")


def attacker(one: Attacker) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("id", "version", "name", "kind", *HELD)}
    return told | {"upload": one.upload_id}


def inquiry(one: Any) -> dict[str, Any]:
    """What is known of a question, whichever service was asked."""
    return {"figures": one.figures, "run": run(one.run), "obstacle": getattr(one, "obstacle", "")}


def drift(one: Drift) -> dict[str, Any]:
    """What is different in a file, or the run that finds it out."""
    return {"facts": one.facts, "stops": one.stops, "run": run(one.run)}


def compared(row: Row) -> dict[str, Any]:
    """A line of what is side by side."""
    cells = [{"value": cell.value, "best": cell.best} for cell in row.cells]
    return {"name": row.name, "part": row.part, "differs": row.differs, "cells": cells}


def shelved(one: ShelvedHierarchy) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("id", "name", "about", "made_at")} | {"made_by": one.made_by.name}


def template(one: Template) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("id", "name", "version", "about", "made_at")}
    return told | {"made_by": one.made_by.name}


PROPOSED = ("id", "rule", "state", "purpose", "recipient", "reason", "expires_on", "data_until")


def proposal(one: Proposal) -> dict[str, Any]:
    told = {
        name: getattr(one, name)
        for name in (*PROPOSED, "legal_basis", "dpia", "exception", "votes_needed", "proposed_at", "decided_at")
    }
    made: Release | None = getattr(one, "release", None)
    return told | {
        "run": one.run_id,
        "turn": turns.of(one).words,
        "file": one.options,
        "proposed_by": one.proposed_by.email,
        "replaces": one.replaces_id,
        "release": made.pk if made else None,
    }


def vote(one: Vote) -> dict[str, Any]:
    return {"by": one.officer.email, "approves": one.approves, "reason": one.reason, "at": one.at}


def remark(one: Remark) -> dict[str, Any]:
    names = ("id", "kind", "text", "at", "warning", "of", "followed", "why")
    return {name: getattr(one, name) for name in names} | {"by": one.by.email}


BUILT = ("id", "state", "turn", "name", "size", "sha256", "manifest_sha256", "digest", "expires_on", "ready_at")


def release(one: Release, downloads: int | None = None) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in (*BUILT, "ended_at", "why_ended", "fault")}
    about = {"proposal": one.proposal_id, "recipient": one.proposal.recipient, "open": one.is_open}
    return told | about | {"downloads": downloads}


def registered(one: Release) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("state", "expires_on", "sha256", "digest")}
    said = {name: getattr(one.proposal, name) for name in ("recipient", "purpose", "rule")}
    return (
        told
        | said
        | {
            "release": one.pk,
            "project": one.project.name,
            "people": one.people,
            "expected_found": one.expected_found,
            "singled_out": one.singled_out,
            "would_be_singled_out": one.would_be_singled_out,
            "released_at": one.ready_at,
            "downloads": one.fetched,  # type: ignore[attr-defined]
        }
    )
