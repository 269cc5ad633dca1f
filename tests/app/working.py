"""A worker for the tests: carries out what is queued, in this process."""

from riskapp.models import Run, RunState
from riskapp.services import runs


def work_off(kind: str | None = None) -> None:
    """Carry out every queued run, of one kind or of all, until none is left."""
    while (run := _next(kind)) is not None:
        token = runs.claim(run.pk)
        assert token is not None
        runs.compute(run.pk, token)


def _next(kind: str | None) -> Run | None:
    waiting = Run.objects.filter(state=RunState.QUEUED).order_by("created_at")
    return (waiting.filter(kind=kind) if kind else waiting).first()
