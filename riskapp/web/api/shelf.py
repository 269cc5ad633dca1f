"""The organisation's shelf of hierarchies."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import policies, selectors
from riskapp.services import shelf
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs
from riskapp.web.api.shapes_asked import NewShelved, ShelvedName, ShelvedOut, ShelvedWhole

router = Router()
OF_ONE = "/shelf/{uuid:shelved_id}"


@router.get("/shelf", response=list[ShelvedOut], url_name="shelf", **needs("read"))
def list_shelved(request: Asked, words: str = "") -> list[dict[str, Any]]:
    """What is on the shelf, or what of it has these words."""
    policies.check_sees_shelf(request.user)
    return [telling.shelved(one) for one in selectors.shelved(words[:200])]


@router.post("/shelf", response={201: ShelvedOut}, url_name="shelf", **needs("describe"))
def shelve(request: Asked, wanted: NewShelved) -> Status[dict[str, Any]]:
    """Put a hierarchy on the shelf."""
    said: Any = wanted.dict()
    return Status(
        201,
        telling.shelved(
            shelf.add(said["name"], said["about"], said["hierarchy"], by=request.actor, open_to_all=said["open_to_all"])
        ),
    )


@router.get(OF_ONE, response=ShelvedWhole, url_name="shelf-item", **needs("read"))
def show_shelved(request: Asked, shelved_id: UUID) -> dict[str, Any]:
    """One hierarchy, to be sent as that of a column. It may list values, so only who works with data may read it."""
    policies.check_uses_shelf(request.user)
    one = selectors.shelved_hierarchy(shelved_id)
    return telling.shelved(one) | {"hierarchy": one.hierarchy}


@router.patch(OF_ONE, response=ShelvedOut, url_name="shelf-item", **needs("describe"))
def rename_shelved(request: Asked, shelved_id: UUID, wanted: ShelvedName) -> dict[str, Any]:
    """Another name and description; by whoever put it there, or an administrator."""
    policies.check_sees_shelf(request.user)
    shelf.rename(selectors.shelved_hierarchy(shelved_id), wanted.name, wanted.about, by=request.actor)
    return telling.shelved(selectors.shelved_hierarchy(shelved_id))


@router.delete(OF_ONE, response={204: None}, url_name="shelf-item", **needs("describe"))
def remove_shelved(request: Asked, shelved_id: UUID) -> Status[None]:
    """Take it off the shelf. Columns that use it keep it."""
    policies.check_sees_shelf(request.user)
    shelf.remove(selectors.shelved_hierarchy(shelved_id), by=request.actor)
    return Status(204, None)
