"""A rule's table as a file that may leave the house, with a manifest that says how it came about."""

from riskapp.engine.outgoing.manifest import software
from riskapp.engine.outgoing.origin import Origin, origin
from riskapp.engine.outgoing.releasing import ENDINGS, ReleaseDiffers, checked_ending, manifest_path, release

__all__ = ["ENDINGS", "Origin", "ReleaseDiffers", "checked_ending", "manifest_path", "origin", "release", "software"]
