"""From an assessment to a problem: everything read, checked, and with its defaults."""

from pathlib import Path
from typing import Any

from tests.oracle import attributes as attribute_keys
from tests.oracle import dataset, dictionaries
from tests.oracle.arithmetic import at_least_zero
from tests.oracle.attributes import one_of
from tests.oracle.hierarchies import Cell
from tests.oracle.problem import Attribute, Linkage, Pair, Problem, Record, Settings
from tests.oracle.reading import Refused, only

KEYS = {"dataset", "attributes", "dictionaries", "linkage", "sensitivity", "risk", "utility", "search"}
RECORDS = ("mean", "max", "min")
MODELS = ("sensitivity", "anonymity", "entropic")
MEASURES = ("depth", "inverse-leaves", "log-leaves", "xiao-tao", "lm")


def build(spec: dict[str, Any], folder: Path) -> Problem:
    """The problem that an assessment describes; paths are relative to the folder."""
    only(spec, KEYS, "assessment")
    attributes = attribute_keys.attributes(spec["attributes"], spec.get("sensitivity", {}), folder)
    records = dataset.records(spec["dataset"], attributes, spec["attributes"], folder)
    for name, attribute in attributes.items():
        attribute_keys.check_covered(attribute, [record.values[name] for record in records])
    given = dictionaries.with_names(spec.get("dictionaries", ["self"]))
    missing = dataset.missing_cells(spec["dataset"])
    settle(attributes, records, [*given, *([spec["linkage"]] if "linkage" in spec else [])], folder, missing)
    tables = [
        dictionaries.from_dataset(one, attributes, records)
        if "self" in one
        else dictionaries.from_file(one, attributes, folder, missing)
        for one in given
    ]
    settings = read_settings(spec, attributes, [table.name for table in tables])
    return Problem(attributes, records, tables, linkage(spec, attributes, folder, missing), settings, search(spec))


def settle(
    attributes: dict[str, Attribute],
    records: list[Record],
    files: list[dict[str, Any]],
    folder: Path,
    missing: list[str],
) -> None:
    """Tell every hierarchy which cells occur in the dataset, the dictionaries and the linkage data."""
    seen: dict[str, list[Cell]] = {name: [] for name in attributes}
    for record in records:
        for name, value in record.values.items():
            seen[name] += [] if value is None else [(0, value)]
    for given in files:
        for known in dictionaries.occurring(attributes, given, folder, missing):
            for name, cell in known.items():
                seen[name].append(cell)
    for name, attribute in attributes.items():
        attribute.hierarchy.settle(seen[name])


def linkage(spec: dict[str, Any], attributes: dict[str, Attribute], folder: Path, missing: list[str]) -> Linkage | None:
    """The linkage data, if there is any."""
    given = spec.get("linkage")
    return dictionaries.linkage(given, attributes, folder, missing) if given else None


def read_settings(spec: dict[str, Any], attributes: dict[str, Attribute], names: list[str]) -> Settings:
    """How losses and utilities are computed."""
    harm, risk, utility = (spec.get(key, {}) for key in ("sensitivity", "risk", "utility"))
    only(harm, {"family", "fall", "pairs", "person_total", "unidentified"}, "sensitivity")
    only(risk, {"model", "over_records", "over_dictionaries", "uncovered"}, "risk")
    only(utility, {"measure", "over_records", "weights"}, "utility")
    only(utility.get("weights", {}), attributes, "utility.weights")
    return Settings(
        family=one_of(harm.get("family", "linear"), ("linear", "multiplicative"), "sensitivity.family"),
        pairs=[pair(one, attributes) for one in harm.get("pairs", [])],
        person_total=person_total(harm.get("person_total")),
        unidentified=at_least_zero(harm.get("unidentified", 0)),
        model=one_of(risk.get("model", "sensitivity"), MODELS, "risk.model"),
        risk_over_records=one_of(risk.get("over_records", "mean"), RECORDS, "risk.over_records"),
        over_dictionaries=one_of(
            risk.get("over_dictionaries", "worst"), ("worst", "bayes", *names), "risk.over_dictionaries"
        ),
        uncovered=one_of(risk.get("uncovered", "one"), ("one", "zero"), "risk.uncovered"),
        measure=one_of(utility.get("measure", "depth"), MEASURES, "utility.measure"),
        utility_over_records=one_of(utility.get("over_records", "mean"), RECORDS, "utility.over_records"),
        utility_weights={name: at_least_zero(weight) for name, weight in utility.get("weights", {}).items()},
    )


def pair(given: dict[str, Any], attributes: dict[str, Attribute]) -> Pair:
    """Two different attributes and a weight."""
    one, other = given["attributes"]
    if one == other or not {one, other} <= set(attributes):
        raise Refused("sensitivity.pairs: two attributes are needed")
    return Pair(one, other, at_least_zero(given["weight"]))


def person_total(given: dict[str, Any] | None) -> tuple[str, float] | None:
    """Scale or cap, and to what."""
    if given is None:
        return None
    only(given, {"scale", "cap"}, "sensitivity.person_total")
    ((how, most),) = given.items()
    return how, at_least_zero(most)


def search(spec: dict[str, Any]) -> dict[str, Any]:
    """The question, limits and requirements; only the full-domain family is known here."""
    given: dict[str, Any] = spec.get("search") or {}
    only(given, SEARCH_KEYS, "search")
    if given.get("rules", ["full-domain"]) != ["full-domain"] or "aggregate" in given:
        raise Refused("search: only the full-domain family is measured here")
    if len(QUESTIONS & set(given)) > 1:
        raise Refused("search: two questions at once")
    return given


QUESTIONS = {"least_utility", "most_risk", "trade_off"}
SEARCH_KEYS = QUESTIONS | {"rules", "methods", "per_record", "limits", "require", "aggregate", "seconds", "seed"}
