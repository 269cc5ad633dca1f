"""The organisation's shelf of hierarchies: what is on it, and keeping it tidy."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from riskapp import policies, selectors
from riskapp.bridge import shaping
from riskapp.services import shelf
from riskapp.web.forms.hierarchies import ShelfForm
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, page_of

View = Callable[..., HttpResponse]
ORDERS: Orders = {
    "name": ("By name", (Lower("name"),)),
    "new": ("Newest first", ("-made_at",)),
    "maker": ("By who made it", (Lower("made_by__name"), Lower("name"))),
}


def _sees_shelf(view: View) -> View:
    @login_required
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        asked = cast(Request, request)
        policies.check_sees_shelf(asked.user)
        return view(asked, **kwargs)

    return checked


@require_safe
@_sees_shelf
def index(request: Request) -> HttpResponse:
    found, listing = listed(request, selectors.shelved(), ("name", "about"), ORDERS)
    page = page_of(request, found)
    rows = [(row, policies.keeps_shelved(request.user, row)) for row in page]
    return render(request, "shelf/index.html", {"rows": rows, "page": page, "listing": listing})


@_sees_shelf
def show(request: Request, shelved_id: UUID) -> HttpResponse:
    """One hierarchy: its levels for those who work with data, its name and description for whoever keeps it."""
    row = selectors.shelved_hierarchy(shelved_id)
    keeps = policies.keeps_shelved(request.user, row)
    form = ShelfForm(request.POST if request.method == "POST" else None, initial={"name": row.name, "about": row.about})
    if request.method == "POST":
        policies.check_keeps_shelved(request.user, row)
        if form.is_valid() and _renamed(request, row, form):
            messages.success(request, "Saved.")
            return redirect("shelf-item", row.pk)
    levels = shaping.levels_in_words(row.hierarchy) if policies.reads_shelf(request.user) else None
    context = {"row": row, "form": form, "keeps": keeps, "levels": levels}
    return render(request, "shelf/show.html", context, status=422 if form.errors else 200)


def _renamed(request: Request, row: Any, form: ShelfForm) -> bool:
    try:
        shelf.rename(row, form.cleaned_data["name"], form.cleaned_data["about"], by=request.actor)
    except shelf.NotShelved as trouble:
        form.add_error("name", str(trouble))
        return False
    return True


@_sees_shelf
def remove(request: Request, shelved_id: UUID) -> HttpResponse:
    row = selectors.shelved_hierarchy(shelved_id)
    policies.check_keeps_shelved(request.user, row)
    if request.method != "POST":
        return render(request, "shelf/remove.html", {"row": row})
    shelf.remove(row, by=request.actor)
    messages.success(request, f"“{row.name}” is off the shelf. Columns that use it keep it.")
    return redirect("shelf")
