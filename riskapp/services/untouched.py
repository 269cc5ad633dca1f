"""Files of a release as they were sealed: each is hashed before a byte of it leaves, and any other is withheld."""

import hashlib
import hmac
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, NamedTuple, cast

from django.utils import timezone

from riskapp import storage
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Release, ReleaseState
from riskapp.services import audit, notices
from riskapp.services.states import Overtaken, move

PARTS = {"manifest": "manifest.json", "report": "report.html", "codebook": "codebook.html", "codes": "codebook.json"}
SEALED_BY_MANIFEST = ("codebook", "codes")
BLOCK = 1 << 20
"""So many bytes are held in memory while they are sent."""


class Withheld(RiskappError):
    """The file is not the one that was approved; nobody gets it."""


class Served(NamedTuple):
    """An open file whose bytes were found to be the approved ones and are sent as such, and its name."""

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
    """The file is hashed and served through one and the same handle, so it cannot be exchanged in between.

    Whoever can write into the store could still change it in place; what is sent is held against what was hashed.
    """
    place = storage.release_place(release.project_id, cast(Any, release.folder)) / name
    try:
        file = place.open("rb", buffering=BLOCK)
    except FileNotFoundError:
        return _withhold(release, f"the {noun} is not in the store", by=by)
    found, blocks = _hashed(file)
    whose = "its bytes" if noun == "file" else f"the bytes of its {noun}"
    if not hmac.compare_digest(found, sha256):
        file.close()
        return _withhold(release, f"{whose} are not those that were approved", by=by)
    size = file.tell()
    file.seek(0)
    changed = partial(_withhold, release, f"{whose} changed while it was sent", by=by)
    return Served(BufferedReader(_AsHashed(file, blocks, changed), BLOCK), name, size)


def _hashed(file: BinaryIO) -> tuple[str, list[bytes]]:
    """The hash of a file, and of each of its blocks."""
    whole, blocks = hashlib.sha256(), []
    while block := file.read(BLOCK):
        whole.update(block)
        blocks.append(hashlib.sha256(block).digest())
    return whole.hexdigest(), blocks


class _AsHashed(RawIOBase):
    """A file that is read once, in blocks each of which must be what it was when it was hashed.

    It has no file number, so that no server takes the bytes past it.
    """

    def __init__(self, file: BinaryIO, blocks: list[bytes], changed: Callable[[], Any]) -> None:
        self._file, self._blocks, self._changed = file, iter(blocks), changed
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if not self._left:
            self._left = memoryview(self._next())
        part = self._left[: len(room)]
        room[: len(part)] = part
        self._left = self._left[len(part) :]
        return len(part)

    def _next(self) -> bytes:
        block, expected = self._file.read(BLOCK), next(self._blocks, None)
        found = hashlib.sha256(block).digest() if block else None
        if found != expected:
            self._changed()
        return block

    def close(self) -> None:
        self._file.close()
        super().close()


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
