"""What holds for every hierarchy, checked one code at a time."""

from collections.abc import Sequence

import numpy as np

from riskapp.core.table.hierarchy import Hierarchy
from tests.core.slow_hierarchy import Chain


def chains_of(hierarchy: Hierarchy) -> list[Chain]:
    """What every leaf becomes, level by level, read from the table of ancestors."""
    labels = [level.to_pylist() for level in hierarchy.labels]
    return [
        tuple(shown[code] for shown, code in zip(labels, codes, strict=True)) for codes in hierarchy.ancestors.T[1:]
    ]


def check_laws(hierarchy: Hierarchy) -> None:
    """Nesting, one top, distinct labels, n(⊥) = m, missing says nothing, a leaf below every group; labels are found."""
    ancestors, height = hierarchy.ancestors, hierarchy.height
    assert ancestors.dtype == np.int32
    assert ancestors[:, 0].tolist() == [0] * (height + 1)
    assert set(ancestors[height, 1:].tolist()) <= {1}
    assert hierarchy.labels[height].to_pylist() == ["*", "*"]
    for level in range(height + 1):
        _check_level(hierarchy, level)
    for level in range(height):
        above = dict(zip(ancestors[level].tolist(), ancestors[level + 1].tolist(), strict=True))
        assert [above[code] for code in ancestors[level].tolist()] == ancestors[level + 1].tolist()


def _check_level(hierarchy: Hierarchy, level: int) -> None:
    labels, counts = hierarchy.labels[level].to_pylist()[1:], hierarchy.leaf_counts[level].tolist()
    named, stand_ins = hierarchy.named(level).to_pylist(), hierarchy.stand_ins[level]
    assert named == labels[: len(labels) - stand_ins]
    assert hierarchy.found_at(level, labels[len(named) :]).tolist() == [-1] * stand_ins
    assert len(set(labels)) == len(labels) == hierarchy.groups[level] == len(counts) - 1
    assert counts[0] == hierarchy.leaves
    assert all(1 <= count <= hierarchy.leaves for count in counts)
    assert hierarchy.codes_at(level, [None, *named]).tolist() == list(range(len(named) + 1))
    assert level == hierarchy.height or set(hierarchy.ancestors[level].tolist()) == set(range(len(labels) + 1))
    for high in range(level, hierarchy.height + 1):
        assert (hierarchy.up(level, high)[hierarchy.ancestors[level]] == hierarchy.ancestors[high]).all()


def check_sums(hierarchy: Hierarchy) -> None:
    """Where all leaves of the domain are listed, n(parent) = Σ n(children)."""
    for level, parents in enumerate(hierarchy.parents):
        summed = [0] * (hierarchy.groups[level + 1] + 1)
        for code, parent in enumerate(parents.tolist()):
            summed[parent] += hierarchy.leaf_counts[level].tolist()[code] if code else 0
        assert summed[1:] == hierarchy.leaf_counts[level + 1].tolist()[1:]


def shown_in(hierarchy: Hierarchy) -> Sequence[list[str]]:
    """The labels of every level, without missing and stand-ins."""
    return [hierarchy.named(level).to_pylist() for level in range(hierarchy.height + 1)]
