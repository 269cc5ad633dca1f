"""Templates: a finished set-up under a name and a version, for the organisation to use again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Max

from riskapp import policies
from riskapp.models import Actor, Attacker, AttackerKind, Setup, Template, Upload, UploadState, User
from riskapp.services import audit, copying, drifting, own_tables, replacing
from riskapp.services.copying import DATES, Document
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken

OF_ITS_DATA = ("project", "dataset", "leave_out", "linkage")


def save(setup: Setup, name: str, about: str, *, by: Actor) -> Template:
    """Keep the set-up as the next version of the template of that name."""
    policies.check("describe", cast(User, by.user), setup.project)
    _check_finished(setup)
    with audit.writing():
        last = Template.objects.filter(name=name).aggregate(last=Max("version"))["last"] or 0
        template = Template.objects.create(
            name=name, version=last + 1, about=about, document=document(setup), made_by=cast(User, by.user)
        )
        told = {"name": name, "version": template.version}
        audit.record("template saved", by=by, on=template, project=setup.project_id, **told)
    return template


def _check_finished(setup: Setup) -> None:
    if setup.dataset_id is None:
        raise Unfit("There is nothing to save yet: choose the dataset and describe its columns first.")
    waiting = setup.attributes.filter(confirmed=False).count()
    if waiting:
        raise Unfit(f"Columns left to confirm: {waiting}. Confirm them, or accept what is suggested; then save it.")


def document(setup: Setup) -> Document:
    """What of a set-up is used again: no upload, no name of a project, no figure of the data."""
    told = copying.copied(setup)
    files = {one.name: one.upload.name for one in setup.attackers.select_related("upload") if one.upload}
    return {
        **{key: value for key, value in told.items() if key not in OF_ITS_DATA},
        "attributes": [_without_data(one) for one in told["attributes"]],
        "attackers": [_without_file(one, files.get(one["name"], "")) for one in told["attackers"]],
    }


def _without_data(one: Document) -> Document:
    personal = one["personal"] if isinstance(one["personal"], str) else None
    return {key: value for key, value in one.items() if key not in ("suggestion", "confirmed")} | {"personal": personal}


def _without_file(one: Document, file: str) -> Document:
    return {key: value for key, value in one.items() if key not in ("upload", *DATES)} | {"file": file}


# Using one


@dataclass(frozen=True)
class Applied:
    """What is left to do after a template was applied: attackers without a file, columns to confirm, own tables."""

    without_file: list[str]
    to_confirm: int
    left_out: list[str]


def apply(
    setup: Setup,
    template: Template,
    upload: Upload,
    renamed: Mapping[str, str],
    as_suggested: set[str],
    seen: int,
    *,
    by: Actor,
) -> Applied:
    """Make the template the set-up of the project, with the upload as its dataset, after it has been compared."""
    if upload.project_id != setup.project_id:
        raise Overtaken("This upload is not one of the project.")
    drift = drifting.known(setup.project, drifting.from_template(template, upload))
    names = drifting.check_renamed(drift, renamed)
    fitting = copying.onto(
        _for_project(template, setup),
        upload,
        renamed=names,
        doubtful=drifting.doubtful(drift, names),
        as_suggested=as_suggested,
    )
    own = own_tables.kept(fitting, setup, names)
    told = {"template": str(template.pk), "name": template.name, "version": template.version}
    copying.write(setup, own.document, seen, by=by, action="template applied", details=told)
    without = [one["name"] for one in fitting["attackers"] if one["kind"] != AttackerKind.ITSELF and not one["upload"]]
    return Applied(without, sum(not one["confirmed"] for one in fitting["attributes"]), own.left_out)


@dataclass(frozen=True)
class Besides:
    """What becomes of what the project has besides: its own tables, and those that nothing would shred any more."""

    stays: list[str]
    left_out: list[str]
    let_go: list[Attacker]


def besides(setup: Setup, template: Template, upload: Upload, renamed: Mapping[str, str]) -> Besides:
    """What applying a template would keep and leave out of what only the project knows; nothing is changed."""
    told = copying.with_names(_for_project(template, setup), renamed)
    there = [one for one in told["attributes"] if one["column"] in upload.column_names]
    own = own_tables.kept({**told, "dataset": str(upload.pk), "attributes": there}, setup, renamed)
    return Besides(own.stays, own.left_out, replacing.let_go(setup, told["attackers"]))


def _for_project(template: Template, setup: Setup) -> Document:
    """The template's document with what only the project knows: its people to leave out, its attackers' files."""
    told: Document = template.document
    ours = list(setup.attackers.select_related("upload"))
    files = {upload.name: upload for upload in _ready(setup)}
    return {
        **told,
        "leave_out": str(setup.leave_out_id) if setup.leave_out_id else None,
        "linkage": None,
        "attributes": [{**one, "confirmed": True} for one in told["attributes"]],
        "attackers": [_with_file(one, files.get(one["file"]), ours) for one in told["attackers"]],
    }


def _ready(setup: Setup) -> list[Upload]:
    """The uploads that could be an attacker's file, the newest of a name last."""
    uploads = Upload.objects.filter(project_id=setup.project_id, state=UploadState.READY)
    return list(uploads.only("name").order_by("uploaded_at"))


def _with_file(one: Document, named: Upload | None, ours: Sequence[Attacker]) -> dict[str, Any]:
    """An upload of the same name, or else that of the project's attacker of the same name; with its days."""
    same = next((our.upload for our in ours if our.name == one["name"]), None)
    upload = named or (same if same is not None and same.state == UploadState.READY else None)
    said = replacing.origin(one["name"], upload.pk if upload else None, ours)
    days = {name: said[name].isoformat() if name in said else None for name in DATES}
    return {**one, "upload": str(upload.pk) if upload else None, **days}
