"""k-anonymity, l and t, and Mondrian's parts by their definitions: one record, one group and one node at a time."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.measure import Measuring, measure
from riskapp.core.table.breaking import above
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.released import Mask, Released
from tests.core.rolled_drawing import a_problem, often
from tests.core.slow_released import climbed

Rows = list[int]


def some_problem(chance: Random) -> Problem:
    """A small one; in every third people have several records."""
    problem = a_problem(chance)
    if not often(chance, 3):
        return problem
    people = [chance.randrange(len(problem)) for _ in range(len(problem))]
    return replace(problem, people=np.array(people, dtype=np.int32))


def leaves_of(problem: Problem) -> Codes:
    return np.stack([weighed.column.codes for weighed in problem.columns], axis=1)


def shown(problem: Problem, leaves: Sequence[int], levels: Sequence[int]) -> tuple[str, ...]:
    """What a record shows in the columns in which groups are equal."""
    texts = []
    for place in problem.grouped:
        tree, level = problem.hierarchies[place], levels[place]
        texts.append(tree.labels[level][climbed(tree, leaves[place], level)].as_py() or "*")
    return tuple(texts)


def groups_of(problem: Problem, levels: Sequence[Sequence[int]], hidden: Sequence[bool]) -> dict[tuple[str, ...], Rows]:
    found: dict[tuple[str, ...], Rows] = {}
    for row, leaves in enumerate(leaves_of(problem).tolist()):
        if not hidden[row]:
            found.setdefault(shown(problem, leaves, levels[row]), []).append(row)
    return found


def person(problem: Problem, row: int) -> int:
    return row if problem.people is None else int(problem.people[row])


def people(problem: Problem, rows: Rows) -> int:
    return len({person(problem, row) for row in rows})


def shares(problem: Problem, column: Sensitive, rows: Rows) -> dict[int, float]:
    found = counts(problem, column, rows)
    return {value: count / sum(found.values()) for value, count in found.items()}


def counts(problem: Problem, column: Sensitive, rows: Rows) -> Counter[int]:
    return Counter(value for _, value in {(person(problem, row), int(column.codes[row])) for row in rows})


def diverse(problem: Problem, rows: Rows) -> bool:
    """Whether a group has every l that is required, in every sensitive column."""
    return all(_diverse(problem, column, rows) for column in problem.sensitive)


def _diverse(problem: Problem, column: Sensitive, rows: Rows) -> bool:
    limits, reached = problem.limits, every_l(problem, column, rows)
    ordered = sorted(counts(problem, column, rows).values(), reverse=True)
    enough = limits.recursive is None or ordered[0] < limits.recursive[0] * sum(ordered[limits.recursive[1] - 1 :])
    return enough and not any(above(least, reached[kind]) for kind, least in limits.l.items())


def every_l(problem: Problem, column: Sensitive, rows: Rows) -> dict[str, float]:
    """What a group reaches in each sense."""
    own = shares(problem, column, rows)
    return {
        "distinct": float(len(own)),
        "probabilistic": 1 / max(own.values()),
        "entropy": math.exp(-sum(share * math.log(share) for share in own.values())),
    }


def l_at(problem: Problem, node: Node, kind: str) -> set[float]:
    """What the groups of a node reach, each in its worst column."""
    groups = groups_of(problem, [node] * len(problem), [False] * len(problem)).values()
    return {min(every_l(problem, column, rows)[kind] for column in problem.sensitive) for rows in groups}


def distance(problem: Problem, rows: Rows) -> float:
    """The largest distance of a group from the table."""
    return max((_distance(problem, column, rows) for column in problem.sensitive), default=0.0)


def _distance(problem: Problem, column: Sensitive, rows: Rows) -> float:
    one, other = shares(problem, column, rows), shares(problem, column, list(range(len(problem))))
    if column.ordered is None:
        return sum(abs(one.get(value, 0.0) - other[value]) for value in other) / 2
    order = [*range(1, column.ordered + 1), *([0] if 0 in other else [])]
    work, carried = 0.0, 0.0
    for value in order:
        carried += one.get(value, 0.0) - other.get(value, 0.0)
        work += abs(carried)
    return work / max(len(order) - 1, 1)


def far(problem: Problem, rows: Rows) -> bool:
    return problem.limits.t is not None and above(distance(problem, rows), problem.limits.t)


def hidden_at(problem: Problem, node: Node, k: int) -> list[bool]:
    """Which records a node suppresses."""
    found = [False] * len(problem)
    for rows in groups_of(problem, [node] * len(problem), found).values():
        if people(problem, rows) < k or not diverse(problem, rows):
            for row in rows:
                found[row] = True
    return found


def released_at(problem: Problem, node: Node, hidden: list[bool]) -> Released:
    levels = np.array([node] * len(problem), dtype=np.intp)
    return Released.each(problem.records, levels, np.array(hidden))


def is_allowed(problem: Problem, node: Node, k: int, most: int) -> bool:
    hidden = hidden_at(problem, node, k)
    left = groups_of(problem, [node] * len(problem), hidden)
    return bool(left) and sum(hidden) <= most and not any(far(problem, rows) for rows in left.values())


def rule_at(problem: Problem, node: Node, k: int) -> "NodeRule":
    left = groups_of(problem, [node] * len(problem), hidden_at(problem, node, k))
    return NodeRule(problem, node, set(left))


@dataclass
class NodeRule:
    """Releases a record at a node when its group is one that the table released."""

    problem: Problem
    node: Node
    left: set[tuple[str, ...]]

    def __call__(self, leaves: Codes, /) -> tuple[Codes, Mask]:
        hidden = [shown(self.problem, row, self.node) not in self.left for row in leaves.tolist()]
        return np.array([self.node] * len(leaves), dtype=np.int32), np.array(hidden, dtype=np.bool_)


def best(problem: Problem, k: int, most: int) -> Node | None:
    """The best of all nodes, each measured by itself: of those within the limits, where there are such."""
    keys = []
    for node in problem.lattice:
        if is_allowed(problem, node, k, most):
            hidden = hidden_at(problem, node, k)
            found = measure(
                problem, released_at(problem, node, hidden), rule_at(problem, node, k) if any(hidden) else None
            )
            utility, risk = told_apart([found.utility, found.risk_that_counts]).tolist()
            keys.append((bool(found.broken), -utility, risk, ".".join(map(str, problem.chosen(node))), node))
    return min(keys)[-1] if keys else None


@dataclass
class Part:
    """A part of the table: its records, and the parts it is split into by one attribute's values at a level."""

    rows: Rows
    place: int | None = None
    level: int = 0
    children: dict[int, "Part"] = field(default_factory=dict)

    def ends(self) -> Iterator["Part"]:
        """The parts at the end of the tree."""
        if self.place is None:
            yield self
        for child in self.children.values():
            yield from child.ends()


def common(problem: Problem, rows: Rows, place: int) -> tuple[int, int]:
    """The level and the code of the lowest common ancestor; ⊥ when a value is missing."""
    tree, leaves = problem.hierarchies[place], [int(problem.column(place).codes[row]) for row in rows]
    for level in range(tree.height):
        codes = {climbed(tree, leaf, level) for leaf in leaves}
        if len(codes) == 1 and codes != {0}:
            return level, codes.pop()
    return tree.height, max(climbed(tree, leaf, tree.height) for leaf in leaves)


def split(problem: Problem, rows: Rows, place: int, level: int) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in rows:
        leaf = int(problem.column(place).codes[row])
        found.setdefault(climbed(problem.hierarchies[place], leaf, level), []).append(row)
    return found


def can_be(problem: Problem, rows: Rows, k: int) -> bool:
    return people(problem, rows) >= k and diverse(problem, rows) and not far(problem, rows)


def inferred(problem: Problem, rows: Rows) -> float:
    """By how much more a value of a sensitive column is believed in a group than in the table, at most."""
    found = [0.0]
    for column in problem.sensitive:
        whole = shares(problem, column, list(range(len(problem))))
        found += [share - whole[value] for value, share in shares(problem, column, rows).items()]
    return max(found)


def chances_of(problem: Problem, rows: Rows, *, hidden: bool = False) -> list[float]:
    """With each dictionary, the chance of people who are all shown as what they have in common, or are suppressed."""
    levels = np.array([levels_of(problem, Part(rows))] * len(problem), dtype=np.intp)
    everybody = Released.each(problem.records, levels, np.full(len(problem), hidden))
    counts = [own.of(everybody)[rows[0]] for own in Measuring(problem).identifications.values()]
    return problem.loss.chances(np.array(counts)).tolist()


def keeps_limits(problem: Problem, rows: Rows) -> bool:
    """Whether a part, shown as what it has in common, may come from a split, whoever is above a share's chance."""
    limits = problem.limits
    return (
        (limits.largest_chance is None or not above(max(chances_of(problem, rows)), limits.largest_chance))
        and (limits.smallest_group is None or people(problem, rows) >= limits.smallest_group)
        and (limits.inference is None or not above(inferred(problem, rows), limits.inference))
    )


def splits(problem: Problem, rows: Rows, k: int) -> list[tuple[float, int, int, dict[int, Rows]]]:
    """All allowed splits of a part, the widest first: minus the width, the attribute, the level and the parts."""
    found = []
    for place in problem.generalised:
        tree = problem.hierarchies[place]
        level, code = common(problem, rows, place)
        if level == 0 or not any(problem.column(place).codes[rows]):
            continue
        children = split(problem, rows, place, level - 1)
        width = tree.leaf_counts[level][code] / tree.leaves
        if all(can_be(problem, some, k) and keeps_limits(problem, some) for some in children.values()):
            found.append((-float(width), place, level - 1, children))
    return sorted(found, key=lambda one: one[:2])


Persons = list[set[int]]
"""For each dictionary the people above the chance that only a share of them may be above."""


def above_share(problem: Problem, parts: list[Rows], *, hidden: bool = False) -> Persons:
    """Whom these parts put there, when each is shown as what it has in common, or is suppressed."""
    limit = problem.limits.share_above
    found: Persons = [set() for _ in problem.dictionaries] if limit else []
    for rows in parts if limit else []:
        for own, chance in zip(found, chances_of(problem, rows, hidden=hidden), strict=True):
            own |= {person(problem, row) for row in rows} if above(chance, limit.chance) else set()  # type: ignore[union-attr]
    return found


@dataclass
class Growing:
    """A table that is parted round after round; parts have numbers in the order in which they come."""

    problem: Problem
    k: int

    def __post_init__(self) -> None:
        self.whole = Part(list(range(len(self.problem))))
        self.ends = [self.whole]
        for place in self.problem.grouped:
            if self.problem.columns[place].kept:
                for part in list(self.ends):
                    self.make(part, place, 0, split(self.problem, part.rows, place, 0))
        good = [part for part in self.ends if self.shown(part)]
        self.hidden = [part.rows for part in self.ends if not self.shown(part)]
        self.ends = good
        limit = self.problem.limits.share_above
        people_there = len({person(self.problem, row) for row in range(len(self.problem))})
        most = [many for many in range(people_there + 1) if limit and not above(many / people_there, limit.share)]
        self.most = max(most, default=0)
        self.vain = any(len(own) > self.most for own in self.above())
        self.most = 0 if self.vain else self.most

    def shown(self, part: Part) -> bool:
        return people(self.problem, part.rows) >= self.k and diverse(self.problem, part.rows)

    def make(self, part: Part, place: int, level: int, children: dict[int, Rows]) -> list[Part]:
        part.place, part.level = place, level
        part.children = {code: Part(children[code]) for code in sorted(children)}
        self.ends = [end for end in self.ends if end is not part] + list(part.children.values())
        return list(part.children.values())

    def above(self) -> Persons:
        shown = above_share(self.problem, [part.rows for part in self.ends])
        hidden = above_share(self.problem, self.hidden, hidden=True)
        return [one | other for one, other in zip(shown, hidden, strict=True)]

    def costs(self, children: dict[int, Rows], before: Persons) -> list[int]:
        after = above_share(self.problem, list(children.values()))
        return [len(new - old) for new, old in zip(after, before, strict=True)]

    def grow(self) -> None:
        active = list(self.ends)
        while active:
            active = self.free(active) or self.dear()

    def before(self) -> Persons:
        return [set() for _ in self.above()] if self.vain else self.above()

    def free(self, parts: list[Part]) -> list[Part]:
        before, chosen = self.before(), []
        for part in parts:
            options = [one for one in splits(self.problem, part.rows, self.k) if not any(self.costs(one[3], before))]
            chosen += [(part, *options[0][1:])] if options else []
        return [child for one in chosen for child in self.make(*one)]

    def dear(self) -> list[Part]:
        """Of every part the split that puts the fewest people there; of these as many as may be, the cheapest first."""
        before, offers = self.before(), []
        for part in list(self.ends) if self.problem.limits.share_above else []:
            every = [(self.costs(one[3], before), one) for one in splits(self.problem, part.rows, self.k)]
            if every:
                cost, (_, *how) = min(every, key=lambda one: max(one[0]))
                offers.append((cost, part, *how))
        left, chosen = [self.most - len(own) for own in before], []
        possible = [one for one in offers if all(cost <= room for cost, room in zip(one[0], left, strict=True))]
        for cost, part, place, level, children in sorted(possible, key=lambda one: max(one[0])):
            left = [room - own for room, own in zip(left, cost, strict=True)]
            if min(left) < 0:
                break
            chosen.append((part, place, level, children))
        in_order = [one for end in list(self.ends) for one in chosen if one[0] is end]
        return [child for one in in_order for child in self.make(*one)]


def parted(problem: Problem, k: int) -> Part:
    """The table parted by its kept columns, and then by the widest allowed split until there is none.

    Where a share of the people may be above a chance, splits that put nobody there come first.
    """
    growing = Growing(problem, k)
    growing.grow()
    return growing.whole


def levels_of(problem: Problem, part: Part) -> list[int]:
    found = [0] * len(problem.columns)
    for place in problem.generalised:
        found[place] = common(problem, part.rows, place)[0]
    return found


@dataclass
class PartRule:
    """Sends a record down the tree; what no part would take, and what a weak part takes, is suppressed."""

    problem: Problem
    whole: Part
    k: int

    def levels(self, leaves: Sequence[int]) -> list[int] | None:
        part: Part | None = self.whole
        while part is not None and part.place is not None:
            part = part.children.get(climbed(self.problem.hierarchies[part.place], leaves[part.place], part.level))
        if part is None or people(self.problem, part.rows) < self.k or not diverse(self.problem, part.rows):
            return None
        for place in self.problem.generalised:
            tree = self.problem.hierarchies[place]
            level, code = common(self.problem, part.rows, place)
            if level < tree.height and climbed(tree, leaves[place], level) != code:
                return None
        return levels_of(self.problem, part)

    def __call__(self, leaves: Codes, /) -> tuple[Codes, Mask]:
        found = [self.levels(row) for row in leaves.tolist()]
        nothing = [0] * len(self.problem.columns)
        levels = np.array([nothing if some is None else some for some in found], dtype=np.int32)
        return levels.reshape(leaves.shape), np.array([some is None for some in found], dtype=np.bool_)
