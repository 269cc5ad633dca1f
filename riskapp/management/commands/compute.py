import logging
import os
import sys
import threading
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from riskapp.services import runs

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Compute one claimed run in this process. Started by a worker, which must stay alive."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument("claim", type=UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        threading.Thread(target=_end_with_the_watcher, daemon=True).start()
        try:
            runs.compute(options["run"], options["claim"])
        except Exception:  # Python would print its words, which may quote data; our log tells only its kind and place
            log.exception("run %s could not be ended", options["run"])
            sys.exit(1)


def _end_with_the_watcher() -> None:
    """The pipe from the watcher closes when it dies; a child without a watcher must not go on.

    It is read below Python's own buffer, whose lock would be in the way when this process ends in good order.
    """
    os.read(0, 1)
    os._exit(1)
