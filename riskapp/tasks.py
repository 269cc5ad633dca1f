"""What Celery calls: fetch by id, call one service, done."""

from celery import shared_task

from riskapp.services import carrying, entrance, retention, samples, upkeep, uploads, workers


@shared_task
def compute(run_id: str) -> None:
    workers.carry_out(run_id)
    samples.go_on_after(run_id)


@shared_task
def tend_runs() -> None:
    upkeep.tend()
    samples.go_on_everywhere()


@shared_task
def sweep() -> None:
    uploads.sweep()
    carrying.sweep()


@shared_task
def forget_expired() -> None:
    entrance.forget_expired()


@shared_task
def tend_retention() -> None:
    retention.tend()
