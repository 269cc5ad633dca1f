"""The lattice, against all combinations written out."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.core.table.lattice import Lattice, generalises

HEIGHTS = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def written_out(heights: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(height + 1) for height in heights)))


@given(HEIGHTS)
def test_the_nodes_are_all_combinations_of_levels(heights: tuple[int, ...]) -> None:
    lattice, nodes = Lattice(heights), written_out(heights)
    assert list(lattice) == nodes
    assert lattice.size == len(nodes)
    assert (lattice.bottom, lattice.top) == (nodes[0], nodes[-1])
    assert [lattice.number(node) for node in nodes] == list(range(len(nodes)))
    assert [lattice.node(number) for number in range(len(nodes))] == nodes


@given(st.lists(st.integers(0, 3), max_size=3).map(tuple))
def test_every_node_comes_after_those_it_generalises(heights: tuple[int, ...]) -> None:
    nodes = list(Lattice(heights))
    later = [(first, second) for first, second in itertools.combinations(nodes, 2) if generalises(first, second)]
    assert later == []


@given(HEIGHTS, st.data())
def test_neighbours_are_the_nodes_one_step_away(heights: tuple[int, ...], data: st.DataObject) -> None:
    lattice, nodes = Lattice(heights), written_out(heights)
    node = data.draw(st.sampled_from(nodes))
    apart = {other: [o - n for o, n in zip(other, node, strict=True)] for other in nodes}
    steps = [[int(i == place) for i in range(len(heights))] for place in range(len(heights))]
    assert sorted(lattice.generalisations(node)) == sorted(o for o in nodes if apart[o] in steps)
    assert sorted(lattice.specialisations(node)) == sorted(o for o in nodes if [-s for s in apart[o]] in steps)
    assert lattice.on_border(node) == (
        len(lattice.generalisations(node)) + len(lattice.specialisations(node)) < 2 * len(node)
    )


def test_a_lattice_larger_than_memory_is_walked_from_its_beginning() -> None:
    vast = Lattice((9,) * 40)
    assert vast.size == 10**40
    assert list(itertools.islice(vast, 11))[-1] == (*[0] * 38, 1, 0)
    assert vast.node(vast.number(vast.top)) == vast.top
    assert len(vast.generalisations(vast.bottom)) == 40


@pytest.mark.parametrize("node", [(2, 0), (0, -1), (0,), (0, 0, 0)])
def test_a_node_of_another_lattice_is_refused(node: tuple[int, ...]) -> None:
    lattice = Lattice((1, 2))
    assert node not in lattice
    for asked in (lattice.number, lattice.generalisations, lattice.specialisations, lattice.on_border):
        with pytest.raises(ValueError, match="not in the lattice"):
            asked(node)


@pytest.mark.parametrize("number", [-1, 6])
def test_a_number_that_no_node_has_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="There are 6 nodes"):
        Lattice((1, 2)).node(number)


def test_no_height_is_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        Lattice((1, -1))
