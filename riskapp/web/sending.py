"""Files of a release on their way out: the bytes that were found to be the approved ones, block by block."""

from django.http import FileResponse

from riskapp.services.untouched import BLOCK, Served


def sent(served: Served, name: str = "") -> FileResponse:
    """The file to be saved, under its own name or another."""
    response = FileResponse(served.file, as_attachment=True, filename=name or served.name)
    response.block_size = BLOCK
    response["Content-Length"] = str(served.size)
    return response
