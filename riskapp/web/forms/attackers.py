"""Attackers: who they are, what they know, and how likely each of them is."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from riskapp.models import Attacker, AttackerKind, Upload

PRESETS: dict[str, dict[str, str]] = {
    "stranger": {
        "kind": AttackerKind.REGISTER,
        "name": "stranger",
        "icon": "table",
        "title": "A stranger with a register",
        "words": "Does not know who is in the file, and looks people up in a list: a population register, a voters’ "
        "roll, profiles from the web. You need that list, or one like it.",
    },
    "census": {
        "kind": AttackerKind.COUNTS,
        "name": "census",
        "icon": "people",
        "title": "A stranger with a table of counts",
        "words": "Has no names, but knows how many people there are of each kind, as a census publishes it: so and so "
        "many women of 40 to 49 in a town.",
    },
    "neighbour": {
        "kind": AttackerKind.ITSELF,
        "name": "neighbour",
        "icon": "person",
        "title": "A colleague or neighbour",
        "words": "Knows who is in the file, and exactly some columns about everybody in it. The strongest of them: "
        "nobody is hidden among people outside the file. Needs no upload.",
    },
    "staff": {
        "kind": AttackerKind.ITSELF,
        "name": "recipient’s staff",
        "icon": "shield",
        "title": "The recipient’s own staff",
        "words": "Have records of the same people in their own systems: like a neighbour, but usually with other "
        "columns. Needs no upload.",
    },
}
HELD = ("source", "licence", "as_of", "delete_after")


class WhoForm(forms.Form):
    """Who an attacker is; for one with a table, which table, from where, and until when it may be kept."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    name = forms.CharField(max_length=60, label="Name", help_text="A word or two, as it will stand beside figures.")
    upload = forms.ModelChoiceField(
        queryset=Upload.objects.none(),
        required=False,
        empty_label="Choose an upload",
        label="Their table",
        help_text="One of the project’s uploads.",
    )
    source = forms.CharField(
        max_length=300, required=False, label="Where it comes from", help_text="Who keeps it, and how you got it."
    )
    licence = forms.CharField(
        max_length=300, required=False, label="On what terms you have it", help_text="The licence, contract or law."
    )
    as_of = forms.DateField(
        required=False,
        label="The day that it is from",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "short"}),
        help_text="People who came since are not in it. Without a day, that of its upload counts.",
    )
    delete_after = forms.DateField(
        required=False,
        label="Delete it after",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "short"}),
        help_text="After this day the server shreds it, as soon as no undecided proposal rests on it.",
    )

    def __init__(self, data: Any = None, *, attacker: Attacker, uploads: Any) -> None:
        initial = {key: getattr(attacker, key) for key in ("name", "upload", *HELD)}
        super().__init__(data, initial=initial | {"seen": attacker.version})
        if attacker.kind == AttackerKind.ITSELF:
            for name in ("upload", *HELD):
                del self.fields[name]
        else:
            choice: Any = self.fields["upload"]
            choice.queryset = uploads
            choice.label_from_instance = lambda upload: upload.name

    def changes(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "seen"}


class KnowsForm(forms.Form):
    """What somebody knows who knows who is in the file."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    knows = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="What they know about everybody in the file",
        help_text="With all ticked they also know columns that you mark later as known to attackers.",
        error_messages={"required": "Tick at least one: who knows nothing finds nobody."},
    )

    def __init__(self, data: Any = None, *, attacker: Attacker, possible: Sequence[str]) -> None:
        known = [column for column in possible if column in attacker.knows] if attacker.knows else possible
        super().__init__(data, initial={"seen": attacker.version, "knows": known})
        self._possible = list(possible)
        choice: Any = self.fields["knows"]
        choice.choices = [(column, column) for column in possible]

    def changes(self) -> dict[str, Any]:
        known = self.cleaned_data["knows"]
        return {"knows": [] if set(known) == set(self._possible) else known}


class PriorsForm(forms.Form):
    """How likely each attacker is, in per cent; whatever is given is taken in proportion."""

    def __init__(self, data: Any = None, *, attackers: Sequence[Attacker]) -> None:
        super().__init__(data)
        self.attackers = list(attackers)
        whole = sum(one.prior for one in attackers) or 1
        for one in attackers:
            self.fields[f"prior_{one.pk}"] = forms.FloatField(
                min_value=0,
                max_value=1e9,
                label=f"Share of {one.name}, in %",
                initial=float(f"{100 * one.prior / whole:.4g}"),
                widget=forms.NumberInput(attrs={"step": "any", "class": "input likeness"}),
            )
            self.fields[f"seen_{one.pk}"] = forms.IntegerField(widget=forms.HiddenInput, initial=one.version)

    @property
    def lines(self) -> list[dict[str, Any]]:
        whole = sum(one.prior for one in self.attackers) or 1
        return [
            {
                "attacker": one,
                "share": one.prior / whole,
                "prior": self[f"prior_{one.pk}"],
                "seen": self[f"seen_{one.pk}"],
            }
            for one in self.attackers
        ]

    def given(self) -> list[tuple[Attacker, int, float]]:
        cleaned = self.cleaned_data
        return [(one, cleaned[f"seen_{one.pk}"], cleaned[f"prior_{one.pk}"]) for one in self.attackers]


class MoreForm(forms.Form):
    """The columns that somebody could also know."""

    more = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="What if they also knew …",
        error_messages={"required": "Tick at least one column."},
    )

    def __init__(self, data: Any = None, *, options: Sequence[Mapping[str, str]]) -> None:
        self._options = {more_key(option): dict(option) for option in options}
        super().__init__(data, initial={"more": list(self._options)})
        choice: Any = self.fields["more"]
        choice.choices = [(key, _words(option)) for key, option in self._options.items()]

    def chosen(self) -> list[dict[str, str]]:
        return [self._options[key] for key in self.cleaned_data["more"]]


def more_key(option: Mapping[str, str]) -> str:
    """A column that somebody could also know, as a form names it."""
    return f"{option['column']} → {option['attribute']}@{option['level']}"


def _words(option: Mapping[str, str]) -> str:
    level = "" if option["level"] == "0" else f", level {option['level']}"
    if option["column"] == option["attribute"] and not level:
        return option["attribute"]
    alike = ", by likeness" if option["likeness"] else ""
    return f"{option['attribute']}{level}, from their column {option['column']}{alike}"
