"""The Celery application. Messages carry ids; what is to be done stands in the database."""

import logging
import os
from typing import Any

from celery import Celery
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskapp.settings")

app = Celery("riskapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["riskapp"])
app.conf.beat_schedule = {
    "lost and waiting runs": {"task": "riskapp.tasks.tend_runs", "schedule": 2.0},
    "leftovers": {"task": "riskapp.tasks.sweep", "schedule": float(settings.SWEEP_SECONDS)},
    "expired sessions and failures": {"task": "riskapp.tasks.forget_expired", "schedule": 3600.0},
}

log = logging.getLogger(__name__)


class Caretaker(Scheduler):
    """A beat that does the upkeep itself.

    Upkeep must go on while every worker is busy and while Redis is away, which is exactly when it is needed, so it is
    not sent through either.
    """

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        from django.db import close_old_connections

        close_old_connections()
        try:
            self.app.tasks[entry.task]()
        except Exception as trouble:  # the caretaker outlives any single fault; only its kind is logged
            log.error("upkeep %s failed: %s", entry.task, type(trouble).__name__)
        finally:
            close_old_connections()

    def setup_schedule(self) -> None:
        self.merge_inplace(self.app.conf.beat_schedule)
        self.install_default_entries(self.schedule)
