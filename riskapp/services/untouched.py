"""Files of a release as they were sealed: each is hashed before a byte of it leaves, and any other is withheld."""

import hashlib
import hmac
import json
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, cast

from django.utils import timezone

from riskapp import storage
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Release, ReleaseState
from riskapp.services import audit, notices
from riskapp.services.states import Overtaken, move

PARTS = {"manifest": "manifest.json", "report": "report.html", "codebook": "codebook.html", "codes": "codebook.json"}
SEALED_BY_MANIFEST = ("codebook", "codes")


class Withheld(RiskappError):
    """The file is not the one that was approved; nobody gets it."""


class Served(NamedTuple):
    """An open file whose bytes were found to be the approved ones, and its name."""

    file: BinaryIO
    name: str
    size: int


def released(release: Release, *, by: Actor) -> Served:
    """The file that was approved."""
    return _checked(release, release.name, release.sha256, "file", by=by)


def beside(release: Release, part: str, *, by: Actor) -> Served:
    """Manifest, report or codebook; the manifest has the hashes of the codebook and must be whole itself."""
    hashes = {"manifest": release.manifest_sha256, "report": release.report_sha256}
    sha256 = _in_manifest(release, PARTS[part], by=by) if part in SEALED_BY_MANIFEST else hashes[part]
    return _checked(release, PARTS[part], sha256, part if part != "codes" else "codebook", by=by)


def _in_manifest(release: Release, name: str, *, by: Actor) -> str:
    with beside(release, "manifest", by=by).file as file:
        return str(json.load(file)["sha256"]["beside"].get(name, ""))


def _checked(release: Release, name: str, sha256: str, noun: str, *, by: Actor) -> Served:
    """The file is hashed and served through one and the same handle, so it cannot be exchanged in between."""
    place = storage.release_place(release.project_id, cast(Any, release.folder)) / name
    try:
        file = place.open("rb")
    except FileNotFoundError:
        return _withhold(release, f"the {noun} is not in the store", by=by)
    found = hashlib.file_digest(file, "sha256").hexdigest()
    if not hmac.compare_digest(found, sha256):
        file.close()
        whose = "its bytes" if noun == "file" else f"the bytes of its {noun}"
        return _withhold(release, f"{whose} are not those that were approved", by=by)
    size = file.tell()
    file.seek(0)
    return Served(file, name, size)


def _withhold(release: Release, why: str, *, by: Actor) -> Served:
    said = "This release has ended, and this was withheld"
    if release.state == ReleaseState.READY:
        said = "This release was withheld and revoked"
        server = Actor(None, by.address, label="server")  # whoever asked for it has not decided anything
        with suppress(Overtaken):  # somebody else ended it at this moment
            revoke(release, f"Withheld by the server: {why}.", by=server)
    raise Withheld(f"{said}: {why}. Tell an officer of the project; it can be proposed anew.")


def revoke(release: Release, reason: str, *, by: Actor) -> None:
    told, now = {"reason": reason}, timezone.now()
    with audit.writing():
        move(release, ReleaseState.REVOKED, by=by, details=told, ended_at=now, why_ended=reason)
        notices.tell_revoked(release)
