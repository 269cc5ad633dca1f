"""What kind of file it is: by its name, and by its first bytes; both must agree."""

from dataclasses import dataclass
from pathlib import Path

from riskapp.engine.reading.faults import fault

ENDINGS = ("csv", "tsv", "xlsx", "xls", "parquet")
PACKED = ("gz", "zip")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

SIGNS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gz"),
    (b"PAR1", "parquet"),
    (b"PARE", "parquet"),
    (OLE, "ole"),
    (b"%PDF", "pdf"),
    (b"BZh91AY&SY", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"Rar!", "rar"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"\x7fELF", "program"),
    (b"MZ\x90\x00", "program"),
)
PAGES = (b"<!doctype html", b"<html", b"<?xml")
SEEN_AS = {
    "zip": "that of a .zip or newer Excel file",
    "gz": "that of a .gz file",
    "parquet": "that of a Parquet file",
    "ole": "that of an older Office file",
    "page": "that of a web page or XML file",
    "pdf": "that of a PDF file",
    "picture": "that of a picture",
    "program": "that of a program",
    "sqlite": "that of a database",
    "text": "something else",
}
CONTENT = {"csv": "text", "tsv": "text", "xlsx": "zip", "xls": "ole", "parquet": "parquet", "gz": "gz", "zip": "zip"}


@dataclass(frozen=True)
class Kind:
    """The format of the table, and how it is packed; the format of a .zip file is only known from its member."""

    format: str | None
    compression: str


def by_name(name: str) -> Kind:
    """The kind that a file's name claims.

    >>> by_name("Register 2024.CSV"), by_name("a.tsv.gz")
    (Kind(format='csv', compression='none'), Kind(format='tsv', compression='gz'))
    """
    parts = name.lower().split(".")
    ending = parts[-1] if len(parts) > 1 else ""
    if ending == "zip":
        return Kind(None, "zip")
    if ending == "gz":
        return Kind(_table(".".join(parts[:-1])), "gz")
    return Kind(_table(name), "none")


def _table(name: str) -> str:
    ending = name.lower().rpartition(".")[2] if "." in name else ""
    if ending not in ENDINGS:
        raise fault("unknown-ending")
    return ending


def seen(head: bytes) -> str:
    """What the first bytes of a file look like; "text" when they carry no known sign."""
    for sign, what in SIGNS:
        if head.startswith(sign):
            return what
    start = head[:512].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return "page" if start.startswith(PAGES) else "text"


def check(path: Path, ending: str) -> None:
    """Refuse a file whose first bytes are not those of its ending."""
    with path.open("rb") as file:
        head = file.read(512)
    if not head:
        raise fault("empty-file")
    what = seen(head)
    if what == "parquet" and CONTENT[ending] == "text" and b"\0" not in head:
        what = "text"  # a column can be called PAR1
    if what != CONTENT[ending] and not (ending == "xlsx" and what == "ole"):
        raise fault("not-what-it-says", ending=f".{ending}", looks=SEEN_AS.get(what, f"that of a .{what} file"))
