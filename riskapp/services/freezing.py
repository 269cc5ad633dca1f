"""Freezing: what a run works on can never change afterwards."""

from typing import Any

from riskapp.bridge import checking, documents
from riskapp.models import FrozenAssessment, Setup
from riskapp.services import findings


def freeze(setup: Setup) -> FrozenAssessment:
    """The set-up as it is now, under its hash. The same set-up is kept once.

    Raises
    ------
    NotReady
        If it was not checked as it is now.
    BadSetting
        If a run would be started and then fail: there are more rules than can be measured and nothing says how the
        best of them is to be looked for, or a search that linkage data rule out.
    """
    rehearsal = findings.answer(setup.project, "rehearse", rehearsal_of(setup))
    if rehearsal is None:
        raise documents.NotReady("Wait until the check of the set-up on the Run page has ended, then start the run.")
    found = rehearsal.figures
    document = documents.frozen(setup, found["utility"])
    checking.check_run(document, found["about"]["nodes"], found.get("impossible", []))
    return keep(document)


def freeze_for_rehearsal(setup: Setup) -> FrozenAssessment:
    """The set-up without what is asked of the rules: enough to say whether it can be assessed, and at what cost."""
    return keep(documents.frozen(setup))


def rehearsal_of(setup: Setup) -> dict[str, str]:
    """What is asked when the set-up as it is now is rehearsed."""
    return {"assessment": documents.fingerprint(documents.frozen(setup))}


def keep(document: dict[str, Any]) -> FrozenAssessment:
    kept, _ = FrozenAssessment.objects.get_or_create(
        sha256=documents.fingerprint(document), defaults={"document": document}
    )
    return kept


def uses(frozen: FrozenAssessment) -> list[str]:
    """The uploads that a frozen assessment works on."""
    document = frozen.document
    return sorted({about["upload"] for part in ("tables", "lists") for about in document[part].values()})
