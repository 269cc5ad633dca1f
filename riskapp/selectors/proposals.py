"""Proposals and releases: what somebody may see of them."""

from uuid import UUID

from django.db.models import Count, QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import (
    Membership,
    Project,
    Proposal,
    ProposalState,
    Release,
    ReleaseState,
    Remark,
    Role,
    Run,
    User,
    Vote,
    today,
)


def proposals_of(project: Project) -> QuerySet[Proposal]:
    """The proposals of a project, newest first."""
    rows = project.proposals.select_related("proposed_by", "run__started_by", "release")
    return rows.defer("evidence").order_by("-proposed_at")


def open_proposals_for(user: User) -> QuerySet[Proposal]:
    """The undecided proposals of the projects in which somebody works, oldest first."""
    places = Membership.objects.filter(user=user, role__in=[Role.STEWARD, Role.OFFICER])
    waiting = [ProposalState.PENDING, ProposalState.HALF_DECIDED]
    rows = Proposal.objects.filter(state__in=waiting, project__in=places.values("project"))
    return rows.select_related("project", "proposed_by", "run__started_by").order_by("proposed_at")


def proposal(project: Project, proposal_id: UUID) -> Proposal:
    rows = project.proposals.select_related(
        "project", "proposed_by", "run__started_by", "run__outcome", "release", "replaces"
    )
    found = rows.filter(pk=proposal_id).first()
    if found is None:
        raise Hidden
    return found


def proposal_again(project: Project, proposal_id: str) -> Proposal | None:
    """A rejected or withdrawn proposal that is to be proposed again; None where none is named."""
    try:
        found = proposal(project, UUID(proposal_id)) if proposal_id else None
    except ValueError as trouble:
        raise Hidden from trouble
    if found is not None and not found.can_be_proposed_again:
        raise Hidden
    return found


def answers_before(proposal: Proposal) -> dict[str, str]:
    """The last answer to each warning in what a proposal was put in place of, and in what that replaced."""
    found: dict[str, str] = {}
    earlier = proposal.replaces
    while earlier is not None:
        given = {one.warning: one.text for one in earlier.remarks.filter(kind=Remark.Kind.ANSWER)}
        found, earlier = {**given, **found}, earlier.replaces
    return found


def withdrawal(proposal: Proposal) -> Remark | None:
    """What was said when a proposal was withdrawn, and by whom."""
    if proposal.state != ProposalState.WITHDRAWN:
        return None
    said = proposal.remarks.filter(kind=Remark.Kind.COMMENT, text__startswith="Withdrawn: ")
    return said.filter(at__gte=proposal.decided_at).select_related("by").first()


def votes_shown(proposal: Proposal, user: User) -> list[Vote]:
    """The votes that somebody may see: all of a decided proposal, of any other their own.

    What was withdrawn can be proposed again to the same officers, who still decide without seeing each other's vote;
    auditors, who decide nothing, see all that were cast.
    """
    votes = proposal.votes.select_related("officer")
    withdrawn = proposal.state == ProposalState.WITHDRAWN and not _audits(user, proposal.project)
    return list(votes.filter(officer=user) if proposal.is_open or withdrawn else votes)


def _audits(user: User, project: Project) -> bool:
    return Membership.objects.filter(project=project, user=user, role=Role.AUDITOR).exists()


def releases_of(project: Project) -> QuerySet[Release]:
    """The releases of a project, newest first, with how often each was downloaded."""
    rows = project.releases.select_related("proposal__proposed_by").defer("proposal__evidence", "figures", "attacks")
    return rows.annotate(fetched=Count("downloads")).order_by("-made_at")


def releases_for(user: User, project: Project) -> QuerySet[Release]:
    """What a recipient sees: approved releases that are meant for them and not over."""
    open_ones = releases_of(project).filter(state=ReleaseState.READY, expires_on__gte=today())
    return open_ones.filter(proposal__recipients=user)


def held_releases(project: Project) -> QuerySet[Release]:
    """The releases of a project whose file somebody may hold, oldest first."""
    return project.releases.exclude(ready_at=None).order_by("ready_at")


def released_since(proposal: Proposal) -> QuerySet[Release]:
    """What the officers who decided on a proposal cannot have known of; nothing while nobody has decided."""
    if proposal.decided_at is None:
        return Release.objects.none()
    return held_releases(proposal.project).filter(ready_at__gte=proposal.decided_at)


def being_built(project: Project) -> QuerySet[Release]:
    return project.releases.filter(state=ReleaseState.BUILDING)


def release(project: Project, release_id: UUID) -> Release:
    rows = project.releases.select_related("project", "proposal__run__started_by", "proposal__proposed_by")
    found = rows.filter(pk=release_id).first()
    if found is None:
        raise Hidden
    return found


def advice(proposal: Proposal, remark_id: int) -> Remark:
    found = proposal.remarks.filter(pk=remark_id, kind=Remark.Kind.ADVICE).select_related("proposal__project").first()
    if found is None:
        raise Hidden
    return found


def building(release: Release) -> Run | None:
    """The last run that built the release, or tries to."""
    return release.project.runs.filter(kind="build", key=release.pk.hex).order_by("-created_at").first()
