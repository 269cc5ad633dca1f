"""Example records for the Harm page, and what their harm adds up to."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from riskapp.bridge import adversaries, documents
from riskapp.bridge.assessing import Document, prepared
from riskapp.bridge.uploads import coded_table
from riskapp.engine.adversaries.described import Described, distinct
from riskapp.engine.harm import examples as made
from riskapp.engine.harm.formula import Cell, Harm, Weighing, phi
from riskapp.engine.reporting import Report
from riskapp.models import Attribute, Setup, Upload

WEIGHING = ("weight", "weights", "fall", "sensitive", "order")


def document(setup: Setup) -> documents.Mapped:
    """The set-up as far as example records depend on it: the table, the hierarchies and people's own weights."""
    whole = documents.frozen(setup)
    attributes = {
        column: {key: told for key, told in about.items() if key not in WEIGHING}
        for column, about in whole["assessment"]["attributes"].items()
    }
    dataset = whole["assessment"]["dataset"]
    personal = [about.get("personal_weight") for about in attributes.values()]
    named = {dataset["file"], *(told["file"] for told in personal if isinstance(told, dict))}
    tables = {name: about for name, about in whole["tables"].items() if name in named}
    return whole | {"assessment": {"dataset": dataset, "attributes": attributes}, "tables": tables}


def example_records(kept: Document, project: UUID, report: Report) -> dict[str, Any]:
    """Made-up records, in which nobody's row can be seen."""
    with prepared(kept, project, report, searching=False) as ready:
        return made.synthetic(ready.problem).facts()


def seen_records(kept: Document, project: UUID) -> dict[str, Any]:
    """Some records of the dataset. Values of people: only behind an audited click."""
    with prepared(kept, project, lambda done, total, words: None, searching=False) as ready:
        return made.seen_real(ready.problem).facts()


def harms(setup: Setup, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Φ of each example record and what each column and pair adds to it, by the weights as they are saved."""
    harm = _harm(setup)
    return [phi(harm, {name: Cell(**cell) for name, cell in record.items()}).facts() for record in records]


def without_a_place(attribute: Attribute) -> int:
    """How many of the values with a weight of their own neither occur nor stand in the hierarchy: misspelt, perhaps."""
    described = Described(attribute.column, adversaries.hierarchy_of(attribute))
    table = coded_table(cast(Upload, attribute.setup.dataset))
    places = described.over(distinct(table, attribute.column, "attributes")).found_at(0, list(attribute.weights))
    return int((places < 0).sum())


def _harm(setup: Setup) -> Harm:
    told = setup.sensitivity
    released = [one for one in setup.attributes.all() if one.released]
    total = next(iter(told.get("person_total", {}).items()), None)
    names = {one.column for one in released}
    pairs = [(*pair["attributes"], pair["weight"]) for pair in told.get("pairs", []) if {*pair["attributes"]} <= names]
    weighed = {one.column: Weighing(one.weight, one.weights) for one in released}
    return Harm(weighed, pairs, told.get("family", "linear"), total)
