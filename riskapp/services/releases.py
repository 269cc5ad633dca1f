"""Releases: built by a worker from an approved proposal, measured again, closed, shredded."""

from pathlib import Path
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from riskapp import bridge, policies, selectors, storage
from riskapp.engine.reporting import Report
from riskapp.models import (
    Actor,
    FrozenAssessment,
    Proposal,
    Release,
    ReleaseState,
    Run,
    RunState,
    User,
)
from riskapp.services import audit, freezing, notices, runs, untouched, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken, move


def begin(proposal: Proposal, *, by: Actor) -> Release:
    """The release of an approved proposal, queued to be built."""
    release = Release.objects.create(project=proposal.project, proposal=proposal, expires_on=proposal.expires_on)
    audit.record("release building", by=by, on=release, proposal=str(proposal.pk))
    _queue(release, by=by)
    return release


def build_again(release: Release, *, by: Actor) -> None:
    """Try once more what has failed; the decision stands, unless others were released since."""
    policies.check("propose", cast(User, by.user), release.project)
    with audit.writing():
        _check_failed(release)
        _check_still_decided(release)
        move(release, ReleaseState.BUILDING, by=by, fault=None)
        _queue(release, by=by)


def _check_failed(release: Release) -> None:
    release.refresh_from_db()
    if release.state != ReleaseState.FAILED:
        raise Overtaken(f"Only what has failed is built again: this release is {release.get_state_display()}.")


def _check_still_decided(release: Release) -> None:
    """Nothing leaves on a decision that knew less than what is released now."""
    if selectors.being_built(release.project).exists():
        raise Overtaken("Another release of this project is being built. Look at this one again when it is ready.")
    if missing := bridge.gone(release.proposal.run):
        raise Unfit(f"It cannot be built any more. {' '.join(missing)}")
    _check_alone(release)


def _queue(release: Release, *, by: Actor) -> None:
    frozen = FrozenAssessment.objects.get(pk=release.proposal.evidence["assessment"])
    parameters = {"release": str(release.pk), "uses": freezing.uses(frozen)}
    runs.start("build", by=by, project=release.project, parameters=parameters, key=release.pk.hex)


# The work


def _release(run: Run) -> Release:
    return Release.objects.select_related("proposal__run", "project").get(pk=run.parameters["release"])


def claimed(run: Run, by: Actor) -> None:
    """Nothing else changes when a worker takes the run."""


def compute(run: Run, report: Report) -> bridge.BuiltRelease:
    release = _release(run)
    _check_alone(release)
    return bridge.build_release(release, _warned(release.proposal), into=_place(run), report=report)


def _warned(proposal: Proposal) -> dict[str, Any]:
    """The warnings and figures that were decided on; they were not always kept with the decision."""
    if proposal.warned is not None:
        return cast(dict[str, Any], proposal.warned)
    found = warnings.of(proposal)
    if found.figures is None:
        raise Unfit("The warnings that were decided on are not there any more. Propose the rule again.")
    return found.figures


def _check_alone(release: Release) -> None:
    """Who approved has seen the warnings beside the releases of that time; with another one they may be others."""
    if selectors.released_since(release.proposal).exists():
        raise Unwarned(
            "Since the approval another release of the project has left, and nobody has seen what both say together."
        )


class Unwarned(bridge.NotAsApproved):
    """Others hold more than was known when it was approved."""

    advice = "Propose the rule again: its warnings are then computed beside all releases."


def _place(run: Run) -> Path:
    """The claim is part of the name, so that two workers never write into one file."""
    return storage.release_place(run.project_id, cast(Any, run.claim))


def succeeded(run: Run, result: bridge.BuiltRelease, by: Actor) -> None:
    release = _release(run)
    _check_alone(release)
    Run.objects.filter(pk=run.pk).update(timings=result.seconds)
    folder = storage.release_place(release.project_id, result.folder)
    storage.keep_footprint(folder / bridge.FOOTPRINT, release.project_id, release.pk)
    move(
        release,
        ReleaseState.READY,
        by=by,
        folder=result.folder,
        name=result.name,
        size=result.size,
        sha256=result.sha256,
        manifest_sha256=result.manifest_sha256,
        report_sha256=result.report_sha256,
        digest=result.digest,
        figures=result.figures,
        attacks=result.attacks,
        analyses=result.analyses,
        **selectors.for_register(release.proposal.evidence, result.figures, result.attacks),
        fault=None,
        ready_at=timezone.now(),
        details={"sha256": result.sha256, "manifest": result.manifest_sha256, "size": result.size},
    )
    notices.tell(run, RunState.SUCCEEDED)
    notices.tell_recipients(release, run)


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    move(_release(run), ReleaseState.FAILED, by=by, fault=fault, details={"code": fault["code"]})
    notices.tell(run, RunState.FAILED)


def let_go(run: Run, by: Actor) -> None:
    """A cancelled building has failed until somebody starts it again; one that waits for another worker goes on."""
    if run.state == RunState.CANCELLED:
        told = runs.fault("cancelled", "The building was cancelled.", "Build it again when you are ready.")
        move(_release(run), ReleaseState.FAILED, by=by, fault=told, details={"code": "cancelled"})


# The end of a release


def revoke(release: Release, reason: str, *, by: Actor) -> None:
    """Nobody can download it any more."""
    policies.check("decide", cast(User, by.user), release.project)
    if not reason.strip():
        raise Unfit("Say why it is revoked. Recipients see the reason.")
    untouched.revoke(release, reason, by=by)


def expire(release: Release, *, by: Actor) -> None:
    move(release, ReleaseState.EXPIRED, by=by, ended_at=timezone.now(), why_ended="Its time is over.")


def purge(release: Release, *, by: Actor) -> None:
    """Shred the file. The decision, the manifest's hash and the figures stay."""
    policies.check_owns(cast(User, by.user), release.project)
    shred(release, by=by)


def shred(release: Release, *, by: Actor) -> None:
    folder = release.folder
    with audit.writing():
        move(release, ReleaseState.PURGED, by=by, folder=None, details={"sha256": release.sha256})
        if folder:
            transaction.on_commit(lambda: storage.shred(storage.release_place(release.project_id, folder)))
