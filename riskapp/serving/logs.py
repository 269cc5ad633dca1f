"""The log of each part: a file that is put aside when it has grown, with a few older ones kept beside it."""

from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

LARGE = 10_000_000
KEPT = 3


def opened(folder: Path, name: str) -> BinaryIO:
    """The log of the part `name`, open at its end."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{name}.log"
    if path.exists() and path.stat().st_size > LARGE:
        _put_aside(path)
    return path.open("ab")


def _put_aside(path: Path) -> None:
    older = [path, *(path.with_name(f"{path.name}.{age}") for age in range(1, KEPT + 1))]
    for newer, place in reversed(list(pairwise(older))):
        if newer.exists():
            newer.replace(place)
