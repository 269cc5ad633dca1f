"""The set-up of a project: its release class, its dataset, its harm and the plan of the next run."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.bridge import documents
from riskapp.models import Project, Setup
from riskapp.services import attackers, checking, datasets, drifting, harm, setups, undoing
from riskapp.services.states import Overtaken
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes import DatasetIn, HarmIn, Json, PlanIn, ReleaseClassIn, SetupOut, UndoIn, UploadChoice
from riskapp.web.api.shapes_asked import DriftOut, LinkageIn

router = Router()
OF_SETUP = "/projects/{uuid:project_id}/setup"


@router.get("/classes", response=dict[str, Json], url_name="classes", **needs("read"))
def show_classes(request: Asked) -> dict[str, Json]:
    """The organisation's limits for every release class."""
    return documents.class_limits()


@router.get(OF_SETUP, response=SetupOut, url_name="setup", **needs("read"))
def show_setup(request: Asked, project_id: UUID) -> dict[str, Any]:
    """The set-up as it is, and which steps are done."""
    return _told(project_for(request, project_id, "see_runs"))


@router.put(f"{OF_SETUP}/class", response=SetupOut, url_name="release-class", **needs("describe"))
def set_class(request: Asked, project_id: UUID, wanted: ReleaseClassIn) -> dict[str, Any]:
    """For whom the release is, and the limits that follow or the project's own."""
    project, setup = _to_change(request, project_id)
    own = wanted.limits.dict(exclude_none=True) if wanted.limits is not None else None
    with seeing(setup, wanted.version):
        setups.set_class(setup, wanted.release_class, own, wanted.version, by=request.actor)
    return _told(project)


@router.put(f"{OF_SETUP}/dataset", response=SetupOut, url_name="dataset", **needs("describe"))
def choose_dataset(request: Asked, project_id: UUID, wanted: DatasetIn) -> dict[str, Any]:
    """Which upload is the dataset. Its columns get what is suggested.

    In the place of another dataset, what was said before is carried over: it must have been compared first."""
    project, setup = _to_change(request, project_id)
    if wanted.upload is None:
        raise setups.Unfit("Name the upload that is the dataset.")
    upload = selectors.upload(project, wanted.upload)
    with seeing(setup, wanted.version):
        if setup.dataset_id is None:
            setups.choose_dataset(setup, upload, wanted.version, by=request.actor)
        else:
            datasets.replace(setup, upload, wanted.renamed, wanted.version, by=request.actor)
    return _told(project)


@router.get(f"{OF_SETUP}/dataset/drift/{{uuid:upload_id}}", response=DriftOut, url_name="drift", **needs("read"))
def show_drift(request: Asked, project_id: UUID, upload_id: UUID) -> dict[str, Any]:
    """What is different in a file of this project from its dataset."""
    setup, question = _compared(project_for(request, project_id, "see_runs"), upload_id)
    return telling.drift(drifting.of(setup.project, question))


@router.post(f"{OF_SETUP}/dataset/drift/{{uuid:upload_id}}", response={202: DriftOut}, url_name="drift", **needs("run"))
def ask_drift(request: Asked, project_id: UUID, upload_id: UUID) -> Status[dict[str, Any]]:
    """Have the file compared."""
    setup, question = _compared(project_for(request, project_id, "run"), upload_id)
    drifting.ask(setup, question, by=request.actor)
    return Status(202, telling.drift(drifting.of(setup.project, question)))


def _compared(project: Project, upload_id: UUID) -> tuple[Setup, drifting.Question]:
    setup, upload = selectors.setup_of(project), selectors.upload(project, upload_id)
    if setup.dataset_id is None:
        raise Overtaken("There is no dataset to compare with. Choose this one.")
    return setup, drifting.from_setup(setup, upload)


@router.post(f"{OF_SETUP}/undo", response=SetupOut, url_name="templates-undo", **needs("describe"))
def undo(request: Asked, project_id: UUID, wanted: UndoIn) -> dict[str, Any]:
    """Go back to the set-up as it was before it was last replaced as a whole. That can be undone too."""
    project, setup = _to_change(request, project_id)
    undoing.undo_overhaul(setup, wanted.event, by=request.actor)
    return _told(project)


@router.put(f"{OF_SETUP}/leave-out", response=SetupOut, url_name="leave-out", **needs("describe"))
def leave_out(request: Asked, project_id: UUID, wanted: UploadChoice) -> dict[str, Any]:
    """The upload with the identifiers of people to leave out, or null for nobody."""
    project, setup = _to_change(request, project_id)
    upload = None if wanted.upload is None else selectors.upload(project, wanted.upload)
    with seeing(setup, wanted.version):
        setups.leave_out(setup, upload, wanted.version, by=request.actor)
    return _told(project)


@router.put(f"{OF_SETUP}/harm", response=SetupOut, url_name="harm", **needs("describe"))
def describe_harm(request: Asked, project_id: UUID, wanted: HarmIn) -> dict[str, Any]:
    """How weights come to harm. What each column weighs is said at the column."""
    project, setup = _to_change(request, project_id)
    with seeing(setup, wanted.version), checking.sound(setup, "sensitivity", "dataset.risk_weight"):
        said: Any = {"sensitivity": wanted.sensitivity, "risk_weight": wanted.risk_weight}
        harm.describe(setup, wanted.version, by=request.actor, **said)
    return _told(project)


@router.put(f"{OF_SETUP}/plan", response=SetupOut, url_name="plan", **needs("describe"))
def plan_search(request: Asked, project_id: UUID, wanted: PlanIn) -> dict[str, Any]:
    """Which rules the next run considers, what is asked of them, and how risk and utility are told."""
    project, setup = _to_change(request, project_id)
    search: Any = {"rules": ["full-domain"], **wanted.search}
    with seeing(setup, wanted.version), checking.sound(setup, "search", "risk", "utility"):
        said: Any = {"search": search, "risk": wanted.risk, "utility": wanted.utility}
        setups.plan(setup, wanted.version, by=request.actor, **said)
    return _told(project)


@router.put(f"{OF_SETUP}/linkage", response=SetupOut, url_name="linkage", **needs("describe"))
def link(request: Asked, project_id: UUID, wanted: LinkageIn) -> dict[str, Any]:
    """Rows without names that somebody may first join to the released ones, and what would be learnt by it."""
    project, setup = _to_change(request, project_id)
    upload = selectors.upload(project, wanted.upload)
    told = {"upload": str(upload.pk), "match": wanted.match, "adds": wanted.adds}
    with seeing(setup, wanted.version), checking.sound(setup, "linkage"):
        attackers.link(setup, wanted.version, told, by=request.actor)
    return _told(project)


@router.delete(f"{OF_SETUP}/linkage", response=SetupOut, url_name="linkage", **needs("describe"))
def unlink(request: Asked, project_id: UUID, version: int) -> dict[str, Any]:
    """Without linkage data from now on."""
    project, setup = _to_change(request, project_id)
    with seeing(setup, version):
        attackers.unlink(setup, version, by=request.actor)
    return _told(project)


def _to_change(request: Asked, project_id: UUID) -> tuple[Project, Setup]:
    project = project_for(request, project_id, "describe")
    return project, selectors.setup_of(project)


def _told(project: Project) -> dict[str, Any]:
    setup, last = selectors.setup_of(project), selectors.last_overhaul(project)
    parts = ("version", "release_class", "risk_weight", "sensitivity", "risk", "utility", "search", "linkage")
    return {name: getattr(setup, name) for name in parts} | {
        "dataset": setup.dataset_id,
        "leave_out": setup.leave_out_id,
        "limits": documents.limits_of(setup),
        "own_limits": setup.limits is not None,
        "undo": {"event": last.number, "action": last.action, "at": last.at} if last else None,
        "steps": [{"key": step.key, "name": step.name, "done": step.done} for step in selectors.steps(project)],
    }
