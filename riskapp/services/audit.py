"""The audit trail: adding to it, and telling whether it is whole."""

import fcntl
import hmac
import json
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO
from uuid import UUID

from django.conf import settings
from django.db import connection, models, transaction
from django.utils import timezone

from riskapp.models import Actor, AuditEvent, Project
from riskapp.models.audit import GENESIS

log = logging.getLogger(__name__)

# Any constant serves, as long as everybody who adds to the chain takes the same lock.
CHAIN_LOCK = 7_245_310


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that will add to the chain. The chain is locked before anything else: so nobody deadlocks."""
    with transaction.atomic():
        _wait_for_turn()
        yield


def record(
    action: str, *, by: Actor, on: models.Model | None = None, project: Project | UUID | None = None, **details: Any
) -> AuditEvent:
    """Add an event to the chain, in the transaction of the change that it tells of."""
    (event,) = _recorded(action, by, [(on, _project_id(on, project))], details)
    return event


def record_each(action: str, *, by: Actor, on: Iterable[models.Model], **details: Any) -> None:
    """Add one such event for each of several things, and move the head once."""
    _recorded(action, by, [(one, _project_id(one, None)) for one in on], details)


def _recorded(
    action: str, by: Actor, on: Sequence[tuple[models.Model | None, UUID | None]], details: dict[str, Any]
) -> list[AuditEvent]:
    if not connection.in_atomic_block:
        raise RuntimeError("An audit event belongs into the transaction of its change.")
    _wait_for_turn()
    last = AuditEvent.objects.order_by("-number").first()
    head = Head(last.number, last.seal) if last else Head(0, GENESIS)
    events = []
    for subject, project_id in on:
        event = _event(head, action, by, subject, project_id, details)
        head = Head(event.number, event.seal)
        events.append(event)
    AuditEvent.objects.bulk_create(events)
    if events:
        transaction.on_commit(lambda: advance_head(head.number, head.seal), robust=True)
    return events


def _event(
    after: "Head", action: str, by: Actor, on: models.Model | None, project_id: UUID | None, details: dict[str, Any]
) -> AuditEvent:
    event = AuditEvent(
        number=after.number + 1,
        at=timezone.now(),
        actor_id=by.user.pk if by.user else None,
        actor=by.name,
        address=by.address,
        action=action,
        subject_kind=on._meta.model_name or "" if on else "",
        subject_id=str(on.pk) if on else "",
        project_id=project_id,
        details=details | ({"token": by.token} if by.token else {}),
        previous=after.seal,
    )
    event.seal = event.computed_seal()
    return event


def _wait_for_turn() -> None:
    """One writer at a time, until the end of the transaction. SQLite's immediate transactions see to it themselves."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CHAIN_LOCK])


def _project_id(on: models.Model | None, project: Project | UUID | None) -> UUID | None:
    if isinstance(project, UUID):
        return project
    if project is not None:
        return project.pk
    if isinstance(on, Project):
        return on.pk
    return getattr(on, "project_id", None)


# The head: the last number and seal, in a file outside the database.


@dataclass(frozen=True)
class Head:
    number: int
    seal: str

    def signature(self) -> str:
        return hmac.new(settings.AUDIT_KEY.encode(), f"head {self.number} {self.seal}".encode(), "sha256").hexdigest()


def advance_head(number: int, seal: str) -> None:
    """Move the head forward, never back: of two writers the later number stays.

    A head that does not lie on the chain any more is evidence and is left as it is, or a chain that was cut off and
    has grown again would look whole. The change itself has happened already: whatever is wrong here is only logged.
    """
    path = Path(settings.AUDIT_HEAD)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            known = read_head()
        except ForgedHead:
            log.error("the head of the audit chain was changed or is damaged; it is left as it is")
            return
        if known is None and number != 1:
            log.error("the head of the audit chain is missing; verify says so until somebody looks into it")
        elif known is not None and not _on_chain(known):
            log.error("the audit chain no longer leads through its head; verify says where it breaks")
        elif known is None or known.number < number:
            _write_head(path, Head(number, seal))


def _on_chain(head: Head) -> bool:
    return AuditEvent.objects.filter(number=head.number, seal=head.seal).exists()


def _write_head(path: Path, head: Head) -> None:
    fresh = path.with_suffix(".new")
    with fresh.open("w") as file:
        json.dump({"number": head.number, "seal": head.seal, "signature": head.signature()}, file)
        _sync(file)
    os.replace(fresh, path)


def _sync(file: TextIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def read_head() -> Head | None:
    """The head, or None where there is none yet. One that was not written by us is an error."""
    try:
        text = Path(settings.AUDIT_HEAD).read_text()
    except FileNotFoundError:
        return None
    try:
        stored = json.loads(text)
        head = Head(int(stored["number"]), str(stored["seal"]))
        if hmac.compare_digest(head.signature(), str(stored["signature"])):
            return head
    except (ValueError, KeyError, TypeError):
        pass
    raise ForgedHead


class ForgedHead(Exception):
    """The file with the chain's head is not as we wrote it."""


# Is the chain whole?


@dataclass(frozen=True)
class Verdict:
    """Whether the chain is whole; if not, the number at which it breaks and why.

    Events beyond the head are chained but not yet vouched for from outside: a crash can leave one or two of them.
    """

    events: int
    broken_at: int | None = None
    reason: str = ""
    beyond_head: int = 0

    @property
    def whole(self) -> bool:
        return self.broken_at is None


def verify() -> Verdict:
    """Walk the chain from its first event to the head.

    The head is read first: events added while the walk is under way are then later than the head, never missing.
    """
    try:
        head = read_head()
    except ForgedHead:
        return Verdict(0, 0, "the file that keeps the chain's head outside the database was changed or is damaged")
    return _walk(AuditEvent.objects.order_by("number").iterator(chunk_size=2000), head)


def _walk(events: Iterable[AuditEvent], head: Head | None) -> Verdict:
    count, seal = 0, GENESIS
    for event in events:
        trouble = _trouble(event, count + 1, seal, head)
        if trouble:
            return Verdict(count, min(event.number, count + 1), trouble)
        count, seal = event.number, event.seal
    if head is None and count:
        return Verdict(count, count, "the file that keeps the chain's head outside the database is missing")
    if head and count < head.number:
        return Verdict(count, count + 1, f"the end is cut off: {head.number - count} of the last events are missing")
    return Verdict(count, beyond_head=count - head.number if head else 0)


def _trouble(event: AuditEvent, expected: int, seal: str, head: Head | None) -> str:
    if event.number != expected:
        return f"event {expected} is missing" if event.number > expected else f"event {event.number} was inserted"
    if event.previous != seal:
        return f"event {event.number} does not follow from the one before: one was removed, inserted or replaced"
    if not hmac.compare_digest(event.computed_seal(), event.seal):
        return f"event {event.number} was changed, or was not written by this application"
    if head and event.number == head.number and event.seal != head.seal:
        return f"event {event.number} is not the one that was sealed: the chain was written anew"
    return ""


def renew_head(*, by: Actor) -> Verdict:
    """Take the chain as it stands for whole and put the head at its end: for whoever has lost the head's file.

    Only a chain whose seals are all right can be taken so, and that it was done stands in it.
    """
    verdict = _walk(AuditEvent.objects.order_by("number").iterator(chunk_size=2000), Head(0, GENESIS))
    if verdict.whole:
        with writing():
            event = record("audit head renewed", by=by)
        _write_head(Path(settings.AUDIT_HEAD), Head(event.number, event.seal))
    return verdict
