"""Synthetic people, coded: tables of the sizes that the promises about the lattice name."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from riskapp.core.loss import Loss
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights

Columns = dict[str, tuple[Codes, tuple[int, ...]]]
"""For each column its codes and the number of groups in every level."""


def tower(name: str, sizes: Sequence[int]) -> Hierarchy:
    """A hierarchy with so many groups in each level, the leaves' first; one top is added."""
    levels = [*sizes, 1]
    parents = [np.arange(low) * high // low + 1 for low, high in pairwise(levels)]
    labels = [[f"{level}:{group}" for group in range(size)] for level, size in enumerate(sizes)] + [["*"]]
    counts = [np.ones(sizes[0], dtype=np.int64)]
    for parent, high in zip(parents, levels[1:], strict=True):
        counts.append(np.bincount(parent - 1, weights=counts[-1], minlength=high).astype(np.int64))
    return Hierarchy.of(name, labels=labels, parents=parents, leaf_counts=counts)


def skewed(draw: np.random.Generator, leaves: int, size: int, power: float = 1.0) -> Codes:
    """Codes in which the first leaves are much commoner than the last, as cities are."""
    shares = 1.0 / np.arange(1, leaves + 1) ** power
    return (np.searchsorted(np.cumsum(shares / shares.sum()), draw.random(size)) + 1).clip(1, leaves).astype(np.int32)


def census(records: int, seed: int = 0) -> Columns:
    """Nine columns with the sizes and heights of a health survey: year, quarter, region, number in the household,
    age, marital status, sex, race, education."""
    draw = np.random.default_rng(seed)
    age = np.minimum(draw.gamma(2.6, 14.0, records), 85).astype(np.int32) + 1
    marital = np.where(age < 19, 1, draw.choice([2, 3, 4, 5, 6, 7, 8, 9, 10], records, p=_shares(9))).astype(np.int32)
    education = np.where(age < 6, 1, np.clip(draw.normal(np.minimum(age, 30) * 0.6, 4.0), 1, 26)).astype(np.int32)
    columns = {
        "year": (draw.integers(1, 14, records, dtype=np.int32), (13, 8, 4, 2, 2)),
        "quarter": (draw.integers(1, 5, records, dtype=np.int32), (4, 2)),
        "region": (draw.choice(np.arange(1, 5, dtype=np.int32), records, p=[0.2, 0.2, 0.37, 0.23]), (4, 2)),
        "number": (np.minimum(draw.geometric(0.42, records), 25).astype(np.int32), (25, 9, 3)),
        "age": (age, (86, 18, 9, 4)),
        "marital": (marital, (10, 4)),
        "sex": (draw.integers(1, 3, records, dtype=np.int32), (2,)),
        "race": (skewed(draw, 16, records, 2.0), (16,)),
        "education": (education, (26,)),
    }
    return columns


def _shares(many: int) -> npt.NDArray[np.float64]:
    shares = 1.0 / np.arange(1, many + 1) ** 1.5
    return shares / shares.sum()


def adult_sized(records: int = 30_162, seed: int = 1) -> Columns:
    """Nine columns with the sizes and heights that are usual for Adult: 12 960 nodes."""
    draw = np.random.default_rng(seed)
    sizes: dict[str, tuple[int, ...]] = {
        "age": (73, 15, 8, 4),
        "sex": (2,),
        "race": (5,),
        "marital": (7, 3),
        "education": (16, 8, 4),
        "country": (41, 4),
        "work": (8, 4),
        "occupation": (14, 4),
        "salary": (2,),
    }
    return {name: (skewed(draw, own[0], records, 0.3 if name == "age" else 1.0), own) for name, own in sizes.items()}


def own_problem(columns: Columns, fall: str = "harmonic") -> Problem:
    """The dataset as its own dictionary, weights 1."""
    return problem(columns, None, fall=fall)


def problem(
    columns: Columns, entries: dict[str, Codes] | None, fall: str = "harmonic", family: str = "linear"
) -> Problem:
    """A problem over these columns, against entries of some of them, or against itself."""
    coded = {name: CodedColumn(tower(name, sizes), codes) for name, (codes, sizes) in columns.items()}
    weighed = tuple(Weighed(column, Weights.of(column.hierarchy, fall=fall)) for column in coded.values())
    held = list(coded.values())
    if entries is None:
        dictionary = Dictionary.itself("self", held, range(len(held)))
    else:
        known = [
            Known(place, column.hierarchy, 0, entries[name])
            for place, (name, column) in enumerate(coded.items())
            if name in entries
        ]
        dictionary = Dictionary("register", tuple(known))
    return Problem(
        Sensitivity(weighed, family=family), (dictionary,), Utility(CodedRecords.of(held)), loss=Loss(uncovered="zero")
    )


def case_study(records: int, entries: int, seed: int = 2) -> tuple[Columns, dict[str, Codes]]:
    """Voters' likes: city, sex, birth date and income, against a register that knows the first three."""
    draw = np.random.default_rng(seed)

    def drawn(size: int) -> dict[str, Codes]:
        return {
            "city": skewed(draw, 20_000, size),
            "sex": draw.choice(np.arange(1, 7, dtype=np.int32), size, p=[0.44, 0.46, 0.04, 0.03, 0.02, 0.01]),
            "birth": (np.minimum(draw.gamma(4.0, 9.0, size), 99.9) * 365).astype(np.int32) + 1,
        }

    sizes = {"city": (20_000, 3_000, 250, 50), "sex": (6, 3), "birth": (36_500, 1_200, 100), "income": (200, 40, 8, 3)}
    people = drawn(records)
    people["income"] = skewed(draw, 200, records)
    return {name: (codes, sizes[name]) for name, codes in people.items()}, drawn(entries)
