"""Files that are there completely or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file to write to, beside the one that is meant; at the end it takes its place, after any failure it is gone.

    What is meant is where a link leads to. Nothing but a file is replaced.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replaced(Path(folder) / "note.txt") as fresh:
    ...         written = fresh.write_text("done")
    ...     print([found.name for found in Path(folder).iterdir()])
    ['note.txt']
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise FileExistsError(f"{path} is there already and is no file.")
    fresh = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        yield fresh
        _reach_the_disk(fresh)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _reach_the_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
