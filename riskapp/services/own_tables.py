"""Tables that only a project knows, and no template: linkage data, and tables of people's own weights."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from riskapp.bridge.documents import attribute_of
from riskapp.models import Setup, Upload, UploadState
from riskapp.services import copying
from riskapp.services.copying import Document

SHREDDED = "its file is not there any more"


@dataclass(frozen=True)
class Own:
    """A document with the project's own tables, as far as they fit it: what stays, and what is left out and why."""

    document: Document
    stays: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def kept(document: Document, setup: Setup, renamed: Mapping[str, str]) -> Own:
    """A document that is to become the project's set-up, with the tables that the project has besides.

    Parameters
    ----------
    document : with the columns of the dataset that there will be, by their new names
    renamed : the new name of each column that is called something else now
    """
    own = Own({**document, "attributes": list(document["attributes"])})
    uploads = {str(one.pk): one for one in Upload.objects.filter(project_id=setup.project_id, state=UploadState.READY)}
    _keep_linkage(own, setup, renamed, uploads)
    for one in setup.attributes.all():
        if isinstance(one.personal, dict):
            _keep_personal(own, renamed.get(one.column, one.column), one.personal, uploads)
    return own


def _keep_linkage(own: Own, setup: Setup, renamed: Mapping[str, str], uploads: Mapping[str, Upload]) -> None:
    own.document["linkage"] = None
    if not setup.linkage:
        return
    upload, told = uploads.get(setup.linkage["upload"]), _called_anew(own.document, setup.linkage, renamed)
    released = {one["column"] for one in own.document["attributes"] if copying.released(one)}
    match = {column: to for column, to in told["match"].items() if attribute_of(to, released) in released}
    lost = ", ".join(column for column in told["match"] if column not in match)
    if upload is None:
        own.left_out.append(f"the linkage data: {SHREDDED}")
    elif str(upload.pk) == own.document["dataset"]:
        own.left_out.append(f"the linkage data: {upload.name} is the dataset now")
    elif not match:
        own.left_out.append(f"the linkage data {upload.name}: no column that they are joined by is released any more")
    else:
        own.document["linkage"] = {**told, "match": match}
        own.stays.append(f"the linkage data {upload.name}, joined by {', '.join(match)}")
        if lost:
            own.left_out.append(f"{lost} of the linkage data {upload.name}: what it is matched to is not released")


def _called_anew(document: Document, linkage: Document, renamed: Mapping[str, str]) -> Document:
    told: Document = copying.with_names({**document, "linkage": linkage}, renamed)["linkage"]
    return told


def _keep_personal(own: Own, column: str, personal: Document, uploads: Mapping[str, Upload]) -> None:
    upload, attributes = uploads.get(personal["upload"]), own.document["attributes"]
    place = next((place for place, one in enumerate(attributes) if one["column"] == column), None)
    what = f"people's own weights of {column}"
    if upload is None:
        own.left_out.append(f"{what}: {SHREDDED}")
    elif place is None:
        own.left_out.append(f"{what} from {upload.name}: the column is not there any more")
    elif attributes[place]["personal"] is not None:
        own.left_out.append(f"{what} from {upload.name}: the template takes them from {attributes[place]['personal']}")
    else:
        attributes[place] = {**attributes[place], "personal": personal}
        own.stays.append(f"{what} from {upload.name}")
