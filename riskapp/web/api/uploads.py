"""Uploads: sent in a stream, polled, read in another way, looked at, shredded."""

from typing import Any
from uuid import UUID

from django.http.request import UnreadablePostError
from ninja import Router, Status

from riskapp import policies, selectors, storage
from riskapp.models import Upload
from riskapp.services import reading, uploads
from riskapp.services.states import Overtaken
from riskapp.web import arriving
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.shapes import Json, UploadOut, Value, Wishes

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}/uploads"
OF_UPLOAD = OF_PROJECT + "/{uuid:upload_id}"
FORM: Json = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary", "description": "one file"}},
                }
            }
        },
    }
}


@router.get(OF_PROJECT, response=list[UploadOut], url_name="upload-add", **needs("read"))
def list_uploads(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """The uploads of a project, newest first."""
    project = project_for(request, project_id, "see_uploads")
    return [_told(upload) for upload in selectors.uploads_of(project)]


@router.post(OF_PROJECT, response={201: UploadOut}, url_name="upload-add", **needs("upload", **FORM))
def add_upload(request: Asked, project_id: UUID) -> Status[dict[str, Any]]:
    """Send a file, as the part `file` of a form. It is stored as it comes and read by a worker: poll its state."""
    project = project_for(request, project_id, "upload")
    uploads.check_welcome(project, arriving.announced(request), by=request.actor)
    try:
        with arriving.place(), storage.Incoming() as file:
            arriving.receive(request, file)
            form = request.FILES.get("file")
            if form is None:
                raise uploads.Unwelcome("No file came.", "Send it as the part “file” of a form.", 400)
            upload = uploads.add(project, form.name or "", file, by=request.actor)
    except UnreadablePostError as trouble:
        raise arriving.broken_off() from trouble
    except OSError as trouble:
        raise uploads.disk_full() from trouble
    return Status(201, _told(selectors.upload(project, upload.pk)))


@router.get(OF_UPLOAD, response=UploadOut, url_name="upload", **needs("read"))
def show_upload(request: Asked, project_id: UUID, upload_id: UUID) -> dict[str, Any]:
    """An upload, how far its reading is, and what was wrong with it if it could not be read."""
    return _told(selectors.upload(project_for(request, project_id, "see_uploads"), upload_id))


@router.delete(OF_UPLOAD, response={204: None}, url_name="upload", **needs("upload"))
def shred_upload(request: Asked, project_id: UUID, upload_id: UUID) -> Status[None]:
    """Shred its bytes, its table and its profile. Only owners may."""
    project = project_for(request, project_id, "visit")
    policies.check_owns(request.user, project)
    uploads.purge(selectors.upload(project, upload_id), by=request.actor)
    return Status(204, None)


@router.get(f"{OF_UPLOAD}/profile", response=Json, url_name="upload-profile", **needs("read"))
def show_profile(request: Asked, project_id: UUID, upload_id: UUID) -> Json:
    """What is in it: types, missing, distinct and unique values of every column and pair. No value is in it."""
    upload = selectors.upload(project_for(request, project_id, "see_uploads"), upload_id)
    if upload.profile is None:
        raise Overtaken("There is no profile: the file is not read yet, could not be, or was shredded.")
    profile: Json = upload.profile
    return profile


@router.post(f"{OF_UPLOAD}/read", response={202: UploadOut}, url_name="upload-read", **needs("run"))
def read_again(request: Asked, project_id: UUID, upload_id: UUID, wishes: Wishes) -> Status[dict[str, Any]]:
    """Read it again, with wishes of yours."""
    project = project_for(request, project_id, "run")
    upload = selectors.upload(project, upload_id)
    reading.again(upload, wishes.dict(exclude_none=True), by=request.actor)
    return Status(202, _told(selectors.upload(project, upload_id)))


@router.post(
    OF_UPLOAD + "/columns/{int:column}/values", response=list[Value], url_name="upload-values", **needs("values")
)
def look_at_values(request: Asked, project_id: UUID, upload_id: UUID, column: int) -> list[dict[str, Any]]:
    """The most frequent values of a column. The look is audited before they are sent."""
    upload = selectors.upload(project_for(request, project_id, "see_values"), upload_id)
    seen = uploads.look_at_values(upload, column, by=request.actor)
    return [{"value": value, "times": times} for value, times in seen]


def _told(upload: Upload) -> dict[str, Any]:
    return telling.upload(upload, upload.last_run)  # type: ignore[attr-defined]
