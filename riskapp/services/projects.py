"""Projects and their members."""

import hashlib
from collections.abc import Iterable
from typing import Any, cast

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Membership, Project, Role, Setup, User
from riskapp.services import audit


class LastOwner(RiskappError):
    """A project must not be left without an owner."""


def create(*, by: Actor, name: str, purpose: str, role: Role) -> Project:
    """A new project; who makes it becomes its owner in the role they choose."""
    user = _person(by)
    policies.check_create_projects(user)
    with audit.writing():
        project = Project.objects.create(name=name, purpose=purpose, created_by=user)
        Setup.objects.create(project=project)
        Membership.objects.create(project=project, user=user, role=role, owner=True)
        audit.record("project created", by=by, on=project, role=role)
    return project


def describe(project: Project, *, by: Actor, name: str, purpose: str) -> None:
    policies.check_owns(_person(by), project)
    with audit.writing():
        Project.objects.filter(pk=project.pk).update(name=name, purpose=purpose)
        audit.record("project described", by=by, on=project)


def change_member(place: Membership, *, by: Actor, role: Role, owner: bool) -> None:
    policies.check_owns(_person(by), place.project)
    with audit.writing():
        if not owner:
            _keep_an_owner(place)
        Membership.objects.filter(pk=place.pk).update(role=role, owner=owner)
        audit.record("member changed", by=by, on=place.user, project=place.project, role=role, owner=owner)


def remove_member(place: Membership, *, by: Actor) -> None:
    with audit.writing():
        check_removable(place, by=by)
        place.delete()
        audit.record("member removed", by=by, on=place.user, project=place.project, role=place.role)


def check_removable(place: Membership, *, by: Actor) -> None:
    """An owner removes anybody; everybody may leave, but for the last owner."""
    user = _person(by)
    if place.user_id != user.pk:
        policies.check_owns(user, place.project)
    _keep_an_owner(place)


def add_member(project: Project, user: User, role: Role, *, by: Actor) -> None:
    """A place in the project, by an accepted invitation. Who has one already keeps it."""
    with audit.writing():
        _, new = Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
        if new:
            audit.record("member added", by=by, on=user, project=project, role=role)


def _keep_an_owner(place: Membership) -> None:
    """Owners whose account is deactivated do not count: nobody could act for the project."""
    owners = Membership.objects.filter(project=place.project, owner=True)
    others = owners.filter(user__is_active=True).exclude(pk=place.pk)
    if owners.filter(pk=place.pk).exists() and not others.exists():
        raise LastOwner("A project needs an owner. Make somebody else an owner first.")


def _person(by: Actor) -> User:
    if by.user is None:
        raise policies.Hidden
    return by.user


def set_decisions(
    project: Project,
    approvers: Iterable[User],
    *,
    by: Actor,
    votes_needed: int,
    terms: str,
    keep_uploads_days: int | None,
    keep_releases_days: int | None,
) -> None:
    """Who decides in a project, under which terms files leave it, and how long they are kept."""
    policies.check_owns(cast(User, by.user), project)
    named = list(approvers)
    said = {"votes_needed": votes_needed, "terms": terms}
    said |= {"keep_uploads_days": keep_uploads_days, "keep_releases_days": keep_releases_days}
    with audit.writing():
        Project.objects.filter(pk=project.pk).update(**said)
        project.approvers.set(named)
        kept = {"uploads_kept": keep_uploads_days, "releases_kept": keep_releases_days}
        wording = hashlib.sha256(terms.encode()).hexdigest() if terms else ""
        told: dict[str, Any] = {"votes": votes_needed, "approvers": len(named), **kept, "terms": wording}
        audit.record("decisions settled", by=by, on=project, **told)
    project.refresh_from_db()
