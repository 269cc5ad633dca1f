"""How the columns of a table that somebody holds are matched to those of the dataset."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from riskapp.models import Attacker, AttackerKind, Attribute, Setup

Suggested = Mapping[str, Any] | None
DATES_AND_INTERVALS = ("dates", "intervals")


class Columns:
    """What the columns of a table can be matched to: every released column, at every level of its hierarchy."""

    def __init__(self, setup: Setup, suggested: Suggested) -> None:
        described = {one.column: one for one in setup.attributes.all()}
        self.attributes = {name: one for name, one in described.items() if one.released}
        self.unreleased = described.keys() - self.attributes.keys()
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
