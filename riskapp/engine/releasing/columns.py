"""The columns of a released file: for every attribute its label, and on request from, to and level beside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.released import Released
from riskapp.core.table.value_list import TEXT, Texts, joined, texts
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.outgoing.reading_back import first_alike
from riskapp.engine.outgoing.shown import ROWS, Order, Shown
from riskapp.engine.outgoing.stacked import Numbers, Stacked
from riskapp.engine.releasing.bounds import ends, has_ends
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.defusing import dangerous, defused
from riskapp.engine.releasing.types import CATEGORY, DATE, INTEGER, NUMBER, type_of, type_of_values, typed

LABEL, FROM, TO, LEVEL, SUPPRESSED = "label", "from", "to", "level", "suppressed"
YES_NO = "yes-no"


@dataclass(frozen=True, eq=False)
class FileColumn:
    """One column of the file.

    Attributes
    ----------
    name : in the header
    attribute : whose it is; None for the column that says which rows are suppressed
    part : label, from, to, level or suppressed
    kind : category, integer, number, date or yes-no
    labels : the different cells as text, null for an empty one, before formulas are made harmless
    numbers : for some rows which of them they hold
    harmless : whether formulas among them are made harmless
    defused : how many rows hold a cell that was made harmless
    """

    name: str
    attribute: str | None
    part: str
    kind: str
    labels: Stacked
    numbers: Callable[[slice], Numbers]
    harmless: bool = False
    defused: int = 0

    def as_text(self, cells: Texts) -> Texts:
        """Some of the cells as they leave."""
        return defused(cells) if self.harmless else cells

    def as_cells(self, cells: Texts) -> pa.Array:
        """The same in the type of the column."""
        if self.kind == YES_NO:
            return pc.equal(cells, "true")
        return typed(self.as_text(cells), self.kind)


@dataclass(frozen=True, eq=False)
class Sheet:
    """All columns of a released file, row after row in the order in which they leave.

    Parameters
    ----------
    attributes : of the assessment, in the order of the release
    released : the table
    order : which record stands in each row
    choices : how it is written
    """

    attributes: Sequence[AttributeKey]
    released: Released
    order: Order
    choices: Choices

    def __len__(self) -> int:
        return len(self.order)

    @cached_property
    def shown(self) -> Shown:
        """The labels."""
        return Shown(self.released, [attribute.name for attribute in self.attributes], self.order)

    def parts(self) -> Iterator[slice]:
        """The rows, so many at a time."""
        return (slice(start, start + ROWS) for start in range(0, len(self.order), ROWS))

    @cached_property
    def columns(self) -> list[FileColumn]:
        """Every column, each attribute's together, at last the one about suppressed rows."""
        names = extra_names([attribute.name for attribute in self.attributes])
        found = []
        for place, attribute in enumerate(self.attributes):
            found.append(self._label(place))
            if self.choices.details and self._is_generalised(place):
                found += self._details(place, attribute, names)
        if self.choices.analysts and self.released.suppressed.any():
            found.append(self._suppressed(names[None, SUPPRESSED]))
        return found

    def _is_generalised(self, place: int) -> bool:
        return bool(np.any(np.asarray(self.released.levels[place]) > 0))

    def _label(self, place: int) -> FileColumn:
        name, labels = self.attributes[place].name, self.shown.labels[place]
        kind = type_of(self.released, place) if self.choices.analysts else CATEGORY
        if kind != CATEGORY and self.released.suppressed.any():
            # The top's own codes show `*`, which no number or date can; the column about suppressed rows tells.
            labels = Stacked([*labels.parts[:-1], pa.nulls(len(labels.parts[-1]), TEXT)])
        harmless = self.choices.defuse and kind == CATEGORY
        changed = self._rows_of(place, labels.each(dangerous)) if harmless else 0
        return FileColumn(self._named(name), name, LABEL, kind, labels, self._numbers(place), changed > 0, changed)

    def _rows_of(self, place: int, flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
        if not flags.any():
            return 0
        return sum(int(flags[self.shown.numbers(place, rows)].sum()) for rows in self.parts())

    def _named(self, name: str) -> str:
        safe: str = defused(texts([name]))[0].as_py() if self.choices.defuse else name
        return safe

    def _numbers(self, place: int) -> Callable[[slice], Numbers]:
        return lambda rows: self.shown.numbers(place, rows)

    def _details(
        self, place: int, attribute: AttributeKey, names: dict[tuple[str | None, str], str]
    ) -> Iterator[FileColumn]:
        hierarchy = self.released.hierarchies[place]
        if has_ends(attribute, hierarchy):
            for part, values in zip((FROM, TO), ends(attribute, hierarchy), strict=True):
                kind = type_of_values(values.drop_null().unique())
                name = self._named(names[attribute.name, part])
                yield FileColumn(name, attribute.name, part, kind, Stacked([values]), self._numbers(place))
        name, levels = self._named(names[attribute.name, LEVEL]), lowest_levels(hierarchy)
        yield FileColumn(name, attribute.name, LEVEL, INTEGER, Stacked([levels]), self._numbers(place))

    def _suppressed(self, name: str) -> FileColumn:
        hidden = self.released.suppressed.astype(np.int64)
        labels = Stacked([texts(["false", "true"])])
        return FileColumn(name, None, SUPPRESSED, YES_NO, labels, lambda rows: hidden[self.order[rows]])


def lowest_levels(hierarchy: Hierarchy) -> Texts:
    """For the labels of all levels, one level after the other, the lowest level that has them; null for missing.

    What stands beside a label must not say more than the label: of two levels with one label it tells the lower.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> lowest_levels(from_groups("race", {"White": ["White"], "Asian": ["Chinese"]})).to_pylist()
    [None, '0', '0', None, '0', '1', '2', '2']
    """
    labels = joined(hierarchy.labels)
    levels = np.repeat(np.arange(hierarchy.height + 1), [len(some) for some in hierarchy.labels])
    first = first_alike(labels, labels)
    return pc.if_else(labels.is_valid(), pa.array(levels[np.maximum(first, 0)]).cast(TEXT), None)


def extra_names(names: Sequence[str]) -> dict[tuple[str | None, str], str]:
    """The names of the columns beside the labels, each of them new.

    >>> extra_names(["age", "age_from"])["age", "from"], extra_names(["age"])[None, "suppressed"]
    ('age_from_', 'suppressed')
    """
    taken, found = {" ".join(name.split()) for name in names}, dict[tuple[str | None, str], str]()
    wanted: list[tuple[str | None, str]] = [(name, part) for name in names for part in (FROM, TO, LEVEL)]
    for name, part in [*wanted, (None, SUPPRESSED)]:
        fresh = part if name is None else f"{name}_{part}"
        while " ".join(fresh.split()) in taken:
            fresh += "_"
        taken.add(" ".join(fresh.split()))
        found[name, part] = fresh
    return found


__all__ = ["CATEGORY", "DATE", "FROM", "INTEGER", "LABEL", "LEVEL", "NUMBER", "SUPPRESSED", "TO", "YES_NO"]
__all__ += ["FileColumn", "Sheet", "extra_names"]
