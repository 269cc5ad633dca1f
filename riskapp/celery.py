"""The Celery application. Messages carry ids; what is to be done stands in the database."""

import logging
import os
from threading import Thread
from typing import Any, ClassVar

from celery import Celery
from celery.beat import ScheduleEntry, Scheduler
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskapp.settings")

app = Celery("riskapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["riskapp"])
app.conf.beat_schedule = {
    "lost and waiting runs": {"task": "riskapp.tasks.tend_runs", "schedule": 2.0},
    "leftovers": {"task": "riskapp.tasks.sweep", "schedule": float(settings.SWEEP_SECONDS)},
    "releases and uploads past their time": {"task": "riskapp.tasks.tend_retention", "schedule": 60.0},
    "expired sessions and failures": {"task": "riskapp.tasks.forget_expired", "schedule": 3600.0},
}

log = logging.getLogger(__name__)


@worker_ready.connect
def prepare(**about: Any) -> None:
    """The first run finds a process that waits for it."""
    from riskapp.services import workers

    workers.spare.prepare()


@worker_shutting_down.connect
def give_runs_back(**about: Any) -> None:
    """A worker that is stopped on purpose gives its runs back within a second, instead of losing them."""
    from riskapp.services import workers

    workers.stop()


class Caretaker(Scheduler):
    """A beat that does the upkeep itself, each kind in a thread of its own.

    Upkeep must go on while every worker is busy and while Redis is away, which is exactly when it is needed, so it is
    not sent through either; and shredding a large leftover must not keep a lost run from being found.
    """

    under_way: ClassVar[dict[str, Thread]] = {}

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        last = self.under_way.get(entry.task)
        if last is None or not last.is_alive():
            self.under_way[entry.task] = Thread(target=self._do, args=[entry.task], daemon=True)
            self.under_way[entry.task].start()

    def _do(self, name: str) -> None:
        from django.db import connection

        try:
            self.app.tasks[name]()
        except Exception as trouble:  # the caretaker outlives any single fault; only its kind is logged
            log.error("upkeep %s failed: %s", name, type(trouble).__name__)
        finally:
            connection.close()

    def setup_schedule(self) -> None:
        self.merge_inplace(self.app.conf.beat_schedule)
        self.install_default_entries(self.schedule)
