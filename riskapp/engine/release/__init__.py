"""Releasing: a rule's table as a file that may leave the house, with a manifest that says how it came about."""

from riskapp.engine.release.manifest import software
from riskapp.engine.release.origin import Origin, origin
from riskapp.engine.release.releasing import ENDINGS, ReleaseDiffers, checked_ending, manifest_path, release

__all__ = ["ENDINGS", "Origin", "ReleaseDiffers", "checked_ending", "manifest_path", "origin", "release", "software"]
