"""Which option values an assessment uses, so that a test can tell that none is left out."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.oracle import reading

Spec = dict[str, Any]
ABSENT = object()

EVERY: dict[str, list[str]] = {
    "format": ["yaml", "json"],
    "dataset.identifier": ["given", "default"],
    "dataset.risk_weight": ["given", "default"],
    "dataset.leave_out": ["given", "default"],
    "dataset.missing": ["given", "default"],
    "hierarchy": ["file", "groups", "intervals", "dates", "mask", "none"],
    "hierarchy.header": ["true", "false"],
    "hierarchy.separator": ["semicolon", "comma", "tab"],
    "hierarchy.rows": ["even", "ragged"],
    "hierarchy.top": ["in the file", "added"],
    "hierarchy.groups": ["flat", "nested", "shallow"],
    "hierarchy.dates": ["month", "year", "month year"],
    "hierarchy.intervals.from": ["given", "default"],
    "hierarchy.intervals.unit": ["given", "default"],
    "hierarchy.mask.from": ["left", "right", "default"],
    "role": ["keep", "default"],
    "sensitive": ["true", "default"],
    "order": ["given", "default"],
    "weight": ["zero", "positive", "inf", "default"],
    "weights": ["map", "file", "default"],
    "personal_weight": ["column", "file", "default"],
    "fall": ["step", "harmonic", "default"],
    "dictionaries": ["self", "knows", "file", "default"],
    "dictionaries.match": ["leaf", "level by number", "level by name"],
    "dictionaries.people": ["identity", "count", "entries"],
    "dictionaries.prior": ["given", "default"],
    "dictionaries.fuzzy": ["given", "default"],
    "dictionaries.rows": ["none", "some"],
    "linkage": ["given", "default"],
    "linkage.adds": ["given", "default"],
    "sensitivity.family": ["linear", "multiplicative", "default"],
    "sensitivity.fall": ["step", "harmonic", "default"],
    "sensitivity.pairs": ["given", "default"],
    "sensitivity.person_total": ["scale", "cap", "default"],
    "sensitivity.unidentified": ["zero", "positive", "inf", "default"],
    "risk.model": ["sensitivity", "anonymity", "entropic", "default"],
    "risk.over_records": ["mean", "max", "min", "default"],
    "risk.over_dictionaries": ["worst", "bayes", "name", "default"],
    "risk.uncovered": ["one", "zero", "default"],
    "utility.measure": ["depth", "inverse-leaves", "log-leaves", "xiao-tao", "lm", "default"],
    "utility.over_records": ["mean", "max", "min", "default"],
    "utility.weights": ["given", "default"],
    "search.rules": ["given", "default"],
    "search.question": ["least_utility", "most_risk", "trade_off", "none"],
    "search.per_record": ["true", "false", "default"],
    "search.limits": ["largest_chance", "smallest_group", "share_above", "inference", "none"],
    "search.require.l": ["distinct", "probabilistic", "entropy", "recursive", "none"],
    "search.require.t": ["given", "none"],
}


def counted(paths: Iterable[Path]) -> dict[str, dict[str, int]]:
    """In how many assessments each value of each option occurs; an option value that is not listed is an error."""
    seen = Counter(use for path in paths for use in set(used(path)))
    strays = [use for use in seen if use[1] not in EVERY[use[0]]]
    if strays:
        raise ValueError(f"not listed: {strays}")
    return {option: {value: seen[option, value] for value in values} for option, values in EVERY.items()}


def as_table(counts: dict[str, dict[str, int]]) -> str:
    """One line per option."""
    lines = (
        f"{option:28}" + "  ".join(f"{value} {count}" for value, count in counts[option].items()) for option in counts
    )
    return "\n".join(lines)


def used(path: Path) -> Iterator[tuple[str, str]]:
    """Every (option, value) of one assessment."""
    spec, folder = reading.assessment(path), path.parent
    yield "format", path.suffix[1:]
    for key in ("identifier", "risk_weight", "leave_out", "missing"):
        yield f"dataset.{key}", given(spec["dataset"], key)
    for inner in spec["attributes"].values():
        yield from of_attribute(inner or {}, folder)
    yield from of_dictionaries(spec, folder)
    yield "linkage", given(spec, "linkage")
    if "linkage" in spec:
        yield "linkage.adds", given(spec["linkage"], "adds")
    yield from of_settings(spec)
    yield from of_search(spec.get("search", {}))


def given(mapping: Spec, key: str) -> str:
    return "given" if key in mapping else "default"


def named(mapping: Spec, key: str) -> str:
    value = mapping.get(key, ABSENT)
    return "default" if value is ABSENT else str(value).lower() if isinstance(value, bool) else str(value)


def size(mapping: Spec, key: str) -> str:
    if key not in mapping:
        return "default"
    value = float(mapping[key])
    return "inf" if math.isinf(value) else "positive" if value else "zero"


def of_attribute(inner: Spec, folder: Path) -> Iterator[tuple[str, str]]:
    yield "role", named(inner, "role")
    yield "sensitive", named(inner, "sensitive")
    yield "order", given(inner, "order")
    yield "weight", size(inner, "weight")
    weights = inner.get("weights")
    yield "weights", "default" if weights is None else "file" if set(weights) == {"file"} else "map"
    personal = inner.get("personal_weight")
    yield "personal_weight", "default" if personal is None else "column" if isinstance(personal, str) else "file"
    yield "fall", named(inner, "fall")
    if "role" not in inner:
        yield from of_hierarchy(inner.get("hierarchy"), folder)


def of_hierarchy(hierarchy: Spec | None, folder: Path) -> Iterator[tuple[str, str]]:
    kinds = ("file", "groups", "intervals", "dates", "mask")
    kind = "none" if hierarchy is None else next(kind for kind in kinds if kind in hierarchy)
    yield "hierarchy", kind
    if hierarchy is None:
        return
    if kind == "file":
        yield from of_file(hierarchy, folder)
    elif kind == "groups":
        yield "hierarchy.groups", group_shape(hierarchy["groups"])
    elif kind == "dates":
        yield "hierarchy.dates", " ".join(hierarchy["dates"])
    elif kind == "intervals":
        for key in ("from", "unit"):
            yield f"hierarchy.intervals.{key}", given(hierarchy["intervals"], key)
    else:
        yield "hierarchy.mask.from", named(hierarchy, "from")


def of_file(hierarchy: Spec, folder: Path) -> Iterator[tuple[str, str]]:
    path = folder / hierarchy["file"]
    yield "hierarchy.header", "true" if hierarchy.get("header") else "false"
    yield "hierarchy.separator", {";": "semicolon", ",": "comma", "\t": "tab"}[reading.separator(path)]
    rows = reading.rows(path)[1 if hierarchy.get("header") else 0 :]
    yield "hierarchy.rows", "even" if len({len(row) for row in rows}) == 1 else "ragged"
    yield "hierarchy.top", "in the file" if all(row[-1] == "*" for row in rows) else "added"


def group_shape(groups: Spec) -> str:
    deep = {isinstance(inner, dict) for inner in groups.values()}
    return "shallow" if len(deep) == 2 else "nested" if True in deep else "flat"


def of_dictionaries(spec: Spec, folder: Path) -> Iterator[tuple[str, str]]:
    if "dictionaries" not in spec:
        yield "dictionaries", "default"
    for one in spec.get("dictionaries", []):
        if one == "self" or "self" in one:
            yield "dictionaries", "self" if one == "self" else "knows"
        else:
            yield "dictionaries", "file"
            yield from of_dictionary_file(one, folder)
        if one != "self":
            yield "dictionaries.prior", given(one, "prior")


def of_dictionary_file(one: Spec, folder: Path) -> Iterator[tuple[str, str]]:
    for target in one["match"].values():
        _, _, level = target.partition("@")
        yield "dictionaries.match", "leaf" if not level else f"level by {'number' if level.isdecimal() else 'name'}"
    yield "dictionaries.people", next((key for key in ("identity", "count") if key in one), "entries")
    yield "dictionaries.fuzzy", given(one, "fuzzy")
    yield "dictionaries.rows", "some" if len(reading.rows(folder / one["file"])) > 1 else "none"


def of_settings(spec: Spec) -> Iterator[tuple[str, str]]:
    harm, risk, utility = (spec.get(key, {}) for key in ("sensitivity", "risk", "utility"))
    for key in ("family", "fall"):
        yield f"sensitivity.{key}", named(harm, key)
    yield "sensitivity.pairs", given(harm, "pairs")
    yield "sensitivity.person_total", next(iter(harm.get("person_total", ["default"])))
    yield "sensitivity.unidentified", size(harm, "unidentified")
    for key in ("model", "over_records", "uncovered"):
        yield f"risk.{key}", named(risk, key)
    over = named(risk, "over_dictionaries")
    yield "risk.over_dictionaries", over if over in ("worst", "bayes", "default") else "name"
    for key in ("measure", "over_records"):
        yield f"utility.{key}", named(utility, key)
    yield "utility.weights", given(utility, "weights")


def of_search(search: Spec) -> Iterator[tuple[str, str]]:
    yield "search.rules", given(search, "rules")
    questions = ("least_utility", "most_risk", "trade_off")
    yield "search.question", next((key for key in questions if key in search), "none")
    yield "search.per_record", named(search, "per_record")
    for key in search.get("limits", ["none"]):
        yield "search.limits", key
    required = search.get("require", {})
    for key in required.get("l", ["none"]):
        yield "search.require.l", key
    yield "search.require.t", "given" if "t" in required else "none"
