"""Assessments that leave a project: a zip with the assessment file and the small files that it names, or a folder."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from uuid import UUID

from riskapp import storage
from riskapp.bridge.assessing import Document, read_before, still_there, write
from riskapp.bridge.bundles import ABOUT, ASSESSMENTS
from riskapp.bridge.documents import Mapped, fingerprint
from riskapp.engine import plain_parquet
from riskapp.engine.coded import CodedTable

FORMAT = 1


README = """An assessment of riskapp.

assessment.json   what was assessed and how; the keys are explained in docs/reference/assessment.md
files.json        every table that it names: the name it was uploaded under and the SHA-256 of the upload.
                  Where as_uploaded is false it was read by choices made by hand, and is named as it was read
hierarchies/      the hierarchies that were drawn by hand

Put the tables beside assessment.json under the names in files.json, then

    python manage.py assess assessment.json

computes the same figures. Importing this file into a project of riskapp makes the same set-up there.
"""


def pack(document: Document, project: UUID, file: BinaryIO, *, data: bool) -> None:
    """Write a frozen assessment as a zip; with the tables themselves where that is asked for."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("README.txt", README)
        into.writestr(ASSESSMENTS[0], json.dumps(document["assessment"], indent=1, ensure_ascii=False) + "\n")
        into.writestr(ABOUT, json.dumps(_about(document), indent=1, ensure_ascii=False) + "\n")
        for name, content in document["files"].items():
            into.writestr(name, content)
        if data:
            _pack_tables(document, project, into)


def _about(document: Document) -> Mapped:
    named = {**document["tables"], **document["lists"]}
    files = {
        name: {"sha256": about["sha256"], "uploaded_as": about["name"], "as_uploaded": as_uploaded(name, about)}
        for name, about in named.items()
    }
    return {"format": FORMAT, "assessment": fingerprint(document), "files": files}


def as_uploaded(name: str, about: Mapping[str, Any]) -> bool:
    """Whether the assessment names the file that was uploaded, and not the table that was read from it by hand."""
    return not about.get("by_hand") and name.endswith(about["name"])


def _pack_tables(document: Document, project: UUID, into: zipfile.ZipFile) -> None:
    """Each table as it was uploaded; one that was read by choices made by hand as it was read."""
    for name, about in {**document["tables"], **document["lists"]}.items():
        upload = still_there(about, project)
        if as_uploaded(name, about):
            into.write(storage.place(project, upload.sha256), name, zipfile.ZIP_STORED)
        else:
            with TemporaryDirectory(prefix="riskapp-") as folder:
                path = Path(folder) / "table.parquet"
                plain_parquet.write(CodedTable.open(storage.table_place(project, UUID(about["table"]))), path)
                into.write(path, name, zipfile.ZIP_STORED)


def lay_out(document: Document, project: UUID, folder: Path) -> Path:
    """Put a frozen assessment and every table that it names into a folder; where the assessment is."""
    path = write(document, project, folder)
    for name, about in document["tables"].items():
        upload = still_there(about, project)
        if as_uploaded(name, about):
            (folder / name).symlink_to(storage.place(project, upload.sha256))
        else:
            plain_parquet.write(read_before(about, project).table, folder / name)
    return path
