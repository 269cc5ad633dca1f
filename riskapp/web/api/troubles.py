"""What went wrong, in one shape: status, message, advice, and what else a program can act on."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from riskapp import policies
from riskapp.bridge.documents import NotReady
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import RiskappError
from riskapp.services import downloads
from riskapp.services.setups import Unfit
from riskapp.services.uploads import Unwelcome
from riskapp.web import middleware
from riskapp.web.api.door import Conflict
from riskapp.web.views.errors import route

log = logging.getLogger(__name__)
LOOK_AGAIN = "Read it again, then repeat the change with the version that you see."
READABLE = "Send JSON in UTF-8."
LOOK_IT_UP = "The page “API” of this server lists every request."


def problem(status: int, message: str, advice: str = "", **more: Any) -> HttpResponse:
    """An answer that says what is wrong and what to do."""
    content = {"status": status, "message": message, "advice": advice, **more}
    return JsonResponse(content, status=status, content_type="application/problem+json")


def hidden(request: HttpRequest, trouble: Exception) -> HttpResponse:
    middleware.note(request, "turned away", trouble)
    return missing(request, trouble)


def missing(request: HttpRequest, trouble: Exception) -> HttpResponse:
    return problem(404, "There is no such thing here, or not for you.", "Check the address and whose token it is.")


def refused(request: HttpRequest, trouble: Exception) -> HttpResponse:
    middleware.note(request, "refused", trouble)
    return problem(403, str(trouble), "Ask an owner of the project, or use another token.")


FILES = ("release-download", "release-part")


def unknown(request: Any, trouble: Exception) -> HttpResponse:
    asked = request.resolver_match
    if asked is not None and asked.url_name in FILES:
        release = asked.kwargs["release_id"]
        downloads.note_visitor(asked.kwargs["project_id"], by=request.actor, release_id=release)
    answer = problem(
        401,
        "No token came, or it is unknown, expired or withdrawn.",
        "Send the header “Authorization: Bearer …” with a token from your account's page.",
    )
    answer["WWW-Authenticate"] = "Bearer"
    return answer


def conflict(request: HttpRequest, trouble: Conflict) -> HttpResponse:
    return problem(409, str(trouble), LOOK_AGAIN, seen=trouble.seen, version=trouble.version)


def in_the_way(request: HttpRequest, trouble: Exception) -> HttpResponse:
    return problem(409, str(trouble), getattr(trouble, "advice", ""))


def unwelcome(request: HttpRequest, trouble: Unwelcome) -> HttpResponse:
    return problem(trouble.status, str(trouble), trouble.advice)


def bad_setting(request: HttpRequest, trouble: BadSetting) -> HttpResponse:
    return problem(422, trouble.message, key=trouble.key)


def unfit(request: HttpRequest, trouble: Exception) -> HttpResponse:
    return problem(422, str(trouble))


def too_large(request: HttpRequest, trouble: Exception) -> HttpResponse:
    return problem(413, "The request is larger than any description can be.", "Send files as uploads, and less words.")


def no_form(request: HttpRequest, trouble: Exception) -> HttpResponse:
    return problem(
        400, "What came cannot be read as a form.", "Send multipart/form-data, and the file as its part “file”."
    )


def malformed(request: HttpRequest, trouble: ValidationError) -> HttpResponse:
    """Which part of the request is not as described; what was sent there is not repeated."""
    errors = [{"key": _key(error["loc"]), "message": error["msg"]} for error in trouble.errors]
    return problem(422, "The request is not as described.", "Look at the keys named in “errors”.", errors=errors)


def _key(location: tuple[Any, ...]) -> str:
    """The path below the body, or the parameter's name.

    >>> _key(("body", "wanted", "limits", "largest_chance"))
    'limits.largest_chance'
    """
    return ".".join(map(str, location[2:] if location[:1] == ("body",) else location[1:]))


def too_often(request: HttpRequest, trouble: Throttled) -> HttpResponse:
    return problem(429, "Too many requests in this minute.", "Wait for as many seconds as “Retry-After” says.")


def otherwise(request: HttpRequest, trouble: HttpError) -> HttpResponse:
    """A body that cannot be read; what the library says of it is for its own log."""
    return problem(trouble.status_code, "The request cannot be read.", READABLE)


def broken(request: HttpRequest, trouble: Exception) -> HttpResponse:
    reference = uuid4().hex[:8]
    log.exception("reference %s on %s", reference, route(request))
    message = f"Something went wrong that we did not foresee (reference {reference})."
    return problem(500, message, "Try again; if it happens again, give the reference to whoever runs this server.")


HANDLERS: dict[type[Exception], Any] = {
    policies.Hidden: hidden,
    policies.Refused: refused,
    AuthenticationError: unknown,
    Throttled: too_often,
    HttpError: otherwise,
    Http404: missing,
    RequestDataTooBig: too_large,
    MultiPartParserError: no_form,
    SuspiciousOperation: no_form,
    ValidationError: malformed,
    Conflict: conflict,
    Unwelcome: unwelcome,
    BadSetting: bad_setting,
    Unfit: unfit,
    NotReady: in_the_way,
    RiskappError: in_the_way,
    Exception: broken,
}


def tell(api: NinjaAPI) -> None:
    """Have every trouble told in this way."""
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)


def in_one_shape(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """What comes to no operation, by its address or its method, is told in the same shape: a middleware."""

    def respond(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if not request.path_info.startswith("/api/v1/") or "json" in answer.headers.get("Content-Type", ""):
            return answer
        if answer.status_code == 404:
            return missing(request, Http404())
        if answer.status_code == 405:
            told = problem(405, "This address is not asked in this way.", LOOK_IT_UP)
            told.headers["Allow"] = answer.headers["Allow"]
            return told
        return answer

    return respond
