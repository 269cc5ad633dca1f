"""The bad files of the corpus: each with the code, the line and the words it must be refused with."""

import datetime
import gzip
import io
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import openpyxl
import pyarrow as pa

from riskapp.engine.reading import Limits, Wishes
from tests.engine.reading import containers
from tests.engine.reading.making import CANARY, SMALL, TIGHT, Bad, junk, parquet, table, with_line, xlsx


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
            "too-many-columns", 1),
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


def _encrypted(plain_footer: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        small = pa.table({"name": [CANARY, "x"]})
        return containers.encrypted_parquet(small, Path(folder) / "e.parquet", plain_footer=plain_footer)


def _sheet_with(row: int, column: int) -> bytes:
    """An .xlsx file with two cells only, the second far from the first."""
    book = openpyxl.Workbook()
    book.active["A1"] = CANARY
    book.active.cell(row, column, CANARY)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
