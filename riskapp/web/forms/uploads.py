from typing import Any

from django import forms

from riskapp import bridge
from riskapp.models import Upload

FIND_OUT = "find out"
DELIMITERS = {
    "": FIND_OUT,
    ",": "comma  ,",
    ";": "semicolon  ;",
    "\t": "tab",
    "|": "bar  |",
    ":": "colon  :",
    " ": "space",
}
QUOTES = {"": FIND_OUT, '"': 'double  "', "'": "single  '", "none": "none"}
HEADERS = {
    "": FIND_OUT,
    "names": "in the first row",
    "none": "no header: call the columns column_1, column_2, …",
    "repair": "repair the header: number the names that are empty or occur twice",
}
RAGGED = {"refuse": "refuse the file", "leave-out": "leave those lines out, and say how many"}
REGIONS = {
    "utf-8": "Unicode (UTF-8)",
    "utf-16": "Unicode (UTF-16)",
    "utf-16-le": "Unicode (UTF-16, little-endian)",
    "utf-16-be": "Unicode (UTF-16, big-endian)",
    "utf-32": "Unicode (UTF-32)",
    "cp1252": "Western Europe (Windows)",
    "iso8859-1": "Western Europe (ISO Latin-1)",
    "iso8859-15": "Western Europe with euro (ISO Latin-9)",
    "mac-roman": "Western Europe (old Macintosh)",
    "cp437": "Western Europe (DOS, US)",
    "cp850": "Western Europe (DOS)",
    "cp1250": "Central Europe (Windows)",
    "iso8859-2": "Central Europe (ISO Latin-2)",
    "cp1251": "Cyrillic (Windows)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "iso8859-5": "Cyrillic (ISO)",
    "cp1253": "Greek (Windows)",
    "iso8859-7": "Greek (ISO)",
    "cp1254": "Turkish (Windows)",
    "iso8859-9": "Turkish (ISO)",
    "cp1255": "Hebrew (Windows)",
    "cp1256": "Arabic (Windows)",
    "cp1257": "Baltic (Windows)",
    "cp1258": "Vietnamese (Windows)",
    "cp874": "Thai (Windows)",
    "shift-jis": "Japanese (Shift JIS)",
    "cp932": "Japanese (Windows)",
    "euc-jp": "Japanese (EUC)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
    "euc-kr": "Korean (EUC)",
    "cp949": "Korean (Windows)",
}
ENCODINGS = {"": FIND_OUT} | {name: REGIONS.get(name, name) for name in bridge.ENCODINGS}
TEXT_ONLY = ("delimiter", "quote", "encoding", "ragged")


class WishesForm(forms.Form):
    """How a file is to be read, where the person knows better than the machine."""

    delimiter = forms.ChoiceField(label="Cells are separated by", choices=list(DELIMITERS.items()), required=False)
    quote = forms.ChoiceField(label="Cells are quoted with", choices=list(QUOTES.items()), required=False)
    encoding = forms.ChoiceField(label="Letters are written in", choices=list(ENCODINGS.items()), required=False)
    sheet = forms.CharField(label="Sheet", max_length=31, required=False)
    header = forms.ChoiceField(label="Names of the columns", choices=list(HEADERS.items()), required=False)
    ragged = forms.ChoiceField(
        label="Lines with too many or too few cells", choices=list(RAGGED.items()), required=False
    )
    missing = forms.CharField(
        label="Cells that mean missing",
        max_length=500,
        required=False,
        initial="NA",
        help_text="Separated by commas. An empty cell always means missing.",
    )

    def wishes(self) -> dict[str, Any]:
        """Only what the person fixed; the rest is found out."""
        given = {name: value for name, value in self.cleaned_data.items() if value and name != "missing"}
        listed = [cell.strip() for cell in self.cleaned_data["missing"].split(",")]
        return given | {"missing": ["", *(cell for cell in listed if cell)]}

    @classmethod
    def showing(cls, upload: Upload) -> "WishesForm":
        """The form for an upload: filled with earlier wishes, with the fields that make sense for its kind of file."""
        wishes, reading = upload.wishes, upload.reading or {}
        initial = {name: value for name, value in wishes.items() if name != "missing"}
        initial["missing"] = ", ".join(cell for cell in wishes.get("missing", ["NA"]) if cell)
        form = cls(initial=initial)
        form._keep_what_fits(reading.get("format") or _format(upload.name), reading.get("sheets") or [])
        return form

    def _keep_what_fits(self, kind: str, sheets: list[str]) -> None:
        unfit: tuple[str, ...] = () if kind in {"csv", "tsv"} else TEXT_ONLY
        unfit += () if kind in {"xls", "xlsx"} else ("sheet",)
        unfit += ("header",) if kind == "parquet" else ()
        for name in unfit if kind else ():
            del self.fields[name]
        if sheets and "sheet" in self.fields:
            first = [("", "the first with anything in it")]
            self.fields["sheet"].widget = forms.Select(choices=first + [(sheet, sheet) for sheet in sheets])


def _format(name: str) -> str:
    """The kind of file by its name; empty where the name does not tell."""
    bare = name.lower()
    for packed in bridge.PACKED:
        bare = bare.removesuffix(packed)
    return next((ending[1:] for ending in bridge.ENDINGS if bare.endswith(ending)), "")
