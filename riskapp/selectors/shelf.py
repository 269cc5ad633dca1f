"""The organisation's shelf of hierarchies, and who changed a column last."""

from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import Attribute, AuditEvent, ShelvedHierarchy
from riskapp.selectors.words import holds


def shelved(words: str = "") -> QuerySet[ShelvedHierarchy]:
    """The hierarchies on the shelf whose name or description has these words."""
    found = ShelvedHierarchy.objects.select_related("made_by")
    for word in words.replace("\0", "").split():
        found = found.filter(holds("name", word) | holds("about", word))
    return found


def shelved_hierarchy(shelved_id: UUID | str) -> ShelvedHierarchy:
    try:
        found = shelved().filter(pk=shelved_id).first()
    except ValidationError:
        found = None
    if found is None:
        raise Hidden
    return found


def last_said_about(attribute: Attribute) -> list[str]:
    """What of a column the last change was about."""
    events = AuditEvent.objects.filter(
        subject_kind="attribute", subject_id=str(attribute.pk), action="column described"
    )
    last = events.order_by("-number").first()
    return list(last.details.get("what", [])) if last else []
