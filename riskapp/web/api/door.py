"""Who comes in: a token, for what, and how often. A session's cookie opens nothing here."""

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle
from redis.exceptions import RedisError

from riskapp import policies, selectors
from riskapp.models import Actor, ApiToken, Project, User
from riskapp.services import tokens
from riskapp.services.states import Overtaken
from riskapp.web.middleware import address

log = logging.getLogger(__name__)
MINUTE = 60
TEXT = {"type": "string"}
PROBLEM: dict[str, Any] = {
    "description": "What is wrong, and what to do. Some have more: `key` or `errors` where a part of the request is at "
    "fault, `seen` and `version` where somebody was faster.",
    "content": {
        "application/problem+json": {
            "schema": {
                "type": "object",
                "required": ["status", "message", "advice"],
                "properties": {"status": {"type": "integer"}, "message": TEXT, "advice": TEXT},
            }
        }
    },
}
"""Every answer that is not good, for those who know the OpenAPI document alone."""


class Asked(HttpRequest):
    """A request of a program, as the door leaves it."""

    actor: Actor
    user: User
    auth: ApiToken


class Token(HttpBearer):
    """Lets in whoever shows a token that has the scope."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: Any, token: str) -> ApiToken | None:
        found = tokens.find(token)
        if found is None:
            return None
        request.user, request.actor = found.user, Actor(found.user, address(request), token=found.name)
        tokens.used(found)
        check_scope(found, self.scope)
        return found


def check_scope(token: ApiToken, scope: str) -> None:
    if scope not in token.scopes:
        raise policies.Refused(f"This token is not for that. It needs the scope “{scope}”.")


def needs(scope: str, **extra: Any) -> dict[str, Any]:
    """What the operations of a scope have in common."""
    responses = {**extra.pop("responses", {}), "default": PROBLEM}
    return {"auth": Token(scope), "openapi_extra": {"x-scope": scope, "responses": responses, **extra}}


class Pace(BaseThrottle):
    """So many requests of one person in a minute, whichever of their tokens is used.

    The counts are in the cache, which all web processes share. Without it nobody is kept waiting.
    """

    def allow_request(self, request: Any) -> bool:
        key = f"api-pace-{request.user.pk}-{int(time.time() // MINUTE)}"
        try:
            cache.add(key, 0, timeout=2 * MINUTE)
            return int(cache.incr(key)) <= settings.API_PER_MINUTE
        except (RedisError, ValueError) as trouble:
            log.warning("requests are not counted: %s", type(trouble).__name__)
            return True

    def wait(self) -> float:
        return MINUTE - time.time() % MINUTE


def project_for(request: Any, project_id: UUID, ability: str) -> Project:
    """The project, for members whose role has the ability."""
    project = selectors.project(project_id)
    policies.check(ability, request.user, project)
    return project


class Conflict(Overtaken):
    """Somebody was faster: which version the caller saw, and which there is now."""

    def __init__(self, message: str, seen: int, version: int) -> None:
        super().__init__(message)
        self.seen, self.version = seen, version


@contextmanager
def seeing(row: Any, version: int) -> Iterator[None]:
    """Inside it, whoever is overtaken is told both versions."""
    with seeing_all([(row, version)]):
        yield


@contextmanager
def seeing_all(rows: Iterable[tuple[Any, int]]) -> Iterator[None]:
    """Inside it, whoever is overtaken is told both versions of the first row that is another by now."""
    seen = list(rows)
    try:
        yield
    except Overtaken as trouble:
        for row, _ in seen:
            row.refresh_from_db(fields=["version"])
        row, version = next((one for one in seen if one[0].version != one[1]), seen[0])
        raise Conflict(str(trouble), version, row.version) from trouble
