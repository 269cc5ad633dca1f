"""Who belongs to a project."""

from uuid import UUID

from django.contrib import messages
from django.db.models.functions import Lower
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.models import Membership, Project, Role
from riskapp.services import invitations, projects
from riskapp.web.forms.projects import InviteForm, MemberForm
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, as_owner, frame, in_project, page_of
from riskapp.web.views.invitations import hand_over, handed_over

ORDERS: Orders = {
    "since": ("Owners first, then by when they came", ("-owner", "since")),
    "name": ("By name", (Lower("user__name"),)),
    "role": ("By role", ("role", Lower("user__name"))),
}


@require_safe
@in_project("see_uploads")
def index(request: Request, project: Project) -> HttpResponse:
    return _page(request, project, InviteForm())


def _page(request: Request, project: Project, form: InviteForm) -> HttpResponse:
    found, listing = listed(request, selectors.members_of(project), ("user__name", "user__email"), ORDERS)
    context = frame(request, project, "members") | {
        "page": page_of(request, found),
        "listing": listing,
        "invitations": selectors.open_invitations(project) if policies.owns(request.user, project) else [],
        "form": form,
        "made": handed_over(request, str(project.pk)),
    }
    return render(request, "projects/members.html", context, status=422 if form.errors else 200)


@as_owner
def invite(request: Request, project: Project) -> HttpResponse:
    """Shown after a redirect: a page that is loaded again must not make another link and end the one handed out."""
    if request.method != "POST":
        return redirect("members", project.pk)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, project, form)
    wanted = form.cleaned_data
    older = invitations.open_one(wanted["email"], project)
    try:
        token = invitations.invite(project, wanted["email"], Role(wanted["role"]), by=request.actor)
    except invitations.AlreadyThere as trouble:
        form.add_error("email", str(trouble))
        return _page(request, project, form)
    hand_over(request, token, str(project.pk), older)
    return redirect("members", project.pk)


@require_POST
@as_owner
def withdraw(request: Request, project: Project, invitation_id: UUID) -> HttpResponse:
    invitation = project.invitations.filter(pk=invitation_id).first()
    if invitation is None:
        raise policies.Hidden
    invitations.withdraw(invitation, by=request.actor)
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("members", project.pk)


def _place(project: Project, member_id: int) -> Membership:
    place = project.memberships.select_related("project", "user").filter(pk=member_id).first()
    if place is None:
        raise policies.Hidden
    return place


@as_owner
def change(request: Request, project: Project, member_id: int) -> HttpResponse:
    place = _place(project, member_id)
    form = MemberForm(request.POST or None, initial={"role": place.role, "owner": place.owner})
    if request.method == "POST" and form.is_valid() and _changed(request, place, form):
        messages.success(request, "Saved.")
        return redirect("members", project.pk)
    context = frame(request, project, "members") | {"form": form, "member": place, "own": _is_own(request, place)}
    return render(request, "projects/member.html", context, status=422 if form.errors else 200)


def _changed(request: Request, place: Membership, form: MemberForm) -> bool:
    wanted = form.cleaned_data
    try:
        projects.change_member(place, by=request.actor, role=Role(wanted["role"]), owner=wanted["owner"])
    except projects.LastOwner as trouble:
        form.add_error("owner", str(trouble))
        return False
    return True


def _is_own(request: Request, place: Membership) -> bool:
    return bool(place.user_id == request.user.pk)


@in_project("visit")
def remove(request: Request, project: Project, member_id: int) -> HttpResponse:
    """Asks first; done by POST."""
    place = _place(project, member_id)
    own = _is_own(request, place)
    try:
        projects.check_removable(place, by=request.actor)
        if request.method != "POST":
            context = frame(request, project, "members") | {"member": place, "own": own}
            return render(request, "projects/remove.html", context)
        projects.remove_member(place, by=request.actor)
    except projects.LastOwner as trouble:
        messages.error(request, str(trouble))
        return redirect("member", project.pk, place.pk)
    messages.success(request, "You have left the project." if own else "The member is removed.")
    return redirect("projects") if own else redirect("members", project.pk)
