"""Static files: Plotly's script comes from its Python package, and our modules import each other by hashed names."""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

SCRIPT = "plotly.min.js"
PREFIX = "vendor"


class PlotlyFinder(BaseFinder):
    """Finds `vendor/plotly.min.js`, and nothing else of the package."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=str(files("plotly") / "package_data"))
        self.storage.prefix = PREFIX  # type: ignore[attr-defined]
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        if self.storage.exists(SCRIPT):
            return []
        return [Error(f"The plotly package has no {SCRIPT}.", hint="Install the version of requirements.txt.")]

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        found = [self.storage.path(SCRIPT)] if path == f"{PREFIX}/{SCRIPT}" else []
        return found if find_all or not found else found[0]

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        yield SCRIPT, self.storage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Names with hashes also inside the imports of our own modules, so that one release never mixes with another."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),
    )
