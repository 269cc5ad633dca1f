"""An upload handler that puts the bytes of a request straight into the store, counting as they come."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from riskapp import storage
from riskapp.services import uploads
from riskapp.serving.line import Line

LOOK_FOR_ROOM_EVERY = 64 << 20
# What a form adds around the file: it must not make a file of the allowed size too large.
FORM_BYTES = 4096
PLACES = threading.BoundedSemaphore(settings.UPLOADS_AT_ONCE)


@contextmanager
def place() -> Iterator[None]:
    """One of the places for uploads under way; who finds none is told so, and pages keep threads to answer with."""
    if not PLACES.acquire(blocking=False):
        raise uploads.Unwelcome(
            "As many files as this server can take at once are being sent right now. Nothing of yours was kept.",
            "Wait a few minutes, then send it again.",
            503,
        )
    try:
        yield
    finally:
        PLACES.release()


def announced(request: HttpRequest) -> int | None:
    """How many bytes the file of a form will have, as far as its sender says so."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return max(0, int(length) - FORM_BYTES) if length.isdecimal() else None


def broken_off() -> uploads.Unwelcome:
    return uploads.Unwelcome("The connection broke off. Nothing of the file was kept.", "Send it again.", 400)


def receive(request: HttpRequest, file: storage.Incoming) -> None:
    """Read the form into the store, for as long as its bytes keep coming.

    Read here and not first by the check of the form's token, which takes a broken connection for an empty form.
    """
    line = request.META.get("gunicorn.socket")
    if isinstance(line, Line):
        line.time_to_send()
    into_store = IntoStore(file)
    request.upload_handlers = [into_store]
    request.POST  # noqa: B018  (the first look reads it)
    if into_store.taken and not into_store.complete:
        raise UnreadablePostError


class IntoStore(FileUploadHandler):
    """Takes the first file of the form; anything further is not read into anything."""

    chunk_size = 1 << 20

    def __init__(self, file: storage.Incoming) -> None:
        super().__init__()
        self.file = file
        self.taken = self.complete = False

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.taken:
            raise uploads.Unwelcome("Two files came at once.", "Send one after the other.", 400)
        self.taken = True
        uploads.check_name(self.file_name or "")
        raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        uploads.check_size(self.file.size + len(raw_data))
        if start % LOOK_FOR_ROOM_EVERY == 0:  # others may be sending at the same time
            uploads.check_room()
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> "UploadedFile[bytes]":
        """The file by name only: its bytes are in the store already."""
        self.complete = True
        return UploadedFile(BytesIO(), name=self.file_name, size=file_size)
