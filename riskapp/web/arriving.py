"""An upload handler that puts the bytes of a request straight into the store, counting as they come."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers

from riskapp import storage
from riskapp.services import uploads


class IntoStore(FileUploadHandler):
    """Takes the first file of the form; anything further is not read into anything."""

    chunk_size = 1 << 20

    def __init__(self, file: storage.Incoming) -> None:
        super().__init__()
        self.file = file
        self.taken = False

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.taken:
            raise uploads.Unwelcome("Two files came at once.", "Send one after the other.", 400)
        self.taken = True
        uploads.check_name(self.file_name or "")
        raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        uploads.check_size(self.file.size + len(raw_data))
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> "UploadedFile[bytes]":
        """The file by name only: its bytes are in the store already."""
        return UploadedFile(BytesIO(), name=self.file_name, size=file_size)
