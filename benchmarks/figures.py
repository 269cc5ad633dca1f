"""Fouad's figures 3.7, 4.11, 4.13 and 4.14 again: the searches against looking at every node.

Nodes visited, time and risk as the utility threshold grows and as attributes are added. Items are synthetic, with
hierarchies of heights 1 to 5 in which every value has three below it, and random weights that fall harmonically; the
dictionary holds all items. Figure 4.12, the comparison with k-anonymity, is `families.py`, and 5.1 is
`aggregate_figure.py`.

Run as `python benchmarks/figures.py [full]`: the full size draws more records and saves the pictures.
"""

import math
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from choreographer.errors import ChromeNotFoundError
from plotly.subplots import make_subplots

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.search import CUT, aggregate, timed, warm
from riskapp.core.extended import Numbers
from riskapp.core.optimum import Question
from riskapp.core.search.answer import Found, Options
from riskapp.core.search.crowd import Meets
from riskapp.core.search.record import Record

FOLDER = Path(__file__).parents[1] / "docs" / "explanation" / "figures"
INK, BLACK = "#30343b", "#17191d"
HEIGHTS = (3, 5, 2, 4, 1, 3, 4, 2)
ITEMS = 400_000
FOUAD_LOST = 0.07
METHODS = {
    "exhaustive": ("#8a8f98", "circle"),
    "btda": ("#d55e00", "square"),
    "aruba": ("#0072b2", "diamond"),
    "branch-and-bound": ("#009e73", "triangle-up"),
    "genetic": ("#cc79a7", "x"),
    "approximate": ("#c9a227", "cross"),
    "milp": ("#7b3fa0", "star"),
}
MOST = {"milp": 4, "approximate": 5, "aruba": 7, "btda": 7}
"""So many attributes at most, for searches that take long with more."""
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PANELS = {"visited": "nodes visited", "seconds": "seconds for a record", "above": "risk above the least"}


class Run(NamedTuple):
    """One search for one record."""

    x: float
    method: str
    seconds: float
    visited: int
    risk: float
    above: float
    """By which share its risk is above the least."""


def main(size: str = "") -> None:
    records, items = (2, ITEMS) if size == "full" else (1, ITEMS // 10)
    warm()
    print(
        f"{items:,} items of heights 1 to 5, {records} records: means of nodes visited, seconds, risk above the least"
    )
    by_threshold = list(as_the_threshold_grows(records, items))
    _tell("least utility, in parts of all steps, with five attributes", by_threshold)
    by_attributes = list(as_attributes_grow(records, items))
    _tell("attributes, least utility at half of all steps", by_attributes)
    _genetic([*by_threshold, *by_attributes])
    cuts = aggregate(20_000 if size == "full" else 5_000)
    if size == "full":
        saved(_picture_by_threshold(by_threshold, frontier_nodes(items)), "search-threshold", 1060, 470)
        saved(_picture_by_attributes(by_attributes), "search-attributes", 1060, 470)
        saved(_picture_of_cuts(cuts), "search-aggregate", 760, 470)


def item(attributes: int, items: int, seed: int) -> Record:
    """One of so many items, which are the dictionary."""
    draw = np.random.default_rng([seed, attributes])
    heights = tuple(HEIGHTS[place % len(HEIGHTS)] for place in range(attributes))
    meets = np.stack([draw.choice(height + 1, items, p=_meeting(height)) for height in heights], axis=1)
    meets[0] = 0
    weights = [
        np.append(own / 3.0 ** np.arange(height), 0.0)
        for own, height in zip(draw.random(attributes), heights, strict=True)
    ]
    return Record(heights, weights, [np.arange(height, -1.0, -1.0) for height in heights], (Meets.of(meets),))


def _meeting(height: int) -> Numbers:
    """The share of the items that meet a value first at each level, where every value has three below it."""
    return np.diff(3.0 ** np.arange(-height, 1.0), prepend=0.0)


def as_the_threshold_grows(records: int, items: int) -> Iterator[Run]:
    """Figures 3.7, 4.11 (a) and (b), 4.14."""
    some = [item(5, items, seed) for seed in range(records)]
    methods = [method for method in METHODS if method != "milp"]
    for share in SHARES:
        yield from _runs(share, some, math.ceil(share * sum(HEIGHTS[:5])), methods)


def as_attributes_grow(records: int, items: int) -> Iterator[Run]:
    """Figures 4.11 (c) and (d), 4.13."""
    for attributes in range(2, len(HEIGHTS) + 1):
        some = [item(attributes, items, seed) for seed in range(records)]
        methods = [method for method in METHODS if attributes <= MOST.get(method, attributes)]
        yield from _runs(attributes, some, sum(HEIGHTS[:attributes]) / 2, methods)


def _runs(x: float, some: Sequence[Record], enough: float, methods: Sequence[str]) -> Iterator[Run]:
    least: list[float] = []
    for method in methods:
        options = Options(sigma1=1.0, epsilon=0.5, seconds=20.0)
        answers = [timed(method, record, Question("least_utility", enough), options) for record in some]
        found = [(seconds, answer) for seconds, answer in answers if isinstance(answer, Found)]
        least = least or [answer.risk for _, answer in found]
        for (seconds, answer), risk in zip(found, least, strict=True):
            yield Run(x, method, seconds, answer.visited, answer.risk, answer.risk / risk - 1 if risk else 0.0)


def frontier_nodes(items: int) -> dict[float, int]:
    """Figure 4.11 (a): nodes with enough utility whose parents, all one step less deep, have not."""
    depths = item(5, items, 0).table().utility
    return {share: int((depths == math.ceil(share * depths.max())).sum()) for share in SHARES}


def _mean(runs: Sequence[Run], x: float, method: str, what: str) -> float:
    own = [getattr(run, what) for run in runs if run.x == x and run.method == method]
    return float(np.mean(own)) if own else float("nan")


def _tell(words: str, runs: Sequence[Run]) -> None:
    print(f"{words}\n  {'':6}" + "".join(f"{method:>27}" for method in METHODS))
    for x in sorted({run.x for run in runs}):
        cells = []
        for method in METHODS:
            visited, seconds, above = (_mean(runs, x, method, what) for what in ("visited", "seconds", "above"))
            cells.append("-" if math.isnan(seconds) else f"{visited:7,.0f} {seconds:8.4f} {above:7.1%}")
        print(f"  {x:<6g}" + "".join(f"{cell:>27}" for cell in cells))


def _genetic(runs: Sequence[Run]) -> None:
    """It stays within what Fouad lost; ARUBA's risk is the least."""
    own = [run.above for run in runs if run.method == "genetic"]
    worst, means = max(own), [_mean(runs, x, "genetic", "above") for x in {run.x for run in runs}]
    within = np.mean([above <= FOUAD_LOST for above in own])
    assert all(run.above < 1e-9 for run in runs if run.method in ("btda", "aruba", "branch-and-bound"))
    print(
        f"genetic: at most {worst:.1%} above the least risk, which is ARUBA's; {max(means):.1%} in the mean of a line, "
        f"{np.mean(own):.1%} in the mean of all; within {FOUAD_LOST:.0%} in {within:.0%} of {len(own)} runs"
    )
    assert worst <= FOUAD_LOST


def _picture_by_threshold(runs: Sequence[Run], frontier: dict[float, int]) -> go.Figure:
    figure = _panels(runs, "least utility, in parts of all steps")
    line = go.Scatter(
        x=list(frontier),
        y=list(frontier.values()),
        name="frontier nodes",
        mode="lines",
        line={"color": BLACK, "width": 1.2, "dash": "dot"},
    )
    figure.add_trace(line, row=1, col=1)
    styled(figure, "Five attributes: what the searches need as the utility asked for grows")
    return _labelled(figure)


def _picture_by_attributes(runs: Sequence[Run]) -> go.Figure:
    figure = _panels(runs, "attributes")
    styled(figure, "Half of all steps: what the searches need as attributes are added")
    return _labelled(figure)


def _panels(runs: Sequence[Run], axis: str) -> go.Figure:
    figure = make_subplots(1, len(PANELS), subplot_titles=list(PANELS.values()), horizontal_spacing=0.07)
    for column, what in enumerate(PANELS, 1):
        for method, (colour, symbol) in METHODS.items():
            places = sorted({run.x for run in runs if run.method == method})
            trace = go.Scatter(
                x=places,
                y=[float(f"{_mean(runs, x, method, what):.4g}") for x in places],
                name=method,
                legendgroup=method,
                showlegend=column == 1 and bool(places),
                mode="lines+markers",
                line={"color": colour, "width": 1.8},
                marker={"symbol": symbol, "size": 8, "color": colour},
            )
            figure.add_trace(trace, row=1, col=column)
        figure.update_xaxes(title_text=axis, row=1, col=column)
    return figure


def _labelled(figure: go.Figure) -> go.Figure:
    for column in (1, 2):
        figure.update_yaxes(type="log", exponentformat="power", dtick=1, row=1, col=column)
    figure.update_yaxes(tickformat="~%", rangemode="tozero", row=1, col=3)
    return figure.update_layout(legend={"orientation": "h", "y": -0.22, "x": 0.5, "xanchor": "center"})


def _picture_of_cuts(cuts: Sequence[CUT]) -> go.Figure:
    figure = go.Figure()
    lines = {"aggregate by minimum cut": ("#0072b2", "diamond", 1), "exhaustive": ("#8a8f98", "circle", 2)}
    for words, (colour, symbol, place) in lines.items():
        own = [cut for cut in cuts if cut[place] is not None]
        trace = go.Scatter(
            x=[cut[0] for cut in own],
            y=[float(f"{cut[place]:.3g}") for cut in own],
            name=words,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"symbol": symbol, "size": 9, "color": colour},
        )
        figure.add_trace(trace)
    styled(figure, "Aggregate by minimum cut as attributes are added")
    places = [cut[0] for cut in cuts]
    figure.update_xaxes(type="log", title_text="attributes of height 3 (log scale)", tickvals=places, ticktext=places)
    figure.update_yaxes(type="log", title_text="seconds for a record", exponentformat="power", dtick=1)
    return figure.update_layout(legend={"x": 0.98, "xanchor": "right", "y": 0.05})


def styled(figure: go.Figure, title: str) -> None:
    """A light picture that reads the same everywhere."""
    figure.update_layout(
        template="plotly_white",
        title={"text": title, "x": 0.5, "xanchor": "center", "y": 0.97, "font": {"size": 19, "color": BLACK}},
        legend={"itemsizing": "constant"},
        font={"family": "Helvetica, Arial, sans-serif", "size": 13, "color": INK},
        margin={"l": 75, "r": 25, "t": 85, "b": 60},
        paper_bgcolor="white",
        plot_bgcolor="#fbfbfc",
    )
    figure.update_xaxes(gridcolor="#e6e8ec", zeroline=False, showline=True, linecolor="#9aa0a8", ticks="outside")
    figure.update_yaxes(gridcolor="#e6e8ec", zeroline=False, showline=True, linecolor="#9aa0a8")


def saved(figure: go.Figure, name: str, width: int, height: int) -> None:
    """Draw it as SVG, the same bytes for the same figure; a machine without Chromium goes without."""
    try:
        drawn = figure.to_image("svg", width=width, height=height).decode()
    except (ChromeNotFoundError, RuntimeError) as problem:
        print(f"  no picture is drawn: {type(problem).__name__}")
        return
    text = settled(drawn)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")
    print(f"  drawn in docs/explanation/figures/{name}.svg, {len(text.encode()) / 1000:.0f} kB")


def settled(drawn: str) -> str:
    """The same picture without the numbers that Plotly draws at random to name what is inside it."""
    number = re.search(r'id="defs-([0-9a-f]+)"', drawn)
    named = drawn if number is None else drawn.replace(number[1], "picture")
    return re.sub(r"\btrace[0-9a-f]{6}\b", "drawn", named)


if __name__ == "__main__":
    main(*sys.argv[1:])
