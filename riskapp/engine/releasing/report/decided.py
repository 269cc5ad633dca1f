"""How it was decided, and what proves it: warnings and answers, approvals, hashes, parameters."""

from collections.abc import Mapping
from typing import Any

import yaml

from riskapp.engine.releasing.report.elements import Html, block, code, facts, paragraph, safe, section, table
from riskapp.engine.releasing.report.words import day

Evidence = Mapping[str, Any]


def warned(evidence: Evidence) -> Html:
    """Warnings, what to do, and what was answered."""
    rows = [(one["about"], one["do"], _signed(one.get("answer"), one)) for one in evidence.get("warnings", [])]
    empty = "" if rows or "warnings" not in evidence else paragraph("There were none.")
    return section("Warnings and answers", table(["Warning", "What to do", "Answer"], rows, even=True), empty)


def decisions(evidence: Evidence) -> Html:
    """Approvals and advice."""
    approvals = [
        (one["by"], one.get("decision", "approved"), day(one["at"]), one.get("reason"))
        for one in evidence.get("approvals", [])
    ]
    advice = [
        (one["by"], one["advice"], "followed" if one["followed"] else "not followed", _signed(one.get("why"), one))
        for one in evidence.get("advice", [])
    ]
    return section(
        "Approvals and advice",
        table(["Who", "Decision", "When", "Reason"], approvals),
        table(["Who advised", "Advice", "It was", "Why"], advice),
    )


def _signed(text: Any, one: Mapping[str, Any]) -> Html:
    """What was answered, by whom and when as far as it is known."""
    whose = ", ".join(filter(None, [one.get("answered_by"), one.get("answered_at") and day(one["answered_at"])]))
    return Html(f"{safe(text)}{paragraph(whose, 'note')}")


def proof(evidence: Evidence) -> Html:
    """Hashes and versions, and how to check them."""
    manifest = evidence.get("manifest", {})
    bound = manifest.get("bound", {})
    hashes = {
        "Released file": bound.get("output"),
        "Dataset": bound.get("dataset"),
        "Assessment": bound.get("assessment"),
        "Seed of the order": manifest.get("seed"),
        "Evidence of the proposal": evidence.get("release", {}).get("evidence"),
        "Binding of the approval": manifest.get("binding"),
        "Digest of the manifest": manifest.get("digest"),
    }
    return section(
        "Proof",
        paragraph("Hashes are SHA-256. The manifest says what the approval is bound to, and seals it."),
        facts({name: code(value) for name, value in hashes.items() if value}),
        facts({"Order of rows": manifest.get("order")}),
        facts(evidence.get("software") or {}),
        paragraph(
            "Check a file that you received on the page Check a file, which uploads nothing, or with the command "
            "manage.py verify_release FILE MANIFEST --digest DIGEST."
        ),
    )


def parameters(evidence: Evidence) -> Html:
    """The assessment as it was given, so that the figures can be computed again."""
    given = evidence.get("parameters")
    return section("Parameters", block(yaml.safe_dump(given, allow_unicode=True, sort_keys=False)) if given else "")
