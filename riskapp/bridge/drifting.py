"""How an upload differs from the file that a set-up was made for."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from riskapp.bridge.uploads import coded_table
from riskapp.engine.reporting import Report
from riskapp.engine.shaping.drift import drift
from riskapp.models import FrozenAssessment, Template, Upload


def drifted(question: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """What is different, without any value of the table.

    Parameters
    ----------
    question : the id of the `upload`, and that of the `template`, or under which hash the set-up was `kept`
    """
    upload = Upload.objects.get(pk=question["upload"], project_id=project)
    return {"facts": drift(_earlier(question), upload.profile, coded_table(upload))}


def _earlier(question: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "template" in question:
        document = Template.objects.get(pk=question["template"]).document
    else:
        document = FrozenAssessment.objects.get(pk=question["kept"]).document
    return list(document["attributes"])
