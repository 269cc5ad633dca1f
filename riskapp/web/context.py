"""What every page knows."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from riskapp import policies, selectors
from riskapp.services import notices
from riskapp.web.handbook.here import page_about


def about(request: HttpRequest) -> dict[str, Any]:
    user: Any = getattr(request, "user", None)
    match = request.resolver_match

    @cache
    def roles() -> frozenset[str]:
        """In which roles the person works anywhere: asked for once a page."""
        return policies.roles_of(user) if user is not None else frozenset()

    return {
        "riskapp_version": settings.VERSION,
        "help_here": page_about((match.url_name or "") if match else ""),
        "sees_shelf": lambda: bool(roles() & {*policies.WORKERS, policies.ADMINISTRATOR}),
        "keeps_register": lambda: bool(roles() & {*selectors.KEEPERS, policies.ADMINISTRATOR}),
        "reads_trails": lambda: bool(roles() & policies.ABILITIES["audit"]),
        "own_notices": lambda: {"unseen": notices.unseen(user), "waiting": notices.waiting(user)},
    }
