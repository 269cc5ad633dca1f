"""One's own account: name, password, second factor."""

from typing import Any, cast

import segno
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.services import accounts, second_factor
from riskapp.web import entering
from riskapp.web.forms.accounts import AccountForm, AppCodeForm, ConfirmForm, PasswordForm
from riskapp.web.pages import Request

page = require_http_methods(["GET", "HEAD", "POST"])
WRONG = "This is not your password."


@page
@login_required
def account(request: HttpRequest) -> HttpResponse:
    me = cast(Request, request)
    form = AccountForm(request.POST or None, initial={"name": me.user.name, "time_zone": me.user.time_zone})
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["name"] != me.user.name:
            accounts.rename(me.user, form.cleaned_data["name"], by=me.actor)
        if form.cleaned_data["time_zone"] != me.user.time_zone:
            accounts.set_time_zone(me.user, form.cleaned_data["time_zone"], by=me.actor)
        messages.success(request, "Saved.")
        return redirect("account")
    context = {"form": form, "codes_left": second_factor.codes_left(me.user)}
    return render(request, "accounts/account.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters()
@page
@login_required
def password(request: HttpRequest) -> HttpResponse:
    me = cast(Request, request)
    form = PasswordForm(me.user, request.POST or None)
    if request.method == "POST" and form.is_valid() and confirmed(me, form):
        accounts.change_password(me.user, form.cleaned_data["new"], by=me.actor)
        update_session_auth_hash(request, me.user)
        messages.success(request, "Your password is changed. You are signed out everywhere else.")
        return redirect("account")
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.errors else 200)


def confirmed(me: Request, form: Any) -> bool:
    """Whether the person at the screen knows the password, and not only found it signed in."""
    user = entering.with_password(me, me.user.email, form.cleaned_data["password"], doing="password confirmation")
    if user is None:
        form.add_error("password", WRONG)
    return user is not None


# The second factor


@require_http_methods(["GET", "HEAD"])
@login_required
def factor(request: HttpRequest) -> HttpResponse:
    return _factor_page(cast(Request, request))


def _factor_page(me: Request, **forms: Any) -> HttpResponse:
    device = None if me.user.has_second_factor else second_factor.pending(me.user).first()
    context = {
        "on": me.user.has_second_factor,
        "codes_left": second_factor.codes_left(me.user),
        "start": ConfirmForm(),
        "confirm": AppCodeForm(),
        "renew": ConfirmForm(auto_id="renew_%s"),
        "off": ConfirmForm(auto_id="off_%s"),
    }
    shown = _shown(device) if device else {}
    status = 422 if any(form.errors for form in forms.values()) else 200
    return render(me, "accounts/second-factor.html", context | shown | forms, status=status)


def _shown(device: TOTPDevice) -> dict[str, str]:
    """The secret for a camera and for typing."""
    secret = device.config_url.split("secret=")[1].split("&")[0]
    grouped = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    picture = segno.make(device.config_url, error="m", micro=False)
    return {"qr": picture.svg_data_uri(scale=4, border=2, light="#fff", dark="#000"), "secret": grouped}


@sensitive_post_parameters()
@login_required
def factor_start(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("second-factor")
    me = cast(Request, request)
    form = ConfirmForm(request.POST)
    if not (form.is_valid() and confirmed(me, form)):
        return _factor_page(me, start=form)
    second_factor.begin(me.user)
    return redirect("second-factor")


@sensitive_post_parameters()
@login_required
def factor_confirm(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("second-factor")
    me = cast(Request, request)
    form = AppCodeForm(request.POST)
    if not form.is_valid():
        return _factor_page(me, confirm=form)
    try:
        codes = second_factor.confirm(me.user, form.cleaned_data["code"], by=me.actor, keep=request.session.session_key)
    except (second_factor.WrongCode, second_factor.Wait) as trouble:
        form.add_error("code", str(trouble))
        return _factor_page(me, confirm=form)
    return render(request, "accounts/recovery-codes.html", {"codes": codes, "first": True})


@login_required
def factor_cancel(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("second-factor")
    second_factor.pending(cast(Request, request).user).delete()
    return redirect("second-factor")


@sensitive_post_parameters()
@login_required
def factor_off(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("second-factor")
    me = cast(Request, request)
    form = ConfirmForm(request.POST, auto_id="off_%s")
    if not (form.is_valid() and confirmed(me, form)):
        return _factor_page(me, off=form)
    second_factor.turn_off(me.user, by=me.actor, keep=request.session.session_key)
    messages.success(request, "The second factor is off. You are signed out everywhere else.")
    return redirect("account")


@sensitive_post_parameters()
@login_required
def recovery_codes(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("second-factor")
    me = cast(Request, request)
    form = ConfirmForm(request.POST, auto_id="renew_%s")
    if not (form.is_valid() and confirmed(me, form)):
        return _factor_page(me, renew=form)
    codes = second_factor.renew_codes(me.user, by=me.actor)
    return render(request, "accounts/recovery-codes.html", {"codes": codes, "first": False})
