"""Every way in which a file cannot be read as a table: a code, what is wrong, and the way out.

A sentence has room for counts, positions and names of formats only. Nothing that stood in a cell, in the header or in
the name of a member or sheet is ever put into it.
"""

from dataclasses import dataclass

from riskapp.core.errors import Unreadable


@dataclass(frozen=True)
class Fault:
    """One kind of bad file: the reason with room for numbers, and what the person can do."""

    reason: str
    advice: str


FAULTS: dict[str, Fault] = {
    # the name and the content
    "unknown-ending": Fault(
        "The name of the file does not end in one of the types that can be read.",
        "Upload a .csv, .tsv, .xlsx, .xls or .parquet file, or one of these packed as .gz or .zip.",
    ),
    "not-what-it-says": Fault(
        "The name says {ending}, but the content is {looks}.",
        "Give the file the ending that fits its content, or save it again as the type its name says.",
    ),
    "empty-file": Fault(
        "The file is empty: it has no bytes at all.",
        "Look whether the export finished, and upload the file again.",
    ),
    "only-blank": Fault(
        "The file holds nothing but spaces and line ends.",
        "Look whether the export finished, and upload the file again.",
    ),
    "header-only": Fault(
        "The file has a header but no rows below it.",
        "Upload a file with at least one row. If the first line is a row and not the names, choose “no header”.",
    ),
    "binary": Fault(
        "The file is not text: it is full of control characters.",
        "Save the table again as CSV or TSV from the program it comes from.",
    ),
    # packed files
    "too-big": Fault(
        "Unpacked, the file is larger than {limit}.",
        "Split the table into parts, or leave out columns that are not needed.",
    ),
    "bomb": Fault(
        "Unpacked, the file is more than {ratio} times as large as packed, as no ordinary table is.",
        "Unpack the file yourself, look at it, and upload it unpacked if it is in order.",
    ),
    "gzip-truncated": Fault(
        "The .gz file breaks off before its end.",
        "It was probably not copied completely: pack or copy it again.",
    ),
    "gzip-corrupt": Fault(
        "The .gz file is damaged and cannot be unpacked.",
        "Pack or copy it again.",
    ),
    "zip-corrupt": Fault(
        "The .zip file is damaged and cannot be unpacked.",
        "Pack or copy it again.",
    ),
    "zip-empty": Fault(
        "There is no file in the .zip file.",
        "Pack the one table you want to upload.",
    ),
    "zip-many": Fault(
        "There are {count} files in the .zip file, and only one can be read.",
        "Pack each table in a .zip file of its own.",
    ),
    "zip-encrypted": Fault(
        "The .zip file is protected by a password.",
        "Pack the table without a password; the upload itself is protected.",
    ),
    "zip-link": Fault(
        "The .zip file holds a link instead of a file.",
        "Pack the table itself, not a link to it.",
    ),
    "zip-method": Fault(
        "The .zip file is packed by a method that is not supported.",
        "Pack it again with the ordinary method (Deflate).",
    ),
    "packed-inside": Fault(
        "What is packed in the file is not a table: it is packed once more, or of another type.",
        "Pack a .csv, .tsv, .xlsx, .xls or .parquet file, and pack it only once.",
    ),
    # text
    "nul-bytes": Fault(
        "Line {line} holds a NUL character, which no text has.",
        "The file is damaged or in another encoding: save it again as UTF-8, or choose the encoding by hand.",
    ),
    "wrong-encoding": Fault(
        "Line {line} holds a character that is not {encoding}.",
        "Choose another encoding by hand, or save the file again as UTF-8.",
    ),
    "mixed-encoding": Fault(
        "Line {line} is not UTF-8, though other lines are: the file mixes two encodings.",
        "Save the whole file again as UTF-8, or choose one encoding by hand and accept some wrong letters.",
    ),
    "ragged": Fault(
        "Line {line} has {cells}, the {first} has {expected}{more}.",
        "Mend these lines, choose another delimiter or quote character, or choose to leave such lines out.",
    ),
    "line-too-long": Fault(
        "Line {line} is longer than {limit}.",
        "Look whether the line ends got lost; save the table again with one row per line.",
    ),
    "unclosed-quote": Fault(
        "The row that begins in line {line} opens a quote that is never closed.",
        "Close the quote, or choose another quote character or “none”.",
    ),
    # the header
    "duplicate-header": Fault(
        "Columns {first} and {second} have the same name{more}.",
        "Give every column a name of its own, or choose “repair the header”.",
    ),
    "empty-header": Fault(
        "Column {first} has no name{more}.",
        "Give every column a name, or choose “repair the header”.",
    ),
    "long-header": Fault(
        "The name of column {first} is longer than {limit} characters.",
        "Shorten the name. If the first line is a row and not the names, choose “no header”.",
    ),
    "no-columns": Fault(
        "The table has no columns.",
        "Look whether the export was set up right, and upload the file again.",
    ),
    "too-many-columns": Fault(
        "The table has {count} columns; at most {limit} can be read.",
        "Leave out columns, or look whether rows and columns were swapped.",
    ),
    "too-many-rows": Fault(
        "The table has more than {limit} rows.",
        "Split the table into parts.",
    ),
    # Excel
    "excel-corrupt": Fault(
        "The Excel file is damaged and cannot be opened.",
        "Open it in Excel, save it again, or save it as CSV.",
    ),
    "excel-password": Fault(
        "The Excel file is protected by a password.",
        "Open it in Excel, remove the password, and save it again.",
    ),
    "excel-no-sheet": Fault(
        "The Excel file has no sheet of the name you chose.",
        "Choose one of its {count} sheets.",
    ),
    "excel-empty": Fault(
        "There is nothing on the sheet.",
        "Choose a sheet that holds the table.",
    ),
    "excel-too-large": Fault(
        "A sheet of the Excel file spans more than {limit} cells.",
        "Delete stray cells far from the table, or save the sheet as CSV.",
    ),
    # Parquet
    "parquet-corrupt": Fault(
        "The Parquet file is damaged or breaks off before its end.",
        "Write or copy it again.",
    ),
    "parquet-encrypted": Fault(
        "The Parquet file is encrypted.",
        "Write it without encryption; the upload itself is protected.",
    ),
    "parquet-nested": Fault(
        "Column {first} of the Parquet file holds lists or records, not single values.",
        "Write a table with one plain value in each cell.",
    ),
    "parquet-type": Fault(
        "Column {first} of the Parquet file is of a type that has no plain text.",
        "Leave the column out, or turn it into text, numbers or dates.",
    ),
}


# Which wishes can mend which fault; what is not here takes another file.
MENDED_BY: dict[str, tuple[str, ...]] = {
    "header-only": ("header",),
    "nul-bytes": ("encoding",),
    "wrong-encoding": ("encoding",),
    "mixed-encoding": ("encoding",),
    "ragged": ("delimiter", "quote", "ragged"),
    "line-too-long": ("quote", "encoding"),
    "unclosed-quote": ("quote",),
    "duplicate-header": ("header",),
    "empty-header": ("header",),
    "long-header": ("header", "delimiter"),
    "too-many-columns": ("delimiter",),
    "excel-no-sheet": ("sheet",),
    "excel-empty": ("sheet",),
}


def fault(code: str, *, line: int | None = None, **facts: str | int) -> Unreadable:
    """The error of a code, its sentence filled in.

    >>> str(fault("nul-bytes", line=3))
    'Line 3 holds a NUL character, which no text has.'
    """
    words: dict[str, str | int] = facts if line is None else {"line": counted(line), **facts}
    entry = FAULTS[code]
    return Unreadable(code, entry.reason.format(**words), advice=entry.advice.format(**words), line=line)


def counted(number: int, noun: str = "") -> str:
    """A number as people write it, with its noun in the right form.

    >>> counted(1, "cell"), counted(12000, "cell"), counted(7)
    ('1 cell', '12 000 cells', '7')
    """
    figure = f"{number:,}".replace(",", " ")
    if not noun:
        return figure
    return f"{figure} {noun}" if number == 1 else f"{figure} {noun}s"


def size(number: int) -> str:
    """A size in bytes as people write it.

    >>> size(4 << 20), size(3 << 30), size(100)
    ('4 MB', '3 GB', '100 bytes')
    """
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if number >= unit:
            return f"{number / unit:.4g} {name}"
    return f"{number} bytes"
