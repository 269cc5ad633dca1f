from django import forms

from riskapp.models import Role

WORDS = {
    Role.STEWARD: "Steward: uploads, describes, runs and proposes",
    Role.OFFICER: "Officer: all that a steward does, and approves what others propose",
    Role.AUDITOR: "Auditor: sees profiles, runs and the audit trail, changes nothing",
    Role.RECIPIENT: "Recipient: downloads approved releases, sees nothing else",
}


class ProjectForm(forms.Form):
    name = forms.CharField(max_length=150, label="Name", help_text="As your colleagues would call it.")
    purpose = forms.CharField(
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="What the data are wanted for",
        help_text="Who asked, and why. It helps whoever approves the release.",
    )


class NewProjectForm(ProjectForm):
    role = forms.ChoiceField(
        label="Your own role",
        choices=[(role.value, WORDS[role]) for role in (Role.OFFICER, Role.STEWARD)],
        widget=forms.RadioSelect,
        initial=Role.OFFICER,
        help_text="You will also be the project's owner: you invite the others. Nobody approves what they proposed.",
    )


class InviteForm(forms.Form):
    email = forms.EmailField(label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(
        label="Role",
        choices=[(role.value, WORDS[role]) for role in Role],
        widget=forms.RadioSelect,
        initial=Role.STEWARD,
    )


class MemberForm(forms.Form):
    role = forms.ChoiceField(label="Role", choices=Role.choices)
    owner = forms.BooleanField(label="Owner", required=False, help_text="Invites and removes members, shreds uploads.")

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        if cleaned.get("owner") and cleaned.get("role") not in {Role.STEWARD, Role.OFFICER}:
            self.add_error("owner", "Only a steward or an officer can be an owner.")
        return cleaned
