"""Attackers: who they are, what they hold, and how its columns are matched."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from riskapp.models import Attacker, AttackerKind, Attribute, Setup, Upload

Suggested = Mapping[str, Any] | None

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
DATES_AND_INTERVALS = ("dates", "intervals")


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
    delete_after = forms.DateField(
        required=False,
        label="Delete it after",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "short"}),
        help_text="From this day on the pages remind you to shred it.",
    )

    def __init__(self, data: Any = None, *, attacker: Attacker, uploads: Any) -> None:
        initial = {key: getattr(attacker, key) for key in ("name", "upload", "source", "licence", "delete_after")}
        super().__init__(data, initial=initial | {"seen": attacker.version})
        if attacker.kind == AttackerKind.ITSELF:
            for name in ("upload", "source", "licence", "delete_after"):
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


class Columns:
    """What the columns of a table can be matched to: every released column, at every level of its hierarchy."""

    def __init__(self, setup: Setup, suggested: Suggested) -> None:
        self.attributes = {one.column: one for one in setup.attributes.all() if one.released}
        self._levels: Mapping[str, list[str]] = (suggested or {}).get("levels", {})

    def choices(self, chosen: str = "") -> list[tuple[str, str]]:
        found = [choice for name in self.attributes for choice in self._of(name)]
        if chosen and chosen not in dict(found):
            found.append((chosen, chosen.replace("@", ", level ")))
        return [("", "nothing"), *found]

    def _of(self, name: str) -> list[tuple[str, str]]:
        levels = self._levels.get(name, [])
        coarser = [
            (f"{name}@{number if level.isdigit() else level}", f"{name}, level {level}")
            for number, level in enumerate(levels)
            if number
        ]
        return [(name, name), *coarser]

    def target(self, match: str) -> tuple[Attribute | None, str]:
        """The attribute and the level in `attribute` or `attribute@level`."""
        name, _, level = (match, "", "0") if match in self.attributes else match.rpartition("@")
        return self.attributes.get(name), level


class MatchForm(forms.Form):
    """Which attribute each column of a table holds, at which level, exactly or by likeness."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, names: Sequence[str], columns: Columns, match: Mapping[str, str], seen: int
    ) -> None:
        super().__init__(data, initial={"seen": seen})
        self.names, self.columns = list(names), columns
        for place, name in enumerate(names):
            chosen = match.get(name, "")
            self.fields[f"match_{place}"] = forms.ChoiceField(
                choices=columns.choices(chosen), required=False, label=f"{name} holds", initial=chosen
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken: dict[str, str] = {}
        for place, name in enumerate(self.names):
            attribute, _ = self.columns.target(cleaned.get(f"match_{place}", ""))
            if attribute is None:
                continue
            if attribute.column in taken:
                told = f"“{taken[attribute.column]}” is matched to {attribute.column} already. Leave one of them out."
                self.add_error(f"match_{place}", told)
            taken.setdefault(attribute.column, name)
        return cleaned

    def match(self) -> dict[str, str]:
        chosen = {name: self.cleaned_data[f"match_{place}"] for place, name in enumerate(self.names)}
        return {name: to for name, to in chosen.items() if to}


class HoldingForm(MatchForm):
    """The match of an attacker's table, and what a row of it is: a person, or so many people."""

    kind = forms.ChoiceField(
        choices=[
            (AttackerKind.REGISTER.value, "an entry about one person"),
            (AttackerKind.COUNTS.value, "a kind of people, with their number"),
        ],
        widget=forms.RadioSelect,
        label="A row of it is",
    )
    identity = forms.ChoiceField(
        required=False,
        label="Who an entry is about",
        help_text="Entries with the same value there count as one person. Without it every row is a person.",
    )
    count = forms.ChoiceField(required=False, label="How many people a row stands for")

    def __init__(self, data: Any = None, *, attacker: Attacker, names: Sequence[str], columns: Columns) -> None:
        super().__init__(data, names=names, columns=columns, match=attacker.match, seen=attacker.version)
        self.initial = {**self.initial, "kind": attacker.kind, "identity": attacker.identity, "count": attacker.count}
        every = [("", "no column"), *((name, name) for name in names)]
        for field in ("identity", "count"):
            choice: Any = self.fields[field]
            choice.choices = every
        for place, name in enumerate(names):
            self.fields[f"fuzzy_{place}"] = forms.DecimalField(
                min_value=0,
                max_value=1,
                required=False,
                label=f"Least likeness for {name}",
                initial=attacker.fuzzy.get(name),
                widget=forms.NumberInput(attrs={"step": "0.01", "placeholder": "exact", "class": "input likeness"}),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("kind") == AttackerKind.COUNTS and not cleaned.get("count"):
            self.add_error("count", "Choose the column that counts the people.")
        for place in range(len(self.names)):
            attribute, _ = self.columns.target(cleaned.get(f"match_{place}", ""))
            orderly = attribute and set(DATES_AND_INTERVALS) & set(attribute.hierarchy or ())
            if cleaned.get(f"fuzzy_{place}") is not None and orderly:
                self.add_error(f"fuzzy_{place}", "Dates and numbers are not matched by likeness. Leave this empty.")
        return cleaned

    def changes(self) -> dict[str, Any]:
        given, match = self.cleaned_data, self.match()
        counts = given["kind"] == AttackerKind.COUNTS
        likeness = {name: given[f"fuzzy_{place}"] for place, name in enumerate(self.names)}
        return {
            "kind": given["kind"],
            "match": match,
            "identity": "" if counts else given["identity"],
            "count": given["count"] if counts else "",
            "fuzzy": {name: float(least) for name, least in likeness.items() if least is not None and name in match},
        }


class LinkageForm(MatchForm):
    """The match of the linkage data, and the weight of what its other columns add."""

    def __init__(
        self, data: Any = None, *, setup: Setup, names: Sequence[str], columns: Columns, linkage: Mapping[str, Any]
    ) -> None:
        super().__init__(data, names=names, columns=columns, match=linkage.get("match", {}), seen=setup.version)
        for place, name in enumerate(names):
            self.fields[f"adds_{place}"] = forms.FloatField(
                min_value=0,
                required=False,
                label=f"Weight of learning {name}",
                initial=linkage.get("adds", {}).get(name),
                widget=forms.NumberInput(attrs={"step": "any", "placeholder": "no", "class": "input likeness"}),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for place, name in enumerate(self.names):
            if cleaned.get(f"match_{place}") and cleaned.get(f"adds_{place}") is not None:
                told = f"“{name}” is matched, so it is known by the match. Leave the weight empty."
                self.add_error(f"adds_{place}", told)
        if not self.errors and not self.match():
            self.add_error(None, "Match at least one column: without it no row can be joined.")
        return cleaned

    def adds(self) -> dict[str, float]:
        given = {name: self.cleaned_data[f"adds_{place}"] for place, name in enumerate(self.names)}
        return {name: weight for name, weight in given.items() if weight is not None}


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
    return f"{option['attribute']}{level}, from their column {option['column']}"
