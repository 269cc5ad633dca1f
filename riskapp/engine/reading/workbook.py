"""Is an Excel file safe to open: what is in the container, how large it becomes, how far its sheets reach."""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from riskapp.engine.reading.faults import counted, fault
from riskapp.engine.reading.kinds import OLE
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.unpack import ENCRYPTED, PIECE, Cap

NEEDED = {"[content_types].xml", "xl/workbook.xml"}
SHEETS = "xl/worksheets/"
CELL = re.compile(rb"""\br\s*=\s*["']([A-Za-z]{1,3})([0-9]{1,7})["']""")
OVERLAP = 64
ENTRY = 128
END_OF_CHAIN = 0xFFFFFFFA
BOOKS = ("Workbook", "Book", "WORKBOOK", "BOOK")
FILE_PASS = 0x2F


def check_xlsx(path: Path, limits: Limits, at: Callable[[float], None]) -> None:
    """Refuse an .xlsx file that is protected, is no workbook, or would become too large in memory."""
    with path.open("rb") as file:
        is_ole = file.read(8) == OLE
    if is_ole:
        raise _not_a_package(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(members, limits)
            _check_content(archive, members, path.stat().st_size, limits, at)
    except (zipfile.BadZipFile, zlib.error, EOFError, OverflowError, NotImplementedError, struct.error):
        raise fault("excel-corrupt") from None


def _not_a_package(path: Path) -> Exception:
    if "EncryptedPackage" in streams_of(path):
        return fault("excel-password")
    return fault("not-what-it-says", ending=".xlsx", looks="that of an older Office file")


def _check_members(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    if any(member.flag_bits & ENCRYPTED for member in members):
        raise fault("excel-password")
    if not {member.filename.lower() for member in members} >= NEEDED:
        raise fault("not-what-it-says", ending=".xlsx", looks="that of a .zip file without a workbook")
    if len(members) > limits.max_members:
        raise fault("excel-corrupt")


def _check_content(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], packed: int, limits: Limits, at: Callable[[float], None]
) -> None:
    cap = Cap(packed, replace(limits, max_unpacked_bytes=limits.max_excel_bytes))
    claimed = sum(member.file_size for member in members)
    cap.check(claimed)
    for member in members:
        reach = Reach(limits)
        with archive.open(member) as stream:
            for piece in iter(lambda: stream.read(PIECE), b""):
                cap.add(len(piece))
                at(cap.out / max(claimed, 1))
                if member.filename.lower().startswith(SHEETS):
                    reach.look(piece)


class Reach:
    """How far the cells of a sheet reach: it is held in memory as a rectangle, also if two cells are all it has."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tail = b""
        self._columns: set[bytes] = set()
        self._last_row = 0

    def look(self, piece: bytes) -> None:
        """Look at the next piece of the sheet's XML."""
        found = CELL.findall(self._tail + piece)
        self._tail = piece[-OVERLAP:]
        if not found:
            return
        self._columns.update({column.upper() for column, _ in found})
        self._last_row = max(self._last_row, max(int(row) for _, row in found))
        self._check()

    def _check(self) -> None:
        width = max(map(_number, self._columns))
        if width > self._limits.max_columns:
            limit = counted(self._limits.max_columns)
            raise fault("too-many-columns", count=counted(width), limit=limit)
        if width * self._last_row > self._limits.max_sheet_cells:
            raise fault("excel-too-large", limit=counted(self._limits.max_sheet_cells))


def _number(letters: bytes) -> int:
    """The number of a column by its letters.

    >>> _number(b"A"), _number(b"AA"), _number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def check_xls(path: Path, limits: Limits) -> None:
    """Refuse an .xls file that is protected, or an Office file that is no workbook."""
    streams = streams_of(path)
    book = next((streams[name] for name in BOOKS if name in streams), None)
    if "EncryptedPackage" in streams or (book is not None and FILE_PASS in _first_records(book)):
        raise fault("excel-password")
    if book is None:
        raise fault("not-what-it-says", ending=".xls", looks="that of another Office file")
    if path.stat().st_size > limits.max_excel_bytes:
        raise fault("excel-too-large", limit=counted(limits.max_sheet_cells))


def streams_of(path: Path) -> dict[str, bytes]:
    """The streams in an OLE container, the file of old Office programs and of protected new ones: name, first bytes."""
    with path.open("rb") as file:
        head = file.read(512)
        shift = struct.unpack_from("<H", head, 30)[0] if len(head) == 512 else 0
        if shift not in (9, 12):
            raise fault("excel-corrupt")
        entries = [entry for sector in _directory(file, head, 1 << shift) for entry in _entries(sector)]
        if not entries:
            raise fault("excel-corrupt")
        return {name: _sector(file, first, 1 << shift) for name, first in entries}


def _directory(file: BinaryIO, head: bytes, sector: int) -> Iterator[bytes]:
    """The sectors of the directory, followed through the allocation table."""
    table = struct.unpack_from("<109I", head, 76)
    current = struct.unpack_from("<I", head, 48)[0]
    seen: set[int] = set()
    while current < END_OF_CHAIN and current not in seen:
        seen.add(current)
        yield _sector(file, current, sector)
        block, place = divmod(current, sector // 4)
        if block >= len(table) or table[block] >= END_OF_CHAIN:
            return
        entry = _sector(file, table[block], sector)[place * 4 :][:4]
        current = struct.unpack("<I", entry)[0] if len(entry) == 4 else END_OF_CHAIN


def _sector(file: BinaryIO, number: int, sector: int) -> bytes:
    file.seek((number + 1) * sector)
    return file.read(sector)


def _entries(sector: bytes) -> Iterator[tuple[str, int]]:
    for start in range(0, len(sector) - ENTRY + 1, ENTRY):
        length = struct.unpack_from("<H", sector, start + 64)[0]
        if 2 <= length <= 64:
            name = sector[start : start + length - 2].decode("utf-16-le", errors="replace")
            yield name, struct.unpack_from("<I", sector, start + 116)[0]


def _first_records(book: bytes) -> set[int]:
    """The kinds of the first records of an old workbook; the one that says "password" stands among them."""
    kinds, place = set(), 0
    while place + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, place)
        kinds.add(kind)
        place += 4 + length
    return kinds
