"""Proposing a rule, and deciding on one."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django import forms

from riskapp.models import Membership, Project, Proposal, Role, User, today
from riskapp.models.project import MOST_DAYS_KEPT
from riskapp.services.downloads import USUAL_TERMS
from riskapp.services.proposals import Wish

OPTIONS = ("format", "keep_order", "defuse", "details")
SAID = ("purpose", "recipient", "reason", "expires_on", "data_until", "legal_basis", "dpia")
FORMATS = [("csv", "CSV, for every program"), ("parquet", "Parquet, with the types of the columns")]


def _area(label: str, help_text: str = "", *, required: bool = True, rows: int = 3) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(max_length=4000, label=label, help_text=help_text, required=required, widget=widget)


class ProposeForm(forms.Form):
    purpose = _area("What the recipient wants it for", "As it will stand in the report.")
    recipient = forms.CharField(max_length=200, label="Who receives it", help_text="The organisation, or “the public”.")
    recipients = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Who may download it here",
        help_text="Recipients of this project. Others are invited on the Members page.",
    )
    reason = _area("Why this rule", "What speaks for it, and what you weighed against it.")
    expires_on = forms.DateField(
        label="Download possible until",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="The last day. Afterwards the server closes the release by itself.",
    )
    data_until = forms.DateField(
        required=False,
        label="The last day that the data are about",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="Attackers’ registers are held against it. Without a day, that of the upload counts.",
    )
    legal_basis = forms.CharField(max_length=300, required=False, label="Legal basis")
    dpia = forms.CharField(max_length=300, required=False, label="Reference of the impact assessment")
    exception = _area(
        "Exception from the limits",
        "This rule breaks limits of its class. Say in your name why it may leave all the same; it is signed with your "
        "account and stands in the report.",
        required=False,
    )
    format = forms.ChoiceField(choices=FORMATS, widget=forms.RadioSelect, initial="csv", label="Format of the file")
    keep_order = forms.BooleanField(
        required=False,
        label="Keep the order of the rows",
        help_text="The order can give people away: without this the rows are shuffled, by a seed that is kept.",
    )
    defuse = forms.BooleanField(
        required=False,
        initial=True,
        label="Defuse cells that a spreadsheet would take for a formula",
        help_text="An apostrophe is put before text that begins with = + - @. Numbers are left alone.",
    )
    details = forms.BooleanField(
        required=False,
        label="Add columns from, to and level beside each label",
        help_text="For analysts, where values of one column are told at different levels.",
    )

    def __init__(self, *args: Any, project: Project, broken: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        places = Membership.objects.filter(project=project, role=Role.RECIPIENT).select_related("user")
        self.people = {str(place.user_id): place.user for place in places}
        choices: Any = self.fields["recipients"]
        choices.choices = [(key, f"{user.name}, {user.email}") for key, user in self.people.items()]
        self.fields["expires_on"].initial = today() + timedelta(days=365)
        self.fields["purpose"].initial = project.purpose
        if broken:
            self.fields["exception"].required = True
        else:
            del self.fields["exception"]

    @staticmethod
    def shown(proposal: Proposal) -> dict[str, Any]:
        """What an earlier proposal said."""
        told = {name: getattr(proposal, name) for name in (*SAID, "exception")}
        told |= {name: proposal.options.get(name) for name in OPTIONS}
        return told | {"recipients": [str(user.pk) for user in proposal.recipients.all()]}

    def wish(self, analyses: list[dict[str, Any]]) -> Wish:
        given = self.cleaned_data
        options = {name: given[name] for name in OPTIONS} | {"analyses": analyses}
        said = {name: given[name] for name in SAID}
        named: list[User] = [self.people[key] for key in given["recipients"]]
        return Wish(**said, recipients=named, exception=given.get("exception", ""), options=options)


class DecideForm(forms.Form):
    reason = _area("Why", "What convinced you, or what did not. It stands in the report.")


class WithdrawForm(forms.Form):
    reason = _area("Why it is withdrawn", rows=2)


class CommentForm(forms.Form):
    text = _area("Comment", rows=2)


class AnswerForm(forms.Form):
    text = _area("Your answer", "Why it is acceptable, or what is done about it.", rows=2)


class AnswersForm(forms.Form):
    """One answer to several warnings: to chosen ones, to all of a kind, to all that have none."""

    warnings = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Warnings that it answers",
        error_messages={"required": "Tick at least one warning."},
    )
    text = _area("One answer to all of them", "Why they are acceptable, or what is done about them.", rows=2)
    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, warned: list[dict[str, Any]], answered: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.groups = _groups(warned, answered)
        each = [(one["key"], f"{one['title']}{' (answered)' * (one['key'] in answered)}") for one in warned]
        choices: Any = self.fields["warnings"]
        choices.choices = [(name, words) for name, (words, _) in self.groups.items()] + each
        self.worth_it = len(warned) > 1

    def clean_warnings(self) -> list[str]:
        """The keys of the warnings, each once."""
        ticked = self.cleaned_data["warnings"]
        keys = [key for name in ticked for key in (self.groups[name][1] if name in self.groups else [name])]
        return list(dict.fromkeys(keys))


def _groups(warned: list[dict[str, Any]], answered: Collection[str]) -> dict[str, tuple[str, list[str]]]:
    """What can be ticked that stands for several warnings: its words, and their keys."""
    kinds: dict[str, list[str]] = {}
    for one in warned:
        kinds.setdefault(one["title"].partition(": ")[0], []).append(one["key"])
    open_ones = [one["key"] for one in warned if one["key"] not in answered]
    found = {"open": (f"All {len(open_ones)} that have no answer", open_ones)}
    found |= {f"kind:{name}": (f"All {len(keys)} “{name}”", keys) for name, keys in kinds.items()}
    return {name: group for name, group in found.items() if len(group[1]) > 1}


class AdviceForm(forms.Form):
    of = forms.CharField(max_length=150, label="Whose advice", help_text="Such as the data protection officer.")
    text = _area("What was advised")


class FollowedForm(forms.Form):
    followed = forms.TypedChoiceField(
        label="Is it followed?",
        choices=[("yes", "Yes"), ("no", "No")],
        coerce=lambda word: word == "yes",
        widget=forms.RadioSelect,
    )
    why = _area("Why", rows=2)


class DecisionsForm(forms.Form):
    """Who decides in a project, under which terms files leave it, and how long they are kept."""

    votes_needed = forms.TypedChoiceField(
        label="How many officers must approve",
        choices=[("1", "One"), ("2", "Two, who decide without seeing each other's vote")],
        coerce=int,
        widget=forms.RadioSelect,
    )
    approvers = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Officers who may decide",
        help_text="None ticked means every officer of the project. Nobody decides on their own proposal or run.",
    )
    terms = _area(
        "Terms that recipients accept",
        f"Before their first download, and again when the wording changes. Empty: the usual terms. {USUAL_TERMS}",
        required=False,
        rows=5,
    )
    keep_uploads_days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS_KEPT,
        required=False,
        label="Days to keep uploads",
        help_text="Then they are shredded. Empty: for ever.",
    )
    keep_releases_days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS_KEPT,
        required=False,
        label="Days to keep files of ended releases",
        help_text="After they expired or were revoked. Decisions and hashes stay. Empty: until somebody shreds them.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        places = Membership.objects.filter(project=project, role=Role.OFFICER).select_related("user")
        self.officers = {str(place.user_id): place.user for place in places}
        choices: Any = self.fields["approvers"]
        choices.choices = [(key, user.name) for key, user in self.officers.items()]

    @staticmethod
    def shown(project: Project) -> dict[str, Any]:
        fields = ("terms", "keep_uploads_days", "keep_releases_days")
        approvers = [str(user.pk) for user in project.approvers.all()]
        return {name: getattr(project, name) for name in fields} | {
            "votes_needed": str(project.votes_needed),
            "approvers": approvers,
        }
