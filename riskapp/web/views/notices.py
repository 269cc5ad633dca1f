"""Notices: runs of one's own that have ended."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from riskapp.services import notices
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, page_of

ORDERS: Orders = {
    "new": ("Newest first", ("-at",)),
    "project": ("By project", (Lower("run__project__name"), "-at")),
    "state": ("By how it ended", ("state", "-at")),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def index(request: HttpRequest) -> HttpResponse:
    """The list; posting marks all of it as seen."""
    user = cast(Request, request).user
    if request.method == "POST":
        notices.seen(user)
        return redirect("notices")
    found, listing = listed(request, notices.of(user), ("run__parameters__name", "run__project__name"), ORDERS)
    return render(request, "notices/index.html", {"page": page_of(request, found), "listing": listing})


@require_safe
@login_required
def badge(request: HttpRequest) -> HttpResponse:
    return render(request, "notices/_badge.html")
