"""Frozen assessments at work: written out beside the coded tables they name, prepared, assessed, rehearsed."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf import settings

from riskapp import storage
from riskapp.bridge import planes
from riskapp.bridge.documents import NotReady, class_limits
from riskapp.bridge.outcomes import RESULT as RESULT
from riskapp.core.errors import RiskappError
from riskapp.engine.assess import Prepared, covered_by_each, evaluate, prepare
from riskapp.engine.assessment.tables import ReadBefore
from riskapp.engine.coded import CodedTable
from riskapp.engine.conditions import conditions
from riskapp.engine.foreseeing import foreseen
from riskapp.engine.hashes import sha256
from riskapp.engine.keeping import Keeping
from riskapp.engine.outgoing import software
from riskapp.engine.plain_json import text
from riskapp.engine.possible import impossible
from riskapp.engine.reporting import Report
from riskapp.engine.result import Result
from riskapp.models import Upload, UploadState

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Assessed:
    """What an assessment came to: the folder's name, the hash of the result's file, and its summary."""

    folder: UUID
    sha256: str
    summary: dict[str, Any]


@contextmanager
def prepared(document: Document, project: UUID, report: Report, *, searching: bool = True) -> Iterator[Prepared]:
    """A frozen assessment read and found possible; files exist only inside the `with` block."""
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = write(document, project, Path(folder))
        yield prepare(path, progress=report, known=known(document, project), searching=searching)


def write(document: Document, project: UUID, folder: Path) -> Path:
    """Write the assessment and the small files that it names into a folder; where the assessment is."""
    for name, content in document["files"].items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="")
    for name, about in document["lists"].items():
        (folder / name).symlink_to(storage.place(project, still_there(about, project).sha256))
    path = folder / "assessment.json"
    path.write_text(json.dumps(document["assessment"], ensure_ascii=False), encoding="utf-8")
    return path


def known(document: Document, project: UUID) -> dict[str, ReadBefore]:
    """The tables that an assessment names, by these names."""
    return {name: read_before(about, project) for name, about in document["tables"].items()}


def read_before(about: Mapping[str, Any], project: UUID) -> ReadBefore:
    """The table of an upload, if it still is the one that was meant."""
    upload = still_there(about, project)
    if str(upload.table) != about["table"]:
        raise NotReady(f"The file {about['name']} was read again in another way since. Start a new run.")
    return ReadBefore(CodedTable.open(storage.table_place(project, UUID(about["table"]))), about["sha256"])


def still_there(about: Mapping[str, Any], project: UUID) -> Upload:
    """The upload that a frozen assessment names, if it can still be worked on."""
    upload = Upload.objects.filter(pk=about["upload"], project_id=project).first()
    if upload is None or upload.state == UploadState.PURGED:
        raise NotReady(f"The file {about['name']} was shredded since. Nothing can be computed from it any more.")
    if upload.state != UploadState.READY:
        raise NotReady(f"The file {about['name']} is being read again, or could not be. Look at it on the Data page.")
    return upload


# The long one


def assess(document: Document, project: UUID, *, into: Path, keep: Path, report: Report) -> Assessed:
    """Assess, and leave the result in the folder `into`; finished parts are kept in the folder `keep`."""
    into.mkdir(parents=True, mode=0o700)
    keep.mkdir(parents=True, exist_ok=True, mode=0o700)
    about = {"assessment": dict(document), "software": software({"riskapp": settings.VERSION})}
    with prepared(document, project, report) as ready:
        result = evaluate(ready, progress=report, keeping=Keeping(keep, about))
        result.save(into / RESULT)
        summary = summarised(ready, result) | planes.write(into, ready, _limits(document), class_limits())
    return Assessed(UUID(into.name), sha256(into / RESULT), summary)


def _limits(document: Document) -> dict[str, Any]:
    return dict(document["assessment"].get("search", {}).get("limits", {}))


def summarised(ready: Prepared, result: Result) -> dict[str, Any]:
    """What the pages tell at once: counts, the compared rules, and what the figures rest on."""
    told: dict[str, Any] = json.loads(text(result.summary()))
    return told | {"about": shape(ready)}


def shape(ready: Prepared) -> dict[str, Any]:
    """The records, the attributes with the names of their levels, and how many rules there are."""
    problem = ready.problem
    levels = {problem.names[place]: list(problem.hierarchies[place].names) for place in problem.generalised}
    return {
        "records": len(problem),
        "people": problem.persons,
        "left_out": ready.built.left_out,
        "levels": levels,
        "kept": [name for name in problem.names if name not in levels],
        "nodes": problem.lattice.size,
        "dictionaries": [dictionary.name for dictionary in problem.dictionaries],
        "families": list(ready.assessment.search.rules),
    }


# The rehearsal: everything but the search


def rehearse(document: Document, project: UUID, report: Report) -> dict[str, Any]:
    """Whether the assessment can be made, how the attackers' tables meet the records, and what it will cost."""
    with prepared(document, project, report, searching=False) as ready:
        covered = covered_by_each(ready.problem)
        return {
            "about": shape(ready),
            "coverage": covered,
            "conditions": conditions(ready.problem, ready.assessment.attributes, covered),
            "forecast": forecast(ready),
            "impossible": impossible(ready.problem),
            "utility": utility_ends(ready),
        }


def utility_ends(ready: Prepared) -> dict[str, Any]:
    """The utility when everything is released and when nothing is, between which officers ask for a share."""
    utility = ready.problem.utility
    return {"measure": utility.measure, "unchanged": utility.unchanged, "nothing": utility.of_nothing}


def forecast(ready: Prepared) -> dict[str, Any] | None:
    """About how long the full-domain rules take, and how much memory; None where nobody can say.

    Of rules that are too many to list the best are looked for within a time, which is not part of a rehearsal.
    """
    try:
        return foreseen(ready.problem).as_json()
    except RiskappError:
        return None
