"""Who may do what: `check_x` raises, `can_x` answers.

A stranger must not learn that a thing exists, so for a stranger it is not there; a member who may not do a thing is
refused openly.
"""

from riskapp.core.errors import Hidden as Hidden
from riskapp.core.errors import Refused as Refused
from riskapp.models import Membership, Project, Role, User

WORKERS = frozenset({Role.STEWARD, Role.OFFICER})
READERS = WORKERS | {Role.AUDITOR}
ABILITIES: dict[str, frozenset[Role]] = {
    "visit": frozenset(Role),
    "see_uploads": frozenset(READERS),
    "upload": WORKERS,
    "run": WORKERS,
    "see_values": WORKERS,
    "audit": frozenset({Role.OFFICER, Role.AUDITOR}),
}


def membership(user: User, project: Project) -> Membership | None:
    if not user.is_authenticated or not user.is_active:
        return None
    return Membership.objects.filter(project=project, user=user).first()


def check(ability: str, user: User, project: Project) -> Membership:
    """The person's place in the project, if it carries the ability."""
    place = membership(user, project)
    if place is None:
        raise Hidden
    if place.role not in ABILITIES[ability]:
        raise Refused(f"Your role in this project, {place.get_role_display().lower()}, does not allow this.")
    return place


def can(ability: str, user: User, project: Project) -> bool:
    place = membership(user, project)
    return place is not None and place.role in ABILITIES[ability]


def check_owns(user: User, project: Project) -> Membership:
    place = membership(user, project)
    if place is None:
        raise Hidden
    if not place.owner:
        raise Refused("Only an owner of this project may do this.")
    return place


def owns(user: User, project: Project) -> bool:
    place = membership(user, project)
    return place is not None and place.owner


def check_administers(user: User) -> None:
    """The administrator's pages do not exist for anybody else."""
    if not (user.is_authenticated and user.is_active and user.is_administrator):
        raise Hidden


def can_create_projects(user: User) -> bool:
    return user.is_active and (user.is_administrator or user.may_create_projects)


def check_create_projects(user: User) -> None:
    if not can_create_projects(user):
        raise Refused("Your account may not start projects. An administrator can change that.")
