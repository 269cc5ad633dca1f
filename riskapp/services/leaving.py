"""How many rows and people the list of people to leave out takes away."""

from dataclasses import dataclass
from typing import Any

from riskapp.models import Actor, ColumnRole, Run, Setup, UploadState
from riskapp.services import findings


@dataclass(frozen=True)
class LeftOut:
    """The figures, or the run that finds them, or why there can be none."""

    figures: dict[str, Any] | None = None
    run: Run | None = None
    obstacle: str = ""


def of(setup: Setup) -> LeftOut:
    """What is known about the list as it is chosen now; nothing is asked for."""
    question = _question(setup)
    if isinstance(question, str):
        return LeftOut(obstacle=question)
    return LeftOut(*findings.known(setup.project, "leave-out", question))


def ask(setup: Setup, *, by: Actor) -> None:
    question = _question(setup)
    if not isinstance(question, str):
        findings.ask(setup.project, "leave-out", question, [question["dataset"], question["list"]], by=by)


def _question(setup: Setup) -> dict[str, Any] | str:
    identifier = setup.attributes.filter(role=ColumnRole.IDENTIFIER).values_list("column", flat=True).first()
    if setup.leave_out is None:
        return "Nobody is left out."
    if setup.leave_out.state != UploadState.READY:
        return "The list is not read, or it was shredded. Choose another."
    if setup.dataset is None or setup.dataset.state != UploadState.READY:
        return "Choose the dataset first; then it can be told how many people the list takes away."
    if identifier is None:
        return "People can be left out only if a column says who is who. Make one the identifier under Attributes."
    tables = {"dataset": setup.dataset, "list": setup.leave_out}
    ids = {name: str(upload.pk) for name, upload in tables.items()}
    return {**ids, "table": str(setup.dataset.table), "identifier": identifier}
