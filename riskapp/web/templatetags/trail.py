"""The audit trail as sentences: who did what to what, and the details in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from riskapp.models import AuditEvent, ReleaseKind
from riskapp.selectors import REFUSALS, Subject
from riskapp.web.templatetags.words import count, size

register = template.Library()

# After the name of who did it. {on} is what it was done to; {column}, {attacker} and {page} are details.
AUDIT_WORDS = {
    "set-up link made": "made a set-up link for the first administrator",
    "set up": "set up the server as its first administrator",
    "account created": "made an account",
    "signed in": "signed in",
    "signed out": "signed out",
    "sign-in failed": "gave a wrong password for {on}",
    "password confirmation failed": "gave a wrong password for {on}",
    "locked out": "was locked out after too many wrong passwords for {on}",
    "unlocked": "unlocked {on}",
    "second factor turned on": "turned on the second factor",
    "second factor turned off": "turned off the second factor of {on}",
    "second factor failed": "gave a wrong code",
    "recovery code used": "used a recovery code",
    "recovery codes renewed": "made new recovery codes",
    "name changed": "changed their name",
    "time zone changed": "changed their time zone",
    "password changed": "changed their password",
    "password reset asked for": "asked for a new password for {on}",
    "reset link made": "made a link for a new password of {on}",
    "password reset": "set a new password by a link",
    "made administrator": "made {on} an administrator",
    "administrator withdrawn": "withdrew the administrator's rights of {on}",
    "allowed to start projects": "allowed {on} to start projects",
    "no longer allowed to start projects": "withdrew from {on} the right to start projects",
    "account deactivated": "deactivated the account of {on}",
    "account reactivated": "reactivated the account of {on}",
    "token made": "made the token {on}",
    "token withdrawn": "withdrew the token {on}",
    "attacker added": "added the attacker {attacker}",
    "attacker changed": "changed the attacker {attacker}",
    "attacker removed": "removed the attacker {attacker}",
    "attacker restored": "brought the attacker {attacker} back",
    "attacker weighed": "said how likely the attacker {attacker} is",
    "attackers ordered": "moved the attacker {attacker} in the list",
    "linkage described": "described the linkage data",
    "linkage removed": "took the linkage data away",
    "matches seen": "looked at values of the column {column} that are matched by likeness in {on}",
    "harm described": "said what hurts",
    "invited": "invited {on}",
    "invitation withdrawn": "withdrew the invitation of {on}",
    "invitation accepted": "accepted an invitation",
    "project created": "made the project",
    "project described": "changed the project's name or purpose",
    "member added": "brought {on} into the project",
    "member changed": "changed the place of {on}",
    "member removed": "removed {on} from the project",
    "class limits changed": "changed the limits of a release class",
    "release class set": "said for which kind of release the project is",
    "dataset chosen": "chose the dataset",
    "people left out": "said who is left out",
    "column described": "described the column {column}",
    "suggestions accepted": "accepted what was suggested",
    "column weighed": "weighed the column {column}",
    "records seen": "looked at example records of {on}",
    "assessment exported": "exported the assessment of a run",
    "assessment imported": "put an imported assessment in place of the set-up",
    "search planned": "planned the next run",
    "upload received": "uploaded {on}",
    "upload set back": "set {on} back to unread",
    "upload reading": "began to read {on}",
    "upload ready": "read {on}",
    "upload rejected": "could not read {on}",
    "upload purged": "shredded {on}",
    "run queued": "queued a run on {on}",
    "run queued again": "queued the run on {on} again: its worker was lost or stopped",
    "run running": "took up the run on {on}",
    "run succeeded": "finished the run on {on}",
    "run failed": "gave up the run on {on}",
    "run cancelled": "cancelled the run on {on}",
    "proposal pending": "proposed {on} for release",
    "proposal half-decided": "decided on {on} as the first of two",
    "proposal approved": "approved {on}",
    "proposal rejected": "rejected {on}",
    "proposal withdrawn": "withdrew {on}",
    "comment given": "commented on {on}",
    "warning answered": "answered a warning about {on}",
    "advice recorded": "recorded advice on {on}",
    "advice answered": "answered the advice on {on}",
    "release building": "ordered the building of {on}",
    "release built again": "ordered {on} to be built again",
    "release ready": "built and measured {on}",
    "release failed": "could not build {on}",
    "release revoked": "revoked {on}",
    "release expired": "closed {on}: its time was over",
    "release purged": "shredded the file of {on}",
    "decisions settled": "settled who decides and how long files are kept",
    "register exported": "exported the register of releases",
    "terms accepted": "accepted the project's terms",
    "download link made": "asked to download {on}",
    "release downloaded": "downloaded {on}",
    "download refused": "tried in vain to download {on}",
    "columns set back": "took back the last change to the columns",
    "template saved": "saved the set-up as a template",
    "template applied": "applied a template",
    "set-up restored": "went back to an earlier set-up",
    "values seen": "looked at values of the column {column} in {on}",
    "sample seen": "looked at records before and after a rule",
    "subgroups seen": "looked at the subgroups that keep the least detail under a rule",
    "record seen": "looked at one record before and after a rule",
    "hierarchy shelved": "put a hierarchy on the organisation's shelf",
    "hierarchy renamed": "renamed a hierarchy on the organisation's shelf",
    "hierarchy removed": "took a hierarchy off the organisation's shelf",
    "entries seen": "looked at what the attacker {attacker} would find about one record",
    "refused": "was refused {page}",
    "turned away": "was turned away from {page}",
    "audit verified": "verified the audit trail",
    "audit exported": "exported the project's audit trail",
    "audit head renewed": "took the audit trail as it stands and put a new head at its end",
}
TO_ONESELF = {
    "password confirmation failed": "gave a wrong password where it is asked for once more",
    "locked out": "was locked out after too many wrong passwords",
    "unlocked": "unlocked their own account",
    "second factor turned off": "turned off their second factor",
    "reset link made": "made a link for a new password of their own",
    "made administrator": "became an administrator",
    "administrator withdrawn": "gave up the administrator's rights",
    "allowed to start projects": "allowed themselves to start projects",
    "no longer allowed to start projects": "gave up the right to start projects",
    "account deactivated": "deactivated their own account",
    "account reactivated": "reactivated their own account",
    "member added": "joined the project",
    "member changed": "changed their own place",
    "member removed": "left the project",
}
BY_SOMEBODY = {"upload reading": "asked to have {on} read again"}
ACTORS = {
    "worker": "A worker",
    "beat": "The server's upkeep",
    "server": "The server",
    "operator": "Whoever runs the server",
    "visitor": "Somebody not signed in",
}
NAMELESS = {
    "": "an address without an account",
    "user": "an account",
    "invitation": "somebody",
    "apitoken": "a token",
    "project": "the project",
    "upload": "a file",
    "run": "the project",
    "proposal": "a rule",
    "release": "a release",
    "setup": "the set-up",
    "attribute": "a column",
    "template": "a template",
}
PAGES = {
    "people": "the list of accounts",
    "people-invite": "inviting somebody to an account",
    "people-withdraw": "withdrawing an invitation",
    "person": "the page of an account",
    "person-reset-link": "making a link for a new password",
    "person-act": "changing an account",
    "site-audit": "the site's audit trail",
    "site-audit-verify": "verifying the site's audit trail",
    "token-withdraw": "withdrawing a token",
    "project": "the project",
    "project-new": "starting a project",
    "project-sample": "loading the sample project",
    "sample-progress": "how far the sample is",
    "project-settings": "the project's settings",
    "members": "the list of members",
    "member-invite": "inviting somebody into the project",
    "member": "changing a member's place",
    "member-remove": "removing a member",
    "invitation-withdraw": "withdrawing an invitation",
    "upload-add": "uploading a file",
    "upload-check": "uploading a file",
    "upload": "the page of an upload",
    "upload-row": "the list of uploads",
    "upload-read": "having a file read differently",
    "upload-retry": "having a file read again",
    "upload-values": "the values of a column",
    "upload-purge": "shredding an upload",
    "classes": "the limits of the release classes",
    "release-class": "the release class of the project",
    "hierarchy": "the hierarchy of a column",
    "hierarchy-preview": "the hierarchy of a column",
    "hierarchy-examples": "the values of a column",
    "hierarchy-uncovered": "the values of a column",
    "hierarchy-tree": "the values of a column",
    "hierarchy-edit": "changing the hierarchy of a column",
    "hierarchy-homes": "changing the hierarchy of a column",
    "hierarchy-upload": "changing the hierarchy of a column",
    "hierarchy-download": "the values of a column",
    "hierarchy-shelve": "putting a hierarchy on the shelf",
    "hierarchy-take": "taking a hierarchy from the shelf",
    "shelf": "the organisation's shelf",
    "shelf-item": "a hierarchy on the organisation's shelf",
    "shelf-remove": "taking a hierarchy off the shelf",
    "harm": "weighing the harm",
    "harm-examples": "example records",
    "harm-real": "records of people",
    "harm-values": "the values of a column",
    "runs": "the runs of the project",
    "rehearsal": "the check of the set-up",
    "attackers": "the list of attackers",
    "attacker-add": "adding an attacker",
    "attacker-restore": "bringing an attacker back",
    "attacker-bounds": "comparing attackers",
    "attacker": "the page of an attacker",
    "attacker-know": "saying what an attacker knows",
    "attacker-accept": "accepting what is suggested for an attacker",
    "attacker-suggestions": "the columns of an attacker’s table",
    "attacker-coverage": "the coverage of an attacker",
    "attacker-likeness": "trying likeness",
    "attacker-examples": "values that are matched by likeness",
    "attacker-what-if": "what an attacker could also know",
    "attacker-adopt": "saying what an attacker knows",
    "attacker-duplicate": "copying an attacker",
    "attacker-move": "ordering attackers",
    "attacker-remove": "removing an attacker",
    "linkage": "the linkage data",
    "run": "the page of a run",
    "run-row": "the runs of the project",
    "run-export": "exporting the assessment of a run",
    "assessment-import": "importing an assessment",
    "run-repeat": "repeating a run",
    "run-cancel": "cancelling a run",
    "frontier": "the frontier of a run",
    "frontier-plane": "the frontier of a run",
    "frontier-rules": "the rules of a run as CSV",
    "rule": "the page of a rule",
    "rule-detail": "the details of a rule",
    "rule-stability": "how stable the choice of a rule is",
    "rule-together": "a rule together with earlier releases",
    "rule-attacker": "what an attacker sees of a record",
    "rule-entries": "what an attacker would find about a record",
    "rule-record": "a record before and after a rule",
    "rule-sample": "records before and after a rule",
    "rule-subgroups": "the subgroups that keep the least detail",
    "compare": "the comparison of rules",
    "attributes": "the table of columns",
    "attributes-accept": "accepting what is suggested",
    "attributes-bulk": "changing several columns",
    "attributes-undo": "undoing a change to the columns",
    "attribute": "what happens with a column",
    "attribute-order": "the order of a column's values",
    "attribute-values": "the values of a column",
    "dataset": "choosing the dataset",
    "dataset-leave-out": "the list of people to leave out",
    "templates": "the templates",
    "templates-undo": "going back to an earlier set-up",
    "template": "a template",
    "template-apply": "applying a template",
    "propose": "proposing a rule",
    "proposals": "the proposals of the project",
    "proposal": "a proposal",
    "proposal-warnings": "the warnings about a proposal",
    "proposal-decide": "deciding on a proposal",
    "proposal-withdraw": "withdrawing a proposal",
    "proposal-comment": "commenting on a proposal",
    "proposal-answer": "answering a warning",
    "proposal-advise": "recording advice",
    "proposal-followed": "answering advice",
    "releases": "the releases of the project",
    "release": "a release",
    "release-terms": "accepting the terms",
    "release-download": "downloading a release",
    "release-file": "the file of a release",
    "release-report": "the report of a release",
    "release-part": "what comes with a release",
    "release-build": "building a release again",
    "release-revoke": "revoking a release",
    "release-purge": "shredding a release",
    "project-decisions": "who decides in the project",
    "register": "the register of releases",
    "audit-projects": "the audit trails of projects",
    "audit-projects-verify": "verifying the audit trail",
    "audit-projects-export": "exporting the audit trails of projects",
    "register-export": "exporting the register of releases",
    "project-audit": "the project's audit trail",
    "project-audit-verify": "verifying the project's audit trail",
    "project-audit-export": "exporting the project's audit trail",
}
FAULTS = {
    "unknown-ending": "its ending is none that can be read",
    "not-what-it-says": "its content is not what its name says",
    "empty-file": "it is empty",
    "only-blank": "it holds nothing but spaces and line ends",
    "header-only": "there are no rows below the header",
    "binary": "it is not text",
    "too-big": "it is too large when unpacked",
    "bomb": "it grows too much when unpacked",
    "gzip-truncated": "the .gz file breaks off before its end",
    "gzip-corrupt": "the .gz file is damaged",
    "zip-corrupt": "the .zip file is damaged",
    "zip-empty": "there is no file in the .zip file",
    "zip-many": "there is more than one file in the .zip file",
    "zip-encrypted": "the .zip file is protected by a password",
    "zip-link": "the .zip file holds a link instead of a file",
    "zip-method": "the .zip file is packed by a method that is not supported",
    "packed-inside": "what is packed in it is not a table",
    "nul-bytes": "it holds NUL characters",
    "wrong-encoding": "it is not in the chosen encoding",
    "mixed-encoding": "it mixes two encodings",
    "ragged": "its lines differ in their number of cells",
    "line-too-long": "a line is too long",
    "unclosed-quote": "a quote is never closed",
    "duplicate-header": "two columns have the same name",
    "empty-header": "a column has no name",
    "long-header": "the name of a column is too long",
    "no-columns": "it has no columns",
    "too-many-columns": "it has too many columns",
    "too-many-rows": "it has too many rows",
    "excel-corrupt": "the Excel file is damaged",
    "excel-password": "the Excel file is protected by a password",
    "excel-no-sheet": "there is no sheet of the chosen name",
    "excel-empty": "there is nothing on the sheet",
    "excel-too-large": "a sheet spans too many cells",
    "parquet-corrupt": "the Parquet file is damaged",
    "parquet-encrypted": "the Parquet file is encrypted",
    "parquet-nested": "a column of the Parquet file holds lists or records",
    "parquet-type": "a column of the Parquet file is of a type without plain text",
    "worker-lost": "its worker died again and again",
    "no-room": "the server had no room to read it",
    "timed-out": "it took or waited too long",
    "unexpected": "something went wrong that we did not foresee",
    "mistake": "it could not be done",
}
WISHES = {
    "delimiter": "what separates cells",
    "quote": "what quotes cells",
    "encoding": "the encoding",
    "header": "the names of the columns",
    "sheet": "the sheet",
    "ragged": "uneven lines",
    "missing": "cells that mean missing",
}
FACTORS = {"app": "with a code from the app", "recovery code": "with a recovery code"}


KINDS = {
    "read": "to read it",
    "assess": "to search for rules",
    "rehearse": "to check the set-up",
    "examples": "to make up example records",
    "detail": "to measure one rule from all sides",
    "stability": "to see whether a rule stays best",
    "attacker": "to see what an attacker would find",
    "matching": "to match columns",
    "likeness": "to see how alike spellings are",
    "coverage": "to see whom a register meets",
    "what-if": "to see what one more column would tell",
    "warn": "to find the warnings of a proposal",
    "together": "to hold a rule against earlier releases",
    "build": "to build a release",
    "compare": "to compare rules",
    "drift": "to compare a file with a set-up",
    "leave-out": "to count who is left out",
    "prepare-sample": "to set up the sample",
}


def _many(number: int, noun: str) -> str:
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def _when(words: str, otherwise: str = "") -> Callable[[Any], str]:
    return lambda value: words if value else otherwise


def _wishes(names: list[str]) -> str:
    return f"chosen by hand: {', '.join(WISHES.get(name, name) for name in names)}" if names else ""


# "" is a detail that the sentence tells already, or that only the export needs.
DETAILS: dict[str, Callable[[Any], str]] = {
    "administrator": _when("as administrator"),
    "is_administrator": _when("now an administrator"),
    "may_create_projects": _when("may start projects"),
    "role": lambda role: f"role: {role}",
    "owner": _when("an owner", "not an owner"),
    "second_factor": lambda kind: FACTORS.get(kind, kind),
    "locked_out": _when("locked out"),
    "further": lambda words: f"further ones are {words}",
    "left": lambda left: f"{_many(left, 'recovery code')} left",
    "rows": lambda rows: _many(rows, "row"),
    "columns": lambda columns: _many(columns, "column"),
    "size": size,
    "sha256": lambda digest: f"SHA-256 {digest[:12]}…",
    "code": lambda code: FAULTS.get(code, code.replace("-", " ")),
    "wishes": _wishes,
    "kind": lambda kind: KINDS[kind],
    "attempt": lambda attempt: f"attempt {attempt}" if attempt > 1 else "",
    "rule": lambda rule: f"rule {rule}",
    "evidence": lambda digest: f"evidence {digest[:12]}…",
    "votes": lambda votes: f"{_many(votes, 'vote')} needed",
    "approvers": lambda named: f"{_many(named, 'officer')} named" if named else "every officer",
    "uploads_kept": lambda days: f"uploads kept for {_many(days, 'day')}",
    "releases_kept": lambda days: f"files of ended releases kept for {_many(days, 'day')}",
    "terms": lambda digest: f"own terms {digest[:12]}…",
    "exception": _when("with an exception from the limits"),
    "followed": _when("followed", "not followed"),
    "manifest": lambda digest: f"manifest {digest[:12]}…",
    "reason": lambda words: f"because: {words}",
    "warning": lambda key: f"warning: {key.replace('-', ' ')}",
    **dict.fromkeys(("proposal", "release"), _when("")),
    "scopes": lambda scopes: f"for: {', '.join(scopes)}",
    "days": lambda days: f"for {_many(days, 'day')}",
    "token": lambda name: f"by the token “{name}”",
    "hierarchy": lambda name: f"“{name}”",
    "whole": _when("it is whole", "it is broken"),
    "data": _when("with the tables", "without the tables"),
    "attackers": lambda attackers: _many(attackers, "attacker"),
    "class": lambda kind: str(ReleaseKind(kind).label),
    "limits": lambda limits: f"limits: {plain(limits)}",
    "what": lambda parts: f"changed: {', '.join(parts)}",
    "knowable": _when("an attacker could know it", "no attacker knows it"),
    "hurts": _when("it hurts if learnt", "it does not hurt"),
    "rules": lambda rules: f"rules: {', '.join(rules)}",
    "question": lambda asked: f"asked for: {', '.join(key.replace('_', ' ') for key in asked)}",
    "record": lambda record: f"record {count(record)}",
    "version": lambda version: f"version {version}",
    **dict.fromkeys(("template", "before"), _when("")),
    **dict.fromkeys(("what", "template", "before"), _when("")),
    "prior": lambda share: f"share {100 * share:.4g} %",
    **dict.fromkeys(("known", "email", "name", "was", "upload", "column", "page", "attacker"), _when("")),
}


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
    before, with_subject, after = audit_words(event).partition("{on}")
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


def audit_words(event: AuditEvent) -> str:
    """What an event tells, as the rest of a sentence that begins with who did it."""
    own = event.subject_kind == "user" and event.subject_id == str(event.actor_id)
    if own and event.action in TO_ONESELF:
        return TO_ONESELF[event.action]
    if event.actor_id and event.action in BY_SOMEBODY:
        return BY_SOMEBODY[event.action]
    return AUDIT_WORDS.get(event.action, event.action)


def _filled(words: str, event: AuditEvent) -> str:
    words = words.replace("{page}", _page(str(event.details.get("page", ""))))
    words = words.replace("{attacker}", str(event.details.get("attacker", "")))
    return words.replace("{column}", str(event.details.get("column", "")))


def _page(name: str) -> str:
    """A page in words; what a program asks for is named like the page that shows it to people."""
    bare = name.removeprefix("api:")
    return PAGES.get(bare, bare.replace("-", " "))


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


def details_words(details: dict[str, Any]) -> str:
    """The details of an event in a line, in an order of ours: databases keep that of the keys, or do not."""
    ours = {key: place for place, key in enumerate(DETAILS)}
    in_order = sorted(details.items(), key=lambda detail: (ours.get(detail[0], len(ours)), detail[0]))
    parts = [_detail(key, value) for key, value in in_order if value not in ("", None, [])]
    return " · ".join(part for part in parts if part)


def _detail(key: str, value: Any) -> str:
    """A detail that somebody has tampered with must not keep the page from being shown."""
    try:
        return DETAILS[key](value)
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"{key}: {plain(value)}"


def plain(value: Any) -> str:
    """A detail's value as a person writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(part)}" for key, part in sorted(value.items()))
    return ", ".join(map(plain, value)) if isinstance(value, list) else str(value)
