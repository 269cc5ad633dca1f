"""Who belongs to a project."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.models import Membership, Project, Role
from riskapp.services import invitations, projects
from riskapp.web.forms.projects import InviteForm, MemberForm
from riskapp.web.pages import Request, as_owner, frame, in_project
from riskapp.web.views.invitations import absolute


@require_safe
@in_project("see_uploads")
def index(request: Request, project: Project) -> HttpResponse:
    return _page(request, project, InviteForm())


def _page(request: Request, project: Project, form: InviteForm, link: str = "", status: int = 200) -> HttpResponse:
    context = frame(request, project, "members") | {
        "members": selectors.members_of(project),
        "invitations": selectors.open_invitations(project) if policies.owns(request.user, project) else [],
        "form": form,
        "link": link,
    }
    return render(request, "projects/members.html", context, status=status)


@as_owner
def invite(request: Request, project: Project) -> HttpResponse:
    if request.method != "POST":
        return redirect("members", project.pk)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, project, form, status=422)
    try:
        wanted = form.cleaned_data
        token = invitations.invite(project, wanted["email"], Role(wanted["role"]), by=request.actor)
    except invitations.AlreadyThere as trouble:
        form.add_error("email", str(trouble))
        return _page(request, project, form, status=422)
    link = absolute(request, reverse("join-link", args=[token]))
    told = {True: "The invitation was also mailed.", False: "The mail could not be sent: hand the link on yourself."}
    if (mailed := invitations.post(token, link)) is not None:
        messages.info(request, told[mailed])
    return _page(request, project, InviteForm(), link=link, status=201)


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
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        projects.change_member(place, by=request.actor, role=Role(wanted["role"]), owner=wanted["owner"])
        messages.success(request, "Saved.")
        return redirect("members", project.pk)
    context = frame(request, project, "members") | {"form": form, "member": place}
    return render(request, "projects/member.html", context)


@require_POST
@in_project("visit")
def remove(request: Request, project: Project, member_id: int) -> HttpResponse:
    place = _place(project, member_id)
    projects.remove_member(place, by=request.actor)
    if place.user_id == request.user.pk:
        messages.success(request, "You have left the project.")
        return redirect("projects")
    messages.success(request, "The member is removed.")
    return redirect("members", project.pk)
