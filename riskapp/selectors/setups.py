"""Set-ups and their runs: where a project is on its way from data to a release."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import (
    Attacker,
    Attribute,
    ColumnRole,
    FrozenAssessment,
    Outcome,
    Project,
    Proposal,
    ProposalState,
    Run,
    Setup,
    Upload,
    UploadState,
)


def setup_of(project: Project) -> Setup:
    """The set-up of a project; the profiles of its files are large, and read when somebody asks for them."""
    found = Setup.objects.select_related("project", "dataset", "leave_out")
    return found.defer("dataset__profile", "leave_out__profile").get(pk=project.pk)


def identifier_of(setup: Setup) -> Attribute | None:
    """The column that tells people apart, if one does."""
    return setup.attributes.filter(role=ColumnRole.IDENTIFIER).first()


def identifier_passed_over(setup: Setup) -> Attribute | None:
    """The column that seems to tell people apart who have several rows, where no column is said to do so."""
    if setup.dataset is None or identifier_of(setup) is not None:
        return None
    suggested = setup.attributes.only("setup", "column", "suggestion")
    likely = [one for one in suggested if one.suggestion.get("role") == ColumnRole.IDENTIFIER]
    return next((one for one in likely if one.people < (setup.dataset.rows or 0)), None)


def attribute(project: Project, attribute_id: int) -> Attribute:
    found = Attribute.objects.filter(pk=attribute_id, setup_id=project.pk).select_related("setup__project").first()
    if found is None:
        raise Hidden
    return found


def next_with_hierarchy(one: Attribute) -> Attribute | None:
    """The column after this one that is released with a hierarchy too."""
    return one.setup.attributes.filter(role=ColumnRole.GENERALISED, position__gt=one.position).first()


def attacker(project: Project, attacker_id: int) -> Attacker:
    attackers = Attacker.objects.select_related("setup__project", "upload")
    found = attackers.filter(pk=attacker_id, setup_id=project.pk).first()
    if found is None:
        raise Hidden
    return found


def ready_uploads(project: Project) -> QuerySet[Upload]:
    """The uploads that were read, newest first, without their profiles."""
    return project.uploads.filter(state=UploadState.READY).defer("profile", "reading", "wishes")


def frozen_for(run: Run) -> dict[str, Any] | None:
    """The assessment that a run works on, or that its question is about."""
    parameters = run.parameters.get("question", run.parameters)
    kept = FrozenAssessment.objects.filter(pk=parameters.get("assessment", "")).first()
    return dict(kept.document["assessment"]) if kept else None


def assess_runs_of(project: Project) -> QuerySet[Run]:
    """The assessments of a project, newest first."""
    runs = project.runs.filter(kind="assess").select_related("started_by", "outcome")
    return runs.defer("outcome__summary").order_by("-created_at")


def assess_run(project: Project, run_id: UUID) -> Run:
    runs = project.runs.filter(kind="assess", pk=run_id).select_related("started_by", "project", "outcome")
    found = runs.first()
    if found is None:
        raise Hidden
    return found


def last_outcome(project: Project) -> Outcome | None:
    """The newest result of a project's assessments."""
    return Outcome.objects.filter(project=project).defer("summary").order_by("-run__created_at").first()


@dataclass(frozen=True)
class Step:
    """A step of the way: whether it is done, and the name and argument of its page; none while it cannot be taken."""

    key: str
    name: str
    done: bool
    url: str = ""
    run: UUID | None = None


def steps(project: Project) -> list[Step]:
    """The way from data to a release, as far as this project has come."""
    setup = Setup.objects.filter(pk=project.pk).only("dataset_id", "release_class", "harm_seen").first()
    ready = project.uploads.filter(state=UploadState.READY).exists()
    described = setup is not None and setup.dataset_id is not None
    confirmed = described and not Attribute.objects.filter(setup_id=project.pk, confirmed=False).exists()
    attacked = confirmed and Attacker.objects.filter(setup_id=project.pk).exists()
    outcome = last_outcome(project)
    approved = Proposal.objects.filter(project=project, state=ProposalState.APPROVED)
    ready_at = list(approved.values_list("release__ready_at", flat=True)) if outcome else []
    decided, released = bool(ready_at), any(ready_at)
    return [
        Step("data", "Data", ready, "project"),
        Step("attributes", "Attributes", confirmed, "attributes" if ready else ""),
        Step("adversary", "Adversary", attacked, "attackers" if described else ""),
        Step("harm", "Harm", bool(setup and setup.harm_seen), "harm" if described else ""),
        Step("run", "Run", outcome is not None, "runs" if described else ""),
        Step(
            "frontier",
            "Frontier",
            outcome is not None,
            "frontier" if outcome else "",
            outcome.run_id if outcome else None,
        ),
        Step("approval", "Approval", decided, "proposals" if outcome else ""),
        Step("release", "Release", released, "releases" if decided else ""),
    ]
