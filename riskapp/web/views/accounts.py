"""Signing in and out, and getting back in."""

from datetime import datetime
from math import ceil
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from riskapp.models import Actor, User
from riskapp.services import accounts, entrance, mail, second_factor
from riskapp.web import entering
from riskapp.web.forms.accounts import CodeForm, ForgottenForm, NewPasswordForm, SignInForm
from riskapp.web.middleware import address
from riskapp.web.views.invitations import absolute

FEW_CODES = 3


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    then = entering.destination(request)
    if request.user.is_authenticated:
        return redirect(then)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = entering.with_password(request, form.cleaned_data["username"], form.cleaned_data["password"])
        if user:
            return _after_password(request, user, then)
        form.add_error(None, "The e-mail address or the password is not right.")
    return render(request, "accounts/sign-in.html", {"form": form, "next": then}, status=_status(form))


def _after_password(request: HttpRequest, user: User, then: str) -> HttpResponse:
    if user.has_second_factor:
        entering.wait_for_code(request, user, then)
        return redirect("sign-in-code")
    entering.enter(request, user)
    return redirect(then)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    held = entering.waiting(request)
    if held is None:
        messages.warning(request, "Please sign in again: the code was not given within five minutes.")
        return redirect("sign-in")
    user, then = held
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _code_is_right(request, user, form):
        return redirect(then)
    return render(request, "accounts/sign-in-code.html", {"form": form}, status=_status(form))


def _code_is_right(request: HttpRequest, user: User, form: CodeForm) -> bool:
    try:
        kind = second_factor.verify(user, form.cleaned_data["code"], by=Actor(user, address(request)))
    except (second_factor.WrongCode, second_factor.Wait) as trouble:
        form.add_error("code", str(trouble))
        return False
    entering.enter(request, user, second_factor=kind)
    if kind == second_factor.RECOVERY:
        _count_codes(request, user)
    return True


def _count_codes(request: HttpRequest, user: User) -> None:
    left = second_factor.codes_left(user)
    say = messages.warning if left <= FEW_CODES else messages.info
    say(request, f"That recovery code is used up; {left} are left. On the page of your account you can make new ones.")


def sign_out(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("projects")
    if request.user.is_authenticated:
        entering.leave(request)
        messages.success(request, "You are signed out.")
    return redirect("sign-in")


def locked_out(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    """The answer after too many wrong passwords; axes puts it in place of the page's own."""
    until = entrance.locked_until((credentials or {}).get("username", ""), address(request)) or timezone.now()
    answer = render(request, "accounts/locked.html", {"minutes": ceil(_seconds_to(until) / 60)}, status=429)
    answer["Retry-After"] = str(_seconds_to(until))
    return answer


def _seconds_to(until: datetime) -> int:
    return max(1, round((until - timezone.now()).total_seconds()))


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """The same answer, in the same time, whether there is such an account or not."""
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = accounts.ask_for_reset(form.cleaned_data["email"], by=entering.actor(request))
        if user:
            mail.send_unwatched("reset", user.email, link=absolute(request, accounts.reset_path(user)))
        return render(request, "accounts/forgotten-done.html", {"by_mail": settings.MAIL_WORKS})
    return render(request, "accounts/forgotten.html", {"form": form}, status=_status(form))


class Reset(PasswordResetConfirmView):
    """A new password by a link; the token leaves the address at once, by way of the session."""

    template_name = "accounts/reset.html"
    form_class = NewPasswordForm  # type: ignore[assignment]
    validlink = False

    def get_user(self, uidb64: str) -> User | None:
        user: Any = super().get_user(uidb64)
        return user if user and user.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        assert self.user is not None
        accounts.reset_password(self.user, form.cleaned_data["new"], address=address(self.request))
        self.request.session.pop(INTERNAL_RESET_SESSION_TOKEN, None)
        messages.success(self.request, "Your new password is set. Sign in with it.")
        return redirect("sign-in")

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)

    def render_to_response(self, context: dict[str, Any], **response: Any) -> HttpResponse:
        return super().render_to_response(context, **({"status": 200 if self.validlink else 410} | response))


def _status(form: Any) -> int:
    return 422 if form.errors else 200
