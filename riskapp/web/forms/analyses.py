"""The analyses that a proposal names: up to five rows, each added and removed by a button that needs no script."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict

MOST = 5
KINDS = [("counts", "Counts"), ("mean", "A mean"), ("regression", "A regression")]


class AnalysisForm(forms.Form):
    """One analysis; a row in which nothing was said is none."""

    name = forms.CharField(max_length=80, required=False, label="Name", help_text="As it will stand in the report.")
    kind = forms.ChoiceField(choices=KINDS, initial="counts", widget=forms.RadioSelect, label="What is computed")
    of = forms.ChoiceField(required=False, label="Of which column", help_text="For a mean and for a regression.")
    columns = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="By which columns",
        help_text="Counted by these, the mean within the groups of one, or explained by these.",
    )

    def __init__(self, *args: Any, every: Sequence[str], numbers: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of: Any = self.fields["of"]
        of.choices = [("", "none"), *((name, name) for name in numbers)]
        columns: Any = self.fields["columns"]
        columns.choices = [(name, name) for name in every]

    @property
    def is_empty(self) -> bool:
        return not any(self.cleaned_data.get(name) for name in ("name", "of", "columns"))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        said = given.get("of") or given.get("columns")
        if said and not given.get("name"):
            self.add_error("name", "Give the analysis a name.")
        if given.get("name") and not said and not self.errors:
            self.add_error("columns", "Say what it is about, or remove the analysis.")
        return given


class AnalysesForm:
    """All rows of a request: as they were sent, or as an earlier proposal had them."""

    def __init__(
        self,
        columns: Any,
        sent: QueryDict | None = None,
        shown: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self._about = {"every": columns.every, "numbers": columns.numbers}
        if sent is None:
            self.rows = [self._row(at, initial=one) for at, one in enumerate(shown)]
            return
        self.rows = [self._row(at, sent) for at in range(_number(sent))]

    def _row(self, at: int, sent: QueryDict | None = None, initial: Mapping[str, Any] | None = None) -> AnalysisForm:
        return AnalysisForm(sent, prefix=f"analysis-{at}", initial=initial, **self._about)

    def changed(self, sent: QueryDict) -> None:
        """One row more, or one row less, as the button that was pressed says; nothing is judged yet."""
        said = [as_sent(row, sent) for row in self.rows]
        gone = sent.get("remove-analysis", "")
        if gone.isdecimal() and int(gone) < len(said):
            del said[int(gone)]
        elif "add-analysis" in sent and len(said) < MOST:
            said.append({})
        self.rows = [self._row(at, initial=one) for at, one in enumerate(said)]

    @property
    def has_room(self) -> bool:
        return len(self.rows) < MOST

    def is_valid(self) -> bool:
        return not any(row.errors for row in self.rows)

    def told(self) -> list[dict[str, Any]]:
        """The analyses as a proposal keeps them."""
        return [
            {name: row.cleaned_data[name] for name in ("name", "kind", "columns", "of")}
            for row in self.rows
            if not row.is_empty
        ]


def _number(sent: QueryDict) -> int:
    """How many rows were sent."""
    told = sent.get("analyses", "0")
    return min(int(told), MOST) if told.isdecimal() and len(told) < 4 else 0


def as_sent(form: forms.Form, sent: QueryDict) -> dict[str, Any]:
    """What was filled in, without judging it."""
    return {
        name: field.widget.value_from_datadict(sent, {}, form.add_prefix(name)) for name, field in form.fields.items()
    }
