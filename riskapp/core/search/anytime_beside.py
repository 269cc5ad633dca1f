"""Which nodes are listed beside an answer: its neighbours, and the best that are known over the whole range."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from riskapp.core.evaluation import Evaluation
from riskapp.core.search.anytime_archive import Archive
from riskapp.core.search.anytime_sweep import spread_out
from riskapp.core.search.candidate import Tag
from riskapp.core.table.lattice import Lattice, Node

MOST_SPREAD = 200


@dataclass(frozen=True, eq=False)
class Beside:
    """A node that is listed.

    Attributes
    ----------
    evaluation : all its figures
    number : whether it is proved that nothing that says as much has less risk; else by how much that may be less
    """

    node: Node
    evaluation: Evaluation
    number: Tag


def neighbours(lattice: Lattice, node: Node, places: Sequence[int]) -> list[Node]:
    """The nodes with one step less, or more, in one of these attributes.

    >>> neighbours(Lattice((1, 2)), (0, 1), [0, 1])
    [(0, 0), (1, 1), (0, 2)]
    """
    steps = [(place, step) for step in (-1, 1) for place in places]
    moved = [tuple(level + step * (at == place) for at, level in enumerate(node)) for place, step in steps]
    return [other for other in moved if other in lattice]


def in_order(archive: Archive, first: Sequence[Node]) -> Iterator[Node]:
    """The nodes to list, each once: those first, then others of which any beginning is spread over the range."""
    fronts = [archive.within, archive.every] if archive.within.held != archive.every.held else [archive.every]
    chosen = [spread_out([seen.node for seen in front.spread(MOST_SPREAD // len(fronts))]) for front in fronts]
    spread = filter(None, chain.from_iterable(zip_longest(*chosen)))
    yield from dict.fromkeys([*first, *spread])
