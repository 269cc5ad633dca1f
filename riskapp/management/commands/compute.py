import os
import sys
import threading
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from riskapp.services import runs


class Command(BaseCommand):
    help = "Compute one claimed run in this process. Started by a worker, which must stay alive."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument("claim", type=UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        threading.Thread(target=_end_with_the_watcher, daemon=True).start()
        runs.compute(options["run"], options["claim"])


def _end_with_the_watcher() -> None:
    """The pipe from the watcher closes when it dies; a child without a watcher must not go on."""
    sys.stdin.buffer.read()
    os._exit(1)
