"""The first start: the one-time link that the server printed makes the first administrator."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from riskapp.core.errors import RiskappError
from riskapp.models import Actor, User
from riskapp.services import accounts, links, samples
from riskapp.web import entering
from riskapp.web.forms.accounts import SetupForm
from riskapp.web.middleware import address

TOKEN = "setup_token"  # noqa: S105  (the name of a place in the session)


@require_safe
def setup_link(request: HttpRequest, token: str) -> HttpResponse:
    """Out of the address, where browsers and proxies would keep it, and into the session."""
    if links.find(token):
        request.session[TOKEN] = token
    return redirect("setup")


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    standing = accounts.setup_standing(request.session.get(TOKEN, ""))
    if standing != links.Standing.OPEN:
        return _closed(request, standing)
    form = SetupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _made(request, form)
    return render(request, "accounts/setup.html", {"form": form}, status=422 if form.errors else 200)


def _made(request: HttpRequest, form: SetupForm) -> HttpResponse:
    wanted: dict[str, Any] = dict(form.cleaned_data)
    del wanted["again"]
    sample = wanted.pop("sample")
    try:
        user = accounts.set_up(request.session[TOKEN], address=address(request), **wanted)
    except links.Closed as closed:
        return _closed(request, closed.standing)
    except accounts.AddressTaken as taken:
        form.add_error("email", str(taken))
        return render(request, "accounts/setup.html", {"form": form}, status=422)
    return _begin(request, user, sample)


def _begin(request: HttpRequest, user: User, sample: bool) -> HttpResponse:
    request.session.pop(TOKEN, None)
    entering.enter(request, user)
    if sample:
        _load_sample(request, Actor(user, address(request)))
    return redirect("projects")


def _load_sample(request: HttpRequest, by: Actor) -> None:
    try:
        samples.load(by=by)
    except (RiskappError, OSError):
        # The account is made; whether the disk is full now is for the page of the projects to say.
        messages.warning(request, "The sample project could not be loaded. Try again from this page.")


def _closed(request: HttpRequest, standing: links.Standing) -> HttpResponse:
    context = {"standing": standing, "administered": accounts.administrators().exists()}
    return render(request, "accounts/setup-closed.html", context, status=404 if standing == "unknown" else 410)
