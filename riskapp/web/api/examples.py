"""What the set-up comes to before any run: how many people are left out, and harm on example records."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import selectors
from riskapp.bridge import harm as bridge
from riskapp.models import Setup
from riskapp.services import harm, leaving
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.shapes import Json
from riskapp.web.api.shapes_asked import InquiryOut

router = Router()
OF_SETUP = "/projects/{uuid:project_id}/setup"


@router.get(f"{OF_SETUP}/leave-out/counts", response=InquiryOut, url_name="leave-out-counts", **needs("read"))
def show_left_out(request: Asked, project_id: UUID) -> dict[str, Any]:
    """How many rows and people the list of people to leave out takes away."""
    return telling.inquiry(leaving.of(selectors.setup_of(project_for(request, project_id, "see_runs"))))


@router.post(f"{OF_SETUP}/leave-out/counts", response={202: InquiryOut}, url_name="leave-out-counts", **needs("run"))
def ask_left_out(request: Asked, project_id: UUID) -> Status[dict[str, Any]]:
    """Have them counted."""
    setup = selectors.setup_of(project_for(request, project_id, "run"))
    leaving.ask(setup, by=request.actor)
    return Status(202, telling.inquiry(leaving.of(setup)))


@router.get(f"{OF_SETUP}/harm/examples", response=InquiryOut, url_name="harm-examples", **needs("read"))
def show_examples(request: Asked, project_id: UUID) -> dict[str, Any]:
    """Made-up records with the harm of each, as the set-up is now."""
    return _examples(selectors.setup_of(project_for(request, project_id, "see_runs")))


@router.post(f"{OF_SETUP}/harm/examples", response={202: InquiryOut}, url_name="harm-examples", **needs("run"))
def ask_examples(request: Asked, project_id: UUID) -> Status[dict[str, Any]]:
    """Have records made up from how often each value occurs."""
    setup = selectors.setup_of(project_for(request, project_id, "run"))
    harm.ask_examples(setup, by=request.actor)
    return Status(202, _examples(setup))


@router.post(f"{OF_SETUP}/harm/records", response=list[Json], url_name="harm-real", **needs("values"))
def look_at_records(request: Asked, project_id: UUID) -> list[Json]:
    """Some records of the dataset with the harm of each. The look is audited before they are sent."""
    setup = selectors.setup_of(project_for(request, project_id, "see_values"))
    return _weighed(setup, harm.look_at_records(setup, by=request.actor))


def _examples(setup: Setup) -> dict[str, Any]:
    known = harm.examples(setup)
    told = None if known.found is None else {"records": _weighed(setup, known.found)}
    return {"figures": told, "run": telling.run(known.run), "obstacle": known.obstacle}


def _weighed(setup: Setup, found: dict[str, Any]) -> list[Json]:
    """Each record's cells as they are shown, what each adds, and the harm of all."""
    sums = bridge.harms(setup, found["records"])
    return [
        {
            "cells": {column: cell["shown"] for column, cell in record.items()},
            "adds": told["attributes"],
            "phi": told["phi"],
        }
        for record, told in zip(found["records"], sums, strict=True)
    ]
