"""Folders of our own: one server at a time in each, for two would write the same Redis file and the same logs."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from riskapp.serving.errors import CannotServe


def private(folder: Path) -> None:
    """Make a folder that only our account can enter; one that is somebody else's is not used."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.geteuid():
        raise CannotServe(
            f"The folder {folder} belongs to another account. Remove it, or set RISKAPP_VAR to another folder."
        )
    folder.chmod(0o700)


@contextmanager
def only_one(var: Path) -> Iterator[None]:
    """Hold the folder's lock; the kernel lets go of it when we end, however we end."""
    var.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(var / "serve.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise CannotServe(
            f"riskapp is already running on the folder {var}. Stop it first, or set RISKAPP_VAR to another folder."
        ) from None
    try:
        yield
    finally:
        os.close(lock)
