"""Coming by an invitation's link: with a new account, or with the one that has the invited address."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from riskapp.models import Invitation
from riskapp.services import accounts, invitations, links
from riskapp.web import entering
from riskapp.web.forms.accounts import JoinForm
from riskapp.web.middleware import address

TOKEN = "join_token"  # noqa: S105  (the name of a place in the session)
MADE = "made_link"


def absolute(request: HttpRequest, path: str) -> str:
    """A link to hand on: at the address the house was given, else at the one this request came to."""
    return settings.ORIGIN + path if settings.ORIGIN else request.build_absolute_uri(path)


def hand_over(request: HttpRequest, token: str, place: str, replaced: Invitation | None) -> None:
    """Mail a new invitation's link, and keep it for the one page that shows it: `handed_over` at the same place."""
    invitation = invitations.find(token)
    assert invitation is not None
    link = absolute(request, reverse("join-link", args=[token]))
    request.session[MADE] = {
        "place": place,
        "link": link,
        "email": invitation.email,
        "role": invitation.get_role_display().lower() or ("administrator" if invitation.administrator else ""),
        "replaced": replaced.created_at.isoformat() if replaced else "",
        "mailed": invitations.post(token, link),
    }


def handed_over(request: HttpRequest, place: str) -> dict[str, Any] | None:
    """The link just made here, if it was not shown yet. From now on nobody can see it again."""
    if request.session.get(MADE, {}).get("place") != place:
        return None
    made: dict[str, Any] = request.session.pop(MADE)
    return made | {"replaced": datetime.fromisoformat(made["replaced"]) if made["replaced"] else None}


@require_safe
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """Out of the address, where browsers and proxies would keep it, and into the session."""
    if links.find(token):
        request.session[TOKEN] = token
    return redirect("join")


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    invitation = invitations.find(request.session.get(TOKEN, ""))
    standing = links.standing(invitation)
    if invitation is None or standing != links.Standing.OPEN:
        return _closed(request, standing)
    if request.user.is_authenticated:
        return _with_account(request, invitation)
    account = accounts.find(invitation.email)
    if account:
        return render(request, "accounts/join-sign-in.html", {"invitation": invitation, "account": account})
    return _as_new(request, invitation)


def _with_account(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if entering.actor(request).name != invitation.email:
        return render(request, "accounts/join-somebody-else.html", {"invitation": invitation}, status=403)
    if request.method != "POST":
        return render(request, "accounts/join-accept.html", {"invitation": invitation})
    try:
        invitations.accept(invitation, by=entering.actor(request))
    except links.Closed as closed:
        return _closed(request, closed.standing)
    return _arrived(request, invitation)


def _as_new(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    form = JoinForm(request.POST or None, email=invitation.email)
    if request.method != "POST" or not form.is_valid():
        context = {"invitation": invitation, "form": form}
        return render(request, "accounts/join.html", context, status=422 if form.errors else 200)
    return _made(request, invitation, form.cleaned_data)


def _made(request: HttpRequest, invitation: Invitation, wanted: dict[str, Any]) -> HttpResponse:
    try:
        user = invitations.accept_as_new(
            invitation, name=wanted["name"], password=wanted["password"], address=address(request)
        )
    except links.Closed as closed:
        return _closed(request, closed.standing)
    except accounts.AddressTaken:
        return redirect("join")
    entering.enter(request, user)
    return _arrived(request, invitation)


def _arrived(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    request.session.pop(TOKEN, None)
    messages.success(request, "Welcome. The invitation is accepted.")
    return redirect("project", invitation.project.pk) if invitation.project else redirect("projects")


def _closed(request: HttpRequest, standing: links.Standing) -> HttpResponse:
    status = 404 if standing == links.Standing.UNKNOWN else 410
    return render(request, "accounts/join-closed.html", {"standing": standing}, status=status)
