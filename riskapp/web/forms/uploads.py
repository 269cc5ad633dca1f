from typing import Any

from django import forms

from riskapp import bridge

DELIMITERS = {
    "": "find out",
    ",": "comma  ,",
    ";": "semicolon  ;",
    "\t": "tab",
    "|": "bar  |",
    ":": "colon  :",
    " ": "space",
}
QUOTES = {"": "find out", '"': 'double  "', "'": "single  '", "none": "none"}
HEADERS = {
    "": "find out",
    "names": "the first row has the names",
    "none": "there are no names: call the columns column_1, column_2, …",
    "repair": "the first row has the names; number the ones that are empty or occur twice",
}
RAGGED = {"refuse": "refuse the file", "leave-out": "leave those lines out, and say how many"}


class WishesForm(forms.Form):
    """How a file is to be read, where the person knows better than the machine."""

    delimiter = forms.ChoiceField(label="Cells are separated by", choices=list(DELIMITERS.items()), required=False)
    quote = forms.ChoiceField(label="Cells are quoted with", choices=list(QUOTES.items()), required=False)
    encoding = forms.ChoiceField(
        label="Encoding", choices=[("", "find out"), *((name, name) for name in bridge.ENCODINGS)], required=False
    )
    header = forms.ChoiceField(label="Names of the columns", choices=list(HEADERS.items()), required=False)
    sheet = forms.CharField(
        label="Sheet",
        max_length=31,
        required=False,
        help_text="Of an Excel file. Empty: the first with anything in it.",
    )
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
    def showing(cls, wishes: dict[str, Any]) -> "WishesForm":
        """The form filled with wishes made earlier."""
        initial = {name: value for name, value in wishes.items() if name != "missing"}
        initial["missing"] = ", ".join(cell for cell in wishes.get("missing", ["NA"]) if cell)
        return cls(initial=initial)
