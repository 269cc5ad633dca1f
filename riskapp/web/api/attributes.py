"""The columns of the dataset: what each becomes, who could know it, and what it weighs."""

from typing import Any
from uuid import UUID

from ninja import Router

from riskapp import selectors
from riskapp.services import checking, setups
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing
from riskapp.web.api.shapes import AttributeIn, AttributeOut

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}/attributes"


@router.get(OF_PROJECT, response=list[AttributeOut], url_name="attributes", **needs("read"))
def list_attributes(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """Every column of the dataset in its order."""
    setup = selectors.setup_of(project_for(request, project_id, "see_runs"))
    return [telling.attribute(one) for one in setup.attributes.all()]


@router.post(f"{OF_PROJECT}/accept", response=list[AttributeOut], url_name="attributes-accept", **needs("describe"))
def accept_suggestions(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """Confirm what is suggested for every column that nobody has confirmed yet."""
    setup = selectors.setup_of(project_for(request, project_id, "describe"))
    setups.accept_all(setup, by=request.actor)
    return [telling.attribute(one) for one in setup.attributes.all()]


@router.get(OF_PROJECT + "/{int:attribute_id}", response=AttributeOut, url_name="attribute", **needs("read"))
def show_attribute(request: Asked, project_id: UUID, attribute_id: int) -> dict[str, Any]:
    """One column."""
    return telling.attribute(selectors.attribute(project_for(request, project_id, "see_runs"), attribute_id))


@router.patch(OF_PROJECT + "/{int:attribute_id}", response=AttributeOut, url_name="attribute", **needs("describe"))
def describe_attribute(request: Asked, project_id: UUID, attribute_id: int, wanted: AttributeIn) -> dict[str, Any]:
    """Say what happens with a column: role, ticks, hierarchy, weights. That confirms the rest of what is suggested."""
    attribute = selectors.attribute(project_for(request, project_id, "describe"), attribute_id)
    said = wanted.dict(exclude_unset=True, exclude={"version"})
    changes = {
        key: value for key, value in said.items() if value is not None or key in {"hierarchy", "personal", "order"}
    }
    with seeing(attribute, wanted.version), checking.sound(attribute.setup, f"attributes.{attribute.column}"):
        setups.describe(attribute, wanted.version, by=request.actor, **changes)
    return telling.attribute(attribute)
