"""The figures of many rules side by side: an array for each figure, a place for each rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
import numpy.typing as npt

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.extended import Numbers
from riskapp.core.table.inference import Inference

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PeopleOfEach:
    """`People` of every rule, for one dictionary."""

    expected_found: Numbers
    singled_out: Counts
    uncovered: Counts
    largest_chance: Numbers
    gain: Numbers
    share_above: Numbers | None = None

    def of(self, place: int) -> People:
        """Of one rule."""
        return People(
            float(self.expected_found[place]),
            int(self.singled_out[place]),
            int(self.uncovered[place]),
            float(self.largest_chance[place]),
            float(self.gain[place]),
            None if self.share_above is None else float(self.share_above[place]),
        )


@dataclass(frozen=True, eq=False)
class Evaluations(Sequence[Evaluation]):
    """The figures of closed rules that suppress no record, by `Evaluation`'s names.

    `classes` is the work it took: the classes of equal records and entries, summed over all tables looked at.
    """

    risks: Numbers
    risks_by_dictionary: Mapping[str, Numbers]
    utilities: Numbers
    utility_shares: Numbers
    people: Mapping[str, PeopleOfEach]
    smallest_groups: Counts
    inference: Mapping[str, Numbers] = field(default_factory=dict)
    worst_utilities: Numbers | None = None
    broken: Sequence[tuple[str, ...]] = ()
    classes: int = 0

    def __len__(self) -> int:
        return len(self.risks)

    @overload
    def __getitem__(self, place: int) -> Evaluation: ...
    @overload
    def __getitem__(self, place: slice) -> list[Evaluation]: ...
    def __getitem__(self, place: int | slice) -> Evaluation | list[Evaluation]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        people = {name: found.of(place) for name, found in self.people.items()}
        risk = float(self.risks[place])
        return Evaluation(
            risk=risk,
            risk_by_dictionary={name: float(risks[place]) for name, risks in self.risks_by_dictionary.items()},
            utility=float(self.utilities[place]),
            utility_share=float(self.utility_shares[place]),
            people=people,
            smallest_group=int(self.smallest_groups[place]),
            inference={name: Inference(*map(float, found[place])) for name, found in self.inference.items()},
            risk_replay=risk,
            people_replay=people,
            worst_utility=None if self.worst_utilities is None else float(self.worst_utilities[place]),
            broken=self.broken[place] if self.broken else (),
        )
