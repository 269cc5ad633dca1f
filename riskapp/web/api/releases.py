"""Releases: what was built, fetching it under the terms, ending it; and the organisation's register."""

from typing import Any
from uuid import UUID

from django.http import FileResponse
from ninja import Router, Status

from riskapp import policies, selectors
from riskapp.core.errors import Hidden
from riskapp.models import Membership, Release, Role
from riskapp.services import downloads, releases, untouched
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, check_scope, needs, project_for
from riskapp.web.api.shapes import Json
from riskapp.web.api.shapes_of_decisions import Reason, RegisteredOut, ReleaseOut, TermsOut, WholeReleaseOut
from riskapp.web.sending import sent

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}"
OF_RELEASE = OF_PROJECT + "/releases/{uuid:release_id}"
BYTES: Json = {"responses": {200: {"description": "the bytes", "content": {"application/octet-stream": {}}}}}
MOST_REGISTERED = 1000


@router.get(f"{OF_PROJECT}/releases", response=list[ReleaseOut], url_name="releases", **needs("read"))
def list_releases(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """The releases of a project, newest first; for a recipient those that are meant for them and open."""
    place = policies.check("visit", request.user, selectors.project(project_id))
    if place.role == Role.RECIPIENT:
        return [telling.release(one) for one in selectors.releases_for(request.user, place.project)]
    return [telling.release(one, getattr(one, "fetched", None)) for one in selectors.releases_of(place.project)]


@router.get(OF_RELEASE, response=WholeReleaseOut, url_name="release", **needs("read"))
def show_release(request: Asked, project_id: UUID, release_id: UUID) -> dict[str, Any]:
    """One release: its state, its hashes, and what was measured and tried on it."""
    release, place = _seen(request, project_id, release_id)
    if place.role == Role.RECIPIENT:
        return telling.release(release) | {"figures": None, "attacks": None, "analyses": None}
    told = {name: getattr(release, name) for name in ("figures", "attacks", "analyses")}
    return telling.release(release, release.downloads.count()) | told


@router.get(OF_RELEASE + "/parts/{name}", url_name="release-part", **needs("read", **BYTES))
def download_part(request: Asked, project_id: UUID, release_id: UUID, name: str) -> FileResponse:
    """What lies beside the file: `manifest`, `report`, `codebook` (HTML) or `codes` (the codebook as JSON).

    The codebook has labels of the data, as the file has, so it needs the scope `download` too.
    """
    if name in untouched.SEALED_BY_MANIFEST:
        check_scope(request.auth, "download")
    release, _ = _seen(request, project_id, release_id)
    served = downloads.part(release, name, by=request.actor)
    return sent(served)


@router.get(f"{OF_PROJECT}/terms", response=TermsOut, url_name="release-terms", **needs("download"))
def show_terms(request: Asked, project_id: UUID) -> dict[str, Any]:
    """The terms under which files leave the project, and whether you have accepted this wording."""
    project = project_for(request, project_id, "download")
    return {"terms": downloads.terms(project), "accepted": downloads.has_accepted(request.user, project)}


@router.post(f"{OF_PROJECT}/terms", response=TermsOut, url_name="release-terms", **needs("download"))
def accept_terms(request: Asked, project_id: UUID) -> dict[str, Any]:
    """Accept the terms in their present wording, in the name of whose token it is."""
    project = project_for(request, project_id, "download")
    downloads.accept_terms(project, by=request.actor)
    return {"terms": downloads.terms(project), "accepted": True}


@router.post(f"{OF_RELEASE}/file", url_name="release-download", **needs("download", **BYTES))
def download_file(request: Asked, project_id: UUID, release_id: UUID) -> FileResponse:
    """The file. The download is recorded, and the file hashed, before a byte is sent."""
    project = project_for(request, project_id, "download")
    release, _ = _seen(request, project_id, release_id)
    served = downloads.fetch(downloads.link(release, by=request.actor), project, by=request.actor)
    return sent(served)


@router.post(f"{OF_RELEASE}/build", response={202: ReleaseOut}, url_name="release-build", **needs("propose"))
def build_again(request: Asked, project_id: UUID, release_id: UUID) -> Status[dict[str, Any]]:
    """Try once more what has failed; the decision stands."""
    release = selectors.release(project_for(request, project_id, "propose"), release_id)
    releases.build_again(release, by=request.actor)
    return Status(202, telling.release(release))


@router.post(f"{OF_RELEASE}/revoke", response=ReleaseOut, url_name="release-revoke", **needs("decide"))
def revoke(request: Asked, project_id: UUID, release_id: UUID, said: Reason) -> dict[str, Any]:
    """Nobody can download it any more. Recipients see the reason."""
    release = selectors.release(project_for(request, project_id, "decide"), release_id)
    releases.revoke(release, said.reason, by=request.actor)
    return telling.release(release)


@router.delete(OF_RELEASE, response={204: None}, url_name="release-purge", **needs("upload"))
def shred_release(request: Asked, project_id: UUID, release_id: UUID) -> Status[None]:
    """Shred the file of an ended release. Only owners may; the decision and the hashes stay."""
    project = project_for(request, project_id, "visit")
    policies.check_owns(request.user, project)
    releases.purge(selectors.release(project, release_id), by=request.actor)
    return Status(204, None)


@router.get("/register", response=list[RegisteredOut], url_name="register", **needs("read"))
def show_register(request: Asked, q: str = "") -> list[dict[str, Any]]:
    """The organisation's register of releases, the latest thousand first; `q` searches it as the page does."""
    if not selectors.keeps_register(request.user):
        raise Hidden
    rows = selectors.with_downloads(selectors.register_for(request.user, q.replace("\0", "").strip()[:100]))
    return [telling.registered(one) for one in rows[:MOST_REGISTERED]]


def _seen(request: Asked, project_id: UUID, release_id: UUID) -> tuple[Release, Membership]:
    release = selectors.release(project_for(request, project_id, "visit"), release_id)
    return release, downloads.check_sees(request.user, release)
