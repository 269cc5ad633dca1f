"""Several hierarchy files at once: first the files, then what each would do to its column, then all of them saved."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from riskapp import selectors
from riskapp.models import Project, Setup
from riskapp.services import hierarchies, undoing
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web import hierarchy_files
from riskapp.web.forms.hierarchies import HierarchyFilesForm
from riskapp.web.hierarchy_files import Files
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.views.attributes import remember


@in_project("describe")
def take_in(request: Request, project: Project) -> HttpResponse:
    """Nothing changes before it was told what would; what is told holds no value of the data."""
    setup = selectors.setup_of(project)
    if setup.dataset_id is None:
        messages.info(request, "Choose the dataset first: hierarchies are for its columns.")
        return redirect("attributes", project.pk)
    if "file-0" in request.POST:
        return _chosen(request, setup)
    form = HierarchyFilesForm(request.POST, request.FILES) if request.method == "POST" else HierarchyFilesForm()
    if request.method == "POST" and form.is_valid():
        return _told(request, setup, hierarchy_files.arrived(setup, form.cleaned_data["hierarchies"]))
    context = frame(request, project, "attributes") | {"form": form}
    return render(request, "hierarchies/files.html", context, status=422 if form.errors else 200)


def _told(request: Request, setup: Setup, files: Files, status: int = 200) -> HttpResponse:
    """What the files would do: the whole page, or the part that htmx puts in its place."""
    if request.htmx:
        return render(request, "hierarchies/_files.html", {"project": setup.project, "files": files})
    context = frame(request, setup.project, "attributes") | {"files": files}
    return render(request, "hierarchies/files.html", context, status=status)


def _chosen(request: Request, setup: Setup) -> HttpResponse:
    files = hierarchy_files.asked(setup, request.POST)
    if "save" not in request.POST:
        return _told(request, setup, files)
    if any(one.chosen_anew for one in files.files):
        files.chosen_anew = True
        return _told(request, setup, files, 422)
    if not files.ready:
        files.refused = "There is nothing to save: no file can be read for a column. Choose columns, or mend the files."
        return _told(request, setup, files, 422)
    return _save(request, setup, files)


def _save(request: Request, setup: Setup, files: Files) -> HttpResponse:
    before = undoing.snapshot(setup)
    chosen = [(one.attribute, one.fit.rows, one.seen) for one in files.ready if one.attribute and one.fit]
    try:
        kept = hierarchies.save_many(setup, chosen, by=request.actor)
    except Overtaken:
        return _conflict(request, setup)
    except Unfit as trouble:
        files.refused = str(trouble)
        return _told(request, setup, files, 422)
    count = len(chosen)
    many = "hierarchy of 1 column" if count == 1 else f"hierarchies of {count} columns"
    remember(request, setup, before, f"the {many}", kept)
    messages.success(request, f"Saved: the {many}.")
    if files.homeless:
        names = ", ".join(files.homeless)
        messages.warning(request, f"Values without a place: {names}. Give them homes in the studio before a run.")
    return redirect("attributes", setup.pk)


def _conflict(request: Request, setup: Setup) -> HttpResponse:
    """Somebody else changed some of the columns: tell who, and keep the files. Saving again is then meant."""
    again = hierarchy_files.asked(setup, request.POST)
    again.overtaken = True
    again.conflicts = [
        {"column": one.attribute.column, "who": one.attribute.changed_by, "at": one.attribute.changed_at}
        for one in again.ready
        if one.attribute and one.attribute.version != one.seen
    ]
    return _told(request, setup, again, 409)
