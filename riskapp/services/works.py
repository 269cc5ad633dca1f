"""What each kind of run does, by the module that does it."""

from importlib import import_module
from typing import Any, Protocol, cast

from riskapp.engine.reporting import Report
from riskapp.models import Actor, Run


class Work(Protocol):
    """What a kind of run does. Everything but `compute` happens inside the transaction of the run's change of state."""

    def claimed(self, run: Run, by: Actor) -> None: ...
    def compute(self, run: Run, report: Report) -> Any: ...
    def succeeded(self, run: Run, result: Any, by: Actor) -> None: ...
    def given_up(self, run: Run, fault: dict[str, Any], by: Actor) -> None: ...
    def let_go(self, run: Run, by: Actor) -> None: ...


WORKS = {
    "read": "riskapp.services.reading",
    "assess": "riskapp.services.assessing",
    "rehearse": "riskapp.services.findings",
    "examples": "riskapp.services.findings",
    "detail": "riskapp.services.findings",
    "stability": "riskapp.services.findings",
    "attacker": "riskapp.services.findings",
    "matching": "riskapp.services.findings",
    "likeness": "riskapp.services.findings",
    "coverage": "riskapp.services.findings",
    "what-if": "riskapp.services.findings",
    "together": "riskapp.services.findings",
    "warn": "riskapp.services.findings",
    "build": "riskapp.services.releases",
    "compare": "riskapp.services.findings",
    "drift": "riskapp.services.findings",
    "leave-out": "riskapp.services.findings",
    "prepare-sample": "riskapp.services.preparing",
}

LONG = frozenset({"assess", "stability", "together", "warn", "build"})
"""What may take minutes or hours; somebody waits before the page for the others."""


def import_works() -> None:
    """Import the modules of every kind of run, and what they stand on."""
    for name in WORKS.values():
        import_module(name)


def work(run: Run) -> Work:
    return cast(Work, import_module(WORKS[run.kind]))
