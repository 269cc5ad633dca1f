"""The audit trail as sentences: who did what to what, and the details in words."""

from dataclasses import dataclass

from django import template
from django.urls import reverse

from riskapp.models import AuditEvent
from riskapp.selectors import REFUSALS, Subject
from riskapp.web.detail_words import details_words
from riskapp.web.event_words import ACTORS, NAMELESS, event_words
from riskapp.web.page_words import page_words

register = template.Library()


@dataclass(frozen=True)
class Told:
    """An event as a sentence: who · before · on (a link where there is a page) · after; then more, below."""

    who: str
    before: str
    on: str
    url: str
    after: str
    more: str
    kind: str


@register.filter
def told(event: AuditEvent) -> Told:
    """An event, with its `subject`, in words."""
    before, with_subject, after = event_words(event).partition("{on}")
    subject: Subject | None = getattr(event, "subject", None)
    return Told(
        who=event.actor if event.actor_id else ACTORS.get(event.actor, event.actor),
        before=_filled(before.strip(), event),
        on=(subject.name if subject else NAMELESS.get(event.subject_kind, "")) if with_subject else "",
        url=_page_about(event, subject) if subject else "",
        after=_filled(after, event),
        more=details_words(event.details),
        kind="warn" if event.action in REFUSALS else "",
    )


def _filled(words: str, event: AuditEvent) -> str:
    words = words.replace("{page}", page_words(str(event.details.get("page", ""))))
    words = words.replace("{attacker}", str(event.details.get("attacker", "")))
    return words.replace("{column}", str(event.details.get("column", "")))


def _page_about(event: AuditEvent, subject: Subject) -> str:
    """The page of an upload for the members of its project, of an account for the administrators."""
    if subject.upload and event.project_id:
        return reverse("upload", args=[event.project_id, subject.upload])
    if subject.proposal and event.project_id:
        return reverse("proposal", args=[event.project_id, subject.proposal])
    if subject.release and event.project_id:
        return reverse("release", args=[event.project_id, subject.release])
    if subject.person and not event.project_id:
        return reverse("person", args=[subject.person])
    return ""
