"""Which encoding a text is in: by its byte order mark, by being UTF-8, by its zeros, else by its letters."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from charset_normalizer import from_bytes

WESTERN = ("cp1252", "iso8859-1", "iso8859-15", "mac-roman", "cp437", "cp850")
OTHER = (
    *("cp1250", "iso8859-2", "cp1251", "koi8-r", "iso8859-5", "cp1253", "iso8859-7", "cp1254", "iso8859-9"),
    *("cp1255", "cp1256", "cp1257", "cp1258", "cp874"),
    *("shift-jis", "cp932", "euc-jp", "gb18030", "big5", "euc-kr", "cp949"),
)
ENCODINGS = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", *WESTERN, *OTHER)
"""The encodings a person can choose."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WELL_FORMED = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
HIGH = re.compile(rb"[\xc0-\xff]")  # below are the signs of the Western encodings, such as quotes and the euro
LETTERS = re.compile(rb"[A-Za-z]")
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
SAMPLE_BYTES = 64 << 10
PIECE = 1 << 20
MOSTLY = 0.4


class Mixed(Exception):
    """Most of the text beyond ASCII is UTF-8, and some of it is not."""


@dataclass(frozen=True)
class Guess:
    """An encoding, and why it is thought to be this one."""

    encoding: str
    reason: str


def detect(head: bytes, *, complete: bool = True) -> Guess:
    """The encoding of a text that begins with these bytes.

    >>> detect(b"name,age\\nAnna,7\\n")
    Guess(encoding='utf-8', reason='Every character so far is plain ASCII.')
    """
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return Guess(encoding, "The file begins with a byte order mark.")
    if b"\0" in head and (wide := _wide(head)):
        return Guess(wide, "Every other byte of plain letters is zero, as in UTF-16.")
    if head.isascii():
        return Guess("utf-8", "Every character so far is plain ASCII.")
    return judge(_telling([head], complete=complete))


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: ASCII letters have their zeros on one side only."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    one_sided = min(even, odd) * 20 < max(even, odd)
    if not one_sided or len(head) % 2 or max(even, odd) * 20 < len(head):
        return None
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    return encoding if "\0" not in text and "\ufffd" not in text else None


def judge(sample: bytes) -> Guess:
    """The encoding of bytes beyond ASCII; raises Mixed when UTF-8 prevails but does not hold throughout."""
    good = len(WELL_FORMED.findall(sample))
    bad = len(BEYOND_ASCII.findall(WELL_FORMED.sub(b"", sample)))
    if bad == 0:
        return Guess("utf-8", "Every character so far is valid UTF-8.")
    if good * 2 >= bad:
        raise Mixed
    return _by_letters(sample)


def _by_letters(sample: bytes) -> Guess:
    name = _other_script(sample[:SAMPLE_BYTES])
    if name is not None:
        return Guess(name, "It is not UTF-8; the letters fit this encoding best.")
    if _decodes(sample, "cp1252"):
        return Guess("cp1252", "It is not UTF-8; this is the usual encoding of Western Europe.")
    return Guess("iso8859-1", "It is not UTF-8; this encoding of Western Europe has a letter for every byte.")


def _other_script(sample: bytes) -> str | None:
    """An encoding of Greek, Russian, Chinese …; only where most letters are beyond ASCII, as never in Latin."""
    beyond = len(BEYOND_ASCII.findall(sample))
    if not HIGH.search(sample) or beyond < MOSTLY * (beyond + len(LETTERS.findall(sample))):
        return None
    best = from_bytes(sample, cp_isolation=[*WESTERN, *OTHER]).best()
    name = _ours(best.encoding) if best is not None else None
    return None if name in WESTERN else name


def _ours(name: str) -> str | None:
    """The name of ENCODINGS for a codec, whatever alias it was called by."""
    codec = codecs.lookup(name).name
    return next((ours for ours in ENCODINGS if codecs.lookup(ours).name == codec), None)


def _decodes(sample: bytes, encoding: str) -> bool:
    try:
        sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _telling(pieces: Iterable[bytes], *, complete: bool) -> bytes:
    """The lines that hold more than ASCII, so many as make a sample; a last line cut short is no witness."""
    kept: list[bytes] = []
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).replace(b"\r", b"\n").split(b"\n")
        kept += [line for line in lines if not line.isascii()]
        if sum(map(len, kept)) >= SAMPLE_BYTES:
            break
    return b"\n".join([*kept, rest] if complete or not kept else kept)


def detect_again(path: Path) -> Guess:
    """The encoding by the lines beyond ASCII of the whole file, for one whose beginning told nothing."""
    with path.open("rb") as file:
        return judge(_telling(iter(lambda: file.read(PIECE), b""), complete=True))
