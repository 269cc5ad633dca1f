"""The odd but good files of the corpus: each with the names, rows and choices it must be read with."""

import csv
import datetime
import gzip
import zipfile
from decimal import Decimal
from functools import cache

import pyarrow as pa

from riskapp.engine.reading import Wishes
from tests.engine.reading import containers
from tests.engine.reading.making import (
    Good,
    parquet,
    wide,
    written,
    xlsx,
)


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
        Good("many columns", "a.csv", wide(200).encode(), [f"c{n}" for n in range(200)],
             [[str(n) for n in range(200)]] * 3, Wishes(header="names")),
    ]  # fmt: skip


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
