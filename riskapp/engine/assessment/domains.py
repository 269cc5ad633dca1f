"""An attribute's domain: its hierarchy over everything that occurs, and what its leaves weigh."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Flags
from riskapp.core.table.weights import Weights
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.assessment.growing import Growing, lists_its_leaves, start_of, unit_of
from riskapp.engine.assessment.numbers import amount_in
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.assessment.tables import Tables
from riskapp.engine.assessment.uses import Use

HEADER = "weight"
"""A row of a file of weights with this word for a weight is a header."""


@dataclass(frozen=True, eq=False)
class Domain:
    """One attribute.

    Parameters
    ----------
    attribute : its settings
    hierarchy : over everything that occurs
    leaf_weights : the leaves that weigh something of their own
    """

    attribute: AttributeKey
    hierarchy: Hierarchy
    leaf_weights: Mapping[str, float]

    @classmethod
    def of(cls, attribute: AttributeKey, uses: Sequence[Use], tables: Tables) -> "Domain":
        """The domain of an attribute that these columns hold.

        Raises
        ------
        BadSetting
            If a file cannot be read, or the hierarchy does not fit a column.
        """
        leaf_weights = _leaf_weights(attribute, tables)
        return cls(attribute, Growing(attribute, tables, leaf_weights).over(uses), leaf_weights)

    def coded(self, use: Use) -> CodedColumn:
        """The column of a use that is matched exactly, as codes of its level.

        Raises
        ------
        BadSetting
            Of the use's key, if the hierarchy does not cover a value.
        """
        level, column = use.level_in(self.hierarchy), use.column
        with told_by(use.key):
            return CodedColumn.of(
                self.hierarchy, column.values, column.codes, level=level, rows=column.rows, column=column.name
            )

    def weights(self) -> Weights:
        """What the leaves weigh at every level.

        Raises
        ------
        BadSetting
            If a value that is given a weight is not covered by the hierarchy, or weights are impossible.
        """
        attribute = self.attribute
        with told_by(f"{attribute.key}.weights"):
            return Weights.of(
                self.hierarchy,
                attribute.weight,
                self.leaf_weights,
                fall=attribute.fall,
                in_domain=self._whole_units(),
                elsewhere=not lists_its_leaves(attribute),
            )

    def _whole_units(self) -> Flags | None:
        """Which leaves of intervals with a weight of their own are in the domain; of the others nobody asks."""
        intervals = (self.attribute.hierarchy or {}).get("intervals")
        if intervals is None or self.attribute.fall != "harmonic":
            return None
        inside = np.ones(self.hierarchy.groups[0] + 1, dtype=np.bool_)
        start, unit = start_of(intervals), unit_of(intervals)
        for code, leaf in zip(self.hierarchy.found_at(0, self.leaf_weights), self.leaf_weights, strict=True):
            if code > 0:
                inside[code] = (Fraction(leaf) - start) % unit == 0
        return inside


def _leaf_weights(attribute: AttributeKey, tables: Tables) -> Mapping[str, float]:
    """The leaves that weigh something of their own, from the assessment or from a file with rows value;weight."""
    if not isinstance(attribute.weights, str):
        return attribute.weights
    key = f"{attribute.key}.weights.file"
    table = tables.rows(key, attribute.weights, ())
    if table is not None and len(table.stored.names) != 2:
        raise BadSetting(key, "The file does not have two columns. Write value;weight in each row.")
    found: dict[str, float] = {}
    for place, row in enumerate(table.cells() if table else (), start=1):
        leaf, weight = (cell or "" for cell in row)
        if weight == HEADER:
            continue
        if leaf in found:
            raise BadSetting(key, f"The value in row {place} stands in the file already. Leave one out.")
        found[leaf] = amount_in(weight)
        if not found[leaf] >= 0:
            raise BadSetting(key, f"The weight in row {place} is no number of 0 or more. Mend it.")
    return found
