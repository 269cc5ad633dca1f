"""Fouad's figure 5.1 again: the aggregate search against the threshold search, (a) in time and (b, c, d) in risk.

For some items out of 400 000 the most λ/r + u is looked for; the utility of that table, as (b) the mean, (c) the
highest or (d) the lowest of its items', is then what the threshold search has to reach for every item, and the risks of
both tables, taken the same way, are set side by side. Items and hierarchies are those of `figures.py`.

Run as `python benchmarks/aggregate_figure.py [full]`: the full size has all items and saves the picture.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.figures import HEIGHTS, ITEMS, item, saved, styled
from benchmarks.search import timed, warm
from riskapp.core.optimum import Question
from riskapp.core.search.answer import Found
from riskapp.core.search.question import Aggregate
from riskapp.core.search.record import Record

ATTRIBUTES = range(2, len(HEIGHTS) + 1)
GROWING = (10, 20, 40, 70)
"""Attributes of which every node cannot be looked at; only the time of aggregate is told."""
RECORDS = 6
PRICE = 0.12
"""λ times the number of items: between where next to nothing is best for all of them, and where everything is."""
LOOKS: dict[str, tuple[str, str]] = {"aggregate": ("#0072b2", "diamond"), "threshold": ("#8a8f98", "circle")}
MODELS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda own: float(np.mean(own)),
    "highest": max,
    "lowest": min,
}
PANELS = ("(a) seconds for an item", *(f"({letter}) {name} risk" for letter, name in zip("bcd", MODELS, strict=True)))


class Line(NamedTuple):
    """One number of attributes: seconds of both searches, and by each model the utility reached and both risks."""

    attributes: int
    seconds: dict[str, float]
    utilities: dict[str, float]
    risks: dict[str, dict[str, float]]


def main(size: str = "") -> None:
    items = ITEMS if size == "full" else ITEMS // 10
    warm()
    print(f"figure 5.1: {items:,} items of heights 1 to 5, {RECORDS} of them searched, λ = {PRICE / items:g}, κ = 1")
    print(
        "  attributes  aggregate s  threshold s" + "".join(f"   {name}: u, its risk / threshold's" for name in MODELS)
    )
    lines = [_line(attributes, items) for attributes in ATTRIBUTES]
    for line in lines:
        _tell(line)
    grown = [_grown(attributes, items) for attributes in GROWING]
    if size == "full":
        saved(_picture(lines, grown), "search-aggregate-risk", 1060, 760)


def _line(attributes: int, items: int) -> Line:
    some = [item(attributes, items, seed) for seed in range(RECORDS)]
    whole = [_found(record, Aggregate(PRICE / items, 1), "aggregate") for record in some]
    utilities = {name: model([found.utility for _, found in whole]) for name, model in MODELS.items()}
    risks: dict[str, dict[str, float]] = {}
    taken: list[float] = []
    for name, model in MODELS.items():
        others = [_found(record, Question("least_utility", utilities[name]), "exhaustive") for record in some]
        taken += [seconds for seconds, _ in others]
        both = {"aggregate": whole, "threshold": others}
        risks[name] = {search: model([found.risk for _, found in own]) for search, own in both.items()}
    seconds = {"aggregate": float(np.mean([one for one, _ in whole])), "threshold": float(np.mean(taken))}
    return Line(attributes, seconds, utilities, risks)


def _found(record: Record, asked: Aggregate | Question, method: str) -> tuple[float, Found]:
    seconds, found = timed(method, record, asked)
    assert isinstance(found, Found)
    assert found.exact
    return seconds, found


def _tell(line: Line) -> None:
    told = f"  {line.attributes:<10} {line.seconds['aggregate']:12.4f} {line.seconds['threshold']:12.4f}"
    for name, risks in line.risks.items():
        ratio = risks["aggregate"] / risks["threshold"]
        told += f"   {line.utilities[name]:10.1f} {ratio:20.3f}"
    print(told)


def _grown(attributes: int, items: int) -> tuple[int, float]:
    """The seconds of aggregate for one item with more attributes."""
    seconds, found = timed("aggregate", item(attributes, items, 0), Aggregate(PRICE / items, 1))
    assert isinstance(found, Found)
    print(f"  {attributes:<10} {seconds:12.4f}   {'exact' if found.exact else 'not proved'}, utility {found.utility:g}")
    return attributes, seconds


def _picture(lines: Sequence[Line], grown: Sequence[tuple[int, float]]) -> go.Figure:
    figure = make_subplots(2, 2, subplot_titles=PANELS, horizontal_spacing=0.09, vertical_spacing=0.13)
    for search in LOOKS:
        every = [(line.attributes, line.seconds[search]) for line in lines]
        figure.add_trace(_trace(search, [*every, *(grown if search == "aggregate" else ())], legend=True), row=1, col=1)
        for place, name in enumerate(MODELS, 1):
            risks = [(line.attributes, line.risks[name][search]) for line in lines]
            figure.add_trace(_trace(search, risks), row=1 + place // 2, col=1 + place % 2)
    styled(figure, "Figure 5.1 again: aggregate against threshold")
    figure.update_xaxes(type="log", tickvals=[*ATTRIBUTES, *GROWING], ticktext=[*ATTRIBUTES, *GROWING], row=1, col=1)
    figure.update_xaxes(title_text="attributes")
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    return figure.update_layout(legend={"orientation": "h", "y": -0.1, "x": 0.5, "xanchor": "center"})


def _trace(search: str, own: Sequence[tuple[int, float]], *, legend: bool = False) -> go.Scatter:
    colour, symbol = LOOKS[search]
    return go.Scatter(
        x=[attributes for attributes, _ in own],
        y=[float(f"{number:.3g}") for _, number in own],
        name=search,
        showlegend=legend,
        mode="lines+markers",
        line={"color": colour, "width": 2, "dash": "solid" if search == "threshold" else "dash"},
        marker={"symbol": symbol, "size": 8, "color": colour},
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
