"""Files that are there completely or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file to write to, beside the one that is meant; at the end it takes its place, after any failure it is gone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replaced(Path(folder) / "note.txt") as fresh:
    ...         written = fresh.write_text("done")
    ...     print([found.name for found in Path(folder).iterdir()])
    ['note.txt']
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        yield fresh
        _reach_the_disk(fresh)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _reach_the_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
