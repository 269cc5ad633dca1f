"""Harm: what it weighs that something about a person is learnt, and example records to see it on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from riskapp import policies
from riskapp.bridge import harm as bridge
from riskapp.bridge.documents import NotReady, fingerprint
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Attribute, Run, Setup, User
from riskapp.services import audit, findings, freezing, setups

KIND = "examples"


@dataclass(frozen=True)
class Change:
    """What is to change about a column: which version of it was seen, and the new weights."""

    attribute: Attribute
    seen: int
    fields: Mapping[str, Any]


def weigh(setup: Setup, seen: int, sensitivity: dict[str, Any], changes: Sequence[Change], *, by: Actor) -> None:
    """Save the weights of columns and the form of Φ: all of it, or nothing if somebody else was faster."""
    with audit.writing():
        for one in changes:
            setups.change(
                one.attribute,
                one.seen,
                by=by,
                action="column weighed",
                details={"column": one.attribute.column, "what": setups.differing(one.attribute, one.fields)},
                **one.fields,
            )
        describe(setup, seen, by=by, sensitivity=sensitivity, risk_weight=setup.risk_weight)


def describe(setup: Setup, seen: int, *, by: Actor, sensitivity: dict[str, Any], risk_weight: str = "") -> None:
    """Say how the weights of the columns come to the harm of a record; the weights themselves stand at the columns."""
    before, now = setup.sensitivity, sensitivity
    details = {"what": sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))}
    changes = {"sensitivity": sensitivity, "risk_weight": risk_weight, "harm_seen": True}
    setups.change(setup, seen, by=by, action="harm described", details=details, **changes)


def misspelt(setup: Setup, changes: Sequence[Change]) -> dict[str, int]:
    """For each column whose values were weighed, how many of these values it does not know."""
    weighed = [change.attribute for change in changes if change.fields.get("weights")]
    found = {one.column: _without_a_place(one) for one in setup.attributes.filter(pk__in=[one.pk for one in weighed])}
    return {column: many for column, many in found.items() if many}


def _without_a_place(attribute: Attribute) -> int:
    """A hierarchy that is impossible is told by the run's check."""
    try:
        return bridge.without_a_place(attribute)
    except RiskappError:
        return 0


def nothing_weighs(setup: Setup) -> bool:
    """Whether every weight is 0 and they are added up, so that no rule can be told from another by its harm."""
    told = setup.sensitivity
    if told.get("family") == "multiplicative":  # e to the power of 0 is 1
        return False
    released = [one for one in setup.attributes.all() if one.released]
    columns = [weight for one in released for weight in (one.weight, *one.weights.values())]
    names = {one.column for one in released}
    pairs = [pair["weight"] for pair in told.get("pairs", []) if names.issuperset(pair["attributes"])]
    own = any(one.personal is not None for one in released)
    weights = (*columns, *pairs, told.get("unidentified", 0))
    return bool(released) and not own and all(weight == 0 for weight in weights)


# Example records


@dataclass(frozen=True)
class Examples:
    """Example records, or the run that makes them, or why there can be none."""

    found: dict[str, Any] | None = None
    run: Run | None = None
    obstacle: str = ""


def examples(setup: Setup) -> Examples:
    """The made-up records for the set-up as it is now, without asking for them."""
    try:
        asked = {"assessment": fingerprint(bridge.document(setup))}
    except NotReady as trouble:
        return Examples(obstacle=str(trouble))
    return Examples(*findings.known(setup.project, KIND, asked))


def ask_examples(setup: Setup, *, by: Actor) -> None:
    """Have records made up, unless they are or are about to be."""
    kept = freezing.keep(bridge.document(setup))
    findings.ask(setup.project, KIND, {"assessment": kept.sha256}, freezing.uses(kept), by=by)


def look_at_records(setup: Setup, *, by: Actor) -> dict[str, Any]:
    """Some records of the dataset. The look is audited before anything is shown."""
    policies.check("see_values", cast(User, by.user), setup.project)
    document = bridge.document(setup)
    with audit.writing():
        audit.record("records seen", by=by, on=setup.dataset, project=setup.project_id)
    return bridge.seen_records(document, setup.project_id)
