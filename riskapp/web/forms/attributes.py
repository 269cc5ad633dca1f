"""What happens with a column of the dataset, and what a template is called."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms

from riskapp.models import Attribute, ColumnRole

KNOWABLE = "An attacker could know this"
HURTS = "It hurts if learnt"
BREAKS = re.compile(r"[\r\n]+")


class ColumnForm(forms.Form):
    """A row of the table of columns."""

    role = forms.ChoiceField(choices=ColumnRole.choices, label="What happens with it", widget=forms.RadioSelect)
    knowable = forms.BooleanField(
        required=False,
        label=KNOWABLE,
        help_text="Neighbours, colleagues, registers, what people tell about themselves. Then it helps to find people.",
    )
    hurts = forms.BooleanField(
        required=False,
        label=HURTS,
        help_text="Then it is also measured how much surer of it somebody could become.",
    )
    keep_reason = forms.CharField(
        max_length=300,
        required=False,
        label="Why it is released all the same",
        help_text="Asked only where the column may point at people. Whoever approves the release reads it.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)

    @classmethod
    def showing(cls, attribute: Attribute) -> "ColumnForm":
        names = ("role", "knowable", "hurts", "keep_reason")
        return cls(initial={name: getattr(attribute, name) for name in names} | {"seen": attribute.version})

    def said(self) -> dict[str, Any]:
        """What is said; a reason for releasing it goes with the release."""
        told = {name: self.cleaned_data[name] for name in ("role", "knowable", "hurts", "keep_reason")}
        released = told["role"] in {ColumnRole.GENERALISED, ColumnRole.KEPT}
        return told if released else told | {"keep_reason": ""}


class OrderForm(forms.Form):
    """The order of a column's values, for the distance of their distributions."""

    order = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Values from least to most",
        help_text="One in each line. Leave it empty if they have no order.",
        strip=False,
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)

    @staticmethod
    def shown(values: Sequence[str]) -> str:
        """A line for each value; of line breaks inside of one a blank is shown."""
        return "\n".join(BREAKS.sub(" ", value) for value in values)

    def clean_order(self) -> list[str]:
        lines = [line for line in BREAKS.split(self.cleaned_data["order"]) if line]
        if len(set(lines)) < len(lines):
            raise forms.ValidationError("A value stands there twice. Take one of the two lines out.")
        return lines


BULK = {
    "role:generalised": "Release with a hierarchy",
    "role:kept": "Release unchanged",
    "role:dropped": "Drop",
    "knowable:yes": "An attacker could know them",
    "knowable:no": "No attacker could know them",
    "hurts:yes": "It hurts if they are learnt",
    "hurts:no": "It does not hurt if they are learnt",
    "accept": "Accept what is suggested",
}


class BulkForm(forms.Form):
    """One change to all ticked columns."""

    ticked = forms.TypedMultipleChoiceField(coerce=int, error_messages={"required": "Tick the columns it is for."})
    do = forms.ChoiceField(choices=list(BULK.items()), error_messages={"required": "Choose what to do with them."})
    reason = forms.CharField(max_length=300, required=False)

    def __init__(self, *args: Any, ids: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ticked: Any = self.fields["ticked"]
        ticked.choices = [(pk, pk) for pk in ids]

    def changes(self) -> dict[str, Any]:
        """What is said about each of them."""
        what, _, value = self.cleaned_data["do"].partition(":")
        if what == "accept":
            return {}
        if what != "role":
            return {what: value == "yes"}
        reason = self.cleaned_data["reason"].strip()
        return {"role": value} | ({"keep_reason": reason} if reason else {})


class TemplateForm(forms.Form):
    name = forms.CharField(
        max_length=150,
        label="Name",
        help_text="Under a name that is there already it becomes the next version.",
        widget=forms.TextInput(attrs={"list": "template-names", "autocomplete": "off"}),
    )
    about = forms.CharField(max_length=300, required=False, label="What it is for")
