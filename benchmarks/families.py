"""All families of rules in one plane, twice: as the definition measures, and against the attacker who replays.

Nested families must nest at common utilities: exact per-record ≤ regional ≤ full-domain by definition, regional ≤
full-domain under replay. For the others it is told who wins. The pictures are saved in docs/explanation/figures.

Run as `python benchmarks/families.py [customers] [others in the register]`.
"""

import math
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import people
from benchmarks.figures import BLACK, saved, styled
from examples.adult.replay import adult
from riskapp.core.extended import Numbers
from riskapp.core.frontier import frontier
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.search import full_domain, k_anonymity, mondrian, per_record, random_k, regional
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.exact_frontier import ExactFrontier, Prefix, exact_frontier
from riskapp.core.table.problem import Problem

K = (2, 3, 5, 10, 20, 50, 100)
PATTERNS = 8
LIMIT = 0.05
SLACK = 1e-9
THINNED = 150
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Of the most utility: at these the families are compared."""
DRAWN_FROM = 0.25
"""Utilities below this share of the most are not drawn."""


class Look(NamedTuple):
    """How a family is drawn."""

    words: str
    colour: str
    symbol: str
    size: int
    line: bool = False


LOOKS = {
    "full-domain": Look("full-domain", "#8a8f98", "circle", 4),
    "random-k": Look("random k-anonymity", "#c9a227", "circle-open", 6),
    "k-anonymity": Look(f"k-anonymity, {LIMIT:.0%} hidden", "#009e73", "square", 8),
    "mondrian": Look("Mondrian", "#d55e00", "x", 9),
    "per-record": Look("per record, each u ≥ c", "#cc79a7", "triangle-up", 9),
    "exact": Look("exact per-record frontier", "#7b3fa0", "star-diamond", 8, line=True),
    "regional": Look(f"regional, {PATTERNS} patterns", "#0072b2", "diamond", 7, line=True),
}


class Point(NamedTuple):
    """A rule in the plane."""

    family: str
    utility: float
    risk: float
    replayed: float | None


def main(size: int = 10_000, others: int = 30_000) -> None:
    tables = {"adult": ("Adult, five columns", adult()), "customers": ("Customers", customers(size, others))}
    for name, (words, table) in tables.items():
        start = time.perf_counter()
        found, boundary = points(table)
        print(f"{words}: {len(table):,} records, {table.lattice.size} nodes, {len(found)} rules in all")
        check(found, boundary)
        _tell(found, table.utility.at(table.lattice.bottom))
        _tell_at_their_own(found)
        saved(picture(words, found, boundary), f"families-{name}", 1060, 600)
        print(f"  in {time.perf_counter() - start:.0f} s")


def customers(size: int, others: int, seed: int = 4) -> Problem:
    """Customers with city, sex, age and kind of basket, all of them in a register that knows the first three."""
    draw = np.random.default_rng(seed)
    sizes = {"city": (400, 60, 8), "sex": (2,), "age": (80, 16, 4), "basket": (12, 4)}
    known = {
        "city": people.skewed(draw, 400, size + others, 0.9),
        "sex": draw.integers(1, 3, size + others, dtype=np.int32),
        "age": np.clip(draw.normal(45, 16, size + others), 0, 79.9).astype(np.int32) + 1,
    }
    own = {name: codes[:size] for name, codes in known.items()} | {"basket": people.skewed(draw, 12, size)}
    return people.problem({name: (codes, sizes[name]) for name, codes in own.items()}, known)


def points(table: Problem) -> tuple[list[Point], ExactFrontier]:
    """The rules of all families, and the exact frontier."""
    boundary = exact_frontier(table)
    assert isinstance(boundary, ExactFrontier)
    every = full_domain.evaluate(table)
    found = [Point("full-domain", one.utility, one.risk, one.risk) for one in every]
    most, measuring = float(boundary.utilities[-1]), Measuring(table)
    candidates = chain(
        regional.candidates(table, PATTERNS),
        (next(regional.candidates(table, PATTERNS, _at_least(share * most))) for share in SHARES),
        chain.from_iterable(per_record.candidates(table, ["exhaustive"], asked) for asked in _whole_numbers(most)),
        (boundary.candidate(step, measuring) for step in _steps(boundary)),
        k_anonymity.candidates(table, K, LIMIT, 0),
        mondrian.candidates(table, K, 0.0, 0),
        random_k.candidates(table, K, 0.0, 1),
    )
    return found + [_point(one) for one in candidates if isinstance(one, Candidate)], boundary


def _at_least(utility: float) -> Question:
    return Question("least_utility", utility)


def _whole_numbers(most: float) -> Iterator[Question]:
    """A record's depth is a whole number."""
    return (_at_least(float(bound)) for bound in range(math.ceil(DRAWN_FROM * most), int(most + SLACK) + 1))


def _steps(boundary: ExactFrontier) -> list[int]:
    """Breakpoints of the exact frontier that are released and replayed: those where the families are compared, and
    the ends of what is drawn."""
    found = [boundary.answer(_at_least(share * float(boundary.utilities[-1]))) for share in (DRAWN_FROM, *SHARES)]
    return [*(prefix.steps for prefix in found if isinstance(prefix, Prefix)), len(boundary) - 1]


def _point(one: Candidate) -> Point:
    figures, family = one.evaluation, one.id.partition(":")[0]
    replayed = figures.risk if one.rule is None else figures.risk_replay
    return Point(family, figures.utility, figures.risk, replayed)


def check(found: Sequence[Point], boundary: ExactFrontier) -> None:
    """Nested families nest: against the straight lines of the exact frontier, and rule by rule for the others."""
    utilities, risks = _plane(found)
    least = np.interp(utilities, boundary.utilities, boundary.risks)
    assert (least <= risks * (1 + SLACK) + SLACK).all(), "A rule lies below the exact frontier."
    own = [one for one in found if one.family == "regional"]
    assert all(one.replayed == one.risk for one in own), "A replay gains something from a regional rule."
    for one in found:
        if one.family == "full-domain":
            best = least_risk(own, one.utility)
            assert best <= one.risk * (1 + SLACK), "A full-domain rule beats the regional ones."
    print("  nested: exact per-record ≤ regional ≤ full-domain by definition; regional ≤ full-domain under replay")


def least_risk(found: Sequence[Point], utility: float, *, replay: bool = False) -> float:
    """The least risk of rules with at least this utility."""
    risks = [_risk(one, replay) for one in found if one.utility >= utility * (1 - SLACK)]
    return min((risk for risk in risks if risk is not None), default=float("inf"))


def _risk(one: Point, replay: bool) -> float | None:
    return one.replayed if replay else one.risk


def _plane(found: Sequence[Point]) -> tuple[Numbers, Numbers]:
    return np.array([one.utility for one in found]), np.array([one.risk for one in found])


def _tell(found: Sequence[Point], most: float) -> None:
    """Who has the least risk at some utilities, both ways; a family's risk beside that of the best full-domain rule."""
    families = {name: [one for one in found if one.family == name] for name in LOOKS}
    for replay, words in ((False, "as the definition measures"), (True, "against the attacker who replays")):
        print(f"  least risk {words}, in parts of the best full-domain rule's")
        print("    u ≥    full-domain" + "".join(f"{name:>13}" for name in LOOKS if name != "full-domain") + "   least")
        for share in SHARES:
            least = {name: least_risk(own, share * most, replay=replay) for name, own in families.items()}
            base = least.pop("full-domain")
            line = "".join(f"{risk / base:13.3f}" if np.isfinite(risk) else f"{'-':>13}" for risk in least.values())
            least["full-domain"] = base
            print(f"    {share * most:4.1f} {base:14.2e}{line}   {min(least, key=lambda name: least[name])}")


def _tell_at_their_own(found: Sequence[Point]) -> None:
    """The comparison above is at the utilities that regional and exact rules were asked for, which suits them; here it
    is at the utility of every rule of the other families, which suits those."""
    own = [one for one in found if one.family == "regional"]
    print("  rules that no regional rule found beats at their own utility, under replay")
    for family in LOOKS:
        others = [one for one in found if one.family == family and one.replayed and family != "regional"]
        ahead = [one for one in others if least_risk(own, one.utility) > (one.replayed or 0.0) * (1 + SLACK)]
        if others:
            print(f"    {family:<12} {len(ahead):3} of {len(others)}")


def picture(words: str, found: Sequence[Point], boundary: ExactFrontier) -> go.Figure:
    """Both planes side by side, with the same axes."""
    titles = ["As the definition measures", "Against the attacker who replays the rule"]
    figure = make_subplots(1, 2, shared_yaxes=True, horizontal_spacing=0.03, subplot_titles=titles)
    lowest = DRAWN_FROM * float(boundary.utilities[-1]) * (1 - SLACK)
    for column, replay in ((1, False), (2, True)):
        drawn = [Point(*one[:2], _risk(one, replay) or 0.0, None) for one in found if one.utility >= lowest]
        for family in LOOKS:
            own = [one for one in drawn if one.family == family and one.risk > 0]
            if family == "exact" and not replay:
                own = _thinned(boundary, lowest)
            if family == "regional":
                own = _best(own)
            figure.add_trace(_trace(family, own, legend=not replay), row=1, col=column)
        own = _best([one for one in drawn if one.family == "full-domain"])
        figure.add_trace(_stairs(own, legend=not replay), row=1, col=column)
    styled(figure, f"{words}: every family of rules in one plane")
    figure.update_xaxes(title_text="utility (mean depth of what is released)")
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    figure.update_yaxes(title_text="risk (mean loss, log scale)", row=1, col=1)
    legend = {
        "orientation": "h",
        "y": -0.17,
        "x": 0.5,
        "xanchor": "center",
        "entrywidth": 168,
        "itemsizing": "constant",
    }
    return figure.update_layout(legend=legend)


def _trace(family: str, own: Sequence[Point], *, legend: bool) -> go.Scatter:
    look, own = LOOKS[family], sorted(own, key=lambda one: (one.utility, one.risk))
    is_open = look.symbol.endswith("open")
    return go.Scatter(
        x=[round(one.utility, 4) for one in own],
        y=[float(f"{one.risk:.4g}") for one in own],
        name=look.words,
        showlegend=legend,
        mode="lines+markers" if look.line else "markers",
        marker={
            "symbol": look.symbol,
            "size": look.size,
            "color": look.colour,
            "maxdisplayed": 10 if len(own) == THINNED else 0,
            "line": {"width": 1.5 if is_open else 0.6, "color": look.colour if is_open else "white"},
        },
        line={
            "color": look.colour,
            "width": 2,
            "dash": "dot" if family == "exact" else "solid",
            "shape": "vh" if family == "regional" else "linear",
        },
        opacity=0.6 if family in ("full-domain", "random-k") else 1.0,
    )


def _best(own: Sequence[Point]) -> list[Point]:
    """The frontier of a family."""
    utilities, risks = _plane(own)
    return [own[place] for place in frontier(risks, utilities)]


def _stairs(own: Sequence[Point], *, legend: bool) -> go.Scatter:
    """The full-domain frontier as stairs: between two of its rules there is nothing."""
    own = sorted(own, key=lambda one: (one.utility, one.risk))
    return go.Scatter(
        x=[round(one.utility, 4) for one in own],
        y=[float(f"{one.risk:.4g}") for one in own],
        mode="lines",
        showlegend=legend,
        name="full-domain frontier",
        line={"color": BLACK, "width": 1.2, "shape": "vh"},
    )


def _thinned(boundary: ExactFrontier, lowest: float) -> list[Point]:
    """The exact frontier by definition at evenly spread utilities."""
    wanted = np.linspace(lowest, boundary.utilities[-1], THINNED)
    risks = np.interp(wanted, boundary.utilities, boundary.risks)
    return [Point("exact", utility, risk, None) for utility, risk in zip(wanted.tolist(), risks.tolist(), strict=True)]


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
