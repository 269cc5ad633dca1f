from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from riskapp.models import Project


def _day(label: str) -> forms.DateField:
    """A day that is one in every time zone: at the ends of the calendar there is none before or after it."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    within = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))]
    return forms.DateField(required=False, label=label, widget=widget, validators=within)


class TrailForm(forms.Form):
    """By whom and when; `show` is chosen by the buttons beside it."""

    show = forms.CharField(required=False, widget=forms.HiddenInput)
    who = forms.CharField(max_length=100, required=False, label="By whom")
    since = _day("From")
    until = _day("To")


class TrailsForm(TrailForm):
    """The same over several projects."""

    project = forms.ChoiceField(required=False, label="Project")
    field_order = ["show", "project", "who", "since", "until"]

    def __init__(self, *args: Any, projects: Iterable[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["project"]
        field.choices = [("", "all of them"), *((str(one.pk), one.name) for one in projects)]
