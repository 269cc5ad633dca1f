from django import forms


class RevokeForm(forms.Form):
    reason = forms.CharField(
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Why it is revoked",
        help_text="Recipients see it.",
    )
