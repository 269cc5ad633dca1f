from django import forms


def _day() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class TrailForm(forms.Form):
    """By whom and when; `show` is chosen by the buttons beside it."""

    show = forms.CharField(required=False, widget=forms.HiddenInput)
    who = forms.CharField(max_length=100, required=False, label="By whom")
    since = forms.DateField(required=False, label="From", widget=_day())
    until = forms.DateField(required=False, label="To", widget=_day())
