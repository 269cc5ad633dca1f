"""The details of an event in words: what was given, found or changed, and never a value of the data."""

from collections.abc import Callable
from typing import Any

from riskapp.models import ReleaseKind
from riskapp.web.templatetags.steps import what_words
from riskapp.web.templatetags.words import count, size

FAULTS = {
    "unknown-ending": "its ending is none that can be read",
    "not-what-it-says": "its content is not what its name says",
    "empty-file": "it is empty",
    "only-blank": "it holds nothing but spaces and line ends",
    "header-only": "there are no rows below the header",
    "binary": "it is not text",
    "too-big": "it is too large when unpacked",
    "bomb": "it grows too much when unpacked",
    "gzip-truncated": "the .gz file breaks off before its end",
    "gzip-corrupt": "the .gz file is damaged",
    "zip-corrupt": "the .zip file is damaged",
    "zip-empty": "there is no file in the .zip file",
    "zip-many": "there is more than one file in the .zip file",
    "zip-encrypted": "the .zip file is protected by a password",
    "zip-link": "the .zip file holds a link instead of a file",
    "zip-method": "the .zip file is packed by a method that is not supported",
    "packed-inside": "what is packed in it is not a table",
    "nul-bytes": "it holds NUL characters",
    "wrong-encoding": "it is not in the chosen encoding",
    "mixed-encoding": "it mixes two encodings",
    "ragged": "its lines differ in their number of cells",
    "line-too-long": "a line is too long",
    "unclosed-quote": "a quote is never closed",
    "duplicate-header": "two columns have the same name",
    "empty-header": "a column has no name",
    "long-header": "the name of a column is too long",
    "no-columns": "it has no columns",
    "too-many-columns": "it has too many columns",
    "too-many-rows": "it has too many rows",
    "excel-corrupt": "the Excel file is damaged",
    "excel-password": "the Excel file is protected by a password",
    "excel-no-sheet": "there is no sheet of the chosen name",
    "excel-empty": "there is nothing on the sheet",
    "excel-too-large": "a sheet spans too many cells",
    "parquet-corrupt": "the Parquet file is damaged",
    "parquet-encrypted": "the Parquet file is encrypted",
    "parquet-nested": "a column of the Parquet file holds lists or records",
    "parquet-type": "a column of the Parquet file is of a type without plain text",
    "worker-lost": "its worker died again and again",
    "no-room": "the server had no room to read it",
    "timed-out": "it took or waited too long",
    "unexpected": "something went wrong that we did not foresee",
    "mistake": "it could not be done",
}


WISHES = {
    "delimiter": "what separates cells",
    "quote": "what quotes cells",
    "encoding": "the encoding",
    "header": "the names of the columns",
    "sheet": "the sheet",
    "ragged": "uneven lines",
    "missing": "cells that mean missing",
}


FACTORS = {"app": "with a code from the app", "recovery code": "with a recovery code"}


KINDS = {
    "read": "to read it",
    "assess": "to search for rules",
    "rehearse": "to check the set-up",
    "examples": "to make up example records",
    "detail": "to measure one rule from all sides",
    "stability": "to see whether a rule stays best",
    "attacker": "to see what an attacker would find",
    "matching": "to match columns",
    "likeness": "to see how alike spellings are",
    "coverage": "to see whom a register meets",
    "what-if": "to see what one more column would tell",
    "warn": "to find the warnings of a proposal",
    "together": "to hold a rule against earlier releases",
    "build": "to build a release",
    "compare": "to compare rules",
    "drift": "to compare a file with a set-up",
    "leave-out": "to count who is left out",
    "prepare-sample": "to set up the sample",
}


def _many(number: int, noun: str) -> str:
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def _when(words: str, otherwise: str = "") -> Callable[[Any], str]:
    return lambda value: words if value else otherwise


def _wishes(names: list[str]) -> str:
    return f"chosen by hand: {', '.join(WISHES.get(name, name) for name in names)}" if names else ""


TOLD_ALREADY = (
    *("known", "email", "name", "was", "upload", "column", "page", "attacker"),
    *("proposal", "release", "template", "before", "run"),
)
"""Details that the sentence tells, or that only the export needs."""
DETAILS: dict[str, Callable[[Any], str]] = {
    "administrator": _when("as administrator"),
    "is_administrator": _when("now an administrator"),
    "may_create_projects": _when("may start projects"),
    "role": lambda role: f"role: {role}",
    "owner": _when("an owner", "not an owner"),
    "what": lambda names: f"changed: {what_words(names)}",
    "second_factor": lambda kind: FACTORS.get(kind, kind),
    "locked_out": _when("locked out"),
    "further": lambda words: f"further ones are {words}",
    "left": lambda left: f"{_many(left, 'recovery code')} left",
    "rows": lambda rows: _many(rows, "row"),
    "columns": lambda columns: _many(columns, "column"),
    "size": size,
    "sha256": lambda digest: f"SHA-256 {digest[:12]}…",
    "part": lambda name: {"codes": "codebook (JSON)"}.get(name, name),
    "code": lambda code: FAULTS.get(code, code.replace("-", " ")),
    "wishes": _wishes,
    "kind": lambda kind: KINDS[kind],
    "attempt": lambda attempt: f"attempt {attempt}" if attempt > 1 else "",
    "rule": lambda rule: f"rule {rule}",
    "evidence": lambda digest: f"evidence {digest[:12]}…",
    "votes": lambda votes: f"{_many(votes, 'vote')} needed",
    "approvers": lambda named: f"{_many(named, 'officer')} named" if named else "every officer",
    "uploads_kept": lambda days: f"uploads kept for {_many(days, 'day')}",
    "releases_kept": lambda days: f"files of ended releases kept for {_many(days, 'day')}",
    "terms": lambda digest: f"own terms {digest[:12]}…",
    "exception": _when("with an exception from the limits"),
    "followed": _when("followed", "not followed"),
    "manifest": lambda digest: f"manifest {digest[:12]}…",
    "reason": lambda words: f"because: {words}",
    "warning": lambda key: f"warning: {key.replace('-', ' ')}",
    "scopes": lambda scopes: f"for: {', '.join(scopes)}",
    "days": lambda days: f"for {_many(days, 'day')}",
    "token": lambda name: f"by the token “{name}”",
    "hierarchy": lambda name: f"“{name}”",
    "whole": _when("it is whole", "it is broken"),
    "data": _when("with the tables", "without the tables"),
    "attackers": lambda attackers: _many(attackers, "attacker"),
    "class": lambda kind: str(ReleaseKind(kind).label),
    "limits": lambda limits: f"limits: {plain(limits)}",
    "knowable": _when("an attacker could know it", "no attacker knows it"),
    "hurts": _when("it hurts if learnt", "it does not hurt"),
    "rules": lambda rules: f"rules: {', '.join(rules)}",
    "question": lambda asked: f"asked for: {', '.join(key.replace('_', ' ') for key in asked)}",
    "record": lambda record: f"record {count(record)}",
    "version": lambda version: f"version {version}",
    "prior": lambda share: f"share {100 * share:.4g} %",
    **dict.fromkeys(TOLD_ALREADY, _when("")),
}


def details_words(details: dict[str, Any]) -> str:
    """The details of an event in a line, in an order of ours: databases keep that of the keys, or do not."""
    ours = {key: place for place, key in enumerate(DETAILS)}
    in_order = sorted(details.items(), key=lambda detail: (ours.get(detail[0], len(ours)), detail[0]))
    parts = [_detail(key, value) for key, value in in_order if value not in ("", None, [])]
    return " · ".join(part for part in parts if part)


def _detail(key: str, value: Any) -> str:
    """A detail that somebody has tampered with must not keep the page from being shown."""
    try:
        return DETAILS[key](value)
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"{key}: {plain(value)}"


def plain(value: Any) -> str:
    """A detail's value as a person writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(part)}" for key, part in sorted(value.items()))
    return ", ".join(map(plain, value)) if isinstance(value, list) else str(value)
