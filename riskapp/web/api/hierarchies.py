"""Hierarchies of columns before they are saved: previewed, looked at value by value, with homes for values."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from ninja import Router

from riskapp import selectors
from riskapp.bridge import shaping
from riskapp.core.errors import Hidden
from riskapp.models import Attribute
from riskapp.services import hierarchies
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.shapes import Json
from riskapp.web.api.shapes_asked import Homes, HousedOut, Neighbours, NeighboursOut, PreviewOut, Spec

router = Router()
OF_HIERARCHY = "/projects/{uuid:project_id}/attributes/{int:attribute_id}/hierarchy"


@router.post(f"{OF_HIERARCHY}/preview", response=PreviewOut, url_name="hierarchy-preview", **needs("describe"))
def preview(request: Asked, project_id: UUID, attribute_id: int, wanted: Spec) -> dict[str, Any]:
    """What a hierarchy would come to, level by level: groups, the smallest of them, records alone. Nothing is kept."""
    attribute = _attribute(request, project_id, attribute_id, "describe")
    return shaping.shown(shaping.column_of(attribute), wanted.hierarchy).preview.as_json()


@router.post(f"{OF_HIERARCHY}/examples", response=list[list[Json]], url_name="hierarchy-examples", **needs("values"))
def look_at_examples(request: Asked, project_id: UUID, attribute_id: int, wanted: Spec) -> list[list[Json]]:
    """The commonest values with their labels at every level. The look is audited before they are sent."""
    attribute = _attribute(request, project_id, attribute_id, "see_values")
    return hierarchies.examples(attribute, wanted.hierarchy, by=request.actor)


@router.post(f"{OF_HIERARCHY}/rows", response=Json, url_name="hierarchy-download", **needs("values"))
def look_at_rows(request: Asked, project_id: UUID, attribute_id: int, wanted: Spec) -> Json:
    """The hierarchy written out value by value. The look is audited before it is sent."""
    attribute = _attribute(request, project_id, attribute_id, "see_values")
    return hierarchies.written_out(attribute, wanted.hierarchy, by=request.actor)


@router.post(f"{OF_HIERARCHY}/ordered", response=NeighboursOut, url_name="hierarchy-ordered", **needs("values"))
def merge_neighbours(request: Asked, project_id: UUID, attribute_id: int, wanted: Neighbours) -> dict[str, Any]:
    """The values in their order with neighbours merged, written out and not saved. The look is audited."""
    attribute = _attribute(request, project_id, attribute_id, "see_values")
    rows, outside = hierarchies.in_order(attribute, wanted.by, wanted.order, by=request.actor)
    return {"hierarchy": rows, "without_place": outside}


@router.post(f"{OF_HIERARCHY}/uncovered", response=list[Json], url_name="hierarchy-uncovered", **needs("values"))
def look_at_uncovered(request: Asked, project_id: UUID, attribute_id: int, wanted: Spec) -> list[Mapping[str, Any]]:
    """The commonest values without a place, with homes that would fit. The look is audited before they are sent."""
    attribute = _attribute(request, project_id, attribute_id, "see_values")
    return hierarchies.uncovered(attribute, wanted.hierarchy, by=request.actor)


@router.post(f"{OF_HIERARCHY}/homes", response=HousedOut, url_name="hierarchy-homes", **needs("values"))
def give_homes(request: Asked, project_id: UUID, attribute_id: int, wanted: Homes) -> dict[str, Any]:
    """The hierarchy with homes for values that had none, written out and not saved. The look is audited."""
    attribute = _attribute(request, project_id, attribute_id, "see_values")
    if isinstance(wanted.homes, str):
        likeliest = wanted.homes == "likeliest"
        found = hierarchies.house_all(attribute, wanted.hierarchy, likeliest=likeliest, by=request.actor)
    else:
        found = hierarchies.house(attribute, wanted.hierarchy, wanted.homes, by=request.actor)
    return {"hierarchy": found.rows, "left": found.left}


def _attribute(request: Asked, project_id: UUID, attribute_id: int, ability: str) -> Attribute:
    attribute = selectors.attribute(project_for(request, project_id, ability), attribute_id)
    if attribute.setup.dataset_id is None:
        raise Hidden
    return attribute
