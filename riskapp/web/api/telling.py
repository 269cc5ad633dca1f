"""Rows as programs get them."""

from typing import Any

from riskapp.models import Attacker, Attribute, Run, ShelvedHierarchy, Template, Upload


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


HELD = ("knows", "match", "identity", "count", "prior", "fuzzy", "source", "licence", "delete_after")


def attacker(one: Attacker) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("id", "version", "name", "kind", *HELD)}
    return told | {"upload": one.upload_id}


def inquiry(one: Any) -> dict[str, Any]:
    """What is known of a question, whichever service was asked."""
    return {"figures": one.figures, "run": run(one.run), "obstacle": getattr(one, "obstacle", "")}


def shelved(one: ShelvedHierarchy) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("id", "name", "about", "made_at")} | {"made_by": one.made_by.name}


def template(one: Template) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("id", "name", "version", "about", "made_at")}
    return told | {"made_by": one.made_by.name}
