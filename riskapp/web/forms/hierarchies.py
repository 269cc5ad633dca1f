"""How the values of a column are made coarser, and a hierarchy's place on the shelf."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from riskapp.engine.reading.encodings import Mixed, detect

KINDS = {
    "none": "Shown or hidden: no step between",
    "dates": "Dates: day, month, year",
    "intervals": "Numbers: intervals that get wider",
    "mask": "Signs hidden from one end, as for postcodes",
    "ordered": "Ordered values: neighbours merged",
    "countries": "Countries: region, continent",
    "prefixes": "Codes: their beginnings are groups",
    "own": "Own groups, edited as a tree",
}
NEEDED = {"intervals": ("start", "widths", "unit"), "mask": ("signs", "end"), "ordered": ("by",)}


class StudioForm(forms.Form):
    """The parameters of the builders; each kind needs its own."""

    choice = forms.IntegerField(required=False, min_value=0)
    signs = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        label="Signs to hide",
        help_text="One more at every level, until nothing is left.",
    )
    end = forms.ChoiceField(
        required=False,
        choices=[("right", "From the right: 4790*, 479**"), ("left", "From the left: *7906, **906")],
        widget=forms.RadioSelect,
        label="Hidden first",
    )
    start = forms.DecimalField(required=False, label="Begin at", help_text="Smaller numbers would have no place.")
    widths = forms.CharField(
        required=False,
        label="Widths, from fine to coarse",
        help_text="Each a multiple of the one before, such as 5, 10, 50.",
    )
    unit = forms.DecimalField(
        required=False, min_value=0, label="Smallest step", help_text="What counts as one value: 1 for whole numbers."
    )
    by = forms.IntegerField(
        required=False, min_value=2, max_value=100, label="Merge so many neighbours", help_text="At every level."
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind

    def clean_widths(self) -> list[Decimal]:
        words = self.cleaned_data["widths"].replace(";", ",").replace(",", " ").split()
        try:
            return [Decimal(word) for word in words]
        except ArithmeticError:
            raise forms.ValidationError("Give numbers, apart by commas.") from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in NEEDED.get(self.kind, ()):
            if name not in self.errors and cleaned.get(name) in (None, "", []):
                self.add_error(name, "This is needed.")
        return cleaned

    def rule(self) -> dict[str, Any]:
        """The spec, for the kinds that are a rule."""
        given = self.cleaned_data
        if self.kind == "mask":
            return {"mask": given["signs"], "from": given["end"]}
        widths = [_plain(width) for width in given["widths"]]
        return {"intervals": {"from": _plain(given["start"]), "widths": widths, "unit": _plain(given["unit"])}}

    @staticmethod
    def shown(spec: Any) -> dict[str, Any]:
        """What the form starts with for a spec that is a rule."""
        if spec and "mask" in spec:
            return {"signs": spec["mask"], "end": spec.get("from", "right")}
        if spec and "intervals" in spec:
            told = spec["intervals"]
            widths = ", ".join(map(str, told["widths"]))
            return {"start": told.get("from", 0), "widths": widths, "unit": told.get("unit", 1)}
        return {}


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


MOST_BYTES = 20_000_000
MOST_TOGETHER = 50_000_000
TOO_MUCH = "Together these files are too large for one page. Read this one in the studio of its column."
FILE_TYPES = ".csv,.txt,.tsv"
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b")
"""What files of Excel, and packed ones, begin with."""


def text_of(file: "UploadedFile[Any]") -> str:
    """The text of a hierarchy file."""
    if (file.size or 0) > MOST_BYTES:
        raise forms.ValidationError("The file is larger than 20 MB. A hierarchy has one row for each value.")
    content = file.read()
    if content.startswith(WORKBOOKS):
        raise forms.ValidationError("This is an Excel workbook or a packed file. Save the sheet as CSV in UTF-8.")
    try:
        return _without_nul(content.decode(_encoding(content)))
    except UnicodeDecodeError as trouble:
        line = content[: trouble.start].count(b"\n") + 1
        raise forms.ValidationError(
            f"Line {line} is not in UTF-8. Save the file once more and choose UTF-8 as its encoding."
        ) from None


def _encoding(content: bytes) -> str:
    """That in which a dataset of these bytes is read; UTF-8 where only some of it is, so that the rest is told."""
    try:
        found = detect(content).encoding
    except Mixed:
        found = "utf-8"
    return "utf-8-sig" if found == "utf-8" else found


def _without_nul(text: str) -> str:
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise forms.ValidationError(
            f"Line {line} holds a NUL character, which no text has. Save the file once more and choose UTF-8 as its "
            "encoding."
        )
    return text


class HierarchyFileForm(forms.Form):
    file = forms.FileField(
        label="CSV file",
        help_text="One row for each value, from the value to the top: leaf;level 1;…;*. At most 20 MB.",
        widget=forms.ClearableFileInput(attrs={"accept": FILE_TYPES}),
    )
    header = forms.ChoiceField(
        required=False,
        label="First line",
        choices=[("", "Found out by itself"), ("yes", "Names the levels"), ("no", "Is a value already")],
    )

    def clean_file(self) -> str:
        return text_of(self.cleaned_data["file"])

    def has_header(self) -> bool | None:
        return {"yes": True, "no": False}.get(self.cleaned_data["header"])


@dataclass(frozen=True)
class TextFile:
    """A file of several: its name, and its text or why it has none."""

    name: str
    text: str = ""
    trouble: str = ""


class SeveralFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class SeveralFiles(forms.FileField):
    """Files whose texts are read one by one: one that cannot be read does not keep the others out."""

    widget = SeveralFilesInput(attrs={"accept": FILE_TYPES})

    def clean(self, given: Any, initial: Any = None) -> list[TextFile]:
        files: Sequence[UploadedFile[Any]] = given or []
        if not files:
            raise forms.ValidationError("Choose one file or several.")
        sizes = accumulate(file.size or 0 for file in files)
        return [self._read(file, size) for file, size in zip(files, sizes, strict=True)]

    def _read(self, file: "UploadedFile[Any]", so_far: int) -> TextFile:
        if so_far > MOST_TOGETHER:
            return TextFile(file.name or "", trouble=TOO_MUCH)
        try:
            return TextFile(file.name or "", text_of(file))
        except forms.ValidationError as trouble:
            return TextFile(file.name or "", trouble=" ".join(trouble.messages))


class HierarchyFilesForm(forms.Form):
    hierarchies = SeveralFiles(
        label="CSV files",
        help_text="Named after their columns, such as age.csv or adult_hierarchy_age.csv. At most 100 files; each of "
        "at most 20 MB, together 50 MB.",
    )


class ShelfForm(forms.Form):
    name = forms.CharField(max_length=150, label="Name", help_text="As a colleague would look for it.")
    about = forms.CharField(
        max_length=300, required=False, label="What it is for", widget=forms.Textarea(attrs={"rows": 2})
    )


class ShelveForm(ShelfForm):
    open_to_all = forms.BooleanField(
        required=False,
        label="Everybody who works in a project may read the values it lists",
        help_text="The shelf is the whole organisation's. Leave out hierarchies whose values tell of single people.",
    )
