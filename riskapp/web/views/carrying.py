"""Assessments carried out of a project and into one."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render

from riskapp import selectors
from riskapp.bridge import bundles, taking_over
from riskapp.core.errors import RiskappError
from riskapp.models import Project, Run, Setup, Upload
from riskapp.services import carrying, copying, replacing
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.carrying import ConfirmForm, ImportForm, SureForm
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.setup_words import differences


@in_project("see_runs")
def export(request: Request, project: Project, run_id: UUID) -> Any:
    """The assessment file of a run; posted, with the tables themselves."""
    run = selectors.assess_run(project, run_id)
    file = carrying.export(run, by=request.actor, data=request.method == "POST")
    name = f"assessment-{run.parameters['assessment'][:12]}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@in_project("describe")
def take_in(request: Request, project: Project) -> HttpResponse:
    """First the file, then what it would change; nothing changes before that is confirmed."""
    setup = selectors.setup_of(project)
    if request.method == "POST" and "kept" in request.POST:
        return _confirm(request, setup)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if request.method == "POST" and form.is_valid():
        try:
            file = form.cleaned_data["file"]
            bundle = bundles.opened(file.name, file)
        except RiskappError as trouble:
            form.add_error("file", str(trouble))
        else:
            return _preview(request, setup, bundle, str(carrying.keep(bundle, setup, by=request.actor).pk))
    context = frame(request, project, "run") | {"form": form}
    return render(request, "runs/import.html", context, status=422 if form.errors else 200)


def _uploads(setup: Setup) -> dict[str, Upload]:
    return {str(upload.pk): upload for upload in selectors.ready_uploads(setup.project)}


def _preview(request: Request, setup: Setup, bundle: bundles.Bundle, kept: str) -> HttpResponse:
    uploads = _uploads(setup)
    form = ConfirmForm(
        initial={"kept": kept, "seen": setup.version},
        tables=bundle.tables(),
        uploads=uploads,
        suggested=carrying.suggested(bundle, uploads),
    )
    return _asked(request, setup, bundle, form)


def _asked(
    request: Request, setup: Setup, bundle: bundles.Bundle, form: ConfirmForm, status: int = 200
) -> HttpResponse:
    found = carrying.suggested(bundle, form.uploads)
    rows = _rows(bundle, found)
    context = frame(request, setup.project, "run") | {
        "setup": setup,
        "form": form,
        "told": bundle.assessment,
        "attackers": bundle.attackers(),
        "others": [name for name, upload in found.items() if upload and _differs(bundle, name, upload)],
        **(_preview_of(setup, rows, form.uploads) if rows else {}),
        "before": [one.name for one in setup.attackers.all()],
        "columns": setup.attributes.count(),
    }
    return render(request, "runs/import-confirm.html", context, status=status)


def _differs(bundle: bundles.Bundle, name: str, upload: Upload) -> bool:
    return name in bundle.hashes and bundle.hashes[name] != upload.sha256


def _rows(bundle: bundles.Bundle, found: dict[str, Upload | None]) -> taking_over.Rows | None:
    """What the set-up would be, as far as the uploads are known."""
    chosen = {name: upload for name, upload in found.items() if upload}
    try:
        return taking_over.rows(bundle, chosen) if len(chosen) == len(found) else None
    except RiskappError:
        return None


def _preview_of(setup: Setup, rows: taking_over.Rows, uploads: Mapping[str, Upload]) -> dict[str, Any]:
    """What would be different, what needs a reason, and what becomes of what is known of attackers' tables."""
    names = {key: upload.name for key, upload in uploads.items()}
    return {
        "changes": differences(copying.copied(setup), replacing.document(setup, rows), names),
        "doubtful": replacing.needing_reason(setup, rows),
        "origins": _origins(setup, rows),
    }


def _origins(setup: Setup, rows: taking_over.Rows) -> dict[str, Any]:
    """What becomes of what the project says about attackers' tables, which no assessment file holds."""
    told = replacing.with_origins(setup, rows.attackers)
    holding = [one for one in told if one.get("upload")]
    return {
        "kept": [one for one in holding if set(one) & set(replacing.OF_ITS_TABLE)],
        "unknown": [one["name"] for one in holding if not set(one) & set(replacing.OF_ITS_TABLE)],
        "let_go": replacing.let_go(setup, [{"upload": one["upload"].pk} for one in holding]),
    }


def _confirm(request: Request, setup: Setup) -> HttpResponse:
    try:
        bundle, uploads = carrying.kept(setup, request.POST["kept"]), _uploads(setup)
    except carrying.Expired as trouble:
        messages.error(request, str(trouble))
        return redirect("assessment-import", setup.pk)
    suggested = carrying.suggested(bundle, uploads)
    form = ConfirmForm(request.POST, tables=bundle.tables(), uploads=uploads, suggested=suggested)
    if form.is_valid():
        given = form.cleaned_data
        try:
            carrying.take_over(setup, given["seen"], bundle, form.chosen(), by=request.actor, reason=given["reason"])
        except Overtaken:
            raise
        except Unfit as trouble:
            form.add_error("reason", str(trouble))
        except RiskappError as trouble:
            form.add_error(None, str(trouble))
        else:
            messages.success(
                request, "Imported. Look through the pages, then start the run. Attributes offers to undo it."
            )
            return redirect("runs", setup.pk)
    setup.refresh_from_db()
    return _asked(request, setup, bundle, form, 422)


@in_project("describe")
def set_up(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """What would be different if the project were set up as in a run; posting does it."""
    run, setup = selectors.assess_run(project, run_id), selectors.setup_of(project)
    given = request.POST if request.method == "POST" else None
    form = SureForm(given, initial={"seen": setup.version})
    if form.is_valid():
        seen, reason = form.cleaned_data["seen"], form.cleaned_data["reason"]
        try:
            carrying.set_up_as_in(run, setup, seen, by=request.actor, reason=reason)
        except Unfit as trouble:
            form.add_error("reason", str(trouble))
        except bundles.Unfit as trouble:
            form.add_error(None, str(trouble))
        else:
            messages.success(request, "The project is set up as in that run. Look through the pages.")
            return redirect("attributes", project.pk)
    context = frame(request, project, "run") | {"run": run, "setup": setup, "form": form} | _gone_back_to(setup, run)
    return render(request, "runs/as-in-run.html", context, status=422 if form.errors else 200)


def _gone_back_to(setup: Setup, run: Run) -> dict[str, Any]:
    try:
        return _preview_of(setup, carrying.as_in(run), _uploads(setup))
    except bundles.Unfit as trouble:
        return {"trouble": str(trouble)}
