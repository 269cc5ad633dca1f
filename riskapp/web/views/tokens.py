"""One's own tokens for programs: made, shown once, withdrawn."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from riskapp import policies
from riskapp.models import ApiToken
from riskapp.services import tokens
from riskapp.web.forms.tokens import TokenForm
from riskapp.web.pages import Request
from riskapp.web.views import me


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def index(request: HttpRequest) -> HttpResponse:
    asked = cast(Request, request)
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and me.confirmed(asked, form):
        return _made(asked, form)
    return _page(asked, form, status=422 if form.errors else 200)


def _made(request: Request, form: TokenForm) -> HttpResponse:
    """The answer to the form shows the token; no other page ever will."""
    try:
        secret, token = tokens.make(**form.wanted(), by=request.actor)
    except tokens.TooMany as many:
        form.add_error(None, str(many))
        return _page(request, form, status=422)
    return _page(request, TokenForm(), secret=secret, made=token)


def _page(request: Request, form: TokenForm, status: int = 200, **more: Any) -> HttpResponse:
    listed = [_told(token) for token in request.user.tokens.all()]
    return render(request, "accounts/tokens.html", {"form": form, "tokens": listed, **more}, status=status)


def _told(token: ApiToken) -> dict[str, Any]:
    standing = "withdrawn" if token.withdrawn_at else "open" if token.is_open else "expired"
    return {"token": token, "standing": standing, "may": [tokens.SCOPES[scope] for scope in token.scopes]}


@require_POST
@login_required
def withdraw(request: HttpRequest, token_id: UUID) -> HttpResponse:
    asked = cast(Request, request)
    token = asked.user.tokens.filter(pk=token_id).first()
    if token is None:
        raise policies.Hidden
    tokens.withdraw(token, by=asked.actor)
    messages.success(request, f"Withdrawn: {token.name}. Programs that use it are refused from now on.")
    return redirect("tokens")
