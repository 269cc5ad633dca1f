"""Linkage data: rows without names that somebody may first join to the released ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from riskapp import policies, selectors
from riskapp.models import Project, Setup, Upload
from riskapp.services import attackers, inquiries
from riskapp.services.states import Overtaken
from riskapp.web.forms.matching import Columns, LinkageForm
from riskapp.web.inquiring import asked, looked_up, tell_unmatched
from riskapp.web.pages import Request, frame, in_project

WHAT = "the linkage data"


@in_project("see_runs")
def linkage(request: Request, project: Project) -> HttpResponse:
    """The linkage data; posting chooses the file, saves the match, or takes them away."""
    setup = selectors.setup_of(project)
    upload = _upload(request, project, setup)
    form = _form(request, setup, upload) if upload else None
    if request.method == "POST":
        policies.check("describe", request.user, project)
        if {"remove", "suggest"} & request.POST.keys():
            return _other(request, project, setup, upload)
        if form is not None and form.is_valid() and _saved(request, setup, upload, form):
            return _onwards(request, project, _suggestions(setup, upload).figures if upload else None)
    context = _context(request, project, setup, upload, form)
    return render(request, "attackers/linkage.html", context, status=422 if form is not None and form.errors else 200)


def _onwards(request: Request, project: Project, suggested: Mapping[str, Any] | None) -> HttpResponse:
    if "accept" not in request.POST:
        messages.success(request, "Saved. The linkage data are part of every risk from now on.")
        return redirect("attackers", project.pk)
    messages.success(request, "The suggestions are taken over. Give the columns that would be learnt a weight.")
    tell_unmatched(request, suggested or {"columns": []})
    return redirect("linkage", project.pk)


def _upload(request: Request, project: Project, setup: Setup) -> Upload | None:
    """The table that is asked for, else the one that is saved."""
    uploads = [one for one in project.uploads.filter(state="ready") if one.pk != setup.dataset_id]
    named = str(request.POST.get("table", request.GET.get("table", "")))
    wanted = named or str((setup.linkage or {}).get("upload", ""))
    return next((one for one in uploads if str(one.pk) == wanted), None)


def _form(request: Request, setup: Setup, upload: Upload) -> LinkageForm:
    """What is saved, or typed."""
    saved = setup.linkage if setup.linkage and setup.linkage["upload"] == str(upload.pk) else {}
    suggested, names = _suggestions(setup, upload).figures, upload.column_names
    typed = request.POST.dict() if request.method == "POST" and "seen" in request.POST else None
    if typed is not None and "accept" in typed:
        typed |= _as_suggested(names, suggested or {"columns": []})
    return LinkageForm(typed, setup=setup, names=names, columns=Columns(setup, suggested), linkage=saved)


def _as_suggested(names: Sequence[str], suggested: Mapping[str, Any]) -> dict[str, str]:
    """The match that is suggested, in place of the one typed; what is matched adds nothing, the rest what was typed."""
    found = {name: guess["match"] for name, guess in attackers.taken_over(suggested).items()}
    match = {f"match_{place}": found.get(name, "") for place, name in enumerate(names)}
    return match | {f"adds_{place}": "" for place, name in enumerate(names) if name in found}


def _suggestions(setup: Setup, upload: Upload) -> inquiries.Inquiry:
    question = lambda: inquiries.about_matching(setup, upload, WHAT)  # noqa: E731
    return looked_up(setup.project, question, inquiries.MATCHING)


def _other(request: Request, project: Project, setup: Setup, upload: Upload | None) -> HttpResponse:
    """Take the linkage data away, or have the columns of a table looked at."""
    if "remove" in request.POST:
        attackers.unlink(setup, setup.version, by=request.actor)
        messages.success(request, "Taken away. The file itself stays among the uploads.")
        return redirect("attackers", project.pk)
    asked(request, project, lambda: inquiries.about_matching(setup, upload, WHAT), inquiries.MATCHING)
    if request.htmx and upload is not None:
        context = _context(request, project, setup, upload, _form(request, setup, upload))
        return render(request, "attackers/_linkage.html", context)
    return redirect(f"{request.path}?table={upload.pk if upload else ''}")


def _saved(request: Request, setup: Setup, upload: Upload | None, form: Any) -> bool:
    assert upload is not None
    told = {"upload": str(upload.pk), "match": form.match(), "adds": form.adds()}
    try:
        attackers.link(setup, form.cleaned_data["seen"], told, by=request.actor)
    except Overtaken:
        setup.refresh_from_db()
        form.data = form.data | {"seen": setup.version}
        form.add_error(
            None, "Somebody changed the set-up in the meantime. What you chose is still here: save it again."
        )
        return False
    return True


def _context(
    request: Request, project: Project, setup: Setup, upload: Upload | None, form: LinkageForm | None
) -> dict[str, Any]:
    suggested = _suggestions(setup, upload) if upload else None
    guesses = {one["name"]: one["suggested"] for one in ((suggested and suggested.figures) or {}).get("columns", [])}
    rows = _rows(form, guesses) if form else []
    return frame(request, project, "adversary") | {
        "setup": setup,
        "uploads": [one for one in selectors.ready_uploads(project) if one.pk != setup.dataset_id],
        "table": upload,
        "form": form,
        "rows": rows,
        "suggested": suggested,
    }


def _rows(form: LinkageForm, guesses: dict[str, Any]) -> list[dict[str, Any]]:
    """The columns of the table, each with its fields and what is suggested for it."""
    return [
        {
            "name": name,
            "match": form[f"match_{place}"],
            "adds": form[f"adds_{place}"],
            "guess": guesses.get(name),
            "unreleased": name in form.columns.unreleased,
        }
        for place, name in enumerate(form.names)
    ]
