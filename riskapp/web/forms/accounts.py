"""What people type to come in, and about their accounts."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from riskapp.models import User

LENGTH_HELP = "At least 12 characters. A few words that do not belong together are easy to remember and hard to guess."


def _email(label: str = "E-mail address", autocomplete: str = "username", **more: Any) -> forms.EmailField:
    widget = forms.EmailInput(attrs={"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"})
    return forms.EmailField(label=label, max_length=254, widget=widget, **more)


def _password(label: str, autocomplete: str, **more: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, strip=False, max_length=1000, widget=widget, **more)


def _name() -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "name"})
    return forms.CharField(label="Your name", max_length=150, widget=widget, help_text="As your colleagues know you.")


class SignInForm(forms.Form):
    username = _email()
    password = _password("Password", "current-password")


def _code(**attributes: str) -> forms.CharField:
    usual = {"autocomplete": "one-time-code", "class": "code", "spellcheck": "false", "autofocus": True}
    return forms.CharField(label="Code", max_length=40, widget=forms.TextInput(attrs={**usual, **attributes}))


class CodeForm(forms.Form):
    """A code by the clock, or a recovery code; spaces and hyphens in it mean nothing."""

    code = _code()

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        return "".join(code.split()).replace("-", "").lower()


class AppCodeForm(CodeForm):
    """A code by the clock and nothing else, so a telephone may show its digits."""

    code = _code(inputmode="numeric")


class ForgottenForm(forms.Form):
    email = _email()


class ConfirmForm(forms.Form):
    """The password once more, before something that matters."""

    password = _password("Your password", "current-password")


class PlainSelect(forms.Select):
    """A select whose options are written at once: each by a template of its own, hundreds take most of a page's time.

    >>> print(PlainSelect(choices=[("", "Ours"), ("UTC", "UTC")]).render("zone", "UTC", {"id": "at"}))
    <select id="at" name="zone"><option value="">Ours</option><option value="UTC" selected>UTC</option></select>
    """

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """The select and its options; groups of options are not known here."""
        chosen = "" if value is None else str(value)
        options = ((key, mark_safe(" selected") if key == chosen else "", words) for key, words in self.choices)
        inside = format_html_join("", '<option value="{}"{}>{}</option>', options)
        about = {"name": name, **self.build_attrs(self.attrs, attrs)}
        return format_html("<select{}>{}</select>", flatatt(about), inside)


class AccountForm(forms.Form):
    name = _name()
    time_zone = forms.ChoiceField(
        required=False,
        label="Time zone",
        help_text="In which times are shown to you.",
        choices=lambda: _zones(),
        widget=PlainSelect,
    )


def _zones() -> list[tuple[str, str]]:
    """Every zone there is; places, since offsets change with the season."""
    return [
        ("", f"As the server: {settings.TIME_ZONE}"),
        ("UTC", "UTC"),
        *((zone, zone.replace("_", " ")) for zone in _places()),
    ]


@cache
def _places() -> list[str]:
    """Found once: hundreds of files are opened for it."""
    return sorted(
        zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/"))
    )


class _TwicePassword(forms.Form):
    """A new password, typed twice and held against the rules. Subclasses name the field that holds it."""

    chosen = "password"

    def person(self) -> User:
        """Whom the password must not resemble."""
        return User(email=self.cleaned_data.get("email", ""), name=self.cleaned_data.get("name", ""))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        password, again = cleaned.get(self.chosen), cleaned.get("again")
        if password and again and password != again:
            self.add_error("again", "The two passwords differ.")
        if password:
            self._check(password)
        return cleaned

    def _check(self, password: str) -> None:
        try:
            validate_password(password, self.person())
        except ValidationError as trouble:
            self.add_error(self.chosen, trouble)


class SetupForm(_TwicePassword):
    name = _name()
    email = _email()
    password = _password("Password", "new-password", help_text=LENGTH_HELP)
    again = _password("Password, once more", "new-password")
    sample = forms.BooleanField(
        label="Load a sample project",
        required=False,
        initial=True,
        help_text="Invented people to try things on.",
    )


class JoinForm(_TwicePassword):
    """A new account; its e-mail address is the invited one."""

    name = _name()
    password = _password("Password", "new-password", help_text=LENGTH_HELP)
    again = _password("Password, once more", "new-password")

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def person(self) -> User:
        return User(email=self.email, name=self.cleaned_data.get("name", ""))


class NewPasswordForm(_TwicePassword):
    chosen = "new"
    new = _password("New password", "new-password", help_text=LENGTH_HELP)
    again = _password("New password, once more", "new-password")

    def __init__(self, user: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def person(self) -> User:
        assert self.user is not None
        return self.user


class PasswordForm(NewPasswordForm):
    password = _password("Your password now", "current-password")
    field_order = ["password", "new", "again"]


class InvitePersonForm(forms.Form):
    email = _email(autocomplete="off")
    may_create_projects = forms.BooleanField(
        label="May start projects", required=False, help_text="Without it they work in projects that others start."
    )
    administrator = forms.BooleanField(
        label="Administrator", required=False, help_text="Manages accounts. Sees no data by it."
    )
