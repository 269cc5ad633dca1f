from typing import Any

from django.core.management.base import BaseCommand, CommandError

from riskapp.services import audit


class Command(BaseCommand):
    help = "Say whether the audit trail is whole; if not, where it breaks and why."

    def handle(self, *args: Any, **options: Any) -> None:
        verdict = audit.verify()
        if not verdict.whole:
            raise CommandError(f"The audit trail breaks at event {verdict.broken_at}: {verdict.reason}.")
        self.stdout.write(f"The audit trail is whole: {verdict.events} events.")
