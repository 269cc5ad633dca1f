"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest


def about(request: HttpRequest) -> dict[str, str]:
    return {"riskapp_version": settings.VERSION}
