"""A token for a program."""

from typing import Any

from django import forms

from riskapp.services.tokens import SCOPES
from riskapp.web.forms.accounts import ConfirmForm

READ = "read"
DAYS = {"7": "a week", "30": "30 days", "90": "90 days", "365": "a year"}


class TokenForm(ConfirmForm):
    """What a token is called, what it may do, and for how long. Looking is part of everything else."""

    name = forms.CharField(
        max_length=100, label="Name", help_text="Which program or machine will use it, so that you know it again."
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope, words) for scope, words in SCOPES.items() if scope != READ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Besides looking, it may",
        help_text="Never more than you may do yourself in a project.",
    )
    days = forms.ChoiceField(choices=list(DAYS.items()), initial="30", label="It can be used for")

    field_order = ["name", "scopes", "days", "password"]

    def wanted(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"name": given["name"], "scopes": [READ, *given["scopes"]], "days": int(given["days"])}
