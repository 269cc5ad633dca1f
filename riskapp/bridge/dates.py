"""From when the tables of an assessment are: as somebody said, else the day of the upload, the latest it can be."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from riskapp.models import Attacker, FrozenAssessment, Run, Upload, day_of

Told = dict[str, Any]


def dates(run: Run, data_until: date | None) -> Told:
    """The days of the data and of every register, each with whether somebody gave it: kept with a proposal."""
    document = FrozenAssessment.objects.get(pk=run.parameters["assessment"]).document
    given = {one.name: one for one in Attacker.objects.filter(setup_id=run.project_id).exclude(as_of=None)}
    registers = {name: _of_register(about, given.get(name)) for name, about in _registers(document).items()}
    data = document["tables"].get(document["assessment"]["dataset"]["file"])
    return {"data": _day(data_until, data), "dictionaries": {name: day for name, day in registers.items() if day}}


def _registers(document: Mapping[str, Any]) -> dict[str, Told]:
    named = {one["name"]: one["file"] for one in document["assessment"].get("dictionaries", []) if "file" in one}
    return {name: document["tables"][file] for name, file in named.items() if file in document["tables"]}


def _of_register(about: Told, attacker: Attacker | None) -> Told | None:
    """What an attacker's page says holds for the table that was assessed, not for one that was chosen since."""
    same = attacker is not None and str(attacker.upload_id) == about["upload"]
    return _day(attacker.as_of if attacker is not None and same else None, about)


def _day(given: date | None, about: Told | None) -> Told | None:
    if given is not None:
        return {"day": given.isoformat(), "given": True}
    upload = Upload.objects.filter(pk=about["upload"]).first() if about else None
    return {"day": day_of(upload.uploaded_at).isoformat(), "given": False} if upload else None
