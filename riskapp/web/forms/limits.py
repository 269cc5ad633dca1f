"""The release class and its limits."""

from typing import Any

from django import forms

from riskapp.models import ReleaseKind

CLASSES = {
    ReleaseKind.PUBLIC: "anybody may have it, with any register and for ever",
    ReleaseKind.CONTRACT: "recipients we know, who have signed not to look for people",
    ReleaseKind.SAFE: "analysts come to the data, and what they take out is checked",
}


class LimitsForm(forms.Form):
    """What a rule must keep to; an empty field is no limit."""

    largest_chance = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        label="Largest chance for one person",
        help_text="Nobody may be found with a larger probability. 0.09 is one in eleven.",
    )
    smallest_group = forms.IntegerField(
        min_value=1,
        required=False,
        label="Smallest group",
        help_text="So many people at least must look alike in what an attacker could know.",
    )
    chance = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        label="A chance that only few may exceed",
        help_text="Together with the next field: for example at most 1 % of the people above 0.05.",
    )
    share = forms.FloatField(
        min_value=0, max_value=1, required=False, label="Largest share of people above that chance"
    )
    inference = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        label="Largest gain in belief about what hurts",
        help_text="How much surer of a sensitive value an attacker may become by finding somebody's group.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (cleaned.get("chance") is None) != (cleaned.get("share") is None):
            self.add_error("share", "Give both the chance and the share of people above it, or neither.")
        return cleaned

    def limits(self) -> dict[str, Any]:
        """The limits as an assessment file has them."""
        given = self.cleaned_data
        found = {key: given[key] for key in ("largest_chance", "smallest_group", "inference") if given[key] is not None}
        if given["chance"] is not None:
            found["share_above"] = {"chance": given["chance"], "share": given["share"]}
        return found

    @staticmethod
    def shown(limits: dict[str, Any]) -> dict[str, Any]:
        """What the form starts with."""
        return {**limits, **(limits.get("share_above") or {})}


class ReleaseClassForm(LimitsForm):
    release_class = forms.ChoiceField(
        label="Who will have the release?",
        choices=[(kind.value, kind.label) for kind in CLASSES],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one of the three."},
    )
    own = forms.BooleanField(
        required=False,
        label="Other limits for this project",
        help_text="Otherwise the organisation's limits for the class hold, also when they change later.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)

    field_order = ["release_class", "own"]

    def clean(self) -> dict[str, Any]:
        """Limits that were filled in are used, or refused: nobody shall think that they hold when they do not."""
        cleaned = super().clean()
        filled_in = {name for name in LimitsForm.base_fields if name in self.data and name in self.changed_data}
        if filled_in and not cleaned.get("own"):
            self.add_error("own", "Limits are changed below. Tick this to use them, or put the fields back.")
        return cleaned

    @property
    def limits_wrong(self) -> bool:
        """Whether what is wrong is about the limits, not about the class."""
        return bool(set(self.errors) - {"release_class"})
