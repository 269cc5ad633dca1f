"""The Harm page: what it weighs that something about a person is learnt, seen on example records."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.bridge import harm as bridge
from riskapp.models import Project, Setup
from riskapp.services import harm, uploads
from riskapp.services.states import Overtaken
from riskapp.web.forms.harm import ColumnForm, HarmForm, Pairs
from riskapp.web.pages import Request, frame, in_project


@dataclass(frozen=True)
class Forms:
    """Everything that is typed on the page."""

    general: HarmForm
    pairs: Any
    columns: list[ColumnForm]

    def are_valid(self) -> bool:
        return all([self.general.is_valid(), self.pairs.is_valid(), *[form.is_valid() for form in self.columns]])

    @property
    def wrong(self) -> bool:
        return bool(self.general.errors or self.pairs.total_error_count() or any(form.errors for form in self.columns))


@in_project("see_runs")
def show(request: Request, project: Project) -> HttpResponse:
    setup = selectors.setup_of(project)
    if request.method == "POST":
        policies.check("describe", request.user, project)
    if setup.dataset is None:
        return render(request, "harm/empty.html", frame(request, project, "harm"))
    given = _forms(request, setup)
    overtaken = ""
    if request.method == "POST" and given.are_valid():
        try:
            _save(request, setup, given)
            return redirect("harm", project.pk)
        except Overtaken as trouble:
            overtaken = str(trouble)
    return _page(request, setup, given, overtaken)


def _forms(request: Request, setup: Setup) -> Forms:
    posted = request.POST if request.method == "POST" else None
    files = request.FILES if request.method == "POST" else None
    released = [one for one in setup.attributes.all() if one.released]
    names = [one.column for one in released]
    columns = [one.column for one in setup.attributes.all()]
    others = [column for column in HarmForm.paired(setup.sensitivity) if column in columns and column not in names]
    tables = [one for one in selectors.ready_uploads(setup.project) if one.pk != setup.dataset_id]
    return Forms(
        HarmForm(posted, initial=HarmForm.shown(setup.sensitivity) | {"seen": setup.version}),
        Pairs(
            posted,
            prefix="pairs",
            initial=HarmForm.shown_pairs(setup.sensitivity),
            form_kwargs={"columns": names, "others": others},
        ),
        [ColumnForm(one, posted, files, columns=columns, tables=tables) for one in released],
    )


def _save(request: Request, setup: Setup, given: Forms) -> None:
    wanted = [harm.Change(form.attribute, form.cleaned_data["seen"], form.changes()) for form in given.columns]
    changes = [change for change in wanted if change.fields]
    seen = given.general.cleaned_data["seen"]
    harm.weigh(setup, seen, given.general.sensitivity(given.pairs), changes, by=request.actor)
    messages.success(request, "Saved. The next run counts harm like this.")
    for column, many in harm.misspelt(setup, changes).items():
        messages.warning(request, _misspelt(column, many))


def _misspelt(column: str, many: int) -> str:
    if many == 1:
        return f"1 value that you weighed does not occur in {column}: its weight counts for nobody. Is it misspelt?"
    told = f"{many} values that you weighed do not occur in {column}"
    return f"{told}: their weights count for nobody. Are they misspelt?"


def _page(request: Request, setup: Setup, given: Forms, overtaken: str) -> HttpResponse:
    """Who was overtaken keeps what they typed; saving once more puts it in place of what the other said."""
    versions = dict(setup.attributes.values_list("pk", "version")) if overtaken else {}
    context = frame(request, setup.project, "harm") | {
        "setup": setup,
        "given": given,
        "overtaken": overtaken,
        "versions": versions,
        "nothing": harm.nothing_weighs(setup),
        **_examples(setup, harm.examples(setup)),
    }
    return render(request, "harm/show.html", context, status=409 if overtaken else 422 if given.wrong else 200)


# Example records


def _examples(setup: Setup, examples: harm.Examples) -> dict[str, Any]:
    if examples.found is None:
        return {"examples": examples}
    return {"examples": examples, "records": _told(setup, examples.found), "found": examples.found}


def _told(setup: Setup, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Each record with its cells in order and what they add."""
    sums = bridge.harms(setup, found["records"])
    return [
        {
            "cells": [
                {"column": column, "shown": cell["shown"], "adds": told["attributes"].get(column, 0)}
                for column, cell in record.items()
            ],
            "phi": told["phi"],
        }
        for record, told in zip(found["records"], sums, strict=True)
    ]


@in_project("see_runs")
def examples(request: Request, project: Project) -> HttpResponse:
    """The made-up records as far as they are there; posting has them made."""
    setup = selectors.setup_of(project)
    if request.method == "POST":
        harm.ask_examples(setup, by=request.actor)
        if not request.htmx:
            return redirect("harm", project.pk)
    return _fragment(request, setup, _examples(setup, harm.examples(setup)))


@require_POST
@in_project("see_values")
def real(request: Request, project: Project) -> HttpResponse:
    """Some records of people: an audited look."""
    setup = selectors.setup_of(project)
    found = harm.look_at_records(setup, by=request.actor)
    return _fragment(request, setup, _examples(setup, harm.Examples(found)))


def _fragment(request: Request, setup: Setup, shown: dict[str, Any]) -> HttpResponse:
    context = frame(request, setup.project, "harm") | {"setup": setup} | shown
    return render(request, "harm/_examples.html" if request.htmx else "harm/examples.html", context)


@require_POST
@in_project("see_values")
def values(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The commonest values of a column, to choose from: an audited look."""
    attribute = selectors.attribute(project, attribute_id)
    dataset = selectors.setup_of(project).dataset
    if dataset is None:
        raise Overtaken("There is no dataset any more. Choose one on the Attributes page.")
    names = dataset.column_names
    place = names.index(attribute.column) if attribute.column in names else -1
    found = uploads.look_at_values(dataset, place, by=request.actor)
    context = frame(request, project, "harm") | {"attribute": attribute, "values": found}
    return render(request, "harm/_values.html" if request.htmx else "harm/values.html", context)
