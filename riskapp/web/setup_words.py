"""What would be different in a set-up if another were put in its place, in an officer's words; no value of the data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from riskapp.models import AttackerKind, ColumnRole
from riskapp.services import copying
from riskapp.services.copying import Document
from riskapp.web.forms.harm import USUAL
from riskapp.web.templatetags.steps import what_words


@dataclass(frozen=True)
class Difference:
    """One thing that would be different: a column, an attacker, or a part of the set-up, and what of it."""

    part: str
    name: str
    what: str


def differences(now: Document, then: Document, uploads: Mapping[str, str]) -> list[Difference]:
    """What would be different.

    Parameters
    ----------
    now, then : the set-up as it is and as it would be, as `riskapp.services.copying` has it
    uploads : the names of the project's uploads by their ids
    """
    found = [*_files(now, then, uploads), *_each("Column", "column", _columns(now), _columns(then), _of_column)]
    found += _each("Attacker", "name", _attackers(now), _attackers(then), _of_attacker)
    if _in_order(now, then) != _in_order(then, now):
        found.append(Difference("", "Order of the columns", "another"))
    return [*found, *(Difference("", name, "another") for name, of in WHOLE.items() if of(now) != of(then))]


def _in_order(told: Document, other: Document) -> list[str]:
    """The columns that both release, in the order in which the one does."""
    both = {one["column"] for one in other["attributes"] if copying.released(one)}
    return [one["column"] for one in told["attributes"] if copying.released(one) and one["column"] in both]


def _files(now: Document, then: Document, uploads: Mapping[str, str]) -> Iterator[Difference]:
    for key, name in (("dataset", "Dataset"), ("leave_out", "People left out")):
        if now[key] != then[key]:
            yield Difference("", name, f"{uploads.get(now[key], 'none')} → {uploads.get(then[key], 'none')}")


WHOLE: dict[str, Callable[[Document], Any]] = {
    "Form of harm": lambda told: ({**USUAL, **told["sensitivity"]}, told["risk_weight"]),
    "Linkage data": lambda told: told["linkage"] and {"adds": {}, **told["linkage"]},
    "Limits": lambda told: told["limits"],
    "Plan of the run": lambda told: (told["search"], told["risk"], told["utility"]),
}
"""Parts that are told as a whole, by what they hold."""


def _each(
    part: str,
    key: str,
    now: Mapping[str, Document],
    then: Mapping[str, Document],
    told: Callable[[Document, Document], str],
) -> Iterator[Difference]:
    for name in {**now, **then}:
        if name not in then:
            yield Difference(part, name, "not there any more")
        elif name not in now:
            yield Difference(part, name, "new")
        elif what := told(now[name], then[name]):
            yield Difference(part, name, what)


# Columns


def _columns(told: Document) -> dict[str, Document]:
    return {one["column"]: one for one in told["attributes"]}


def _of_column(now: Document, then: Document) -> str:
    """What happens with it, from and to; of the rest only what is another."""
    roles = dict(ColumnRole.choices)
    moved = [f"{roles[now['role']]} → {roles[then['role']]}"] if now["role"] != then["role"] else []
    if not copying.released(then):
        return "; ".join(moved)
    changed = [name for name, value in _said(then).items() if value != _said(now)[name]]
    return "; ".join([*moved, *([what_words(changed)] if changed else [])])


def _said(one: Document) -> Document:
    shape = {key: value for key, value in (one["hierarchy"] or {}).items() if value is not None}
    weights = {name: one[name] for name in ("weight", "weights", "fall", "personal")}
    order = one["order"] if one["hurts"] else None
    return {"knowable": one["knowable"], "hurts": one["hurts"], "hierarchy": shape, **weights, "order": order}


# Attackers


def _attackers(told: Document) -> dict[str, Document]:
    known = [one["column"] for one in told["attributes"] if copying.released(one) and one["knowable"]]
    return {one["name"]: _held(one, known) for one in told["attackers"]}


def _held(one: Document, known: list[str]) -> Document:
    """What an attacker holds; who knows all that could be known is the same whether that is listed or not."""
    parts: Document = {name: one[name] for name in ("kind", "upload", *copying.OF_ATTACKER) if name != "name"}
    if one["kind"] == AttackerKind.ITSELF:
        parts["knows"] = sorted(column for column in one["knows"] or known if column in known)
    return parts


def _of_attacker(now: Document, then: Document) -> str:
    changed = [name for name in then if then[name] != now[name]]
    return what_words(changed) if changed else ""
