"""What our figures and the oracle's are compared by: the same shape, and one rule that both can run."""

import random
from typing import Any

import numpy as np

from riskapp.core.evaluation import Evaluation
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask
from riskapp.core.table.replay import Rule
from tests.oracle.problem import Problem as Theirs
from tests.oracle.problem import Values
from tests.oracle.release import Node, release_record
from tests.oracle.replay import Rule as TheirRule


def figures(found: Evaluation) -> dict[str, Any]:
    """As the oracle writes them."""
    assert found.people_replay is not None
    return {
        "risk": found.risk,
        "risk_replay": found.risk_replay,
        "risk_by_dictionary": found.risk_by_dictionary,
        "utility": found.utility,
        "utility_share": found.utility_share,
        "smallest_group": found.smallest_group,
        "suppressed": found.suppressed,
        "people": {
            name: {**without_share(some), "by_replay": without_share(found.people_replay[name])}
            for name, some in found.people.items()
        },
        "inference": {name: some._asdict() for name, some in found.inference.items()},
        "within_limits": not found.broken,
    }


def without_share(found: Any) -> dict[str, Any]:
    return {name: number for name, number in found._asdict().items() if name != "share_above"}


class Chosen:
    """A rule that chooses a node for each record by its values, whatever they are; every fifth is suppressed."""

    def __init__(self, theirs: Theirs, seed: int) -> None:
        self.theirs, self.seed = theirs, seed
        self.seen = {name: {record.values[name] for record in theirs.records} for name in theirs.attributes}

    def node(self, values: Values) -> Node | None:
        known = [value if value in self.seen[name] else "elsewhere" for name, value in values.items()]
        chance = random.Random(f"{self.seed} {known}")
        if chance.random() < 0.2:
            return None
        return tuple(chance.randint(0, one.hierarchy.height) for one in self.theirs.generalised())

    def nodes(self) -> list[Node | None]:
        return [self.node(record.values) for record in self.theirs.records]

    def as_theirs(self) -> TheirRule:
        return lambda values: {release_record(self.theirs, values, self.node(values)).shown}

    def as_ours(self, problem: Problem) -> Rule:
        labels = [tree.labels[0].to_pylist() for tree in problem.hierarchies]

        def rule(leaves: Codes) -> tuple[Codes, Mask]:
            texts = [[labels[place][code] for place, code in enumerate(row)] for row in leaves.tolist()]
            chosen = [self.node(dict(zip(problem.names, row, strict=True))) for row in texts]
            levels = np.zeros(leaves.shape, dtype=np.int32)
            for row, node in enumerate(chosen):
                levels[row, problem.generalised] = 0 if node is None else node
            return levels, np.array([node is None for node in chosen], dtype=np.bool_)

        return rule
