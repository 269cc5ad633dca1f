"""A use: a column of some table that holds an attribute at a level of its hierarchy."""

from dataclasses import dataclass

from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.assessment.tables import Column


@dataclass(frozen=True, eq=False)
class Use:
    """A column of the dataset, of a dictionary or of the linkage data.

    Parameters
    ----------
    key : the key that says so
    attribute : its name
    column : the cells
    level : by number or name
    fuzzy : the threshold of a column that is matched by likeness
    """

    key: str
    attribute: str
    column: Column
    level: str = "0"
    fuzzy: str | None = None

    def level_in(self, hierarchy: Hierarchy) -> int:
        """The number of its level.

        Raises
        ------
        BadSetting
            If the hierarchy has no such level.
        """
        with told_by(self.key):
            return hierarchy.level(self.level)

    def values(self, level: int) -> ValueList:
        """The distinct values."""
        return ValueList(self.column.values, level, self.column.name, self.column.rows)
