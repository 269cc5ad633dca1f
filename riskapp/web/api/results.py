"""Results: the summary, the frontier, rules, everything, and the assessment that they are of."""

import gzip
from typing import Any
from uuid import UUID

from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from ninja import Router

from riskapp import policies, selectors
from riskapp.bridge import outcomes, rules_csv
from riskapp.models import Outcome, Run, RunState
from riskapp.services import assessing, carrying
from riskapp.services.states import Overtaken
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.shapes import AssessmentOut, FrontierOut, Json

router = Router()
OF_RUN = "/projects/{uuid:project_id}/runs/{uuid:run_id}"
JSON = "application/json"
WHOLE: Json = {"responses": {200: {"description": "JSON", "content": {JSON: {"schema": {"type": "object"}}}}}}
CSV: Json = {"responses": {200: {"description": "a table", "content": {"text/csv": {}}}}}
ZIP: Json = {"responses": {200: {"description": "the file", "content": {"application/zip": {}}}}}


@router.get(f"{OF_RUN}/summary", response=Json, url_name="run-summary", **needs("read"))
def show_summary(request: Asked, project_id: UUID, run_id: UUID) -> Json:
    """Everything of RESULT.json but the rules themselves: how many there are of each family instead."""
    summary: Json = _outcome(request, project_id, run_id).summary
    return summary


@router.get(f"{OF_RUN}/frontier", response=FrontierOut, url_name="frontier", **needs("read"))
def show_frontier(request: Asked, project_id: UUID, run_id: UUID) -> dict[str, Any]:
    """The rules that no other beats in both risk and utility."""
    outcome = _outcome(request, project_id, run_id)
    listed = outcomes.rules(outcome, outcome.summary["frontier"])
    return {"rules": outcome.summary["rules"], "frontier": list(listed.values())}


@router.get(f"{OF_RUN}/frontier/rules", url_name="frontier-rules", **needs("read", **CSV))
def download_rules(request: Asked, project_id: UUID, run_id: UUID) -> StreamingHttpResponse:
    """Every rule with all its digits as CSV, a line each; `on_frontier` says whether any other beats it."""
    lines = rules_csv.as_csv(_outcome(request, project_id, run_id))
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")


@router.get(f"{OF_RUN}/rule", response=Json, url_name="rule", **needs("read"))
def show_rule(request: Asked, project_id: UUID, run_id: UUID, rule: str) -> Json:
    """One rule by its name, as RESULT.json lists it.

    `within_limits` is of what was counted: where `by_replay` is null, limits of chances count as broken
    everywhere else."""
    found = outcomes.rules(_outcome(request, project_id, run_id), [rule])
    if rule not in found:
        raise policies.Hidden
    return found[rule]


@router.get(f"{OF_RUN}/result", url_name="run-result", **needs("read", **WHOLE))
def download_result(request: Asked, project_id: UUID, run_id: UUID) -> FileResponse:
    """The whole RESULT.json, byte for byte."""
    result = outcomes.whole(_outcome(request, project_id, run_id), outcomes.RESULT)
    return FileResponse(result.open("rb"), content_type=JSON, filename="RESULT.json")


@router.get(f"{OF_RUN}/plane", url_name="run-plane", **needs("read", **WHOLE))
def show_plane(request: Asked, project_id: UUID, run_id: UUID) -> HttpResponse:
    """The plane of risk and utility, as the frontier's page draws it: at most a million bytes."""
    plane = gzip.decompress(outcomes.plane(_outcome(request, project_id, run_id)))
    return HttpResponse(plane, content_type=JSON)


@router.get(f"{OF_RUN}/assessment", response=AssessmentOut, url_name="run-export", **needs("read"))
def export_assessment(request: Asked, project_id: UUID, run_id: UUID) -> dict[str, Any]:
    """What the run works on: written out beside its tables, `assess` gives the same figures."""
    kept = assessing.frozen(_run(request, project_id, run_id))
    return {"sha256": kept.sha256, **kept.document}


@router.get(f"{OF_RUN}/assessment/file", url_name="run-export-file", **needs("read", **ZIP))
def download_assessment(request: Asked, project_id: UUID, run_id: UUID) -> FileResponse:
    """The assessment file with the small files that it names, as a zip. The export is audited."""
    return _zipped(_run(request, project_id, run_id), request, data=False)


@router.post(f"{OF_RUN}/assessment/file", url_name="run-export-file", **needs("values", **ZIP))
def download_with_tables(request: Asked, project_id: UUID, run_id: UUID) -> FileResponse:
    """The same with the tables themselves: unpacked, `assess` needs nothing else. The export is audited."""
    return _zipped(_run(request, project_id, run_id), request, data=True)


def _zipped(run: Run, request: Asked, *, data: bool) -> FileResponse:
    file = carrying.export(run, by=request.actor, data=data)
    return FileResponse(file, content_type="application/zip", filename="assessment.zip", as_attachment=True)


def _run(request: Asked, project_id: UUID, run_id: UUID) -> Run:
    return selectors.assess_run(project_for(request, project_id, "see_runs"), run_id)


def _outcome(request: Asked, project_id: UUID, run_id: UUID) -> Outcome:
    return ended(_run(request, project_id, run_id))


def ended(run: Run) -> Outcome:
    """What a run has come to."""
    if run.state != RunState.SUCCEEDED:
        raise Overtaken(f"There is no result: the run is {RunState(run.state).label}.")
    outcome: Outcome = run.outcome
    outcome.run = run
    return outcome
