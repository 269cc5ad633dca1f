"""What it weighs that something about a person is learnt."""

from collections.abc import Iterable
from typing import Any

from django import forms

from riskapp.models import Attribute, ColumnRole, Upload
from riskapp.web.forms.weights import WeightField, parsed, written

LARGEST_FILE = 1 << 20
FALLS = {
    "step": "Keep its weight until the value is gone. The careful choice.",
    "harmonic": "Fall as the group grows. For places and dates; dangerous where one value of a group hurts far more "
    "than the others: HIV at 10 and acne at 0.01 in one group would weigh 0.00999.",
}
FAMILIES = {
    "linear": "Add up: what hurts twice weighs twice.",
    "multiplicative": "Multiply: every further thing learnt makes all the others worse.",
}
TOTALS = {
    "": "Leave the sum as it is",
    "scale": "Bring everybody's sum to this number, so that all people count alike",
    "cap": "Bring sums down to this number where they are larger",
}


class ColumnForm(forms.Form):
    """The weights of one column."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    weight = WeightField(label="Weight", help_text="A number, or never.")
    values = forms.CharField(
        required=False,
        label="Values that weigh something else",
        help_text="One on each line: value;weight.",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        strip=False,
    )
    file = forms.FileField(
        required=False, label="Or from a file", help_text="CSV with value;weight on each line. It replaces the list."
    )
    fall = forms.ChoiceField(
        required=False,
        label="When the value is made coarser",
        choices=[("", "As for all columns"), ("step", "Keep its weight"), ("harmonic", "Fall as the group grows")],
    )
    personal = forms.ChoiceField(required=False, label="People's own weights")
    key = forms.CharField(
        required=False,
        max_length=500,
        label="Its column that says who",
        help_text="Holds the identifiers. Empty: the one that is called as in the dataset.",
    )
    column = forms.CharField(
        required=False,
        max_length=500,
        label="Its column with the weights",
        help_text="Empty: the one that is called like this column.",
    )

    def __init__(
        self, attribute: Attribute, *args: Any, columns: list[str], tables: Iterable[Upload], **kwargs: Any
    ) -> None:
        super().__init__(*args, **{"prefix": f"c{attribute.pk}", "initial": self._initial(attribute), **kwargs})
        self.attribute, self.tables = attribute, {str(table.pk): table for table in tables}
        personal: Any = self.fields["personal"]
        personal.choices = [
            ("", "None: the same weight for everybody"),
            ("A column of the dataset", [(f"column:{name}", name) for name in columns if name != attribute.column]),
            ("An uploaded table", [(f"upload:{pk}", table.name) for pk, table in self.tables.items()]),
        ]

    @staticmethod
    def _initial(attribute: Attribute) -> dict[str, Any]:
        own = attribute.personal
        found = {
            "seen": attribute.version,
            "weight": attribute.weight,
            "values": written(attribute.weights),
            "fall": attribute.fall,
        }
        if isinstance(own, str):
            return found | {"personal": f"column:{own}"}
        return found | (
            {"personal": f"upload:{own['upload']}", "key": own["key"], "column": own["column"]} if own else {}
        )

    def clean_values(self) -> dict[str, Any]:
        return parsed(self.cleaned_data["values"])

    def clean_file(self) -> dict[str, Any] | None:
        file = self.cleaned_data["file"]
        if file is None:
            return None
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(
                "The file is larger than 1 MB. Leave out values that weigh what the column does."
            )
        try:
            return parsed(file.read().decode("utf-8-sig"), heading=True)
        except UnicodeDecodeError:
            raise forms.ValidationError("The file is not UTF-8. Save it as CSV in UTF-8.") from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (cleaned.get("personal") or "").startswith("upload:"):
            self._check_table(cleaned)
        return cleaned

    def _check_table(self, cleaned: dict[str, Any]) -> None:
        table = self.tables[cleaned["personal"].removeprefix("upload:")]
        known, usual = table.column_names, {"key": self._identifier(), "column": self.attribute.column}
        for field, name in usual.items():
            cleaned[field] = cleaned.get(field) or name
            if cleaned[field] not in known:
                self.add_error(field, f"Name a column of {table.name}. It has {', '.join(known)}.")

    def _identifier(self) -> str:
        """The column of the dataset that tells people apart, if there is one."""
        named = Attribute.objects.filter(setup=self.attribute.setup_id, role=ColumnRole.IDENTIFIER)
        return named.values_list("column", flat=True).first() or ""

    def changes(self) -> dict[str, Any]:
        """The fields of the column that are no longer as they were."""
        given = self.cleaned_data
        weights = given["values"] if given["file"] is None else given["file"]
        wanted = {
            "weight": given["weight"],
            "weights": weights,
            "fall": given["fall"],
            "personal": self._personal(),
        }
        return {field: told for field, told in wanted.items() if told != getattr(self.attribute, field)}

    def _personal(self) -> Any:
        kind, _, name = self.cleaned_data["personal"].partition(":")
        if kind == "upload":
            return {"upload": name, "key": self.cleaned_data["key"], "column": self.cleaned_data["column"]}
        return name or None


class PairForm(forms.Form):
    one = forms.ChoiceField(required=False, label="Column")
    other = forms.ChoiceField(required=False, label="and column")
    weight = WeightField(required=False, label="weigh together, in addition")

    def __init__(self, *args: Any, columns: list[str], others: Iterable[str] = (), **kwargs: Any) -> None:
        """Other columns are not released now: what was said of them is kept, and counts again when they are."""
        super().__init__(*args, **kwargs)
        for name in ("one", "other"):
            field: Any = self.fields[name]
            choices = [(column, column) for column in columns]
            field.choices = [("", "–"), *choices, *((column, f"{column} (not released)") for column in others)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [bool(cleaned.get("one")), bool(cleaned.get("other")), cleaned.get("weight") is not None]
        if any(given) and not all(given) and not self.errors:
            raise forms.ValidationError("Give both columns and the weight, or empty all three.")
        if all(given) and cleaned["one"] == cleaned["other"]:
            raise forms.ValidationError("Choose two different columns.")
        return cleaned


Pairs = forms.formset_factory(PairForm, extra=1, max_num=50, absolute_max=60)


class HarmForm(forms.Form):
    """How the weights of a person become one number."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    family = forms.ChoiceField(
        choices=list(FAMILIES.items()), widget=forms.RadioSelect, label="Several things learnt about one person"
    )
    fall = forms.ChoiceField(
        choices=list(FALLS.items()), widget=forms.RadioSelect, label="When a value is made coarser"
    )
    total_how = forms.ChoiceField(choices=list(TOTALS.items()), required=False, label="The sum of a person's weights")
    total = WeightField(required=False, label="This number")
    unidentified = WeightField(
        required=False,
        label="Harm to somebody who is not found",
        help_text="For example by being suspected. Usually 0.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        how, total = cleaned.get("total_how"), cleaned.get("total")
        if how and total is None and "total" not in self.errors:
            self.add_error("total", "Give the number.")
        if how == "scale" and total == "inf":
            self.add_error("total", "A sum cannot be brought to never. Give a number.")
        return cleaned

    def sensitivity(self, pairs: Any) -> dict[str, Any]:
        """The section `sensitivity` of an assessment; what is as it would be anyway is left out."""
        given = self.cleaned_data
        found: dict[str, Any] = {key: given[key] for key, usual in USUAL.items() if given[key] not in (None, usual)}
        if given["total_how"]:
            found["person_total"] = {given["total_how"]: given["total"]}
        listed = [pair.cleaned_data for pair in pairs if pair.cleaned_data.get("one")]
        if listed:
            found["pairs"] = [{"attributes": [pair["one"], pair["other"]], "weight": pair["weight"]} for pair in listed]
        return found

    @staticmethod
    def shown(sensitivity: dict[str, Any]) -> dict[str, Any]:
        """What the form starts with."""
        how, total = next(iter(sensitivity.get("person_total", {}).items()), ("", None))
        return {
            **USUAL,
            **{key: sensitivity[key] for key in USUAL if key in sensitivity},
            "total_how": how,
            "total": total,
        }

    @staticmethod
    def paired(sensitivity: dict[str, Any]) -> list[str]:
        """Every column of a pair, once."""
        return list(dict.fromkeys(name for pair in sensitivity.get("pairs", []) for name in pair["attributes"]))

    @staticmethod
    def shown_pairs(sensitivity: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"one": pair["attributes"][0], "other": pair["attributes"][1], "weight": pair["weight"]}
            for pair in sensitivity.get("pairs", [])
        ]


USUAL = {"family": "linear", "fall": "step", "unidentified": 0}
