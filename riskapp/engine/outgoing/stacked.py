"""Texts of several lists numbered through, one list after the other, and put into another form when they are needed.

A column of a long table may hold as many different texts as it has rows. They stay where they lie: a block of rows
takes those that it shows and nothing else is copied.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from riskapp.core.table.value_list import TEXT, Texts, joined

Numbers = npt.NDArray[np.int64]

FEW = 1 << 16
"""So many texts are put into another form once for all; of more, those of each block."""


@dataclass(frozen=True, eq=False)
class Stacked:
    """Lists of texts, one after the other.

    Parameters
    ----------
    parts : the lists

    Examples
    --------
    >>> from riskapp.core.table.value_list import texts
    >>> labels = Stacked([texts([None, "52", "7"]), texts([None, "[0,60)"]), texts(["*", "*"])])
    >>> labels.take(np.array([6, 1, 4, 1])).to_pylist(), len(labels)
    (['*', '52', '[0,60)', '52'], 7)
    """

    parts: Sequence[Texts]

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self.parts) else 0

    @cached_property
    def _ends(self) -> Numbers:
        return np.cumsum([len(part) for part in self.parts], dtype=np.int64)

    def take(self, numbers: Numbers) -> Texts:
        """The texts with these numbers."""
        which = np.searchsorted(self._ends, numbers, side="right")
        starts = np.append(0, self._ends)
        used = np.flatnonzero(np.bincount(which, minlength=len(self.parts))).tolist()
        if len(used) == 1:
            return self.parts[used[0]].take(pa.array(numbers - starts[used[0]]))
        found = joined(self.parts[one].take(pa.array(numbers[which == one] - starts[one])) for one in used)
        back = np.empty(len(numbers), dtype=np.int64)
        back[np.argsort(which, kind="stable")] = np.arange(len(numbers))
        return found.take(pa.array(back))

    def each(self, answer: Callable[[Texts], npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
        """What is asked of every text, list by list."""
        return np.concatenate([np.zeros(0, dtype=np.bool_), *(answer(part) for part in self.parts)])


@dataclass(frozen=True, eq=False)
class Formed:
    """Texts in another form.

    Parameters
    ----------
    texts : as they are
    form : what becomes of each, whatever stands beside it

    Examples
    --------
    >>> import pyarrow.compute as pc
    >>> from riskapp.core.table.value_list import texts
    >>> Formed(Stacked([texts(["a", "b"]), texts(["c"])]), pc.utf8_upper).take(np.array([2, 0])).to_pylist()
    ['C', 'A']
    """

    texts: Stacked
    form: Callable[[Texts], pa.Array]

    def take(self, numbers: Numbers) -> pa.Array:
        """The texts with these numbers in their form."""
        if len(self.texts) <= FEW:
            return self._all.take(pa.array(numbers))
        different, places = np.unique(numbers, return_inverse=True)
        return self.form(self.texts.take(different)).take(pa.array(places))

    @property
    def type(self) -> pa.DataType:
        """Of the form."""
        return self.form(pa.array([], TEXT)).type

    @cached_property
    def _all(self) -> pa.Array:
        return self.form(joined(self.texts.parts))
