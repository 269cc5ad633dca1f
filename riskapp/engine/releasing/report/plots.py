"""Plots as SVG, drawn here so that the report needs nothing else: the frontier with the choice, and the losses."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from riskapp.engine.releasing.report.words import figure

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 14, 44
INK, SOFT, GRID, LINE, OTHER, CHOSEN = "#1d2733", "#5b6b7c", "#e3e8ed", "#1f5fa8", "#a9b7c6", "#b3261e"
MOST_POINTS = 1500


def frontier_plot(points: Sequence[Mapping[str, Any]], chosen: str) -> str:
    """Every rule by its risk and by the share of detail that it keeps; the frontier in stairs, the choice marked.

    Parameters
    ----------
    points : `id`, `risk`, `utility_share` and `on_frontier` of each rule
    chosen : the rule that is released
    """
    drawn = [one for one in points if math.isfinite(float(one["risk"]))]
    if not drawn:
        return ""
    least = min((float(one["risk"]) for one in drawn if float(one["risk"]) > 0), default=1e-6)
    most = max(max(float(one["risk"]) for one in drawn), least * 10)
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    low = low - 1 if low == high else low

    def across(risk: float) -> float:
        part = (math.log10(max(risk, 10.0**low)) - low) / (high - low)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(max(part, 0.0), 1.0)

    def down(share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(max(share, 0.0), 1.0)

    def place(one: Mapping[str, Any]) -> tuple[float, float]:
        return across(float(one["risk"])), down(float(one["utility_share"]))

    others = [one for one in drawn if not one["on_frontier"] and one["id"] != chosen]
    step = max(1, math.ceil(len(others) / MOST_POINTS))
    front = sorted((one for one in drawn if one["on_frontier"]), key=lambda one: float(one["utility_share"]))
    marks = "".join(_dot(*place(one), 1.7, OTHER) for one in others[::step])
    line = _stairs([place(one) for one in front])
    marks += f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="1.6"/>'
    marks += "".join(_dot(*place(one), 2.4, LINE) for one in front)
    marks += "".join(_choice(*place(one)) for one in drawn if one["id"] == chosen)
    ticks = "".join(_tick_down(down(fifth / 5), f"{fifth * 20} %") for fifth in range(6))
    ticks += "".join(_tick_across(across(10.0**power), f"{10.0**power:g}") for power in range(low, high + 1))
    return _svg(ticks + marks + _axes("risk", "detail kept"), "Risk and detail of every rule, the chosen one marked.")


def loss_plot(distribution: Mapping[str, Any]) -> str:
    """How many records lose how much: a bar for each bin, on a scale of powers of ten.

    Parameters
    ----------
    distribution : `bins` with their ends and counts, `zero` and `infinite`
    """
    bins = distribution["bins"]
    if not bins:
        return ""
    low, high = math.log10(float(bins[0][0])), math.log10(float(bins[-1][1]))
    most: int = max(count for _, _, count in bins)

    def across(loss: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(loss) - low) / (high - low)

    def down(count: int) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / most

    bars = "".join(
        f'<rect x="{across(float(start)):.1f}" y="{down(count):.1f}" '
        f'width="{max(across(float(end)) - across(float(start)) - 1, 0.5):.1f}" '
        f'height="{HEIGHT - BOTTOM - down(count):.1f}" fill="{LINE}"/>'
        for start, end, count in bins
        if count
    )
    ticks = "".join(_tick_down(down(count), figure(count)) for count in _round_steps(most))
    powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    ends = [(10.0**power, f"{10.0**power:g}") for power in powers] if len(powers) > 1 else _ends(bins)
    ticks += "".join(_tick_across(across(loss), words) for loss, words in ends)
    return _svg(ticks + bars + _axes("chance × harm of a record", "records"), "How many records lose how much.")


def _round_steps(most: int) -> list[int]:
    """Round counts from 0 to the most, some four of them.

    >>> _round_steps(1268), _round_steps(3), _round_steps(1)
    ([0, 500, 1000], [0, 1, 2, 3], [0, 1])
    """
    rough = max(most / 4, 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * some for some in (1, 2, 5, 10) if power * some >= rough)
    return list(range(0, most + 1, step))


def _ends(bins: Sequence[Sequence[float]]) -> list[tuple[float, str]]:
    return [(float(end), f"{float(end):.3g}") for end in (bins[0][0], bins[-1][1])]


def _dot(x: float, y: float, size: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>'


def _choice(x: float, y: float) -> str:
    """A ring and the word, on the side where there is room."""
    anchor, at = ("end", x - 11) if x > WIDTH / 2 else ("start", x + 11)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="none" stroke="{CHOSEN}" stroke-width="2.2"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{CHOSEN}"/>'
        f'<text x="{at:.1f}" y="{y - 7:.1f}" text-anchor="{anchor}" fill="{CHOSEN}" font-weight="600">chosen</text>'
    )


def _stairs(places: Sequence[tuple[float, float]]) -> str:
    """From one place across to under the next, then up: between two rules there is none."""
    corners = [(to[0], at[1]) for at, to in pairwise(places)]
    steps = [*(point for both in zip(places, corners, strict=False) for point in both), *places[-1:]]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in steps)


def _tick_down(y: float, words: str) -> str:
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
        f'<text x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end" fill="{SOFT}">{escape(words)}</text>'
    )


def _tick_across(x: float, words: str) -> str:
    base = HEIGHT - BOTTOM
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{base}" y2="{base + 4}" stroke="{SOFT}"/>'
        f'<text x="{x:.1f}" y="{base + 17}" text-anchor="middle" fill="{SOFT}">{escape(words)}</text>'
    )


def _axes(across: str, up: str) -> str:
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}" stroke="{SOFT}"/>'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle" fill="{INK}">{across}</text>'
        f'<text x="13" y="{middle}" text-anchor="middle" fill="{INK}" transform="rotate(-90 13 {middle})">{up}</text>'
    )


def _svg(inside: str, told: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(told)}" font-size="12" '
        f'font-family="system-ui, sans-serif">{inside}</svg>'
    )
