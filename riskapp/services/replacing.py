"""A whole set-up in place of the one that is there: that of an assessment file, or the one a run was made from."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from riskapp import bridge
from riskapp.bridge import documents
from riskapp.bridge.documents import Mapped
from riskapp.bridge.taking_over import Rows
from riskapp.models import Actor, Attacker, ColumnRole, Setup, UploadState
from riskapp.services import copying, setups
from riskapp.services.copying import Document

OF_ITS_TABLE = ("source", "licence", *copying.DATES)
"""What an assessment does not say of an attacker's table, and a project does."""


def replace(setup: Setup, found: Rows, seen: int, *, by: Actor, action: str, reason: str, **details: Any) -> None:
    """Make the set-up what was found: all of it, or nothing. How it was before is kept, to be gone back to.

    `reason` is why columns are released that look like identifiers; without one that is refused.
    """
    told = document(setup, found, reason, suggestions=_suggestions(setup, found))
    if _unexplained(told["attributes"]):
        raise setups.Unfit(
            "Some of the columns look like something that names people. Give the reason to release them."
        )
    released = sum(copying.released(one) for one in told["attributes"])
    noted = {**details, "columns": released, "attackers": len(found.attackers)}
    copying.write(setup, told, seen, by=by, action=action, details=noted)


def needing_reason(setup: Setup, found: Rows) -> list[str]:
    """The columns that would be released though they look like something that names people, as far as is known."""
    return _unexplained(document(setup, found)["attributes"])


def _unexplained(attributes: Iterable[Document]) -> list[str]:
    doubtful = [one for one in attributes if one["suggestion"].get("needs_reason") and copying.released(one)]
    return [one["column"] for one in doubtful if not one["keep_reason"]]


# What it would be


def document(setup: Setup, found: Rows, reason: str = "", suggestions: Iterable[Document] | None = None) -> Document:
    """The set-up as it would be with what was found; what that does not speak of stays as it is.

    Parameters
    ----------
    reason : why columns are released that look like identifiers
    suggestions : what is suggested for the columns of another dataset; None for what is known of them here
    """
    now = copying.copied(setup)
    return {
        **now,
        **{name: told for name, told in found.setup.items() if name in copying.OF_SETUP},
        "dataset": str(found.setup["dataset"].pk),
        "leave_out": str(found.setup["leave_out"].pk) if found.setup["leave_out"] else None,
        "limits": _own_limits(setup, found.setup["limits"]),
        "harm_seen": True,
        "attributes": _attributes(now, found, reason.strip(), suggestions),
        "attackers": [copying.told_of(Attacker(**told)) for told in with_origins(setup, found.attackers)],
    }


def _own_limits(setup: Setup, limits: Any) -> Any:
    """None where they are those of the release class, so that they follow it."""
    own = limits or {}
    return None if own == documents.class_limits().get(setup.release_class, {}) else own


def _suggestions(setup: Setup, found: Rows) -> list[Document] | None:
    """Of another dataset what is suggested; looked for before the chain is locked, for it looks into the table."""
    dataset = found.setup["dataset"]
    return bridge.suggestions(dataset) if dataset.pk != setup.dataset_id else None


def _attributes(now: Document, found: Rows, reason: str, suggestions: Iterable[Document] | None) -> list[Document]:
    """Every column of the dataset, in the assessment's order where the released ones differ in it from the table's."""
    earlier = {one["column"]: one for one in now["attributes"]}
    suggested = {one["column"]: one for one in suggestions or []}
    known = {column: _known(column, earlier.get(column), suggested.get(column)) for column in found.columns}
    return [_said(known[column], found.columns[column], reason) for column in _in_order(found)]


def _known(column: str, earlier: Document | None, suggestion: Document | None) -> Document:
    """What there is to say of a column before the assessment says more."""
    if suggestion is None:
        return earlier or copying.blank(column)
    return {**(earlier or copying.new(suggestion)), "suggestion": suggestion, "type": suggestion["type"]["kind"]}


def _said(known: Document, told: Mapped, reason: str) -> Document:
    """A column as the assessment has it; a hierarchy and an order that it makes no use of stay as they are."""
    unused = {"hierarchy"} if told["role"] == ColumnRole.KEPT else set()
    unused |= {"order"} if not told.get("hurts") else set()
    one = known | {key: value for key, value in told.items() if key not in unused} | {"confirmed": True}
    return one | ({"keep_reason": reason} if reason and _unexplained([one]) else {})


def _in_order(found: Rows) -> list[str]:
    table = [column["name"] for column in (found.setup["dataset"].profile or {})["columns"]]
    released = [column for column, told in found.columns.items() if "hierarchy" in told]
    return table if released == [name for name in table if name in released] else list(dict.fromkeys(released + table))


# Whose tables they are


def with_origins(setup: Setup, attackers: Iterable[Mapped]) -> list[Mapped]:
    """The attackers with what the project says of their tables: where from, on what terms, of when, until when."""
    ours = list(setup.attackers.all())
    return [{**told, **origin(told["name"], getattr(told.get("upload"), "pk", None), ours)} for told in attackers]


def origin(name: str, upload: UUID | None, ours: Iterable[Attacker]) -> Mapped:
    """What is said of the same table, else at the attacker of the same name."""
    same = [one for one in ours if upload is not None and one.upload_id == upload]
    same.sort(key=lambda one: one.name != name)
    alike = same + [one for one in ours if one not in same and one.name == name]
    return {fact: value for fact in OF_ITS_TABLE for one in reversed(alike) if (value := getattr(one, fact))}


def let_go(setup: Setup, attackers: Iterable[Mapping[str, Any]]) -> list[Attacker]:
    """The attackers whose tables were to be shredded on a day, and would be nobody's: nothing shreds them then.

    Parameters
    ----------
    attackers : those that would be, each with the id of its `upload`
    """
    kept = {str(one["upload"]) for one in attackers}
    due = setup.attackers.filter(delete_after__isnull=False, upload__isnull=False).select_related("upload")
    ours = [one for one in due if one.upload and one.upload.state != UploadState.PURGED]
    return [one for one in ours if str(one.upload_id) not in kept]
