"""What the views share: who asks, and for what."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse

from riskapp import policies, selectors
from riskapp.models import Actor, Membership, Project, User


class Request(HttpRequest):
    """A request of somebody who is signed in, as our middleware leaves it."""

    actor: Actor
    user: User
    place: Membership
    htmx: Any


View = Callable[..., HttpResponse]


def _checked_by(check: Callable[[User, Project], Membership]) -> Callable[[View], View]:
    """The view gets the project instead of its id, and runs only for those who pass the check."""

    def decorate(view: View) -> View:
        @login_required
        @wraps(view)
        def checked(request: HttpRequest, project_id: UUID, **kwargs: Any) -> HttpResponse:
            asked = cast(Request, request)
            project = selectors.project(project_id)
            asked.place = check(asked.user, project)
            return view(asked, project, **kwargs)

        return checked

    return decorate


def in_project(ability: str) -> Callable[[View], View]:
    """For members whose role has the ability."""
    return _checked_by(partial(policies.check, ability))


as_owner = _checked_by(policies.check_owns)


def as_administrator(view: View) -> View:
    @login_required
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        policies.check_administers(cast(User, request.user))
        return view(request, **kwargs)

    return checked


def frame(request: Request, project: Project, tab: str) -> dict[str, Any]:
    """What every page of a project shows around its content."""
    place = request.place
    may = {ability: place.role in roles for ability, roles in policies.ABILITIES.items()}
    steps = selectors.steps(project) if may["see_uploads"] else []
    return {"project": project, "tab": tab, "place": place, "may": may, "steps": steps}


def whole(word: str, otherwise: int) -> int:
    """The whole number that a form sent, or another where what came is none."""
    return int(word) if word.isdecimal() and len(word) < 19 else otherwise


def version_seen(request: HttpRequest, row: Any) -> int:
    """The version of a row that a form was filled in from; the present one where the form does not say."""
    return whole(request.POST.get("seen", ""), row.version)


def page_of(request: HttpRequest, rows: Any, size: int = 50) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get("page"))
