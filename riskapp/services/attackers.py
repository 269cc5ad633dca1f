"""Attackers: who could try to find people, what they hold and know, and how likely each of them is."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from django.db import models

from riskapp import bridge, policies
from riskapp.models import Actor, Attacker, AttackerKind, Attribute, Setup, Upload, UploadState, User
from riskapp.services import audit, setups
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken

RESERVED = frozenset({"worst", "bayes"})
MOST = 12
DESCRIPTION = (
    *("name", "kind", "knows", "match", "identity", "count"),
    *("prior", "fuzzy", "source", "licence"),
)
"""What a copy takes over, beside the upload and the dates."""
DATES = ("as_of", "delete_after")


# The list


def add(setup: Setup, kind: str, name: str, *, by: Actor, **description: Any) -> Attacker:
    """A further attacker at the end of the list."""
    policies.check("describe", cast(User, by.user), setup.project)
    with audit.writing():
        check_name(setup, name)
        attacker = _create(setup, kind=kind, name=name, by=by, **description)
        audit.record("attacker added", by=by, on=attacker, project=setup.project_id, attacker=attacker.name)
    return attacker


def duplicate(attacker: Attacker, *, by: Actor) -> Attacker:
    """The same attacker once more, to be changed a little."""
    setup, told = attacker.setup, kept(attacker)
    return add(setup, told.pop("kind"), free_name(setup, told.pop("name")), by=by, **_restored(setup, told))


def remove(attacker: Attacker, seen: int, *, by: Actor) -> dict[str, Any]:
    """Take an attacker off the list; what was said about it, so that it can be brought back."""
    policies.check("describe", cast(User, by.user), attacker.setup.project)
    told = kept(attacker)
    with audit.writing():
        if not Attacker.objects.filter(pk=attacker.pk, version=seen).delete()[0]:
            raise _overtaken()
        _called(attacker.setup, attacker.name, "worst")
        audit.record("attacker removed", by=by, on=attacker, project=attacker.setup_id, attacker=attacker.name)
    return told


def restore(setup: Setup, told: Mapping[str, Any], *, by: Actor) -> Attacker:
    """Bring an attacker back that was removed."""
    policies.check("describe", cast(User, by.user), setup.project)
    with audit.writing():
        description = _restored(setup, told) | {"name": free_name(setup, told["name"])}
        attacker = _create(setup, by=by, **description)
        audit.record("attacker restored", by=by, on=attacker, project=setup.project_id, attacker=attacker.name)
    return attacker


def kept(attacker: Attacker) -> dict[str, Any]:
    """What was said about an attacker: names of columns and levels, and words of the officer's."""
    given = {name: getattr(attacker, name) for name in DATES}
    dates = {name: day.isoformat() if day else None for name, day in given.items()}
    upload = str(attacker.upload_id) if attacker.upload_id else None
    return {key: getattr(attacker, key) for key in DESCRIPTION} | dates | {"upload": upload}


def _restored(setup: Setup, told: Mapping[str, Any]) -> dict[str, Any]:
    upload = Upload.objects.filter(pk=told["upload"], project_id=setup.project_id).first() if told["upload"] else None
    return dict(told) | {"upload": upload}


def _create(setup: Setup, *, by: Actor, **description: Any) -> Attacker:
    if setup.attackers.count() >= MOST:
        raise Unfit(f"There are {MOST} attackers, the most a set-up can have. Remove one first.")
    last = setup.attackers.aggregate(last=models.Max("position"))["last"]
    position = 0 if last is None else last + 1
    return Attacker.objects.create(setup=setup, position=position, changed_by=by.user, **description)


def free_name(setup: Setup, name: str) -> str:
    """The name, with a number after it if somebody has it already."""
    taken, number, found = set(setup.attackers.values_list("name", flat=True)) | RESERVED, 1, name
    while found in taken:
        number += 1
        found = f"{name[:55]} {number}"
    return found


def _overtaken() -> Overtaken:
    return Overtaken("Somebody else changed this attacker in the meantime. Look at it as it is now, then change it.")


def move(attacker: Attacker, up: bool, *, by: Actor) -> None:
    """One place up or down in the list."""
    policies.check("describe", cast(User, by.user), attacker.setup.project)
    with audit.writing():
        order = list(Attacker.objects.filter(setup=attacker.setup).order_by("position", "pk"))
        place = next((place for place, one in enumerate(order) if one.pk == attacker.pk), None)
        if place is None:
            raise _overtaken()
        other = place - 1 if up else place + 1
        if 0 <= other < len(order):
            order[place], order[other] = order[other], order[place]
        for position, one in enumerate(order):
            Attacker.objects.filter(pk=one.pk).update(position=position)
        audit.record("attackers ordered", by=by, on=attacker, project=attacker.setup_id, attacker=attacker.name)


def set_priors(setup: Setup, given: Iterable[tuple[Attacker, int, float]], *, by: Actor) -> None:
    """How likely each attacker is; the numbers are taken in proportion, so that they sum to 1."""
    listed = list(given)
    whole = sum(prior for _, _, prior in listed)
    if not whole > 0:
        raise Unfit("All shares are 0. Give at least one attacker a share above 0.")
    with audit.writing():
        for attacker, seen, prior in listed:
            share = prior / whole
            details = {"attacker": attacker.name, "prior": round(share, 6)}
            setups.change(attacker, seen, by=by, action="attacker weighed", details=details, prior=share)


# One attacker


def describe(attacker: Attacker, seen: int, *, by: Actor, **changes: Any) -> None:
    """Say who an attacker is, what they hold or know. Another file has other columns, so its matches begin anew."""
    check_name(attacker.setup, changes.get("name", attacker.name), but=attacker)
    upload = changes.get("upload", attacker.upload)
    if upload is not None and (upload.project_id != attacker.setup_id or upload.state != UploadState.READY):
        raise Overtaken("This upload cannot be used: it is not read, or it was shredded.")
    if upload != attacker.upload:
        changes = {"match": {}, "fuzzy": {}, "identity": "", "count": ""} | changes
    before = attacker.name
    with audit.writing():
        details = {"attacker": changes.get("name", before), "what": setups.differing(attacker, changes)}
        setups.change(attacker, seen, by=by, action="attacker changed", details=details, **changes)
        _called(attacker.setup, before, attacker.name)


def check_name(setup: Setup, name: str, but: Attacker | None = None) -> None:
    """Raise if an attacker cannot be called so."""
    others = Attacker.objects.filter(setup=setup)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if name in RESERVED:
        raise Unfit("This name has a meaning of its own where attackers are put together. Choose another.")
    if others.filter(name=name).exists():
        raise Unfit("Another attacker has this name. Give each a name of its own.")


def _called(setup: Setup, before: str, now: str) -> None:
    """Where a run was to look at this attacker only, it goes on to do so under the new name."""
    if before != now and setup.risk.get("over_dictionaries") == before:
        risk = setup.risk | {"over_dictionaries": now}
        Setup.objects.filter(pk=setup.pk).update(risk=risk, version=models.F("version") + 1)


def accept(attacker: Attacker, seen: int, suggested: Mapping[str, Any], *, by: Actor) -> None:
    """Take over what is suggested for the columns of the attacker's table; who an entry is only if that is no guess.

    A column of which nothing is taken over stays as somebody matched it.
    """
    columns = taken_over(suggested)
    own = _by_hand(attacker, columns)
    count, identity = suggested["count"], suggested["identity"]
    describe(
        attacker,
        seen,
        by=by,
        kind=AttackerKind.COUNTS if count else AttackerKind.REGISTER,
        match=own | {name: guess["match"] for name, guess in columns.items()},
        count=count["column"] if count else "",
        identity=identity["column"] if identity and identity["confidence"] != "possible" and not count else "",
        fuzzy={name: least for name, least in attacker.fuzzy.items() if name in own}
        | {name: float(guess["likeness"]) for name, guess in columns.items() if guess.get("likeness")},
    )


def taken_over(suggested: Mapping[str, Any]) -> dict[str, Any]:
    """What is taken over when all is, for each column: all that is suggested, but where it would meet nobody.

    So it would with F and M where the dataset has female and male.
    """
    found = {one["name"]: one["suggested"] for one in suggested["columns"] if one["suggested"]}
    return {name: guess for name, guess in found.items() if not guess.get("strange")}


def left_unmatched(suggested: Mapping[str, Any]) -> list[str]:
    """The columns of which something is suggested that is not taken over when all is."""
    return [one["name"] for one in suggested["columns"] if (one["suggested"] or {}).get("strange")]


def _by_hand(attacker: Attacker, columns: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """What somebody matched of columns without a suggestion, unless that is suggested for another column."""
    taken = {guess["attribute"] for guess in columns.values()}
    return {
        name: to
        for name, to in attacker.match.items()
        if name not in columns and not {to, to.rpartition("@")[0]} & taken
    }


def learn(attacker: Attacker, seen: int, more: Mapping[str, str], *, by: Actor) -> None:
    """The attacker also knows a column: one of their table's, or of the dataset where they know who is in it."""
    if attacker.kind != AttackerKind.ITSELF:
        to = more["attribute"] if more["level"] == "0" else f"{more['attribute']}@{more['level']}"
        fuzzy = {more["column"]: float(more["likeness"])} if more["likeness"] else {}
        match, alike = {**attacker.match, more["column"]: to}, {**attacker.fuzzy, **fuzzy}
        describe(attacker, seen, by=by, match=match, fuzzy=alike)
        return
    with audit.writing():
        attribute = Attribute.objects.get(setup=attacker.setup, column=more["attribute"])
        if not attribute.knowable:
            setups.describe(attribute, attribute.version, by=by, knowable=True)
        known = attacker.knows or known_to_all(attacker.setup)
        describe(attacker, seen, by=by, knows=[*known, *([] if attribute.column in known else [attribute.column])])


def known_to_all(setup: Setup) -> list[str]:
    """The released columns that an attacker could know."""
    return [one.column for one in setup.attributes.all() if one.released and one.knowable]


def link(setup: Setup, seen: int, linkage: dict[str, Any], *, by: Actor) -> None:
    """The linkage data: rows without names that somebody may first join to the released ones."""
    details = {"columns": len(linkage["match"])}
    setups.change(setup, seen, by=by, action="linkage described", details=details, linkage=linkage)


def unlink(setup: Setup, seen: int, *, by: Actor) -> None:
    """Without linkage data from now on."""
    setups.change(setup, seen, by=by, action="linkage removed", details={}, linkage=None)


# Values


def look_at_likeness(
    attacker: Attacker, column: str, attribute: Attribute, level: str, threshold: str, *, by: Actor
) -> dict[str, Any]:
    """Pairs of values that are matched by likeness, and that just are not. The look is audited before it is given."""
    policies.check("see_values", cast(User, by.user), attacker.setup.project)
    dataset, register = attacker.setup.dataset, attacker.upload
    if any(upload is None or upload.state != UploadState.READY for upload in (dataset, register)):
        raise Overtaken("The dataset or the attacker's table has changed in the meantime. Look at it again.")
    with audit.writing():
        audit.record("matches seen", by=by, on=register, column=column, attacker=attacker.name)
    return bridge.seen_likeness(cast(Upload, dataset), cast(Upload, register), column, attribute, level, threshold)
