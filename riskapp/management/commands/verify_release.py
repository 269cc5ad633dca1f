"""`manage.py verify_release`: a file that somebody received against its manifest; no database, no server."""

import sys
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

MENDABLE, DIFFERS, UNAPPROVED = 2, 3, 4
NOBODY = (
    "The manifest tells of no approval: nobody decided that this file may leave. What assess wrote for yourself is "
    "checked with --unapproved."
)


class Command(BaseCommand):
    help = "Say whether a released file is the one that its manifest is about, and whether the manifest is whole."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the released table")
        parser.add_argument("manifest", type=Path, help="its manifest")
        parser.add_argument("beside", type=Path, nargs="*", help="what came with it, such as its codebook")
        parser.add_argument("--digest", help="the digest that the register or the report tells")
        parser.add_argument("--unapproved", action="store_true", help="what assess wrote, which nobody approves")

    def handle(self, *args: Any, **options: Any) -> None:
        from riskapp.engine.releasing import sealing

        try:
            text = options["manifest"].read_bytes().decode("utf-8")
            found = sealing.broken(text, options["file"], options["digest"], options["beside"])
        except OSError as trouble:
            self._end(MENDABLE, [f"{Path(str(trouble.filename)).name}: The file cannot be read."])
        except (sealing.NoManifest, UnicodeDecodeError):
            self._end(MENDABLE, [f"{options['manifest'].name}: This is no manifest of a release."])
        if found:
            self._end(DIFFERS, [f"{part}: {why}." for part, why in found])
        manifest = sealing.read(text)
        approved = sealing.approved(manifest)
        if not approved and not options["unapproved"]:
            self._end(UNAPPROVED, [NOBODY])
        self.stdout.write(f"The file is the one that was released by the rule {manifest['rule']}.")
        self.stdout.write(f"The manifest is whole. Binding {manifest['binding']}, digest {manifest['digest']}.")
        for one in options["beside"]:
            self.stdout.write(f"{one.name} is as it was released.")
        if not approved:
            self.stdout.write("Nobody approved it.")
        if options["digest"] is None:
            self.stdout.write(
                "Whoever changes a manifest can seal it anew: compare its digest with the one that the register of "
                "releases tells, or give that with --digest."
            )

    def _end(self, code: int, lines: list[str]) -> NoReturn:
        self.stderr.write("\n".join(lines))
        sys.exit(code)
