from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from riskapp.models import Actor
from riskapp.services import audit


class Command(BaseCommand):
    help = "Say whether the audit trail is whole; if not, where it breaks and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--renew-head",
            action="store_true",
            help="after the file of the chain's head was lost: put a new head at the end, if every seal is right",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        by = Actor(None, label="operator")
        verdict = audit.renew_head(by=by) if options["renew_head"] else audit.verify()
        if not verdict.whole:
            raise CommandError(f"The audit trail breaks at event {verdict.broken_at}: {verdict.reason}.")
        self.stdout.write(f"The audit trail is whole: {verdict.events} events.")
        if verdict.beyond_head and not options["renew_head"]:
            self.stdout.write(f"The last {verdict.beyond_head} lie beyond the head outside the database.")
