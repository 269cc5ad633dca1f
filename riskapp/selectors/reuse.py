"""What can be used again, and what can be gone back to."""

from uuid import UUID

from django.db.models import QuerySet

from riskapp.core.errors import Hidden
from riskapp.models import AuditEvent, Project, Template

OVERHAULS = ("dataset chosen", "template applied", "assessment imported", "set up as in a run", "set-up restored")


def templates() -> QuerySet[Template]:
    """The templates of the organisation, by name, the newest version of each first."""
    return Template.objects.select_related("made_by").order_by("name", "-version")


def template(template_id: UUID) -> Template:
    found = templates().filter(pk=template_id).first()
    if found is None:
        raise Hidden
    return found


def last_overhaul(project: Project) -> AuditEvent | None:
    """The last change of the whole set-up, if how it was before was kept."""
    last = AuditEvent.objects.filter(project_id=project.pk, action__in=OVERHAULS).order_by("-number").first()
    return last if last is not None and last.details.get("before") else None
