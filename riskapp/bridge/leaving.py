"""How many rows and people a list of people to leave out takes away."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import numpy as np

from riskapp import storage
from riskapp.bridge.uploads import coded_table
from riskapp.engine.assessment.records import Records
from riskapp.engine.assessment.settings import DatasetKey
from riskapp.engine.assessment.tables import ReadBefore, Tables
from riskapp.engine.reporting import Report
from riskapp.models import Upload

DATASET, LIST = "dataset", "list"


def left_out(question: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """The rows and people of a dataset, and how many of them a list takes away, read as an assessment reads it.

    Parameters
    ----------
    question : the ids of the uploads `dataset` and `list`, and the column that is the `identifier`
    """
    dataset = Upload.objects.get(pk=question[DATASET], project_id=project)
    listed = Upload.objects.get(pk=question[LIST], project_id=project)
    name = f"{LIST}-{listed.name}"
    with TemporaryDirectory(prefix="riskapp-") as folder:
        (Path(folder) / name).symlink_to(storage.place(project, listed.sha256))
        known = {DATASET: ReadBefore(coded_table(dataset), dataset.sha256)}
        missing = tuple((dataset.reading or {}).get("missing", DatasetKey.missing))
        with Tables.of(Path(folder), missing, report, known) as tables:
            asked = DatasetKey(DATASET, identifier=question["identifier"], missing=missing)
            everybody = Records.of(asked, tables)
            rest = Records.of(DatasetKey(DATASET, identifier=asked.identifier, leave_out=name, missing=missing), tables)
            people, left = _people(everybody), _people(rest)
    rows = len(everybody)
    return {"rows": rows, "people": people, "rows_out": rows - len(rest), "people_out": people - left}


def _people(records: Records) -> int:
    return len(np.unique(records.people)) if records.people is not None else len(records)
