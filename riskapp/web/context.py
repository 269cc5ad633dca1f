"""What every page knows."""

import tomllib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest


@cache
def version() -> str:
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def about(request: HttpRequest) -> dict[str, str]:
    return {"riskapp_version": version()}
