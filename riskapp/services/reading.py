"""Reading an upload: the run that turns a file into a coded table and a profile."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.db import transaction

from riskapp import bridge, policies, storage
from riskapp.core.errors import RiskappError
from riskapp.engine.reporting import Report
from riskapp.models import Actor, Run, Setup, Upload, UploadState, User
from riskapp.services import audit, runs, setups
from riskapp.services.states import Overtaken, move


def ask(upload: Upload, *, by: Actor) -> Run:
    """Queue the reading of an upload with the wishes it carries now."""
    return runs.start("read", by=by, project=upload.project, upload=upload, parameters=upload.wishes)


def again(upload: Upload, wishes: dict[str, Any], *, by: Actor) -> Run:
    """Read an upload again, with other wishes or after a failure."""
    policies.check("run", cast(User, by.user), upload.project)
    bridge.check_wishes(wishes)
    with audit.writing():
        upload.refresh_from_db()
        if upload.state == UploadState.PURGED:
            raise Overtaken("This upload is shredded; there is nothing left to read.")
        if upload.state in {UploadState.READY, UploadState.REJECTED}:
            move(upload, UploadState.READING, by=by, wishes=wishes, fault=None, details={"wishes": sorted(wishes)})
        else:
            Upload.objects.filter(pk=upload.pk).update(wishes=wishes)
            upload.wishes = wishes
        return ask(upload, by=by)


# The work


def _upload(run: Run) -> Upload:
    return Upload.objects.select_related("project").get(runs=run)


def claimed(run: Run, by: Actor) -> None:
    upload = _upload(run)
    if upload.state == UploadState.RECEIVED:
        move(upload, UploadState.READING, by=by)


@dataclass(frozen=True)
class Read:
    """What a reading found, and what is suggested anew for the columns where the upload is a dataset."""

    found: bridge.ReadUpload
    suggested: list[dict[str, Any]]


def compute(run: Run, report: Report) -> Read:
    upload = _upload(run)
    source = storage.place(upload.project_id, upload.sha256)
    into = _place(run)
    into.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = bridge.read_upload(source, upload.name, run.parameters, into=into, report=_while_there_is_room(report))
    upload.table, upload.profile = found.table, found.profile
    return Read(found, bridge.suggestions(upload) if Setup.objects.filter(dataset=upload).exists() else [])


class NoRoom(RiskappError):
    """Reading needs room of its own on the disk."""

    code = "no-room"
    advice = "Shred uploads you no longer need, or ask whoever runs this server; then read it again."


def _while_there_is_room(report: Report) -> Report:
    def told(done: int, total: int, words: str) -> None:
        if storage.free_bytes() < settings.FREE_BYTES:
            raise NoRoom("The server has not enough room to read this file.")
        report(done, total, words)

    return told


def _place(run: Run) -> Path:
    """The claim is part of the name: a worker that was given up for dead cannot write where its successor writes."""
    return storage.table_place(run.project_id, cast(Any, run.claim))


def succeeded(run: Run, read: Read, by: Actor) -> None:
    upload, result = _upload(run), read.found
    old = upload.table
    Run.objects.filter(pk=run.pk).update(timings=result.seconds)
    move(
        upload,
        UploadState.READY,
        by=by,
        table=result.table,
        reading=result.reading,
        profile=result.profile,
        rows=result.rows,
        columns=result.columns,
        fault=None,
        details={"rows": result.rows, "columns": result.columns, "sha256": upload.sha256},
    )
    if read.suggested:
        setups.read_anew(upload, read.suggested, by=by)
    if old:
        transaction.on_commit(lambda: storage.shred(storage.table_place(upload.project_id, old)))


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    upload = _upload(run)
    if upload.state != UploadState.READING:
        Upload.objects.filter(pk=upload.pk).update(fault=fault)
    else:
        move(upload, UploadState.REJECTED, by=by, fault=fault, details={"code": fault["code"]})


def let_go(run: Run, by: Actor) -> None:
    upload = _upload(run)
    if upload.state == UploadState.READING:
        move(upload, UploadState.RECEIVED, by=by)
