"""Importing an assessment: the file, then which uploads are its tables."""

from collections.abc import Mapping
from typing import Any

from django import forms

from riskapp.models import Upload


class ImportForm(forms.Form):
    file = forms.FileField(
        label="Assessment file",
        help_text="The .zip that a run exports, or the .json or .yaml of the command line.",
        widget=forms.FileInput(attrs={"accept": ".zip,.json,.yaml,.yml"}),
    )


class SureForm(forms.Form):
    """That the set-up which was seen is to be replaced, and why some columns are released."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(required=False, max_length=300, label="Why they are released")


class ConfirmForm(SureForm):
    """Which upload each table of the assessment is."""

    kept = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        tables: Mapping[str, str],
        uploads: Mapping[str, Upload],
        suggested: Mapping[str, Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.uploads, self.tables = uploads, list(tables)
        for place, (name, what) in enumerate(tables.items()):
            found = suggested.get(name)
            self.fields[f"table{place}"] = forms.ChoiceField(
                label=f"{name}, {what}",
                choices=[("", "Choose an upload"), *((pk, upload.name) for pk, upload in uploads.items())],
                initial=str(found.pk) if found else "",
                error_messages={"required": "Choose the upload that it is; upload it on the Data page first."},
            )

    def table_fields(self) -> list[Any]:
        return [self[f"table{place}"] for place in range(len(self.tables))]

    def chosen(self) -> dict[str, Upload]:
        given = self.cleaned_data
        return {name: self.uploads[given[f"table{place}"]] for place, name in enumerate(self.tables)}
