from collections.abc import Iterable
from typing import Any

from django import forms

from riskapp.models import Project


def _day() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class TrailForm(forms.Form):
    """By whom and when; `show` is chosen by the buttons beside it."""

    show = forms.CharField(required=False, widget=forms.HiddenInput)
    who = forms.CharField(max_length=100, required=False, label="By whom")
    since = forms.DateField(required=False, label="From", widget=_day())
    until = forms.DateField(required=False, label="To", widget=_day())


class TrailsForm(TrailForm):
    """The same over several projects."""

    project = forms.ChoiceField(required=False, label="Project")
    field_order = ["show", "project", "who", "since", "until"]

    def __init__(self, *args: Any, projects: Iterable[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["project"]
        field.choices = [("", "all of them"), *((str(one.pk), one.name) for one in projects)]
