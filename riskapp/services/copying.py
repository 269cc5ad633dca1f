"""A whole set-up as one document and back: what templates are made of, and what undo returns to."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import models
from django.utils import timezone

from riskapp import bridge
from riskapp.models import Actor, Attacker, Attribute, ColumnRole, FrozenAssessment, Setup, Upload, UploadState
from riskapp.services import audit, freezing, setups
from riskapp.services.states import Overtaken

Document = dict[str, Any]

OF_SETUP = (
    *("release_class", "limits", "risk_weight", "sensitivity", "risk", "utility", "search", "linkage", "harm_seen"),
)
OF_ATTRIBUTE = (
    *("column", "role", "knowable", "hurts", "hierarchy", "weight", "weights", "fall", "personal", "order"),
    *("keep_reason", "confirmed"),
)
DATES = ("as_of", "delete_after")
OF_ATTACKER = (
    *("name", "kind", "knows", "match", "identity", "count", "prior", "fuzzy", "source", "licence"),
    *DATES,
)


def copied(setup: Setup) -> Document:
    """All that a set-up says, with the ids of the uploads it speaks of."""
    return {
        "project": str(setup.project_id),
        "dataset": _id(setup.dataset_id),
        "leave_out": _id(setup.leave_out_id),
        **{name: getattr(setup, name) for name in OF_SETUP},
        "attributes": [_attribute(one) for one in setup.attributes.all()],
        "attackers": [told_of(one) for one in setup.attackers.all()],
    }


def _id(key: UUID | None) -> str | None:
    return str(key) if key else None


def _attribute(one: Attribute) -> Document:
    told = {name: getattr(one, name) for name in OF_ATTRIBUTE}
    kind = one.suggestion.get("type", {}).get("kind")
    return told | {"type": kind, "suggestion": one.suggestion}


def told_of(one: Attacker) -> Document:
    """An attacker as it stands in such a document."""
    told = {name: getattr(one, name) for name in OF_ATTACKER}
    days = {name: told[name].isoformat() if told[name] else None for name in DATES}
    return told | days | {"upload": _id(one.upload_id)}


def keep(setup: Setup) -> FrozenAssessment:
    """The set-up as it is now, under its hash: to be compared with a file, or to be gone back to."""
    return freezing.keep(copied(setup))


def kept(setup: Setup, sha256: str) -> Document:
    """How the set-up was when it was kept under this hash."""
    found = FrozenAssessment.objects.filter(pk=sha256).first()
    if found is None or found.document.get("project") != str(setup.project_id):
        raise Overtaken("There is nothing to go back to any more.")
    document: Document = found.document
    return document


# Back into rows


def write(
    setup: Setup, document: Document, seen: int, *, by: Actor, action: str, details: Mapping[str, Any]
) -> FrozenAssessment:
    """Make a set-up what a document says; how it was before is kept, and returned."""
    with audit.writing():
        before = keep(setup)
        told = {name: document[name] for name in OF_SETUP}
        uploads = {"dataset_id": document["dataset"], "leave_out_id": document["leave_out"]}
        noted = {**details, "before": before.sha256}
        setups.change(setup, seen, by=by, action=action, details=noted, **told, **uploads)
        _write_parts(setup, Attribute, "column", [_as_attribute(one) for one in document["attributes"]], by)
        _write_parts(setup, Attacker, "name", [_as_attacker(one) for one in document["attackers"]], by)
    return before


def _as_attribute(one: Document) -> Document:
    return {name: one[name] for name in (*OF_ATTRIBUTE, "suggestion")}


def _as_attacker(one: Document) -> Document:
    return {name: one.get(name) for name in OF_ATTACKER} | {"upload_id": one["upload"]}


def _write_parts(
    setup: Setup, kind: type[Attribute] | type[Attacker], name: str, parts: Iterable[Document], by: Actor
) -> None:
    """Parts known by a name are changed in place, so that who has one open is told; the others come and go."""
    rows: Any = kind.objects.filter(setup=setup)
    known = dict(rows.values_list(name, "pk"))
    stamp = {"changed_at": timezone.now(), "changed_by": by.user}
    for position, part in enumerate(parts):
        pk = known.pop(part[name], None)
        if pk is None:
            kind.objects.create(setup=setup, position=position, **part, **stamp)
        else:
            kind.objects.filter(pk=pk).update(position=position, version=models.F("version") + 1, **part, **stamp)
    rows.filter(pk__in=known.values()).delete()


def restore(setup: Setup, sha256: str, seen: int, *, by: Actor) -> None:
    """Go back to how the set-up was before it was replaced as a whole."""
    write(setup, kept(setup, sha256), seen, by=by, action="set-up restored", details={})


# Onto another file


def onto(
    document: Document, upload: Upload, *, renamed: Mapping[str, str], doubtful: Iterable[str], as_suggested: set[str]
) -> Document:
    """A document made to fit the columns of another file.

    Parameters
    ----------
    renamed : the new name of each column that is called something else now
    doubtful : the columns that are to be confirmed anew, by their new names
    as_suggested : the new columns that take the suggested part; the others are dropped until somebody looks at them
    """
    if upload.state != UploadState.READY:
        raise Overtaken("This upload cannot be the dataset: it is not read, or it was shredded.")
    told, doubted = with_names(document, renamed), set(doubtful)
    earlier = {one["column"]: one for one in told["attributes"]}
    attributes = [
        _carried(earlier[one["column"]], one, doubted)
        if one["column"] in earlier
        else new(one, as_suggested=one["column"] in as_suggested)
        for one in bridge.suggestions(upload)
    ]
    return {**told, "dataset": str(upload.pk), "attributes": _with_one_identifier(attributes, set(earlier))}


def _with_one_identifier(attributes: list[Document], carried: set[str]) -> list[Document]:
    """A new column that could say who is who is dropped where an earlier one says so already."""
    identifiers = {one["column"] for one in attributes if one["role"] == ColumnRole.IDENTIFIER}
    second = identifiers - carried if identifiers & carried else set()
    return [one | {"role": ColumnRole.DROPPED} if one["column"] in second else one for one in attributes]


def _carried(earlier: Document, suggestion: Document, doubtful: set[str]) -> Document:
    """What was said before; but what points at people now is not released for what it was then."""
    fitting = {**earlier, "suggestion": suggestion, "type": suggestion["type"]["kind"]}
    if suggestion["needs_reason"] and released(earlier) and not earlier["keep_reason"]:
        fitting |= {"role": ColumnRole.DROPPED, "confirmed": False}
    return fitting | {"confirmed": fitting["confirmed"] and earlier["column"] not in doubtful}


def released(one: Document) -> bool:
    """Whether a column of such a document is in the release."""
    return one["role"] in {ColumnRole.GENERALISED, ColumnRole.KEPT}


def new(suggestion: Document, *, as_suggested: bool = False) -> Document:
    """A new column: with the part that is suggested, or dropped until somebody looks at it."""
    part = {key: suggestion[key] for key in ("column", "role", "knowable", "hurts", "hierarchy")}
    role = part["role"] if as_suggested else ColumnRole.DROPPED
    return {**blank(part["column"]), **part, "role": role, "suggestion": suggestion}


def blank(column: str) -> Document:
    """A column of which nothing has been said."""
    return _attribute(Attribute(column=column, role=ColumnRole.DROPPED))


def with_names(document: Document, renamed: Mapping[str, str]) -> Document:
    """The document with other names for columns of the dataset, wherever it speaks of them."""
    columns = {*renamed, *(one["column"] for one in document["attributes"])}

    def name(column: str) -> str:
        return renamed.get(column, column)

    def place(target: str) -> str:
        column, at, level = (target, "", "") if target in columns else target.rpartition("@")
        return f"{name(column)}{at}{level}"

    def places(match: Mapping[str, str]) -> dict[str, str]:
        return {column: place(target) for column, target in match.items()}

    def attribute(one: Document) -> Document:
        personal = name(one["personal"]) if isinstance(one["personal"], str) else one["personal"]
        return {**one, "column": name(one["column"]), "personal": personal}

    def attacker(one: Document) -> Document:
        return {**one, "knows": [name(column) for column in one["knows"]], "match": places(one["match"])}

    def both(pair: Document) -> Document:
        return {**pair, "attributes": [name(column) for column in pair["attributes"]]}

    linkage, sensitivity, utility, search = (
        dict(document[part] or {}) for part in ("linkage", "sensitivity", "utility", "search")
    )
    if linkage:
        linkage["match"] = places(linkage["match"])
    if "pairs" in sensitivity:
        sensitivity["pairs"] = [both(pair) for pair in sensitivity["pairs"]]
    if "weights" in utility:
        utility["weights"] = {name(column): weight for column, weight in utility["weights"].items()}
    if isinstance(search.get("regions"), list):
        search["regions"] = [place(target) for target in search["regions"]]
    return {
        **document,
        "risk_weight": name(document["risk_weight"]),
        "linkage": linkage or None,
        "sensitivity": sensitivity,
        "utility": utility,
        "search": search,
        "attributes": [attribute(one) for one in document["attributes"]],
        "attackers": [attacker(one) for one in document["attackers"]],
    }
