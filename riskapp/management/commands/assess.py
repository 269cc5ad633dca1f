"""`manage.py assess`: an assessment file in, its result out; no database, no broker, no server."""

import sys
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import RiskappError

BUG, MENDABLE, INTERRUPTED = 1, 2, 130
KEPT = "Stopped. No result was written. The parts that were finished are kept for the next start."


class Command(BaseCommand):
    help = "Compute the risk and the utility of every disclosure rule of an assessment, from files alone."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the assessment, YAML or JSON")
        parser.add_argument("--out", type=Path, required=True, help="where to write the result, as JSON")
        parser.add_argument("--release", metavar="RULE_ID", help="a rule whose table is to be written too")
        parser.add_argument("--to", type=Path, help="where to write that table, .csv or .parquet")
        parser.add_argument("--keep-order", action="store_true", help="leave its rows in the order of the dataset")

        parser.add_argument(
            "--keep", metavar="FOLDER", type=Path, help="keep finished parts there, and go on from them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines = _run(options)
        except RiskappError as trouble:
            self._end(MENDABLE, _told(trouble))
        except KeyboardInterrupt:
            self._end(INTERRUPTED, "Stopped. Nothing was written." if options["keep"] is None else KEPT)
        except Exception as trouble:  # its words may quote data; its kind and its place do not
            told = f"{type(trouble).__name__} at {_place(trouble)}, reference {uuid4().hex[:8]}"
            self._end(BUG, f"Something went wrong that we did not foresee ({told}).")
        self.stdout.write("\n".join(lines))

    def _end(self, code: int, line: str) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)


def _run(options: dict[str, Any]) -> list[str]:
    from riskapp.management import assessing  # takes a while to load, and Ctrl-C may come meanwhile

    wishes = assessing.Wishes(
        file=options["file"],
        out=options["out"],
        rule=options["release"],
        to=options["to"],
        keep_order=options["keep_order"],
        keep=options["keep"],
        version=settings.VERSION,
    )
    return assessing.run(wishes)


def _told(trouble: RiskappError) -> str:
    """One line that begins with the key to mend."""
    line = " ".join(str(trouble).split())
    return line if isinstance(trouble, BadSetting) else f"assessment: {line}"


def _place(trouble: Exception) -> str:
    """The line of our code at which it arose."""
    traceback = trouble.__traceback__
    while traceback and traceback.tb_next:
        traceback = traceback.tb_next
    return f"{Path(traceback.tb_frame.f_code.co_filename).name}:{traceback.tb_lineno}" if traceback else "nowhere"
