"""Unpacking .gz and .zip as a stream, under caps on the size and on how much larger it becomes.

The headers are believed when they say "too large" and never when they say "small enough": the bytes are counted again
as they come out.
"""

import gzip
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from riskapp.engine.reading.faults import counted, fault, size
from riskapp.engine.reading.kinds import ENDINGS
from riskapp.engine.reading.limits import Limits

PIECE = 1 << 20
ENCRYPTED = 0x1
NOT_TABLES = (".DS_Store", "Thumbs.db", "desktop.ini")


class Cap:
    """Counts what comes out of a packed file and refuses it when it is too much."""

    def __init__(self, packed: int, limits: Limits) -> None:
        self._packed = max(packed, 1)
        self._limits = limits
        self.out = 0

    def add(self, count: int) -> None:
        """Count further bytes."""
        self.out += count
        self.check(self.out)

    def check(self, total: int) -> None:
        """Refuse a total, be it counted or claimed."""
        if total > self._limits.max_unpacked_bytes:
            raise fault("too-big", limit=size(self._limits.max_unpacked_bytes))
        if total > self._limits.ratio_from_bytes and total > self._limits.max_ratio * self._packed:
            raise fault("bomb", ratio=counted(self._limits.max_ratio))


def ungzip(path: Path, to: Path, limits: Limits, at: Callable[[float], None]) -> None:
    """Unpack a .gz file."""
    packed = path.stat().st_size
    cap = Cap(packed, limits)
    cap.check(_claimed(path))
    with path.open("rb") as raw, to.open("wb") as out:
        try:
            with gzip.GzipFile(fileobj=raw) as stream:
                _copy(stream, out, cap, lambda: at(raw.tell() / packed))
        except EOFError:
            raise fault("gzip-truncated") from None
        except (gzip.BadGzipFile, zlib.error):
            raise fault("gzip-corrupt") from None


def _claimed(path: Path) -> int:
    # The last four bytes are the size modulo 4 GB of the last part: never more than the truth, if they are true.
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4))
        tail = file.read(4)
    claimed: int = struct.unpack("<I", tail)[0] if len(tail) == 4 else 0
    # A truncated file ends in anything; deflate cannot do better than about 1 to 1032, so a larger claim is no size.
    return claimed if claimed <= 1032 * path.stat().st_size else 0


def unzip(path: Path, to: Path, limits: Limits, at: Callable[[float], None]) -> str:
    """Unpack the one table in a .zip file and return its format; the member's name is never used as a path."""
    try:
        with zipfile.ZipFile(path) as archive:
            member = _only_member(archive)
            ending = _format_of(member)
            _extract(archive, member, to, limits, at)
    except (zipfile.BadZipFile, zlib.error, EOFError, OverflowError, struct.error):
        raise fault("zip-corrupt") from None
    return ending


def _only_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [member for member in archive.infolist() if _is_file(member)]
    if not members:
        raise fault("zip-empty")
    if len(members) > 1:
        raise fault("zip-many", count=counted(len(members)))
    return members[0]


def _is_file(member: zipfile.ZipInfo) -> bool:
    parts = member.filename.split("/")
    return not (member.is_dir() or parts[0] == "__MACOSX" or parts[-1] in NOT_TABLES)


def _format_of(member: zipfile.ZipInfo) -> str:
    if member.flag_bits & ENCRYPTED:
        raise fault("zip-encrypted")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise fault("zip-link")
    ending = member.filename.lower().rpartition(".")[2]
    if ending not in ENDINGS:
        raise fault("packed-inside")
    return ending


def _extract(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, to: Path, limits: Limits, at: Callable[[float], None]
) -> None:
    cap = Cap(member.compress_size, limits)
    cap.check(member.file_size)
    expected = max(member.file_size, 1)
    try:
        with archive.open(member) as stream, to.open("wb") as out:
            _copy(stream, out, cap, lambda: at(cap.out / expected))
    except NotImplementedError:
        raise fault("zip-method") from None


def _copy(stream: IO[bytes] | gzip.GzipFile, out: IO[bytes], cap: Cap, tell: Callable[[], None]) -> None:
    while piece := stream.read(PIECE):
        cap.add(len(piece))
        out.write(piece)
        tell()
