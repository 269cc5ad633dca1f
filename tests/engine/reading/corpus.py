"""The corpus: bad files with what must be said about them, and odd but good files with what must be read from them.

Every bad file that has cells has the canary in them; no message may repeat it.
"""

import csv
import datetime
import gzip
import io
import random
import tempfile
import zipfile
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.engine.reading import Limits, Wishes
from tests.engine.reading import containers

CANARY = "Kanarienvogel"
SMALL = Limits(max_line_bytes=10_000, block_bytes=10_000)
ALL_DETECTED = Wishes()
USUAL = Limits()
TIGHT = Limits(ratio_from_bytes=1 << 20, max_ratio=50)


@dataclass(frozen=True)
class Bad:
    """A file that must be refused: by which code, and at which line."""

    title: str
    name: str
    content: bytes
    code: str
    line: int | None = None
    wishes: Wishes = ALL_DETECTED
    limits: Limits = USUAL
    says: str = ""


@dataclass(frozen=True)
class Good:
    """A file that must be read: into these names and rows, and with these things detected."""

    title: str
    name: str
    content: bytes
    names: list[str]
    rows: list[list[str]]
    wishes: Wishes = ALL_DETECTED
    found: dict[str, object] = field(default_factory=dict)
    left_out: int = 0


def table(rows: int = 20, first: str = "name,town,born") -> str:
    """A plain table of so many rows, the canary in every one."""
    return first + "\n" + "".join(f"{CANARY} {row},Town {row % 3},{1950 + row}\n" for row in range(rows))


def with_line(number: int, line: str, rows: int = 20) -> str:
    """The plain table with one of its lines replaced (the header is line 1)."""
    lines = table(rows).splitlines(keepends=True)
    lines[number - 1] = line
    return "".join(lines)


def xlsx(rows: list[list[object]], *, sheets: dict[str, list[list[object]]] | None = None, hidden: str = "") -> bytes:
    """An .xlsx file by openpyxl."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, content in (sheets or {"Sheet1": rows}).items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
        for row in content:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(columns: dict[str, object], **options: object) -> bytes:
    """A Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def _sheet_with(row: int, column: int) -> bytes:
    """An .xlsx file with two cells only, the second far from the first."""
    book = openpyxl.Workbook()
    book.active["A1"] = CANARY
    book.active.cell(row, column, CANARY)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def junk(length: int) -> bytes:
    """Bytes without any meaning."""
    return random.Random(7).randbytes(length)


def _encrypted(plain_footer: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        small = pa.table({"name": [CANARY, "x"]})
        return containers.encrypted_parquet(small, Path(folder) / "e.parquet", plain_footer=plain_footer)


@cache
def bad() -> list[Bad]:
    """Every bad file."""
    return [*_bad_names(), *_bad_text(), *_bad_headers(), *_bad_packed(), *_bad_excel(), *_bad_parquet()]


def _bad_names() -> list[Bad]:
    plain = table().encode()
    book = xlsx([["name"], [CANARY]])
    lake = parquet({"name": [CANARY]})
    return [
        Bad("an unknown ending", "list.docx", plain, "unknown-ending"),
        Bad("no ending", "list", plain, "unknown-ending"),
        Bad("a gz of nothing known", "list.gz", gzip.compress(plain), "unknown-ending"),
        Bad("a gz of a gz", "list.csv.gz.gz", gzip.compress(gzip.compress(plain)), "unknown-ending"),
        Bad("a workbook named csv", "list.csv", book, "not-what-it-says"),
        Bad("a Parquet file named csv", "list.csv", lake, "not-what-it-says"),
        Bad("a gz named csv", "list.csv", gzip.compress(plain), "not-what-it-says"),
        Bad("a text named xlsx", "list.xlsx", plain, "not-what-it-says"),
        Bad("a text named xls", "list.xls", plain, "not-what-it-says"),
        Bad("a text named parquet", "list.parquet", plain, "not-what-it-says"),
        Bad("a text named gz", "list.csv.gz", plain, "not-what-it-says"),
        Bad("a text named zip", "list.zip", plain, "not-what-it-says"),
        Bad("a new workbook named xls", "list.xls", book, "not-what-it-says"),
        Bad("an old workbook named xlsx", "list.xlsx", containers.xls([["name"], [CANARY]]), "not-what-it-says"),
        Bad("another Office file named xls", "list.xls", containers.ole({"WordDocument": b"x"}), "not-what-it-says"),
        Bad("a zip of text named xlsx", "list.xlsx", containers.zipped(("a.csv", plain)), "not-what-it-says"),
        Bad("a web page named csv", "list.csv", b"<!DOCTYPE html><p>" + CANARY.encode(), "not-what-it-says"),
        Bad("a PDF named csv", "list.csv", b"%PDF-1.7 " + plain, "not-what-it-says"),
        Bad("a workbook inside a gz of csv", "list.csv.gz", gzip.compress(book), "not-what-it-says"),
    ]


def _bad_text() -> list[Bad]:
    umlaut = "Größe ä ö ü ß é\n"
    mixed = ("name\n" + umlaut * 10).encode() + umlaut.encode("latin-1") + umlaut.encode()
    late = table(9_000).encode() + "Ü,Ü,Ü\n".encode() * 40 + b"\xdcmlaut,b,c\n"
    return [
        Bad("an empty file", "list.csv", b"", "empty-file"),
        Bad("nothing but blanks", "list.csv", b" \n\t\r\n  \n", "only-blank"),
        Bad("nothing but a mark", "list.csv", b"\xef\xbb\xbf", "only-blank"),
        Bad("a header only", "list.csv", b"name,town\n", "header-only"),
        Bad("a header only, and blank lines", "list.csv", b"\n\nname,town\n\n\n", "header-only"),
        Bad("meaningless bytes named csv", "list.csv", b"a" + junk(5_000), "binary"),
        Bad("few meaningless bytes named tsv", "list.tsv", b"\x9c\x01\x02\x03\x04\x05\x06\x0f\x10\x11\x12", "binary"),
        Bad("a NUL in line 7", "list.csv", with_line(7, f"{CANARY}\0,b,c\n").encode(), "nul-bytes", 7),
        Bad("a NUL far in", "list.csv", table(300_000).encode() + b"a\0,b,c\n", "nul-bytes", 300_002),
        Bad("a NUL in the header", "list.csv", b"na\0me,town\na,b\n", "nul-bytes", 1),
        Bad("a long line first", "list.csv", with_line(7, f"{CANARY},b\n").encode(), "ragged", 7,
            says="Line 7 has 2 cells, the header has 3."),
        Bad("a row with a cell too many", "list.csv", with_line(17, "a,b,c,d\n").encode(), "ragged", 17,
            says="Line 17 has 4 cells, the header has 3."),
        Bad("rows of many lengths", "list.csv", (table() + "a,b\n" * 13).encode(), "ragged", 22,
            says="Line 22 has 2 cells, the header has 3; 12 more lines like it."),
        Bad("ragged after quoted newlines", "list.csv", b'a,b\n"1\n2\n3",4\n5\n', "ragged", 5),
        Bad("ragged far in", "list.csv", (table(300_000) + "a\n").encode(), "ragged", 300_002),
        Bad("ragged without a header", "list.csv", b"1,2\n3,4\n5\n", "ragged", 3, Wishes(header="none"),
            says="Line 3 has 1 cell, the first row has 2."),
        Bad("a footer", "list.csv", (table() + "\nTotal: 20 rows\n").encode(), "ragged", 23),
        Bad("the wrong delimiter by hand", "list.csv", table().encode() + b"a;b,c,d\n", "ragged", 22,
            Wishes(delimiter=";")),
        Bad("not the encoding chosen by hand", "list.csv", with_line(5, "Jürgen,b,c\n").encode("latin-1"),
            "wrong-encoding", 5, Wishes(encoding="utf-8")),
        Bad("a byte that cp1252 has not", "list.csv", with_line(5, "J?rgen,b,c\n").encode().replace(b"?", b"\x81"),
            "wrong-encoding", 5, Wishes(encoding="cp1252")),
        Bad("half a character of UTF-16", "list.csv", table().encode("utf-16") + b"a", "wrong-encoding", 22),
        Bad("two encodings mixed", "list.csv", mixed, "mixed-encoding", 12),
        Bad("two encodings mixed far in", "list.csv", late, "mixed-encoding", 9_042, limits=SMALL),
        Bad("a quote never closed", "list.csv", with_line(9, f'{CANARY},"b,c\n').encode(), "unclosed-quote", 9),
        Bad("a quote never closed in the last line", "list.csv", (table() + '"').encode(), "unclosed-quote", 22),
        Bad("a quote never closed in the header", "list.csv", b'"a,b\n1,2\n3,4\n', "unclosed-quote", 1),
        Bad("a quote never closed in a large file", "list.csv",
            (with_line(9, 'a,"b,c\n') + table(2_000)).encode(), "unclosed-quote", 9, limits=SMALL),
        Bad("a quote never closed though lines may be left out", "list.csv", with_line(9, 'a,"b,c\n').encode(),
            "unclosed-quote", 9, Wishes(ragged="leave-out")),
        Bad("one gigantic line", "list.csv", b"name,town\n" + CANARY.encode() * 500_000 + b",b\n", "line-too-long", 2),
        Bad("one gigantic first line", "list.csv", CANARY.encode() * 500_000, "line-too-long", 1),
        Bad("a gigantic line later on", "list.csv", with_line(12, "x" * 20_000 + ",b,c\n").encode(), "line-too-long",
            12, limits=SMALL),
        Bad("too many rows", "list.csv", table(50).encode(), "too-many-rows", limits=Limits(max_rows=49)),
    ]  # fmt: skip


def _bad_headers() -> list[Bad]:
    wide = ",".join(f"c{number}" for number in range(100_000))
    wide_row = ",".join("1" * 100_000)
    return [
        Bad("two columns of one name", "list.csv", table(first="name,town,name").encode(), "duplicate-header", 1,
            says="Columns 1 and 3 have the same name."),
        Bad("three columns of one name", "list.csv", table(first="name,name,name").encode(), "duplicate-header", 1,
            says="Columns 1 and 2 have the same name; 1 more column like it."),
        Bad("names that differ by blanks only", "list.csv", table(first="name, name,x").encode(), "duplicate-header",
            1),
        Bad("two columns of one name in Excel", "list.xlsx", xlsx([["a", "a"], [CANARY, "x"]]), "duplicate-header"),
        Bad("a column without a name", "list.csv", table(first="name,,born").encode(), "empty-header", 1,
            says="Column 2 has no name."),
        Bad("columns of blank names", "list.tsv", b"name\t \t\n" + b"a\tb\tc\n", "empty-header", 1,
            says="Column 2 has no name; 1 more column like it."),
        Bad("a delimiter at every line's end", "list.csv", b"a,b,\n1,2,\n", "empty-header", 1),
        Bad("a column without a name in Excel", "list.xlsx", xlsx([["a", None], [CANARY, "x"]]), "empty-header"),
        Bad("a column without a name below blank lines", "list.csv", b"sep=;\n\r\n\na;;c\n1;2;3\n", "empty-header", 4),
        Bad("a name as long as a letter", "list.csv", b"a" * 2_000 + b",b\n1,2\n", "long-header", 1),
        Bad("a hundred thousand columns", "list.csv", f"{wide}\n{wide_row}\n".encode(), "too-many-columns", 1),
        Bad("a hundred thousand columns, no header", "list.csv", f"{wide_row}\n{wide_row}\n".encode(),
            "too-many-columns"),
        Bad("three thousand columns in Parquet", "list.parquet", parquet({f"c{n}": [1] for n in range(3_000)}),
            "too-many-columns"),
        Bad("three thousand columns in Excel", "list.xlsx", xlsx([[f"c{n}" for n in range(3_000)]]),
            "too-many-columns"),
    ]  # fmt: skip


def _bad_packed() -> list[Bad]:
    plain = table(2_000).encode()
    packed = gzip.compress(plain)
    one = containers.zipped(("list.csv", plain))
    zeros = b"0,0\n" * (1 << 20)
    damaged = bytearray(packed)
    damaged[len(packed) // 2] ^= 0xFF
    bad_sum = bytearray(one)
    bad_sum[60] ^= 0xFF
    return [
        Bad("a gz that breaks off", "list.csv.gz", packed[: len(packed) // 2], "gzip-truncated"),
        Bad("a gz without its last byte", "list.csv.gz", packed[:-1], "gzip-truncated"),
        Bad("a gz that is its sign only", "list.csv.gz", packed[:3], "gzip-truncated"),
        Bad("a damaged gz", "list.csv.gz", bytes(damaged), "gzip-corrupt"),
        Bad("a gz with junk behind it", "list.csv.gz", packed + b"junk", "gzip-corrupt"),
        Bad("a gz of nothing", "list.csv.gz", gzip.compress(b""), "empty-file"),
        Bad("a gz bomb", "list.csv.gz", gzip.compress(zeros), "bomb", limits=TIGHT),
        Bad("a gz bomb that claims to be small", "list.csv.gz", gzip.compress(zeros)[:-4] + b"\1\0\0\0", "bomb",
            limits=TIGHT),
        Bad("a gz too big unpacked", "list.csv.gz", packed, "too-big", limits=Limits(max_unpacked_bytes=10_000)),
        Bad("a bomb by the usual limits", "list.csv.gz", gzip.compress(zeros * 20, 9), "bomb"),
        Bad("a zip that breaks off", "list.zip", one[: len(one) // 2], "zip-corrupt"),
        Bad("a damaged zip", "list.zip", bytes(bad_sum), "zip-corrupt"),
        Bad("an empty zip", "list.zip", containers.zipped(), "zip-empty"),
        Bad("a zip of folders only", "list.zip", containers.zipped(("a/", b""), ("__MACOSX/._a.csv", b"x")),
            "zip-empty"),
        Bad("a zip of two tables", "list.zip", containers.zipped((f"{CANARY}.csv", plain), ("b.csv", plain)),
            "zip-many"),
        Bad("a zip of many", "list.zip", containers.zipped(*((f"{n}.csv", b"a,b\n") for n in range(1_200))),
            "zip-many",
            says="There are 1 200 files in the .zip file, and only one can be read."),
        Bad("a zip with a password", "list.zip", containers.flagged(one, flag=1), "zip-encrypted"),
        Bad("a zip of a link", "list.zip", containers.link("list.csv", "/etc/passwd"), "zip-link"),
        Bad("a zip by an unknown method", "list.zip", containers.flagged(one, method=99), "zip-method"),
        Bad("a zip of a zip", "list.zip", containers.zipped(("inner.zip", one)), "packed-inside"),
        Bad("a zip of a gz", "list.zip", containers.zipped(("inner.csv.gz", packed)), "packed-inside"),
        Bad("a zip of a letter", "list.zip", containers.zipped((f"{CANARY}.docx", b"x")), "packed-inside"),
        Bad("a zip of an empty table", "list.zip", containers.zipped(("list.csv", b"")), "empty-file"),
        Bad("a zip of a text named Parquet", "list.zip", containers.zipped(("a.parquet", plain)), "not-what-it-says"),
        Bad("a zip bomb", "list.zip", containers.zipped(("list.csv", zeros)), "bomb", limits=TIGHT),
        Bad("a zip bomb that claims to be small", "list.zip",
            containers.flagged(containers.zipped(("list.csv", zeros)), size=100), "zip-corrupt", limits=TIGHT),
        Bad("a zip that claims to be huge", "list.zip", containers.flagged(one, size=0xFFFFFFF0), "bomb"),
    ]  # fmt: skip


def _bad_excel() -> list[Bad]:
    book = xlsx([["name", "town"], [CANARY, "x"]])
    old = containers.xls([["name", "born"], [CANARY, 1.0]])
    protected = containers.ole({"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": junk(5_000)})
    huge = containers.zipped(*_members(book), ("xl/media/a.bin", b"\0" * (5 << 20)))
    return [
        Bad("a protected workbook", "list.xlsx", protected, "excel-password"),
        Bad("a protected workbook named xls", "list.xls", protected, "excel-password"),
        Bad("a protected old workbook", "list.xls", containers.xls([["a"], [CANARY]], protected=True),
            "excel-password"),
        Bad("a workbook packed with a password", "list.xlsx", containers.flagged(book, flag=1), "excel-password"),
        Bad("a workbook that breaks off", "list.xlsx", book[: len(book) // 2], "excel-corrupt"),
        Bad("an old workbook that breaks off", "list.xls", old[:700], "excel-corrupt"),
        Bad("an old workbook of junk", "list.xls", containers.ole({"Workbook": junk(5_000)}), "excel-corrupt"),
        Bad("a workbook of broken XML", "list.xlsx", _with_member(book, "xl/workbook.xml", b"<workbook><"),
            "excel-corrupt"),
        Bad("a sheet of broken XML", "list.xlsx",
            _with_member(book, "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row><c t='"), "excel-corrupt"),
        Bad("an empty sheet", "list.xlsx", xlsx([]), "excel-empty"),
        Bad("only a hidden sheet is filled", "list.xlsx",
            xlsx([], sheets={"shown": [], "hidden": [["a"], [CANARY]]}, hidden="hidden"), "excel-empty"),
        Bad("an empty sheet chosen by hand", "list.xlsx", xlsx([], sheets={"full": [["a"], [CANARY]], "void": []}),
            "excel-empty", wishes=Wishes(sheet="void")),
        Bad("a sheet that is not there", "list.xlsx", book, "excel-no-sheet", wishes=Wishes(sheet=CANARY)),
        Bad("a header only in Excel", "list.xlsx", xlsx([["name", "town"]]), "header-only"),
        Bad("two cells at the ends of a sheet", "list.xlsx", _sheet_with(1_048_576, 1_000), "excel-too-large"),
        Bad("a workbook with a bomb in it", "list.xlsx", huge, "bomb", limits=TIGHT),
        Bad("a workbook too big unpacked", "list.xlsx", book, "too-big", limits=Limits(max_excel_bytes=1_000)),
        Bad("a workbook of too many parts", "list.xlsx", book, "excel-corrupt", limits=Limits(max_members=3)),
    ]  # fmt: skip


def _members(book: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def _with_member(book: bytes, name: str, content: bytes) -> bytes:
    return containers.zipped(*((other, content if other == name else old) for other, old in _members(book)))


def _bad_parquet() -> list[Bad]:
    lake = parquet({"name": [CANARY] * 50, "born": list(range(50))})
    broken = bytearray(lake)
    broken[20:60] = junk(40)
    return [
        Bad("a Parquet file that breaks off", "list.parquet", lake[: len(lake) // 2], "parquet-corrupt"),
        Bad("a Parquet file without its last byte", "list.parquet", lake[:-1], "parquet-corrupt"),
        Bad("a Parquet file that is its sign only", "list.parquet", b"PAR1", "parquet-corrupt"),
        Bad("a Parquet file with a broken footer", "list.parquet", lake[:-60] + junk(52) + lake[-8:],
            "parquet-corrupt"),
        Bad("a Parquet file with a broken page", "list.parquet", bytes(broken), "parquet-corrupt"),
        Bad("a Parquet file of lists", "list.parquet", parquet({"a": ["x"], "b": [[CANARY]]}), "parquet-nested",
            says="Column 2 of the Parquet file holds lists or records, not single values."),
        Bad("a Parquet file of records", "list.parquet", parquet({"a": [{"b": CANARY}]}), "parquet-nested"),
        Bad("a Parquet file of raw bytes", "list.parquet", parquet({"a": [b"\xff\xfe"]}), "parquet-type"),
        Bad("a Parquet file of spans of time", "list.parquet", parquet({"a": [datetime.timedelta(days=1)]}),
            "parquet-type"),
        Bad("an encrypted Parquet file", "list.parquet", _encrypted(False), "parquet-encrypted"),
        Bad("an encrypted Parquet file with a plain footer", "list.parquet", _encrypted(True), "parquet-encrypted"),
        Bad("a Parquet file without rows", "list.parquet", parquet({"a": pa.array([], pa.string())}), "header-only"),
        Bad("a Parquet file without columns", "list.parquet", parquet({}), "no-columns"),
        Bad("a Parquet file of too many cells", "list.parquet", lake, "too-big", limits=Limits(max_unpacked_bytes=99)),
    ]  # fmt: skip


def written(rows: list[list[str]], **dialect: object) -> str:
    """Rows as CSV by Python's own writer."""
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


@cache
def good() -> list[Good]:
    """Every odd but good file."""
    return [*_good_text(), *_good_packed(), *_good_excel(), *_good_parquet()]


def _good_text() -> list[Good]:
    names = ["name", "town"]
    rows = [["Anna", "Köln"], ["Jürgen", "Zürich"], ["Zoë", "Łódź"]]
    west = [["Anna", "Köln"], ["Jürgen", "Zürich"], ["Zoë", "Århus"]]
    late = [["plain", "ascii"]] * 9_000 + [["Jürgen", "Zürich"]]
    tricky = [['say "hi"', "a,b"], ["two\nlines", "x\r\ny"], ["", " blank "], ["'single'", '"']]
    decimal = [["1,5", "2.000,75"], ["0,25", "-3,5"]]
    kept = [["007", "NaN"], ["0", "null"], ["1e5", "None"], ["-", "n/a"], ["1.10", "TRUE"]]
    plain = written([names, *rows])
    russian = [["Анна", "Москва"], ["Иван Петров", "Санкт-Петербург"], ["Ольга", "Нижний Новгород"]]
    return [
        Good("quoted newlines, delimiters and quotes", "a.csv", written([names, *tricky]).encode(), names, tricky),
        Good("lines that end in LF", "a.csv", written([names, *rows], lineterminator="\n").encode(), names, rows,
             found={"line_ending": "LF"}),
        Good("lines that end in CRLF", "a.csv", plain.encode(), names, rows, found={"line_ending": "CRLF"}),
        Good("lines that end in CR", "a.csv", written([names, *rows], lineterminator="\r").encode(), names, rows,
             found={"line_ending": "CR"}),
        Good("no end to the last line", "a.csv", plain.strip().encode(), names, rows),
        Good("a byte order mark", "a.csv", plain.encode("utf-8-sig"), names, rows, found={"encoding": "utf-8"}),
        Good("a mark and quoted names", "a.csv", written([names, *rows], quoting=csv.QUOTE_ALL).encode("utf-8-sig"),
             names, rows),
        Good("UTF-16 with a mark", "a.csv", plain.encode("utf-16"), names, rows, found={"encoding": "utf-16"}),
        Good("UTF-16 big end first, with a mark", "a.csv", b"\xfe\xff" + plain.encode("utf-16-be"), names, rows),
        Good("UTF-16 without a mark", "a.csv", plain.encode("utf-16-le"), names, rows,
             found={"encoding": "utf-16-le"}),
        Good("UTF-16 big end first, without a mark", "a.csv", plain.encode("utf-16-be"), names, rows,
             found={"encoding": "utf-16-be"}),
        Good("UTF-32", "a.csv", plain.encode("utf-32"), names, rows, found={"encoding": "utf-32"}),
        Good("Latin-1", "a.csv", written([names, *west]).encode("latin-1"), names, west, found={"encoding": "cp1252"}),
        Good("cp1252 with a euro sign", "a.csv", written([names, ["5 €", "„x“"]]).encode("cp1252"), names,
             [["5 €", "„x“"]], found={"encoding": "cp1252"}),
        Good("Latin-1 that shows only far in", "a.csv", written([names, *late]).encode("latin-1") * 1, names, late,
             found={"encoding": "cp1252"}),
        Good("Russian in cp1251", "a.csv", written([["имя", "город"], *russian]).encode("cp1251"), ["имя", "город"],
             russian, found={"encoding": "cp1251"}),
        Good("Japanese in Shift-JIS by hand", "a.csv", written([["名前", "都市"], ["表 太郎", "東京"]]).encode("cp932"),
             ["名前", "都市"], [["表 太郎", "東京"]], Wishes(encoding="cp932")),
        Good("two encodings mixed, one chosen by hand", "a.csv", b"a\n\xc3\xa9\n\xe9\n", ["a"], [["Ã©"], ["é"]],
             Wishes(encoding="cp1252")),
        Good("semicolons and decimal commas", "a.csv", written([names, *decimal], delimiter=";").encode(), names,
             decimal, found={"delimiter": ";"}),
        Good("vertical bars", "a.csv", written([names, *rows], delimiter="|").encode(), names, rows,
             found={"delimiter": "|"}),
        Good("tabs in a file named csv", "a.csv", written([names, *rows], delimiter="\t").encode(), names, rows,
             found={"delimiter": "\t"}),
        Good("tabs and commas in a file named tsv", "a.tsv", b"a\tb\n1,2\t3,4\n5,6\t7,8\n", ["a", "b"],
             [["1,2", "3,4"], ["5,6", "7,8"]], found={"delimiter": "\t"}),
        Good("a rare delimiter", "a.csv", written([names, *rows], delimiter="^").encode(), names, rows,
             found={"delimiter": "^"}),
        Good("a delimiter by hand", "a.csv", b"a:b\n1:2\n", ["a", "b"], [["1", "2"]], Wishes(delimiter=":")),
        Good("a letter as delimiter by hand", "a.csv", b"axb\n1x2\n", ["a", "b"], [["1", "2"]], Wishes(delimiter="x")),
        Good("the delimiter said in the first line", "a.csv", b"sep=;\r\na,b;c\r\n1;2\r\n", ["a,b", "c"], [["1", "2"]],
             found={"delimiter": ";"}),
        Good("single quotes", "a.csv", b"'a','b'\n'1,5','it''s'\n'2','3'\n", ["a", "b"], [["1,5", "it's"], ["2", "3"]],
             found={"quote": "'"}),
        Good("no quotes by hand", "a.csv", b'a,b\n"5,x\n6",y\n', ["a", "b"], [['"5', "x"], ['6"', "y"]],
             Wishes(quote="none", header="names")),
        Good("a quote inside an unquoted cell", "a.csv", b'a,b\n5" pipe,x\ny"z"w,v\n', ["a", "b"],
             [['5" pipe', "x"], ['y"z"w', "v"]]),
        Good("letters behind a closed quote", "a.csv", b'a,b\n"x"y,z\n', ["a", "b"], [["xy", "z"]]),
        Good("a single column", "a.csv", b"name\nAnna\nBert\n", ["name"], [["Anna"], ["Bert"]]),
        Good("a single column with commas inside", "a.csv", b"remark\nwell, yes\nno, no, no\n", ["remark"],
             [["well, yes"], ["no, no, no"]]),
        Good("a single column with an empty cell", "a.csv", b'name\n""\nAnna\n', ["name"], [[""], ["Anna"]]),
        Good("names in many scripts", "a.csv", "größe,名前,имя\n1,2,3\n".encode(), ["größe", "名前", "имя"], [["1", "2",
             "3"]]),
        Good("names with line breaks and blanks", "a.csv", b'" first\nname ",b\nx,y\n', ["first name", "b"], [["x",
             "y"]]),
        Good("long values", "a.csv", written([names, ["x" * 200_000, "y" * 150_000]]).encode(), names,
             [["x" * 200_000, "y" * 150_000]]),
        Good("values that look like nothing", "a.csv", written([names, *kept]).encode(), names, kept),
        Good("blank lines everywhere", "a.csv", b"\n\na,b\n\n1,2\n\n\n3,4\n\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
        Good("cells of blanks", "a.csv", b"a,b\n , \n1,2\n", ["a", "b"], [[" ", " "], ["1", "2"]]),
        Good("no header, numbers", "a.csv", b"1,2\n3,4\n", ["column_1", "column_2"], [["1", "2"], ["3", "4"]],
             found={"header": "none"}),
        Good("no header, a date", "a.csv", b"Anna,1990-01-02\nBert,1991-03-04\n", ["column_1", "column_2"],
             [["Anna", "1990-01-02"], ["Bert", "1991-03-04"]], found={"header": "none"}),
        Good("no header by hand", "a.csv", b"a,b\nc,d\n", ["column_1", "column_2"], [["a", "b"], ["c", "d"]],
             Wishes(header="none")),
        Good("years as names", "a.csv", b"land,2019,2020\nNL,17.3,17.4\n", ["land", "2019", "2020"],
             [["NL", "17.3", "17.4"]], found={"header": "names"}),
        Good("one row that has no header", "a.csv", b"a,b\n", ["column_1", "column_2"], [["a", "b"]],
             Wishes(header="none")),
        Good("a header repaired", "a.csv", b"a,,a,a_2,\n1,2,3,4,5\n", ["a", "column_2", "a_3", "a_2", "column_5"],
             [["1", "2", "3", "4", "5"]], Wishes(header="repair")),
        Good("ragged lines left out", "a.csv", b"a,b\n1,2\n3\n4,5,6\n7,8\n", ["a", "b"], [["1", "2"], ["7", "8"]],
             Wishes(ragged="leave-out"), left_out=2),
        Good("a mark inside the first cell", "a.csv", "a,b\n\ufeffx,y\n".encode(), ["a", "b"], [["\ufeffx", "y"]]),
        Good("cells like formulas", "a.csv", b"a,b\n=1+1,@x\n-2,+3\n", ["a", "b"], [["=1+1", "@x"], ["-2", "+3"]]),
        Good("line separators of other kinds", "a.csv", "a,b\nx\u2028y,z\x85w\n1\x0b2,3\x0c4\n".encode(), ["a", "b"],
             [["x\u2028y", "z\x85w"], ["1\x0b2", "3\x0c4"]]),
        Good("a column called like a sign of Parquet", "a.csv", b"PAR1,PAR2\nx,y\n", ["PAR1", "PAR2"], [["x", "y"]]),
        Good("an ending in capitals", "A.B.CSV", plain.encode(), names, rows),
        Good("as many columns as allowed", "a.csv", _wide(2_000).encode(), [f"c{n}" for n in range(2_000)],
             [[str(n) for n in range(2_000)]] * 3, Wishes(header="names")),
    ]  # fmt: skip


def _wide(columns: int) -> str:
    first = ",".join(f"c{number}" for number in range(columns))
    return first + ("\n" + ",".join(str(number) for number in range(columns))) * 3


def _good_packed() -> list[Good]:
    names, rows = ["name", "town"], [["Anna", "Köln"], ["Bert", "Bonn"]]
    tsv = written([names, *rows], delimiter="\t").encode()
    text = written([names, *rows]).encode()
    book = xlsx([names, *rows])
    apple = (("__MACOSX/._a.csv", b"x"), ("folder/", b""), ("folder/.DS_Store", b"x"))
    half = len(text) // 2
    return [
        Good("a gz of tsv", "a.tsv.gz", gzip.compress(tsv), names, rows, found={"compression": "gz", "format": "tsv"}),
        Good("a gz of two parts", "a.csv.gz", gzip.compress(text[:half]) + gzip.compress(text[half:]), names, rows),
        Good("a zip of csv", "a.zip", containers.zipped(("x.csv", text)), names, rows, found={"compression": "zip"}),
        Good("a zip made on a Mac", "a.zip", containers.zipped(*apple, ("folder/a.csv", text)), names, rows),
        Good("a zip whose member would climb", "a.zip", containers.zipped(("../../x.csv", text)), names, rows),
        Good("a zip that is not compressed", "a.zip", containers.zipped(("x.csv", text), method=zipfile.ZIP_STORED),
             names, rows),
        Good("a zip of xlsx", "a.zip", containers.zipped(("x.xlsx", book)), names, rows, found={"format": "xlsx"}),
        Good("a gz of Parquet", "a.parquet.gz", gzip.compress(parquet({"name": ["Anna"], "n": [7]})), ["name", "n"],
             [["Anna", "7"]]),
        Good("very repetitive, yet small", "a.csv.gz", gzip.compress(b"a,b\n" + b"0,0\n" * 200_000), ["a", "b"],
             [["0", "0"]] * 200_000),
    ]  # fmt: skip


def _good_excel() -> list[Good]:
    names = ["text", "number", "when", "flag"]
    day, moment = datetime.date(2024, 1, 31), datetime.datetime(2024, 1, 31, 10, 5, 6)
    cells: list[list[object]] = [["007", 7, day, True], ["a\nb", 0.1, moment, False], [None, -2.50, None, None]]
    texts = [
        ["007", "7", "2024-01-31", "TRUE"],
        ["a\nb", "0.1", "2024-01-31T10:05:06", "FALSE"],
        ["", "-2.5", "", ""],
    ]
    sheets: dict[str, list[list[object]]] = {"empty": [], "notes": [["x"], ["y"]], "table": [names, *cells]}
    gap: list[list[object]] = [[], ["a", "b"], [], ["c", 1], [], ["d", 2]]
    return [
        Good("texts, numbers, dates and flags", "a.xlsx", xlsx([names, *cells]), names, texts,
             found={"sheet": "Sheet1"}),
        Good("the first sheet is empty", "a.xlsx", xlsx([], sheets=sheets), ["x"], [["y"]],
             found={"sheet": "notes", "sheets": ("empty", "notes", "table")}),
        Good("the first full sheet is hidden", "a.xlsx", xlsx([], sheets=sheets, hidden="notes"), names, texts,
             found={"sheet": "table"}),
        Good("a sheet chosen by hand", "a.xlsx", xlsx([], sheets=sheets), names, texts, Wishes(sheet="table")),
        Good("a hidden sheet chosen by hand", "a.xlsx", xlsx([], sheets=sheets, hidden="table"), names, texts,
             Wishes(sheet="table")),
        Good("blank rows in a sheet", "a.xlsx", xlsx(gap), ["a", "b"], [["c", "1"], ["d", "2"]]),
        Good("an old workbook", "a.xls", containers.xls([["näme", "born"], ["Anna", 1987.0], ["Zoë", 2.5]]),
             ["näme", "born"], [["Anna", "1987"], ["Zoë", "2.5"]], found={"format": "xls"}),
    ]  # fmt: skip


def _good_parquet() -> list[Good]:
    moments = [datetime.datetime(2024, 1, 31, 10, 5, 6), datetime.datetime(2024, 1, 31, 10, 5, 6, 250_000), None]
    zoned = pa.array(moments, pa.timestamp("us", "UTC"))
    columns: dict[str, object] = {
        "whole": [1, -2, None],
        "decimal": [Decimal("1.20"), Decimal("-0.05"), None],
        "float": [1.5, 100.0, None],
        "text": ["007", "", None],
        "flag": [True, False, None],
        "day": [datetime.date(2024, 1, 31), datetime.date(1850, 2, 3), None],
        "moment": moments,
        "zoned": zoned,
        "hour": [datetime.time(10, 5), datetime.time(23, 59, 59), None],
        "listed": pa.array(["x", "y", None]).dictionary_encode(),
        "nothing": pa.nulls(3),
    }
    rows = [
        ["1", "1.20", "1.5", "007", "true", "2024-01-31",
         "2024-01-31T10:05:06", "2024-01-31T10:05:06Z", "10:05:00", "x", ""],
        ["-2", "-0.05", "100", "", "false", "1850-02-03",
         "2024-01-31T10:05:06.25", "2024-01-31T10:05:06.25Z", "23:59:59", "y", ""],
        [""] * 11,
    ]  # fmt: skip
    return [
        Good("every plain type", "a.parquet", parquet(columns), list(columns), rows, found={"format": "parquet"}),
        Good("several row groups", "a.parquet", parquet({"a": list(range(1_000))}, row_group_size=70), ["a"],
             [[str(number)] for number in range(1_000)]),
        Good("names repaired", "a.parquet", parquet({"": ["x"], "b": ["y"]}), ["column_1", "b"], [["x", "y"]],
             Wishes(header="repair")),
    ]  # fmt: skip
