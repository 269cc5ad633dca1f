"""A project to try things on: an invented insurer's members, and a register that an attacker could hold.

Its files are read like any other upload. What follows (the set-up, its check, a run) is asked for step by step, each
when the one before it is done; where it stands is seen from the database alone, so whoever asks may ask twice.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from riskapp import selectors, storage
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Project, Role, Run, RunState, Upload, UploadState, User
from riskapp.services import assessing, audit, projects, rehearsing, runs, uploads

log = logging.getLogger(__name__)
FOLDER = Path(settings.BASE_DIR) / "riskapp" / "samples"
DATASET, REGISTER = "members.csv", "register.csv"
PREPARE = "prepare-sample"
RUN_NAME = "The sample's first run"
PURPOSE = (
    "A university wants the members' records for a study of chronic illness. "
    "Everybody in these files is invented; try whatever you like."
)
# A sample that has come no further after so long has been taken over by somebody, or never will.
GIVEN_UP_AFTER = timedelta(days=1)


def load(*, by: Actor) -> Project:
    """The sample project of whoever asks, made if there is none; the workers read, set up and assess it."""
    with audit.writing():
        if (known := of(cast(User, by.user))) is not None:
            return known
        project = projects.create(by=by, name="Sample: members for a study", purpose=PURPOSE, role=Role.OFFICER)
        Project.objects.filter(pk=project.pk).update(sample=True)
    project.sample = True
    for name in (DATASET, REGISTER):
        with storage.Incoming() as file:
            file.write((FOLDER / name).read_bytes())
            uploads.add(project, name, file, by=by)
    return project


def of(user: User) -> Project | None:
    """The sample that somebody has loaded and has a place in, unless it came to nothing."""
    loaded = (
        Project.objects.filter(sample=True, created_by=user, memberships__user=user).order_by("-created_at").first()
    )
    found = stage(loaded) if loaded else None
    return None if found is not None and found.trouble else loaded


# Step by step


def go_on_everywhere() -> None:
    """Take up every sample whose next step nobody has asked for."""
    fresh = Project.objects.filter(sample=True, created_at__gt=timezone.now() - GIVEN_UP_AFTER)
    for project in fresh.exclude(runs__kind="assess"):
        go_on(project)


def go_on_after(run_id: UUID | str) -> None:
    """A run has ended: if it was a sample's, its next step may begin."""
    project = Project.objects.filter(sample=True, runs__pk=run_id).first()
    if project is not None:
        go_on(project)


def go_on(project: Project) -> None:
    """Ask for the next step, in the name of whoever loaded the sample; not where they have gone on by themselves."""
    by = Actor(project.created_by)
    try:
        with audit.writing():
            if project.runs.filter(kind="assess").exists():
                return
            prepared = _last(project, PREPARE)
            if prepared is None:
                _prepare(project, by)
            elif prepared.state == RunState.SUCCEEDED:
                _assess(project, by)
    except RiskappError as trouble:
        log.info("the sample %s does not go on: %s", project.pk, type(trouble).__name__)


def _prepare(project: Project, by: Actor) -> None:
    found = [_ready(project, name) for name in (DATASET, REGISTER)]
    if all(found) and selectors.setup_of(project).version == 0:
        uses = [str(upload.pk) for upload in found if upload]
        runs.start(PREPARE, by=by, project=project, parameters={"uses": uses}, key=PREPARE)


def _assess(project: Project, by: Actor) -> None:
    setup = selectors.setup_of(project)
    if rehearsing.of(setup).figures is not None:
        assessing.start(setup, by=by, name=RUN_NAME)


def _ready(project: Project, name: str) -> Upload | None:
    return project.uploads.filter(name=name, state=UploadState.READY).order_by("uploaded_at").first()


def _last(project: Project, kind: str) -> Run | None:
    return project.runs.filter(kind=kind).order_by("-created_at").first()


# Where it stands


@dataclass(frozen=True)
class Stage:
    """Where a sample stands: what is being done, or the run that is done, or why it does not go on."""

    words: str
    done: int = 0
    run: UUID | None = None
    trouble: str = ""

    @property
    def busy(self) -> bool:
        return not self.trouble and self.run is None


STEPS = 4


def stage(project: Project) -> Stage | None:
    """Where the sample stands; None where it is no sample, or somebody has gone on by themselves."""
    if not project.sample:
        return None
    if assessed := project.runs.filter(kind="assess", parameters__name=RUN_NAME).order_by("created_at").first():
        return _assessing(assessed)
    prepared = _last(project, PREPARE)
    if prepared is None:
        return _reading(project)
    if prepared.state != RunState.SUCCEEDED:
        return _of_run(prepared, "Setting it up", 1)
    return _checking(project)


def _reading(project: Project) -> Stage | None:
    if selectors.setup_of(project).version > 0:
        return None
    rejected = project.uploads.filter(state__in=[UploadState.REJECTED, UploadState.PURGED]).exists()
    trouble = "One of its files could not be read, or was shredded." if rejected else ""
    return Stage("Reading its two files", 0, trouble=trouble)


def _checking(project: Project) -> Stage | None:
    known = rehearsing.of(selectors.setup_of(project))
    if known.run is None:
        return None
    return _of_run(known.run, "Checking the set-up", 2)


def _assessing(run: Run) -> Stage:
    if run.state == RunState.SUCCEEDED:
        return Stage("The sample is ready", STEPS, run=run.pk)
    return _of_run(run, "Measuring its rules", 3)


def _of_run(run: Run, words: str, done: int) -> Stage:
    if run.state == RunState.CANCELLED:
        return Stage(words, done, trouble="It was cancelled.")
    if run.state == RunState.FAILED:
        return Stage(words, done, trouble=str((run.fault or {}).get("message", "It failed.")))
    return Stage(words, done)
