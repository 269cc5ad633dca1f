"""Attackers: who could try to find people, and what they hold."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.models import Project
from riskapp.services import attackers, checking
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes import AttackerIn, AttackerOut, NewAttacker

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}/attackers"
OF_ATTACKER = OF_PROJECT + "/{int:attacker_id}"


@router.get(OF_PROJECT, response=list[AttackerOut], url_name="attackers", **needs("read"))
def list_attackers(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """The attackers of the set-up."""
    setup = selectors.setup_of(project_for(request, project_id, "see_runs"))
    return [telling.attacker(one) for one in setup.attackers.all()]


@router.post(OF_PROJECT, response={201: AttackerOut}, url_name="attackers", **needs("describe"))
def add_attacker(request: Asked, project_id: UUID, wanted: NewAttacker) -> Status[dict[str, Any]]:
    """One attacker more: who knows who is in the file, holds a register, or holds a table of counts."""
    project = project_for(request, project_id, "describe")
    setup = selectors.setup_of(project)
    with checking.sound(setup, "dictionaries"):
        said = _said(project, wanted.dict())
        found = attackers.add(setup, said.pop("kind"), said.pop("name"), by=request.actor, **said)
    return Status(201, telling.attacker(found))


@router.get(OF_ATTACKER, response=AttackerOut, url_name="attacker", **needs("read"))
def show_attacker(request: Asked, project_id: UUID, attacker_id: int) -> dict[str, Any]:
    """One attacker."""
    return telling.attacker(selectors.attacker(project_for(request, project_id, "see_runs"), attacker_id))


@router.patch(OF_ATTACKER, response=AttackerOut, url_name="attacker", **needs("describe"))
def change_attacker(request: Asked, project_id: UUID, attacker_id: int, wanted: AttackerIn) -> dict[str, Any]:
    """What an attacker knows or holds, and how its columns match the attributes."""
    project = project_for(request, project_id, "describe")
    attacker = selectors.attacker(project, attacker_id)
    said = _said(project, wanted.dict(exclude_unset=True, exclude={"version"}))
    with seeing(attacker, wanted.version), checking.sound(attacker.setup, "dictionaries"):
        attackers.describe(attacker, wanted.version, by=request.actor, **said)
    return telling.attacker(attacker)


@router.delete(OF_ATTACKER, response={204: None}, url_name="attacker", **needs("describe"))
def remove_attacker(request: Asked, project_id: UUID, attacker_id: int, version: int) -> Status[None]:
    """Take an attacker out of the set-up."""
    attacker = selectors.attacker(project_for(request, project_id, "describe"), attacker_id)
    with seeing(attacker, version):
        attackers.remove(attacker, version, by=request.actor)
    return Status(204, None)


def _said(project: Project, said: dict[str, Any]) -> dict[str, Any]:
    """The upload in place of its id; only one of the same project can be named."""
    if said.get("upload") is not None:
        said["upload"] = selectors.upload(project, said["upload"])
    return said
