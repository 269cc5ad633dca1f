"""The administrator's pages about accounts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.contrib import messages
from django.db.models import F
from django.db.models.functions import Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from riskapp.models import User
from riskapp.services import accounts, invitations, people
from riskapp.web.entering import actor
from riskapp.web.forms.accounts import InvitePersonForm
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, as_administrator, page_of
from riskapp.web.views.invitations import absolute, hand_over, handed_over

PLACE = "people"
ORDERS: Orders = {
    "asked": ("Who asked for a new password, then by name", (F("reset_asked_at").asc(nulls_last=True), Lower("name"))),
    "name": ("By name", (Lower("name"),)),
    "email": ("By e-mail address", (Lower("email"),)),
    "seen": ("Last signed in first", (F("last_login").desc(nulls_last=True), Lower("name"))),
    "new": ("Newest first", ("-joined_at",)),
}


@dataclass(frozen=True)
class Action:
    """What an administrator can do to an account, and the words around it."""

    do: Callable[..., None]
    about: str
    label: str
    words: str
    done: str


ACTIONS = {
    "make-administrator": Action(
        people.make_administrator, "Administrator", "Make administrator",
        "Administrators manage everybody's accounts. They see no data by it.", "is now an administrator.",
    ),
    "withdraw-administrator": Action(
        people.withdraw_administrator, "Administrator", "Withdraw administrator",
        "The account stays, without the administrator's pages.", "is no longer an administrator.",
    ),
    "allow-projects": Action(
        people.allow_projects, "Starting projects", "Allow to start projects",
        "Who starts a project becomes its owner.", "may now start projects.",
    ),
    "forbid-projects": Action(
        people.forbid_projects, "Starting projects", "No longer allow to start projects",
        "Projects that exist already stay as they are.", "may no longer start projects.",
    ),
    "deactivate": Action(
        people.deactivate, "The account", "Deactivate",
        "All sessions of the account end at once and nobody can sign in to it. What it did stays on record.",
        "is deactivated and signed out everywhere.",
    ),
    "reactivate": Action(
        people.reactivate, "The account", "Reactivate",
        "The account works again, with its old password and its old places in projects.", "is active again.",
    ),
    "unlock": Action(
        people.unlock, "Signing in", "Unlock",
        "Wrong passwords and codes so far are forgotten.", "can try to sign in again at once.",
    ),
    "turn-off-second-factor": Action(
        people.turn_off_second_factor, "Second factor", "Turn off the second factor",
        "For somebody who has lost both the telephone and the recovery codes. Be sure that it is they who ask: "
        "from now on the password alone opens the account.",
        "can sign in without a code.",
    ),
}  # fmt: skip


@require_safe
@as_administrator
def index(request: HttpRequest) -> HttpResponse:
    return _index(request, InvitePersonForm())


def _index(request: HttpRequest, form: InvitePersonForm) -> HttpResponse:
    found, listing = listed(request, people.everybody(), ("name", "email"), ORDERS)
    page = page_of(request, found)
    context = {
        "page": page,
        "people": people.seen(page),
        "listing": listing,
        "invitations": people.open_invitations(),
        "form": form,
        "made": handed_over(request, PLACE),
    }
    return render(request, "people/index.html", context, status=422 if form.errors else 200)


@as_administrator
def invite(request: HttpRequest) -> HttpResponse:
    """Shown after a redirect: a page that is loaded again must not make another link and end the one handed out."""
    if request.method != "POST":
        return redirect("people")
    form = InvitePersonForm(request.POST)
    if not form.is_valid():
        return _index(request, form)
    wanted = dict(form.cleaned_data)
    email = wanted.pop("email")
    older = invitations.open_one(email)
    try:
        token = invitations.invite_person(email, by=actor(request), **wanted)
    except accounts.AddressTaken as taken:
        form.add_error("email", str(taken))
        return _index(request, form)
    hand_over(request, token, PLACE, older)
    return redirect("people")


@require_POST
@as_administrator
def withdraw(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    invitations.withdraw(people.invitation(invitation_id), by=actor(request))
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("people")


@require_safe
@as_administrator
def show(request: HttpRequest, person_id: UUID) -> HttpResponse:
    person = people.one(person_id)
    actions = [(name, ACTIONS[name]) for name in _fitting(person)]
    return render(request, "people/person.html", {"person": person, "actions": actions})


def _fitting(person: people.Person) -> list[str]:
    """The actions that would change something."""
    user: User = person.user
    if not user.is_active:
        return ["reactivate"]
    return [
        *(["unlock"] if person.locked_until or person.failed else []),
        "forbid-projects" if user.may_create_projects else "allow-projects",
        "withdraw-administrator" if user.is_administrator else "make-administrator",
        *(["turn-off-second-factor"] if person.second_factor else []),
        "deactivate",
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@as_administrator
def act(request: HttpRequest, person_id: UUID, name: str) -> HttpResponse:
    """Asks first; done by POST."""
    person, action = people.one(person_id), ACTIONS.get(name)
    if action is None:
        raise Http404
    if request.method != "POST":
        return render(request, "people/act.html", {"person": person, "action": action, "name": name})
    try:
        action.do(person.user, by=actor(request))
    except people.LastAdministrator as trouble:
        messages.error(request, str(trouble))
        return redirect("person", person.user.pk)
    messages.success(request, f"{person.user.name} {action.done}")
    mine = cast(Request, request).user.pk == person.user.pk
    return redirect("projects") if mine else redirect("person", person.user.pk)


@as_administrator
def reset_link(request: HttpRequest, person_id: UUID) -> HttpResponse:
    person = people.one(person_id)
    if request.method != "POST":
        return redirect("person", person.user.pk)
    link = absolute(request, people.reset_path(person.user, by=actor(request)))
    return render(request, "people/reset-link.html", {"person": person, "link": link})
