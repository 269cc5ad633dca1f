"""Carrying assessments out of a project and into one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from tempfile import TemporaryFile
from typing import IO, Any, cast
from uuid import UUID

from django.utils import timezone

from riskapp import policies, storage
from riskapp.bridge import packing, taking_over
from riskapp.bridge.bundles import Bundle, Unfit
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Run, Setup, Upload, UploadState, User, WaitingImport
from riskapp.services import assessing, audit, replacing
from riskapp.services.states import Overtaken

WAITS = timedelta(hours=1)


class Expired(RiskappError):
    """An import that does not wait any more."""


def export(run: Run, *, by: Actor, data: bool = False) -> IO[bytes]:
    """The assessment of a run as a zip; with the tables themselves only for those who may see values."""
    policies.check("see_values" if data else "see_runs", cast(User, by.user), run.project)
    document = assessing.frozen(run).document
    with audit.writing():
        audit.record(
            "assessment exported", by=by, on=run, project=run.project_id, sha256=run.parameters["assessment"], data=data
        )
    storage.root().mkdir(parents=True, exist_ok=True)
    file = TemporaryFile(dir=storage.root())  # noqa: SIM115  (the response closes it)
    try:
        packing.pack(document, run.project_id, cast(Any, file), data=data)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


# In


def keep(bundle: Bundle, setup: Setup, *, by: Actor) -> WaitingImport:
    """What came in, until somebody confirms that it shall replace the set-up, or nobody does for an hour."""
    policies.check("describe", cast(User, by.user), setup.project)
    held = {"assessment": bundle.assessment, "files": dict(bundle.files), "hashes": dict(bundle.hashes)}
    return WaitingImport.objects.create(project=setup.project, document=held)


def kept(setup: Setup, import_id: str) -> Bundle:
    """What came in for the project and waits."""
    waiting = WaitingImport.objects.filter(project=setup.project, came_at__gt=timezone.now() - WAITS)
    try:
        held = waiting.get(pk=UUID(import_id)).document
    except (WaitingImport.DoesNotExist, ValueError):
        raise Expired("The import has waited too long. Choose the file once more.") from None
    return Bundle(held["assessment"], held["files"], held["hashes"])


def sweep() -> None:
    """Forget imports that nobody confirmed in time."""
    WaitingImport.objects.filter(came_at__lte=timezone.now() - WAITS).delete()


def suggested(bundle: Bundle, uploads: Mapping[str, Upload]) -> dict[str, Upload | None]:
    """For each table that it names the upload with the same bytes, else the one with the same name."""
    by_hash = {upload.sha256: upload for upload in uploads.values()}
    by_name = {upload.name: upload for upload in uploads.values()}
    return {
        name: by_hash.get(bundle.hashes.get(name, "")) or by_name.get(name) or by_name.get(name.rpartition("/")[2])
        for name in bundle.tables()
    }


def take_over(
    setup: Setup, seen: int, bundle: Bundle, chosen: Mapping[str, Upload], *, by: Actor, reason: str = ""
) -> None:
    """Put an assessment in place of the set-up: all of it, or nothing. It can be undone.

    `reason` is why columns are released that look like identifiers; without one that is refused.
    """
    _check(setup, chosen.values())
    found = taking_over.rows(bundle, chosen)
    replacing.replace(setup, found, seen, by=by, action="assessment imported", reason=reason)
    WaitingImport.objects.filter(project=setup.project).delete()


def _check(setup: Setup, uploads: Any) -> None:
    for upload in uploads:
        if upload.project_id != setup.project_id or upload.state != UploadState.READY:
            raise Overtaken("One of the chosen uploads is not read, or was shredded. Choose again.")


# Back to a run


def as_in(run: Run) -> taking_over.Rows:
    """The set-up that a run was made from, with the plan as it was put.

    Raises
    ------
    Unfit
        If a file that it worked on is not there any more.
    """
    document = assessing.frozen(run).document
    bundle = Bundle(document["assessment"], document["files"])
    found = taking_over.rows(bundle, _worked_on(run, document))
    columns = {column: _ticked(told) for column, told in found.columns.items()}
    return replace(found, columns=columns, setup={**found.setup, **assessing.plan(run)})


def _worked_on(run: Run, document: Mapping[str, Any]) -> dict[str, Upload]:
    named = {name: about for part in ("tables", "lists") for name, about in document[part].items()}
    uploads = {str(one.pk): one for one in run.project.uploads.filter(state=UploadState.READY)}
    lost = [about["name"] for about in named.values() if about["upload"] not in uploads]
    if lost:
        raise Unfit(
            f"The run worked on {', '.join(lost)}: not there any more. Export the run's assessment file, upload what "
            "is missing once more, and import the file."
        )
    return {name: uploads[about["upload"]] for name, about in named.items()}


def _ticked(told: dict[str, Any]) -> dict[str, Any]:
    """Who could know a column stays where the run's attackers do not need it: no assessment says so."""
    return {name: value for name, value in told.items() if name != "knowable" or value}


def set_up_as_in(run: Run, setup: Setup, seen: int, *, by: Actor, reason: str = "") -> None:
    """Put the set-up that a run was made from in place of the one there is: all of it, or nothing. It can be undone."""
    about = {"run": str(run.pk), "sha256": run.parameters["assessment"]}
    replacing.replace(setup, as_in(run), seen, by=by, action="set up as in a run", reason=reason, **about)
