"""The hierarchy of an attribute, grown over all values in the dataset, the dictionaries and the linkage data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.build import build
from riskapp.core.table.build_masks import ENDS, Masks
from riskapp.core.table.faults import OutsideHierarchy
from riskapp.core.table.hierarchy import TOP, Hierarchy
from riskapp.core.table.value_list import Flags, ValueList, flags
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.assessment.tables import Tables
from riskapp.engine.assessment.uses import Use

LISTING = ("file", "groups")
"""The hierarchies that name all their leaves, whatever occurs."""


@dataclass(frozen=True, eq=False)
class Growing:
    """How the hierarchy of an attribute is made.

    Parameters
    ----------
    attribute : whose it is
    tables : gives the text of a hierarchy's file
    leaf_weights : the leaves that weigh something of their own
    """

    attribute: AttributeKey
    tables: Tables
    leaf_weights: Mapping[str, float]

    def over(self, uses: Sequence[Use]) -> Hierarchy:
        """The hierarchy over all that the uses hold.

        Raises
        ------
        BadSetting
            If the hierarchy is none, has no level that a use names, or cannot hold a value: of the key to be mended.
        """
        with told_by(hierarchy_key(self.attribute)):
            bare = self._made([])
        lists = [self._listed(use, use.level_in(bare)) for use in uses]
        return bare if lists_its_leaves(self.attribute) else self._grown(uses, lists)

    def _made(self, lists: Sequence[ValueList]) -> Hierarchy:
        return build(self.attribute.name, self.attribute.hierarchy, lists, text_of=self._text_of)

    def _text_of(self, name: str) -> str:
        header = bool((self.attribute.hierarchy or {}).get("header", False))
        return self.tables.text(f"{hierarchy_key(self.attribute)}.file", name, header=header)

    def _grown(self, uses: Sequence[Use], lists: Sequence[ValueList]) -> Hierarchy:
        try:
            hierarchy = self._made(lists)
        except OutsideHierarchy:
            for use, listed in zip(uses, lists, strict=True):
                with told_by(use.key):
                    self._made([listed])
            raise
        unseen = self._unseen(hierarchy)
        return self._made([*lists, ValueList.of(unseen)]) if unseen else hierarchy

    def _listed(self, use: Use, level: int) -> ValueList:
        """The values of a use that belong to the domain: of those matched by likeness the labels of the level."""
        listed = use.values(level)
        if use.fuzzy is None or level == 0 or lists_its_leaves(self.attribute):
            return listed
        right = self._masked(listed, level)
        rows = None if listed.rows is None else listed.rows[right]
        return ValueList(listed.values.filter(pa.array(right)), level, listed.column, rows)

    def _masked(self, listed: ValueList, level: int) -> Flags:
        """Which values are labels of a level of a mask; no hierarchy is a mask of one sign."""
        wanted = self.attribute.hierarchy or {"mask": 1}
        if level == wanted["mask"]:
            return flags(pc.equal(listed.values, TOP))
        mask = Masks(self.attribute.name, wanted["mask"], wanted.get("from", ENDS[0]))
        return flags(pc.equal(mask.coarser(level, listed.values), listed.values))

    def _unseen(self, hierarchy: Hierarchy) -> list[str]:
        """The leaves with a weight of their own that lie in the domain of dates or intervals, seen or not.

        Only the harmonic fall asks for those that do not.
        """
        wanted = self.attribute.hierarchy or {}
        if not self.leaf_weights or not {"dates", "intervals"} & set(wanted):
            return []
        with told_by(f"{self.attribute.key}.weights"):
            self._made([ValueList.of(self.leaf_weights, column="weights")])
        if self.attribute.fall != "harmonic":
            return []
        if "dates" in wanted:
            years = {label[:4] for label in hierarchy.labels[-2].drop_null().to_pylist()}
            return [leaf for leaf in self.leaf_weights if leaf[:4] in years]
        end = start_of(wanted["intervals"]) + hierarchy.leaves * unit_of(wanted["intervals"])
        return [leaf for leaf in self.leaf_weights if Fraction(leaf) < end]


def hierarchy_key(attribute: AttributeKey) -> str:
    """The key to be mended when the hierarchy does not fit: the attribute's own where it has none."""
    return f"{attribute.key}.hierarchy" if attribute.hierarchy else attribute.key


def lists_its_leaves(attribute: AttributeKey) -> bool:
    """Whether the leaves are those listed, not those that occur."""
    return any(kind in (attribute.hierarchy or ()) for kind in LISTING)


def start_of(intervals: Mapping[str, str]) -> Fraction:
    """Where the intervals begin."""
    return Fraction(intervals.get("from", "0"))


def unit_of(intervals: Mapping[str, str]) -> Fraction:
    """What counts as one leaf of the intervals."""
    return Fraction(intervals.get("unit", "1"))
