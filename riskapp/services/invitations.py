"""Invitations: into the house by an administrator, into a project by one of its owners."""

from typing import Any

from django.utils import timezone

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Invitation, Membership, Project, Role, User
from riskapp.services import accounts, audit, links, mail, projects

RIGHTS = {"administrator": "is_administrator", "may_create_projects": "may_create_projects"}


class AlreadyThere(RiskappError):
    """The invited person needs no invitation."""


class SomebodyElse(RiskappError):
    """The invitation is for another account than the one signed in."""

    def __init__(self) -> None:
        super().__init__("This invitation is for somebody else than the account you are signed in with.")


def invite(project: Project, email: str, role: Role | str, *, by: Actor) -> str:
    """Invite an e-mail address into a project; returns the token of a one-time link, which cannot be had again."""
    policies.check_owns(_person(by), project)
    email = email.strip().lower()
    with audit.writing():
        if Membership.objects.filter(project=project, user__email=email).exists():
            raise AlreadyThere("This person already belongs to the project.")
        return _issue(email, by, project=project, role=Role(role).value)


def invite_person(email: str, *, by: Actor, administrator: bool = False, may_create_projects: bool = False) -> str:
    """Invite an e-mail address to an account; returns the token of a one-time link."""
    policies.check_administers(_person(by))
    email = email.strip().lower()
    with audit.writing():
        if accounts.find(email):
            raise accounts.AddressTaken
        return _issue(email, by, administrator=administrator, may_create_projects=may_create_projects)


def _issue(email: str, by: Actor, project: Project | None = None, **place: Any) -> str:
    """A newer invitation of the same address to the same place replaces the older one."""
    for older in links.open_ones().filter(email=email, project=project, invited_by__isnull=False):
        _withdraw(older, by)
    token, row = links.issue(email=email, project=project, invited_by=by.user, **place)
    audit.record("invited", by=by, on=row, email=email, **place)
    return token


def open_one(email: str, project: Project | None = None) -> Invitation | None:
    """The invitation that a newer one of this address to this place would replace."""
    rows = links.open_ones().filter(email=email.strip().lower(), project=project, invited_by__isnull=False)
    return rows.order_by("-created_at").first()


def find(token: str) -> Invitation | None:
    """The invitation of a token. The server's set-up link is none: it fixes no address."""
    row = links.find(token)
    return row if row and row.invited_by_id else None


def post(token: str, link: str) -> bool | None:
    """Mail an invitation's link: whether it went out, or None where no mail server is set up."""
    row = find(token)
    assert row is not None
    project = row.project.name if row.project else ""
    return mail.send("invitation", row.email, sender=row.invited_by, project=project, link=link)


def withdraw(invitation: Invitation, *, by: Actor) -> None:
    """By an owner of the project it leads into, or by an administrator."""
    user = _person(by)
    if invitation.project and not user.is_administrator:
        policies.check_owns(user, invitation.project)
    else:
        policies.check_administers(user)
    with audit.writing():
        if not _withdraw(invitation, by):
            invitation.refresh_from_db()
            raise links.Closed(links.standing(invitation))


def _withdraw(invitation: Invitation, by: Actor) -> bool:
    rows = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None)
    done = bool(rows.update(withdrawn_at=timezone.now()))
    if done:
        audit.record("invitation withdrawn", by=by, on=invitation)
    return done


def accept(invitation: Invitation, *, by: Actor) -> User:
    """By the account with the invited address, signed in."""
    user = _person(by)
    if user.email != invitation.email:
        raise SomebodyElse
    with audit.writing():
        links.claim(invitation)
        _take_place(invitation, user, by)
    return user


def accept_as_new(invitation: Invitation, *, name: str, password: str, address: str) -> User:
    """By making an account with the invited address."""
    user = accounts.draft(email=invitation.email, name=name, password=password)
    with audit.writing():
        links.claim(invitation)
        accounts.add(user, address=address)
        _take_place(invitation, user, Actor(user, address))
    return user


def _take_place(invitation: Invitation, user: User, by: Actor) -> None:
    """What the invitation promises; it takes nothing away that the account already has."""
    links.settle(invitation, user)
    rights: dict[str, Any] = {field: True for right, field in RIGHTS.items() if getattr(invitation, right)}
    if rights:
        User.objects.filter(pk=user.pk).update(**rights)
    audit.record("invitation accepted", by=by, on=invitation, **rights)
    if invitation.project:
        projects.add_member(invitation.project, user, Role(invitation.role), by=by)


def _person(by: Actor) -> User:
    if by.user is None:
        raise policies.Hidden
    return by.user
