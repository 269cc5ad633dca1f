"""From an assessment that came in to the rows of a set-up: the way back of `riskapp.bridge.documents`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riskapp.bridge.as_json import amount
from riskapp.bridge.bundles import Bundle, Unfit
from riskapp.bridge.documents import Mapped, attribute_of
from riskapp.core.table.build_file import rows_in
from riskapp.engine.assessment.read_dictionaries import SELF
from riskapp.models import AttackerKind, ColumnRole, Upload


@dataclass(frozen=True)
class Rows:
    """What a set-up would hold: its own fields, those of every column, and the attackers."""

    setup: Mapped
    columns: dict[str, Mapped]
    attackers: list[Mapped]


def rows(bundle: Bundle, chosen: Mapping[str, Upload]) -> Rows:
    """The rows of a set-up.

    Parameters
    ----------
    bundle : what came in
    chosen : for every table that it names the upload that it is

    Raises
    ------
    Unfit
        If it names a column or a file that is not there.
    """
    told = bundle.assessment
    dataset = told["dataset"]
    listed = [column["name"] for column in (chosen[dataset["file"]].profile or {})["columns"]]
    _check_columns(told, listed)
    attackers = [_attacker(one, place, told, chosen) for place, one in enumerate(told.get("dictionaries", [SELF]))]
    knowable = {column for one in attackers for column in one.pop("known")}
    attackers = [_unlisted(one, knowable) for one in attackers]
    columns = {column: _column(column, bundle, chosen, column in knowable) for column in told["attributes"]}
    return Rows(_setup(told, chosen), columns | _others(dataset, columns, listed), attackers)


def _check_columns(told: Mapped, listed: list[str]) -> None:
    named = {**dict.fromkeys(told["attributes"], "attributes")}
    for key in ("identifier", "risk_weight"):
        if key in told["dataset"]:
            named[told["dataset"][key]] = f"dataset.{key}"
    for column, about in told["attributes"].items():
        if isinstance((about or {}).get("personal_weight"), str):
            named[about["personal_weight"]] = f"attributes.{column}.personal_weight"
    lost = [f"{key}: {column}" for column, key in named.items() if column not in listed]
    if lost:
        raise Unfit(
            f"The chosen dataset has no such column ({'; '.join(lost)}). Choose another upload for the dataset."
        )


def _setup(told: Mapped, chosen: Mapping[str, Upload]) -> Mapped:
    dataset, search = told["dataset"], dict(told.get("search") or {})
    limits = search.pop("limits", None)
    linkage = dict(told.get("linkage") or {})
    if linkage:
        linkage = {
            "upload": str(chosen[linkage["file"]].pk),
            "match": linkage["match"],
            "adds": linkage.get("adds", {}),
        }
    return {
        "dataset": chosen[dataset["file"]],
        "leave_out": chosen[dataset["leave_out"]] if "leave_out" in dataset else None,
        "risk_weight": dataset.get("risk_weight", ""),
        "limits": limits,
        "linkage": linkage or None,
        "sensitivity": told.get("sensitivity") or {},
        "risk": told.get("risk") or {},
        "utility": told.get("utility") or {},
        "search": search,
    }


# Columns


def _column(name: str, bundle: Bundle, chosen: Mapping[str, Upload], knowable: bool) -> Mapped:
    told = bundle.assessment["attributes"][name] or {}
    return {
        "role": ColumnRole.KEPT if told.get("role") == "keep" else ColumnRole.GENERALISED,
        "knowable": knowable,
        "hurts": bool(told.get("sensitive", False)),
        "hierarchy": _hierarchy(name, told.get("hierarchy"), bundle),
        "weight": amount(told.get("weight", 1)),
        "weights": _weights(name, told.get("weights") or {}, bundle),
        "fall": told.get("fall", ""),
        "personal": _personal(told.get("personal_weight"), chosen),
        "order": told.get("order"),
    }


def _others(dataset: Mapped, columns: Mapping[str, Mapped], listed: list[str]) -> dict[str, Mapped]:
    """The columns that are not released: the identifier, and those that are dropped."""
    return {
        name: {"role": ColumnRole.IDENTIFIER if name == dataset.get("identifier") else ColumnRole.DROPPED}
        for name in listed
        if name not in columns
    }


def _hierarchy(column: str, told: Mapped | None, bundle: Bundle) -> Mapped | None:
    if told is None or "file" not in told:
        return told
    _, found = rows_in(column, bundle.files[told["file"]])
    return {"header": found[0], "rows": found[1:]} if told.get("header") else {"rows": found}


def _weights(column: str, told: Mapped, bundle: Bundle) -> Mapped:
    if set(told) != {"file"} or not isinstance(amount(told["file"]), str):
        return {value: amount(weight) for value, weight in told.items()}
    text = bundle.files[told["file"]]
    _, found = rows_in(column, text)
    if any(len(row) != 2 for row in found):
        raise Unfit(f"attributes.{column}.weights.file: write value;weight in each row.")
    return {value: amount(weight) for value, weight in found if weight != "weight"}


def _personal(told: Any, chosen: Mapping[str, Upload]) -> Any:
    if not isinstance(told, dict):
        return told
    return {"upload": str(chosen[told["file"]].pk), "key": told["key"], "column": told["column"]}


# Attackers


def _unlisted(attacker: Mapped, knowable: set[str]) -> Mapped:
    """Who knows all that could be known goes on to do so, also when a column is marked later."""
    everything = set(attacker.get("knows", ())) == knowable
    return {**attacker, "knows": []} if everything and "knows" in attacker else attacker


def _attacker(told: Any, place: int, whole: Mapped, chosen: Mapping[str, Upload]) -> Mapped:
    """The row of an attacker, with the columns that they know as `known`."""
    generalised = [column for column, about in whole["attributes"].items() if (about or {}).get("role") != "keep"]
    if told == SELF or SELF in told:
        about = {} if told == SELF else told
        knows = list(about.get("knows", generalised))
        named = {"name": about.get("name", SELF), "kind": AttackerKind.ITSELF, "knows": knows}
        return named | {"position": place, "prior": float(amount(about.get("prior", 1))), "known": knows}
    match = {column: str(to) for column, to in told["match"].items()}
    upload = chosen[told["file"]]
    return {
        "position": place,
        "name": told.get("name", upload.name.partition(".")[0])[:60],
        "kind": AttackerKind.COUNTS if "count" in told else AttackerKind.REGISTER,
        "upload": upload,
        "match": match,
        "identity": told.get("identity", ""),
        "count": told.get("count", ""),
        "prior": float(amount(told.get("prior", 1))),
        "fuzzy": told.get("fuzzy", {}),
        "known": [attribute_of(to, whole["attributes"]) for to in match.values()],
    }
