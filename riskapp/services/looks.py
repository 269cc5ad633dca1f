"""Looks at records of a rule: each is audited before anything is shown, and nothing of it is kept."""

from typing import Any, cast

from riskapp import policies
from riskapp.bridge import ruling
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Outcome, User
from riskapp.services import audit

LONGEST = 30.0
"""A look that would take more seconds is refused: somebody is waiting for the page."""


def sample(outcome: Outcome, rule: str, *, by: Actor) -> list[dict[str, Any]]:
    """Some records as they are and as the rule releases them."""
    _check(outcome, rule, by)
    with audit.writing():
        audit.record("sample seen", by=by, on=outcome.run, rule=rule)
    return ruling.seen_sample(outcome, rule)


def subgroups(outcome: Outcome, rule: str, *, by: Actor) -> list[dict[str, Any]]:
    """The subgroups to which the rule leaves the least detail, by the values that they had."""
    _check(outcome, rule, by)
    with audit.writing():
        audit.record("subgroups seen", by=by, on=outcome.run, rule=rule)
    return ruling.seen_subgroups(outcome, rule)


def one_record(outcome: Outcome, rule: str, number: int, *, by: Actor) -> dict[str, Any]:
    """One record as it is and as the rule releases it."""
    _check(outcome, rule, by)
    with audit.writing():
        audit.record("record seen", by=by, on=outcome.run, rule=rule, record=number)
    return ruling.seen_record(outcome, rule, number)


def entries(outcome: Outcome, rule: str, number: int, attacker: str, *, by: Actor) -> list[dict[str, Any]]:
    """The entries of an attacker's table that may be a record's person."""
    _check(outcome, rule, by)
    with audit.writing():
        audit.record("entries seen", by=by, on=outcome.run, rule=rule, record=number, attacker=attacker)
    return ruling.seen_entries(outcome, rule, number, attacker)


def _check(outcome: Outcome, rule: str, by: Actor) -> None:
    policies.check("see_values", cast(User, by.user), outcome.project)
    if ruling.seconds_to_look(outcome, rule) > LONGEST:
        raise RiskappError(
            "This table is too large to look into from the page: finding the rule's records takes too long. Export the "
            "assessment file and use manage.py assess with --release instead."
        )
