"""The handbook: read, and searched. It is the same in every installation, so it is open to everybody."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from riskapp.web import handbook
from riskapp.web.handbook.pages import INDEX

LONGEST_SEARCH = 100


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The list of pages, or with ?q= what was found in them."""
    asked = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    context = {"page": handbook.page(INDEX), "asked": asked, "hits": handbook.search(asked)}
    return render(request, "help/index.html", context)


@require_safe
def page(request: HttpRequest, page: str) -> HttpResponse:
    if page == INDEX:
        return redirect("help")
    try:
        found = handbook.page(page)
    except KeyError as missing:
        raise Http404 from missing
    return render(request, "help/page.html", {"page": found, "shelves": handbook.shelves()})


@require_safe
def picture(request: HttpRequest, picture: str) -> HttpResponse:
    try:
        content, kind = handbook.picture(picture)
    except KeyError as missing:
        raise Http404 from missing
    return HttpResponse(content, content_type=kind, headers={"Cache-Control": "private, max-age=3600"})
