"""The smallest real containers for the tests: OLE files, old workbooks, patched zip files, encrypted Parquet."""

import base64
import io
import struct
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

SECTOR = 512
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ole(streams: dict[str, bytes]) -> bytes:
    """An OLE container with streams of at least 4096 bytes each, so that none of them is a small one."""
    padded = {name: content.ljust(4096, b"\0") for name, content in streams.items()}
    fat = [FAT, END]
    entries = [_entry("Root Entry", 5, END, 0, child=1 if padded else FREE)]
    body = b""
    for number, (name, content) in enumerate(padded.items(), 1):
        content = content.ljust(-(-len(content) // SECTOR) * SECTOR, b"\0")
        first = len(fat)
        sectors = len(content) // SECTOR
        fat += [*range(first + 1, first + sectors), END]
        entries.append(_entry(name, 2, first, len(content), right=number + 1 if number < len(padded) else FREE))
        body += content
    entries += [_entry("", 0, 0, 0)] * (4 - len(entries))
    return _header() + struct.pack("<128I", *fat, *[FREE] * (128 - len(fat))) + b"".join(entries) + body


def _header() -> bytes:
    start = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6)
    counts = bytes(6) + struct.pack("<9I", 0, 1, 1, 0, 4096, END, 0, END, 0)
    return start + counts + struct.pack("<109I", 0, *[FREE] * 108)


def _entry(name: str, kind: int, first: int, size: int, *, right: int = FREE, child: int = FREE) -> bytes:
    raw = name.encode("utf-16-le")
    length = len(raw) + 2 if name else 0
    links = struct.pack("<3I", FREE, right, child)
    return (
        raw.ljust(64, b"\0")
        + struct.pack("<HBB", length, kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", first, size)
    )


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def xls(rows: list[list[str | float]], *, protected: bool = False) -> bytes:
    """A workbook of Excel 97 with one sheet of texts and numbers."""
    start = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0x0600))
    if protected:
        start += _record(0x002F, struct.pack("<HHH", 0, 0x1234, 0x5678))
    globals_length = len(start) + 4 + 6 + 2 + 6 + 4
    start += _record(0x0085, struct.pack("<IBBBB", globals_length, 0, 0, 6, 0) + b"Sheet1") + _record(0x000A, b"")
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0x0600))
    sheet += _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, len(rows[0]), 0))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            sheet += _cell(row, column, cell)
    return ole({"Workbook": start + sheet + _record(0x000A, b"")})


def _cell(row: int, column: int, cell: str | float) -> bytes:
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(cell, str):
        return _record(0x0204, place + struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le"))
    return _record(0x0203, place + struct.pack("<d", cell))


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A .zip file of members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def link(name: str, target: str) -> bytes:
    """A .zip file that holds a symbolic link."""
    out = io.BytesIO()
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o120777 << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(member, target)
    return out.getvalue()


def flagged(archive: bytes, *, flag: int | None = None, method: int | None = None, size: int | None = None) -> bytes:
    """The same .zip file with other flags, another method or another size claimed in both headers of its one member."""
    out = bytearray(archive)
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = out.index(sign) + at
        if flag is not None:
            struct.pack_into("<H", out, start, flag)
        if method is not None:
            struct.pack_into("<H", out, start + 2, method)
        if size is not None:
            struct.pack_into("<I", out, start + 16, size)
    return bytes(out)


class _Keys(pe.KmsClient):
    """Wraps keys with nothing: enough to write an encrypted file that nobody here can read."""

    def __init__(self, configuration: object) -> None:
        super().__init__()

    def wrap_key(self, key: bytes, master: str) -> bytes:
        return base64.b64encode(key)

    def unwrap_key(self, wrapped: bytes, master: str) -> bytes:
        return base64.b64decode(wrapped)


def encrypted_parquet(table: pa.Table, path: Path, *, plain_footer: bool) -> bytes:
    """A Parquet file with encrypted columns, and with an encrypted footer or a plain one."""
    config = pe.EncryptionConfiguration(
        "footer", column_keys={"key": table.column_names}, plaintext_footer=plain_footer
    )
    factory = pe.CryptoFactory(_Keys)
    properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), config)
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)
    return path.read_bytes()
