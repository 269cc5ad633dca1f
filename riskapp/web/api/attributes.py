"""The columns of the dataset: what each becomes, who could know it, and what it weighs."""

from typing import Any
from uuid import UUID

from ninja import Router

from riskapp import policies, selectors
from riskapp.services import checking, ordering, setups
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for, seeing, seeing_all
from riskapp.web.api.shapes import AttributeIn, AttributeOut, ManyAttributes

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


@router.patch(OF_PROJECT, response=list[AttributeOut], url_name="attributes", **needs("describe"))
def describe_attributes(request: Asked, project_id: UUID, wanted: ManyAttributes) -> list[dict[str, Any]]:
    """The same change to several columns, to all of them or to none. Without one, what is suggested is confirmed."""
    setup = selectors.setup_of(project_for(request, project_id, "describe"))
    columns = {one.pk: one for one in setup.attributes.select_related("setup__project")}
    if any(one.id not in columns for one in wanted.columns):
        raise policies.Hidden
    named = [(columns[one.id], one.version) for one in wanted.columns]
    with seeing_all(named):
        setups.describe_many(named, by=request.actor, **wanted.dict(exclude_none=True, exclude={"columns"}))
    return [telling.attribute(one) for one, _ in named]


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
    if changes.get("order"):
        ordering.check(attribute, changes["order"])
    with seeing(attribute, wanted.version), checking.sound(attribute.setup, f"attributes.{attribute.column}"):
        setups.describe(attribute, wanted.version, by=request.actor, **changes)
    return telling.attribute(attribute)


@router.post(
    OF_PROJECT + "/{int:attribute_id}/order/values",
    response=list[str],
    url_name="attribute-values",
    **needs("values"),
)
def look_at_values(request: Asked, project_id: UUID, attribute_id: int) -> list[str]:
    """All values of a column as people would list them, to be put in order. The look is audited first."""
    attribute = selectors.attribute(project_for(request, project_id, "see_values"), attribute_id)
    return ordering.look_at_values(attribute, by=request.actor)
