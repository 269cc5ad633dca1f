"""A site with the frontier's page alone, over planes that lie in a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.test import override_settings
from django.urls import include, path
from django.utils.html import format_html

from riskapp.web import rule_words
from riskapp.web.risk_words import RiskWords

FOLDER = {"planes": Path()}
TAGGED = {"number": "exact"}
START: dict[str, float | None] = {"least_share": 0.4, "most_risk": 0.5, "most_chance": 0.34, "most_found": None}


def page(request: HttpRequest, name: str) -> HttpResponse:
    context: dict[str, Any] = {
        "project": SimpleNamespace(pk=UUID(int=1), name="Members for the loyalty study", purpose="A look at habits"),
        "place": SimpleNamespace(owner=False),
        "plane_url": f"/plane/{name}/plane.json",
        "rule_url": f"/plane/{name}/rule/?rule=__rule__",
        "compare_url": f"/plane/{name}/compare/",
        "csv_url": f"/plane/{name}/rules.csv",
        "start": START,
        "risk_words": RiskWords.of({}),
    }
    return render(request, "runs/frontier.html", context)


def plane(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponse((FOLDER["planes"] / f"{name}.plane").read_bytes(), content_type="application/json")


def rule(request: HttpRequest, name: str) -> HttpResponse:
    name = request.GET["rule"]
    tags = {"number_tag": rule_words.number_tag(TAGGED), "holding_tags": [{"label": name, "meaning": f"Of {name}."}]}
    panel = '<section class="card" id="opened">{}{}</section>'
    return HttpResponse(format_html(panel, name, render_to_string("rules/_tags.html", tags)))


urlpatterns = [
    path("plane/<str:name>/", page),
    path("plane/<str:name>/plane.json", plane),
    path("plane/<str:name>/rule/", rule),
    path("", include("riskapp.web.urls")),
]


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(planes: Path) -> Iterator[str]:
    """The address of the site."""
    FOLDER["planes"] = planes
    with override_settings(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"]):
        server = ThreadedWSGIServer(("127.0.0.1", 0), _Quiet)
        server.daemon_threads = True
        server.set_app(get_wsgi_application())
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
        server.server_close()
