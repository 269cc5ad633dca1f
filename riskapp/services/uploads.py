"""Uploads: taking files in, showing what is in them, shredding them."""

from pathlib import PurePath
from typing import cast
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from riskapp import bridge, policies, storage
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Finding, Outcome, Project, Release, Run, RunState, Upload, UploadState, User
from riskapp.services import audit, reading, runs
from riskapp.services.states import Overtaken, move


class Unwelcome(RiskappError):
    """A file we do not take, said before its bytes are sent or kept."""

    def __init__(self, message: str, advice: str, status: int) -> None:
        super().__init__(message)
        self.advice = advice
        self.status = status


def check_welcome(project: Project, size: int | None, *, by: Actor) -> None:
    """Whether a request with so many bytes may be sent at all, judged before the first of them is read."""
    user = cast(User, by.user)
    policies.check("upload", user, project)
    if size is None:
        raise Unwelcome("The length of the file was not announced.", "Use a current browser.", 411)
    check_size(size)
    _check_quota(user, size)
    check_room(size)


def _check_quota(user: User, size: int) -> None:
    kept = Upload.objects.filter(uploaded_by=user).exclude(state=UploadState.PURGED)
    used = kept.aggregate(sum=Sum("size"))["sum"] or 0
    if used + size > settings.QUOTA_BYTES or kept.count() >= settings.QUOTA_FILES:
        message = "Your uploads would be more than one person may keep here."
        raise Unwelcome(message, "Shred uploads you no longer need.", 413)


def check_room(size: int = 0) -> None:
    """Whether so many bytes more leave the server the room it needs for itself."""
    if storage.free_bytes() < size + settings.FREE_BYTES:
        raise disk_full()


def check_size(size: int) -> None:
    if size > settings.MAX_UPLOAD_BYTES:
        limit = f"{settings.MAX_UPLOAD_BYTES / 1e9:g} GB"
        raise Unwelcome(
            f"The file is larger than {limit}, the limit of this server.",
            "Compress it, or leave out columns you do not need.",
            413,
        )


def disk_full() -> Unwelcome:
    return Unwelcome(
        "The server has no room for this file. Nothing of it was kept.",
        "Shred uploads you no longer need, or ask whoever runs this server.",
        507,
    )


def check_name(name: str) -> str:
    """The file's own name without any path, if its ending is one we read."""
    clean = "".join(sign for sign in PurePath(name.replace("\\", "/")).name if sign.isprintable()).strip()[-255:]
    bare = clean.lower()
    for packed in bridge.PACKED:
        bare = bare.removesuffix(packed)
    if not clean or not (bare.endswith(bridge.ENDINGS) or clean.lower().endswith(".zip")):
        raise Unwelcome(
            "Files with this ending are not read here.",
            "Save it as CSV, TSV, Excel or Parquet; .gz and .zip of one of them are fine.",
            415,
        )
    return clean


def add(project: Project, name: str, file: storage.Incoming, *, by: Actor) -> Upload:
    """Keep an arrived file and queue its reading: file, row, run and audit appear together or not at all."""
    user = cast(User, by.user)
    policies.check("upload", user, project)
    name = check_name(name)
    if file.size == 0:
        raise Unwelcome("The file is empty.", "Choose another file.", 422)
    file.sync()
    with audit.writing():
        _check_quota(user, file.size)
        file.keep(storage.place(project.pk, file.sha256))
        upload = Upload.objects.create(project=project, name=name, size=file.size, sha256=file.sha256, uploaded_by=user)
        audit.record("upload received", by=by, on=upload, sha256=file.sha256, size=file.size, name=name)
        reading.ask(upload, by=by)
    return upload


def look_at_values(upload: Upload, column: int, *, by: Actor) -> list[tuple[str | None, int]]:
    """The most frequent values of a column. The look is audited before anything is shown."""
    policies.check("see_values", cast(User, by.user), upload.project)
    upload.refresh_from_db()
    if upload.state != UploadState.READY or not 0 <= column < (upload.columns or 0):
        raise Overtaken("This upload has changed in the meantime. Look at it again.")
    with audit.writing():
        audit.record("values seen", by=by, on=upload, column=upload.profile["columns"][column]["name"])
    return bridge.seen_values(upload, column)


# Shredding


def purge(upload: Upload, *, by: Actor) -> None:
    """Shred an upload: its bytes, its coded table and its profile. The record and its hash stay in the audit trail."""
    policies.check_owns(cast(User, by.user), upload.project)
    shred(upload, by=by)


def shred(upload: Upload, *, by: Actor) -> None:
    """Shred an upload, whoever decided it: its owner, or the calendar."""
    with audit.writing():
        unfinished = _unfinished(upload)
        half_written = [run.claim for run in unfinished]
        for run in unfinished:
            runs.stop(run, by=by)
        upload.runs.update(parameters={})
        Finding.objects.filter(project_id=upload.project_id, kind="examples").delete()
        upload.refresh_from_db()
        tables = [table for table in (upload.table, *half_written) if table]
        move(
            upload,
            UploadState.PURGED,
            by=by,
            purged_at=timezone.now(),
            table=None,
            profile=None,
            reading=None,
            wishes={},
            fault=None,
            details={"sha256": upload.sha256, "size": upload.size},
        )
        transaction.on_commit(lambda: _shred(upload, tables))


def _unfinished(upload: Upload) -> list[Run]:
    """The runs under way that read the upload, or that use it."""
    under_way = Run.objects.filter(project_id=upload.project_id, state__in=[RunState.QUEUED, RunState.RUNNING])
    return [run for run in under_way if run.upload_id == upload.pk or str(upload.pk) in run.parameters.get("uses", [])]


def _shred(upload: Upload, tables: list[UUID]) -> None:
    shred_unreferenced(upload.project_id, upload.sha256)
    for table in tables:
        storage.shred(storage.table_place(upload.project_id, table))


def shred_unreferenced(project: UUID, sha256: str) -> None:
    """Shred bytes that no upload refers to.

    They are set aside under the lock that `add` takes too, so that an upload of the same bytes cannot slip in between;
    the slow overwriting comes after it.
    """
    with audit.writing():
        held = Upload.objects.filter(project_id=project, sha256=sha256).exclude(state=UploadState.PURGED)
        aside = None if held.exists() else storage.set_aside(storage.place(project, sha256))
    if aside:
        storage.shred(aside)


def sweep() -> None:
    """Remove what a crash left behind: arriving files without a writer, bytes and tables nobody refers to."""
    storage.remove_abandoned()
    for project, sha256 in list(storage.stored_files()):
        if not Upload.objects.filter(project_id=project, sha256=sha256).exclude(state=UploadState.PURGED).exists():
            shred_unreferenced(project, sha256)
    for table, folder in list(storage.stored_tables()):
        if not _in_use(table):
            storage.shred(folder)
    for outcome, folder in list(storage.stored_outcomes()):
        if not (Run.objects.filter(claim=outcome).exists() or Outcome.objects.filter(folder=outcome).exists()):
            storage.shred(folder)
    for built, folder in list(storage.stored_releases()):
        if not (Run.objects.filter(claim=built).exists() or Release.objects.filter(folder=built).exists()):
            storage.shred(folder)
    for run, folder in list(storage.stored_keepings()):
        if not Run.objects.filter(pk=run, state__in=[RunState.QUEUED, RunState.RUNNING]).exists():
            storage.shred(folder)
    for claim, folder in list(storage.stored_scratches()):
        if not Run.objects.filter(claim=claim).exists():
            storage.shred(folder)


def _in_use(table: UUID) -> bool:
    """A table is being written by the worker whose claim it is named after, or is the one of an upload.

    It goes from the first to the second at once, so it is looked for in this order, or it could be missed in both.
    """
    return Run.objects.filter(claim=table).exists() or Upload.objects.filter(table=table).exists()
