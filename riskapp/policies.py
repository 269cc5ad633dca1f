"""Who may do what: `check_x` raises, `can_x` answers.

A stranger must not learn that a thing exists, so for a stranger it is not there; a member who may not do a thing is
refused openly.
"""

from riskapp.core.errors import Hidden as Hidden
from riskapp.core.errors import Refused as Refused
from riskapp.models import Membership, Project, Role, ShelvedHierarchy, User

WORKERS = frozenset({Role.STEWARD, Role.OFFICER})
READERS = WORKERS | {Role.AUDITOR}
ABILITIES: dict[str, frozenset[Role]] = {
    "visit": frozenset(Role),
    "see_uploads": frozenset(READERS),
    "upload": WORKERS,
    "describe": WORKERS,
    "run": WORKERS,
    "see_runs": frozenset(READERS),
    "see_values": WORKERS,
    "propose": WORKERS,
    "see_proposals": frozenset(READERS),
    "decide": frozenset({Role.OFFICER}),
    "download": WORKERS | {Role.RECIPIENT},
    "audit": frozenset({Role.OFFICER, Role.AUDITOR}),
}


def membership(user: User, project: Project) -> Membership | None:
    if not user.is_authenticated:
        return None
    # Asked of the database: whoever asks may have been deactivated since their request came in.
    return Membership.objects.filter(project=project, user=user, user__is_active=True).first()


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


# The organisation's shelf of hierarchies: it can list values, so whoever works with data reads it, and nobody else.


def reads_shelf(user: User) -> bool:
    signed_in = user.is_authenticated and user.is_active
    return signed_in and Membership.objects.filter(user=user, role__in=WORKERS).exists()


def check_uses_shelf(user: User) -> None:
    if not reads_shelf(user):
        raise Hidden


ADMINISTRATOR = "administrator"


def roles_of(user: User) -> frozenset[str]:
    """The roles that somebody has in any project, and whether they administer the site."""
    if not (user.is_authenticated and user.is_active):
        return frozenset()
    own = Membership.objects.filter(user=user).values_list("role", flat=True).distinct()
    return frozenset(own) | ({ADMINISTRATOR} if user.is_administrator else set())


def sees_shelf(user: User) -> bool:
    """Administrators see what is on the shelf, by its name, so that they can take things off it."""
    return (user.is_authenticated and user.is_active and user.is_administrator) or reads_shelf(user)


def check_sees_shelf(user: User) -> None:
    if not sees_shelf(user):
        raise Hidden


def keeps_shelved(user: User, row: ShelvedHierarchy) -> bool:
    return user.is_administrator or row.made_by_id == user.pk


def check_keeps_shelved(user: User, row: ShelvedHierarchy) -> None:
    check_sees_shelf(user)
    if not keeps_shelved(user, row):
        raise Refused("Only whoever put it on the shelf, or an administrator, may change or remove it.")
