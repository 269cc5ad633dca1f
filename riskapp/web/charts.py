"""Drawings made on the server: numbers become places in a frame of fixed size, and templates write them as SVG."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 28
GAP = 2.0

Distribution = Mapping[str, Any]


@dataclass(frozen=True)
class Bar:
    """A bar: where it stands, how many records it is about, and which losses."""

    x: float
    y: float
    width: float
    height: float
    records: int
    words: str


@dataclass(frozen=True)
class Mark:
    """A mark on an axis."""

    at: float
    words: str


@dataclass(frozen=True)
class Histogram:
    """How many records lose how much: by definition as bars, by replay as outlines where it differs."""

    bars: list[Bar]
    replayed: list[Bar]
    across: list[Mark]
    up: list[Mark]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    floor: int = HEIGHT - BOTTOM
    top: int = TOP


def histogram(losses: Mapping[str, Distribution | None]) -> Histogram:
    """The losses by definition and by replay in the same frame.

    Losses are binned on a logarithmic scale; no loss at all and infinite loss have bars of their own at the ends.
    """
    defined, replayed = losses["definition"], losses["replay"]
    assert defined is not None
    shown = {"definition": _columns(defined), "replay": _columns(replayed) if replayed else {}}
    edges = sorted({edge for columns in shown.values() for edge in columns}, key=_order)
    most = max([1, *(many for columns in shown.values() for many in columns.values())])
    step = (WIDTH - LEFT - RIGHT) / max(1, len(edges))
    drawn = {how: [_bar(edges.index(edge), many, edge, step, most) for edge, many in columns.items() if many]
             for how, columns in shown.items()}  # fmt: skip
    again = drawn["replay"] if shown["replay"] != shown["definition"] else []
    return Histogram(drawn["definition"], again, _across(edges, step), _up(most))


Edge = tuple[float, float] | str


def _columns(found: Distribution) -> dict[Edge, int]:
    columns: dict[Edge, int] = {"none": found["zero"]} if found["zero"] else {}
    columns |= {(float(low), float(high)): many for low, high, many in found["bins"]}
    return columns | ({"infinite": found["infinite"]} if found["infinite"] else {})


def _order(edge: Edge) -> tuple[int, float]:
    return {"none": (0, 0.0), "infinite": (2, 0.0)}[edge] if isinstance(edge, str) else (1, edge[0])


def _bar(place: int, many: int, edge: Edge, step: float, most: int) -> Bar:
    tall = (HEIGHT - TOP - BOTTOM) * many / most
    words = {"none": "no loss", "infinite": "infinite loss"}[edge] if isinstance(edge, str) else _between(*edge)
    tall = max(tall, 1.0)
    return Bar(LEFT + place * step + GAP / 2, HEIGHT - BOTTOM - tall, max(step - GAP, 1.0), tall, many, words)


def _between(low: float, high: float) -> str:
    return f"loss from {low:.2g} to {high:.2g}"


def _across(edges: list[Edge], step: float) -> list[Mark]:
    """A mark below every so many bars, so that there is room for its words."""
    every = max(1, -(-len(edges) // 8))
    marks = [
        Mark(LEFT + place * step, f"{edge[0]:.1g}") for place, edge in enumerate(edges) if not isinstance(edge, str)
    ]
    ends = [Mark(LEFT + (place + 0.5) * step, "0" if edge == "none" else "∞")
            for place, edge in enumerate(edges) if isinstance(edge, str)]  # fmt: skip
    return [*ends, *marks[(1 if "none" in edges else 0) :: every]]


def _up(most: int) -> list[Mark]:
    return [Mark(TOP, str(most)), Mark(HEIGHT - BOTTOM, "0")]
