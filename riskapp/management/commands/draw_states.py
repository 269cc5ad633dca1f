from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from riskapp.services.states import MOVES

PAGE = Path(settings.BASE_DIR) / "docs" / "reference" / "states.md"
HEAD = """# States

Drawn by `manage.py draw_states` from the transition tables in `riskapp/models`; `make check` fails when this page is
stale. Every arrow is one conditional update and one audit row in one transaction.
"""


def page() -> str:
    return "\n".join([HEAD, *(_diagram(model._meta.model_name or "", moves) for model, moves in MOVES.items())])


def _diagram(noun: str, moves: Any) -> str:
    arrows = [f"    {old.name} --> {new.name}" for old, news in moves.items() for new in sorted(news, key=str)]
    ends = [f"    {old.name} --> [*]" for old, news in moves.items() if not news]
    begin = f"    [*] --> {next(iter(moves)).name}"
    words = [f"- {state.name}: {state.label}" for state in moves]
    return "\n".join([f"## {noun}", "", "```mermaid", "stateDiagram-v2", begin, *arrows, *ends, "```", "", *words, ""])


class Command(BaseCommand):
    help = "Draw the diagrams of docs/reference/states.md; with --check only say whether they are stale."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            if not PAGE.exists() or PAGE.read_text() != page():
                raise CommandError("docs/reference/states.md is stale: run manage.py draw_states.")
            return
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page())
