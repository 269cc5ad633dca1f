"""`manage.py setup_link`: the one-time link for the first administrator, where nobody sees what `serve` prints."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from riskapp.services import accounts


class Command(BaseCommand):
    help = "Make a one-time link with which the first administrator's account is created. Older such links end."

    def handle(self, *args: Any, **options: Any) -> None:
        link = accounts.setup_link(settings.ORIGIN or "http://127.0.0.1:8000")
        if link is None:
            raise CommandError("There is an administrator already, who can invite others.")
        self.stdout.write(link)
