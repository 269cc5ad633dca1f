"""Content-addressed files: every file is named by the sha-256 of its bytes, in a folder of its project.

A file appears whole or not at all: it arrives under a temporary name, is synced, and is then renamed. Whoever writes
holds a lock on the temporary file, so an abandoned one can be told from one that is still growing.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self
from uuid import UUID, uuid4

from django.conf import settings

BLOCK = 1 << 20


def root() -> Path:
    return Path(settings.FILES)


def incoming() -> Path:
    return root() / "incoming"


def place(project: UUID, sha256: str) -> Path:
    return root() / str(project) / sha256


def table_place(project: UUID, table: UUID) -> Path:
    return root() / str(project) / "tables" / str(table)


def outcome_place(project: UUID, outcome: UUID) -> Path:
    """Where the result of a run lies."""
    return root() / str(project) / "outcomes" / str(outcome)


def release_place(project: UUID, release: UUID) -> Path:
    """Where the file of a release lies, with its manifest, codebook and report."""
    return root() / str(project) / "releases" / str(release)


def footprint_place(project: UUID, release: UUID) -> Path:
    """Where the footprint of a release lies; it outlives the release's folder."""
    return root() / str(project) / "footprints" / f"{release}.parquet"


def keep_footprint(footprint: Path, project: UUID, release: UUID) -> None:
    """Put a release's footprint where it outlives the file."""
    at = footprint_place(project, release)
    at.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = at.with_name(f".{uuid4()}")
    shutil.copyfile(footprint, fresh)
    os.replace(fresh, at)
    _sync_folder(at.parent)


def keeping_place(project: UUID, run: UUID) -> Path:
    """Where a run keeps its finished parts, so that another worker can go on with it."""
    return root() / str(project) / "keeping" / str(run)


def scratch_place(claim: UUID) -> Path:
    """Where a run's process lays out what it needs while it computes; whole tables can be among it."""
    return root() / "scratch" / str(claim)


def free_bytes() -> int:
    root().mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(root()).free


class Incoming:
    """A file that is arriving. Leaving the `with` block without `keep` removes every trace of it."""

    def __init__(self) -> None:
        self.size = 0
        self._hash = hashlib.sha256()
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        incoming().mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = self._locked_part()
        while os.fstat(self._file.fileno()).st_nlink == 0:  # swept away between its making and its lock
            self._file.close()
            self._file = self._locked_part()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _locked_part(self) -> BinaryIO:
        self._part = incoming() / f"{uuid4()}.part"
        descriptor = os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return os.fdopen(descriptor, "wb")

    def write(self, block: bytes) -> None:
        assert self._file is not None
        self._file.write(block)
        self._hash.update(block)
        self.size += len(block)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def sync(self) -> None:
        """Put the bytes on the disk; slow for a big file, so done before a transaction is opened."""
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())

    def keep(self, at: Path) -> None:
        """Give the synced file its final name. The same bytes may be there already: replacing them changes nothing."""
        at.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.replace(self._part, at)
        _sync_folder(at.parent)
        _sync_folder(at.parent.parent)

    def close(self) -> None:
        if self._file is not None:
            try:
                self._file.close()
            except OSError:  # what could not be written is not wanted any more
                pass
            self._file = None
            _shred_file(self._part)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def shred(path: Path) -> None:
    """Overwrite a file, or every file of a folder, and remove it. What is already gone is no error."""
    if path.is_dir():
        for folder, _, files in os.walk(path):
            for name in files:
                _shred_file(Path(folder) / name)
        shutil.rmtree(path, ignore_errors=True)
    elif path.exists():
        _shred_file(path)
    if path.parent.exists():
        _sync_folder(path.parent)


def _shred_file(path: Path) -> None:
    if path.is_symlink():  # where it leads to is somebody else's
        path.unlink(missing_ok=True)
        return
    try:
        file = path.open("r+b")
    except FileNotFoundError:  # somebody else was about the same
        return
    with file:
        left = os.fstat(file.fileno()).st_size
        while left > 0:
            left -= file.write(bytes(min(left, BLOCK)))
        file.flush()
        os.fsync(file.fileno())
    path.unlink(missing_ok=True)


def set_aside(path: Path) -> Path | None:
    """Take a file out of its place at once, to be shredded at leisure. None if it is gone already."""
    incoming().mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = incoming() / f"{uuid4()}.part"
    try:
        os.replace(path, aside)
    except FileNotFoundError:
        return None
    return aside


def remove_abandoned() -> int:
    """Shred arriving files whose writer is gone; how many there were."""
    parts = list(incoming().glob("*.part")) if incoming().exists() else []
    return sum(_shred_if_unlocked(part) for part in parts)


def _shred_if_unlocked(part: Path) -> bool:
    try:
        with part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _shred_file(part)
            return True
    except (BlockingIOError, FileNotFoundError):
        return False


def stored_files() -> Iterator[tuple[UUID, str]]:
    """Every stored file: its project and its sha-256."""
    for folder in _project_folders():
        yield from ((UUID(folder.name), file.name) for file in folder.iterdir() if file.is_file())


def stored_tables() -> Iterator[tuple[UUID, Path]]:
    """Every coded table, finished or not: its id and its folder."""
    return _stored("tables")


def stored_outcomes() -> Iterator[tuple[UUID, Path]]:
    """Every result of a run, finished or not: its id and its folder."""
    return _stored("outcomes")


def stored_releases() -> Iterator[tuple[UUID, Path]]:
    """Every release's folder, finished or not."""
    return _stored("releases")


def stored_keepings() -> Iterator[tuple[UUID, Path]]:
    """The parts that runs keep: the run's id and its folder."""
    return _stored("keeping")


def stored_scratches() -> Iterator[tuple[UUID, Path]]:
    """What processes have laid out: the claim of each and its folder."""
    for folder in (root() / "scratch").glob("*"):
        if (claim := _uuid(folder.name)) is not None:
            yield claim, folder


def _stored(kind: str) -> Iterator[tuple[UUID, Path]]:
    for folder in _project_folders():
        for inner in (folder / kind).glob("*"):
            if (number := _uuid(inner.name.strip(".").partition(".")[0])) is not None:
                yield number, inner


def _project_folders() -> Iterator[Path]:
    if root().exists():
        yield from (folder for folder in root().iterdir() if folder.is_dir() and _uuid(folder.name))


def _uuid(name: str) -> UUID | None:
    """A name that is an id of ours; a disk's own folders are not."""
    try:
        return UUID(name)
    except ValueError:
        return None
