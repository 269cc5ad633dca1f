"""From an assessment file to its settings: every key known, every value possible, every default in its place."""

from collections.abc import Mapping
from pathlib import Path

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import MODELS, UNCOVERED
from riskapp.core.risk import OVER_RECORDS
from riskapp.core.table.fall import FALLS
from riskapp.core.table.sensitivity import FAMILIES, TOTALS, Pair, PersonTotal
from riskapp.core.table.utility import MEASURES
from riskapp.engine.assessment.given import Given
from riskapp.engine.assessment.read_attributes import read_attributes
from riskapp.engine.assessment.read_dictionaries import read_dictionaries, read_linkage
from riskapp.engine.assessment.read_search import read_search
from riskapp.engine.assessment.settings import (
    MISSING,
    Assessment,
    AttributeKey,
    DatasetKey,
    DictionaryKey,
    RiskKey,
    SensitivityKey,
    UtilityKey,
)
from riskapp.engine.assessment.tree import Plain, parsed

SECTIONS = ("dataset", "attributes", "dictionaries", "linkage", "sensitivity", "risk", "utility", "search")
NOTHING = Plain("")


def read(path: Path | str) -> Assessment:
    """The settings in an assessment file, YAML or JSON. No table is looked into.

    Parameters
    ----------
    path : of the file; the paths in it are relative to its folder

    Raises
    ------
    Unreadable
        If the file cannot be read, or is not YAML or JSON; with the line.
    BadSetting
        If a key is unknown or needed, or a value impossible; its `key` is the path of the key.
    """
    file = Path(path)
    return assessment(Given("", parsed(file)), file.parent)


def assessment(given: Given, folder: Path) -> Assessment:
    """The settings in what an assessment file says."""
    keys = given.keys(*SECTIONS, needed=("dataset", "attributes"))
    sections = {name: keys.get(name, Given(name, NOTHING)) for name in SECTIONS}
    sensitivity = _sensitivity(sections["sensitivity"])
    attributes = read_attributes(sections["attributes"], sensitivity.fall)
    _check_pairs(sensitivity, attributes)
    dictionaries = read_dictionaries(sections["dictionaries"], attributes)
    return Assessment(
        folder=folder,
        dataset=_dataset(sections["dataset"], attributes),
        attributes=attributes,
        dictionaries=dictionaries,
        linkage=read_linkage(sections["linkage"], attributes),
        sensitivity=sensitivity,
        risk=_risk(sections["risk"], dictionaries),
        utility=_utility(sections["utility"], attributes),
        search=read_search(sections["search"], attributes),
    )


def _dataset(given: Given, attributes: Mapping[str, AttributeKey]) -> DatasetKey:
    keys = given.keys("file", "identifier", "risk_weight", "leave_out", "missing", needed=("file",))
    names = {key: inner.name() for key, inner in keys.items() if key != "missing"}
    identifier = names.get("identifier")
    if identifier in attributes:
        raise keys["identifier"].wrong("The identifier is never released. Take it out of the attributes.")
    if identifier is None and "leave_out" in names:
        raise keys["leave_out"].wrong("People are left out by their identifier. Name dataset.identifier.")
    if identifier is None:
        _check_no_table(attributes)
    return DatasetKey(
        file=names["file"],
        identifier=identifier,
        risk_weight=names.get("risk_weight"),
        leave_out=names.get("leave_out"),
        missing=tuple(item.text() for item in keys["missing"].items()) if "missing" in keys else MISSING,
    )


def _check_no_table(attributes: Mapping[str, AttributeKey]) -> None:
    for attribute in attributes.values():
        if attribute.personal_weight is not None and not isinstance(attribute.personal_weight, str):
            told = "A table of personal weights goes by the identifier. Name dataset.identifier."
            raise BadSetting(f"{attribute.key}.personal_weight", told)


def _sensitivity(given: Given) -> SensitivityKey:
    keys = given.keys("family", "fall", "pairs", "person_total", "unidentified")
    plain = SensitivityKey()
    return SensitivityKey(
        family=keys["family"].choice(*FAMILIES) if "family" in keys else plain.family,
        fall=keys["fall"].choice(*FALLS) if "fall" in keys else plain.fall,
        pairs=tuple(map(_pair, keys["pairs"].items())) if "pairs" in keys else (),
        person_total=_person_total(keys["person_total"]) if "person_total" in keys else None,
        unidentified=keys["unidentified"].amount() if "unidentified" in keys else plain.unidentified,
    )


def _pair(given: Given) -> Pair:
    keys = given.keys("attributes", "weight", needed=("attributes", "weight"))
    names = [item.name() for item in keys["attributes"].items()]
    if len(names) != 2 or names[0] == names[1]:
        raise keys["attributes"].wrong("Name two different attributes.")
    return Pair(names[0], names[1], keys["weight"].amount())


def _check_pairs(sensitivity: SensitivityKey, attributes: Mapping[str, AttributeKey]) -> None:
    for place, pair in enumerate(sensitivity.pairs):
        for side, name in enumerate((pair.one, pair.other)):
            if name not in attributes:
                told = f"There is no such attribute. Known are {', '.join(attributes)}."
                raise BadSetting(f"sensitivity.pairs.{place}.attributes.{side}", told)


def _person_total(given: Given) -> PersonTotal:
    keys = given.keys(*TOTALS)
    if len(keys) != 1:
        raise given.wrong("Give scale or cap, one of the two.")
    ((how, most),) = keys.items()
    return PersonTotal(how, most.amount(finite=how == "scale"))


def _risk(given: Given, dictionaries: tuple[DictionaryKey, ...]) -> RiskKey:
    names = [dictionary.name for dictionary in dictionaries]
    known = {
        "model": MODELS,
        "over_records": OVER_RECORDS,
        "over_dictionaries": ("worst", "bayes", *names),
        "uncovered": UNCOVERED,
    }
    keys = given.keys(*known)
    return RiskKey(**{key: inner.choice(*known[key]) for key, inner in keys.items()})


def _utility(given: Given, attributes: Mapping[str, AttributeKey]) -> UtilityKey:
    keys = given.keys("measure", "over_records", "weights")
    weights = keys["weights"].keys(*attributes) if "weights" in keys else {}
    return UtilityKey(
        measure=keys["measure"].choice(*MEASURES) if "measure" in keys else "depth",
        over_records=keys["over_records"].choice(*OVER_RECORDS) if "over_records" in keys else "mean",
        weights={name: inner.amount(finite=True) for name, inner in weights.items()},
    )
