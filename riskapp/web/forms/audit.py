from django import forms


class TrailForm(forms.Form):
    """By whom and when; `show` is chosen by the buttons beside it."""

    show = forms.CharField(required=False, widget=forms.HiddenInput)
    who = forms.CharField(max_length=100, required=False, label="By whom")
    since = forms.DateField(required=False, label="From", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="To", widget=forms.DateInput(attrs={"type": "date"}))
