"""What an attacker gains who knows the rule: a per-record rule on Adult, by definition and replayed.

Every record gets the node of least risk among those that keep 60 % of the depth, 6.6 of 11. Such a rule hides the rare
records among common ones; but it was their rarity that chose the node, and whoever runs the rule again can tell. Beside
it stands the best rule that treats everybody alike.
"""

import csv
import gzip
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from riskapp.core import CodedColumn, CodedRecords, Measuring, Problem, Released, Utility, full_domain, problem
from riskapp.core.digits import told_apart
from riskapp.core.table.identification import Identification
from riskapp.core.table.sensitivity import Sensitivity, Weighed

FOLDER = Path(__file__).resolve().parent
COLUMNS = ("sex", "age", "race", "marital-status", "education")
LEAST_UTILITY = 6.6

Levels = npt.NDArray[np.intp]
Numbers = npt.NDArray[np.float64]


class Line(NamedTuple):
    """One line of the answer."""

    rule: str
    risk: float
    utility: float
    found: float
    singled_out: int


def adult() -> Problem:
    """Weights 1 that fall harmonically, model I, and an attacker who knows all five columns about everybody."""
    with gzip.open(FOLDER / "adult.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = {name: [row[name] for row in rows] for name in COLUMNS}
    hierarchies = {name: (FOLDER / "hierarchies" / f"{name}.csv").read_text(encoding="utf-8") for name in COLUMNS}
    return problem(table, hierarchies=hierarchies, fall="harmonic")


@dataclass(frozen=True, eq=False)
class PerRecord:
    """The rule that takes each record to its node of least risk among those with enough utility.

    Ties go to more utility, then to the smaller node as text. It is a function of a record's values, so an attacker
    can run it on anybody.
    """

    problem: Problem
    least_utility: float

    def __call__(self, leaves: npt.NDArray[np.int32], /) -> tuple[Levels, npt.NDArray[np.bool_]]:
        """The levels of records given by their leaf codes; none is suppressed."""
        single = _Single(self.problem, self._records(leaves))
        least, most = np.full(len(leaves), np.inf), np.full(len(leaves), -np.inf)
        levels = np.zeros(leaves.shape, dtype=np.intp)
        for node in sorted(self.problem.lattice, key=lambda node: ".".join(map(str, node))):
            utility = single.utilities(node)
            enough = utility >= self.least_utility
            if enough.any():
                risk = single.risks(node)
                better = enough & ((risk < least) | ((risk == least) & (utility > most)))
                least[better], most[better], levels[better] = risk[better], utility[better], node
        return levels, np.zeros(len(leaves), dtype=np.bool_)

    def _records(self, leaves: npt.NDArray[np.int32]) -> CodedRecords:
        pairs = zip(self.problem.hierarchies, leaves.T, strict=True)
        return CodedRecords.of([CodedColumn(hierarchy, codes.copy()) for hierarchy, codes in pairs])

    def released(self) -> Released:
        """The table that the rule releases; equal records are looked at once."""
        distinct = self.problem.records.once()
        levels, _ = self(np.stack([column.codes for column in distinct.records.columns], axis=1))
        return Released.each(self.problem.records, levels[distinct.kind])


class _Single:
    """The risk and the utility of single records at any node."""

    def __init__(self, problem: Problem, records: CodedRecords) -> None:
        pairs = zip(records.columns, problem.columns, strict=True)
        self.problem = problem
        self.sensitivity = Sensitivity(tuple(Weighed(column, weighed.weights) for column, weighed in pairs))
        self.identification = Identification(problem.dictionaries[0], records.columns)
        self.utility = Utility(records)

    def utilities(self, node: tuple[int, ...]) -> Numbers:
        return self.utility.each(Released.at(self.utility.records, node))

    def risks(self, node: tuple[int, ...]) -> Numbers:
        """To twelve digits; what differs less is rounding, and must not decide."""
        people, everybody = self.identification.at(node), self.problem.dictionaries[0].everybody
        risks = self.problem.loss.of(self.sensitivity.at(node), people, everybody)
        different, which = np.unique(risks, return_inverse=True)
        return told_apart(different)[which]


def figures(table: Problem, least_utility: float = LEAST_UTILITY) -> list[Line]:
    """The per-record rule by definition and replayed, and the best full-domain rule."""
    rule = PerRecord(table, least_utility)
    own = Measuring(table).of(rule.released(), rule)
    assert own.risk_replay is not None
    assert own.people_replay is not None
    defined, replayed = own.people["self"], own.people_replay["self"]
    best = full_domain(table).optimum(least_utility=least_utility)
    alike = best.evaluation.people["self"]
    return [
        Line("per-record, by definition", own.risk, own.utility, defined.expected_found, defined.singled_out),
        Line("per-record, replayed", own.risk_replay, own.utility, replayed.expected_found, replayed.singled_out),
        Line(best.id, best.risk, best.utility, alike.expected_found, alike.singled_out),
    ]


def written(lines: list[Line]) -> str:
    """The lines as a small table."""
    head = f"{'rule':<28}{'risk':>8}{'utility':>9}{'found':>7}{'singled out':>13}\n"
    return head + "".join(
        f"{line.rule:<28}{line.risk:>8.4f}{line.utility:>9.2f}{line.found:>7.0f}{line.singled_out:>13}\n"
        for line in lines
    )


if __name__ == "__main__":
    sys.stdout.write(written(figures(adult())))
