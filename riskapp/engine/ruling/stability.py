"""Whether the best rule stays the best when the weights are not quite what they were set to.

In every draw the weights of each attribute are multiplied by a factor between ½ and 2, even on a logarithmic scale, and
the best full-domain rule is chosen again. Limits are about chances and groups, which no weight changes.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.frontier import frontier
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Best, Question, Rules, optimum, shortfalls
from riskapp.core.table.limits import Limits
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.reporting import Report, silent
from riskapp.engine.rule_ids import node_of
from riskapp.engine.ruling.columns import Flags, RuleColumns
from riskapp.engine.ruling.redrawing import Redrawing, adds_up, spread
from riskapp.engine.ruling.ruling import checked

DRAWS = 100
MOST = 500
MOST_AGAIN = 40
"""So many rules are compared where the records are gone through in every draw."""
SMALL = 1e-9
SLACK = 1 + SMALL
"""No rule is left out because of the last digits."""

Places = npt.NDArray[np.intp]


def stability(
    prepared: Prepared,
    listing: RuleColumns,
    question: Question,
    *,
    limits: Limits | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    most: int | None = None,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> dict[str, Any]:
    """In how many draws of the weights the best full-domain rule stays the best.

    Parameters
    ----------
    prepared : the assessment
    listing : its rules
    question : what is asked of the table's mean
    limits : what a rule must keep; those of the assessment where they are not given
    draws, seed : how many draws, and what decides them
    most : how many rules are compared at most
    progress, stop : as `evaluate` takes them

    Returns
    -------
    dict
        `best`, the rule by the weights as they are, None where none will do; `draws` and in how many of them it
        `stays` best; `others`, the rules that were best in the other draws, with their number; `none`, in how many no
        rule will do; and `among`: how many rules were compared, of how many, and whether these are all that could be
        best in some draw.

    Raises
    ------
    Stopped
        If `stop` said so.
    """
    contest = _contest(prepared, listing, question, limits, most)
    factors = _factors(draws, len(prepared.problem.columns), seed)
    redrawing = Redrawing(Measuring(prepared.problem), np.vstack([np.ones(factors.shape[1]), factors]))
    risks, check = np.zeros((len(factors) + 1, len(contest.places))), checked(stop)
    for done, place in enumerate(contest.places.tolist()):
        check()
        (progress or silent)(done, len(contest.places), "Drawing weights again")
        risks[:, done] = redrawing.risks(node_of(listing.ids[place], prepared.problem))
    best, *winners = [contest.best(own) for own in risks]
    return _told(best, winners, contest)


def _factors(draws: int, attributes: int, seed: int) -> Numbers:
    """Between ½ and 2, as often below 1 as above."""
    powers = np.random.Generator(np.random.PCG64(seed)).uniform(-1.0, 1.0, (draws, attributes))
    drawn: Numbers = np.exp2(powers)
    return drawn


@dataclass(frozen=True, eq=False)
class _Contest:
    """The rules that are compared in every draw: their places, of how many, and whether no other could be best."""

    listing: RuleColumns
    question: Question
    places: Places
    of: int
    all: bool

    def best(self, risks: Numbers) -> str | None:
        """The best under these risks; None where none will do."""
        if not len(self.places):
            return None
        ids = [self.listing.ids[place] for place in self.places]
        found = optimum(Rules(ids, risks, self.listing.utilities[self.places]), self.question)
        return ids[found.place] if isinstance(found, Best) else None


def _told(best: str | None, winners: list[str | None], contest: _Contest) -> dict[str, Any]:
    times = Counter(winners)
    none, stays = times.pop(None, 0), times.pop(best, 0)
    others = sorted(times.items(), key=lambda pair: (-pair[1], pair[0] or ""))
    return {
        "best": best,
        "draws": len(winners),
        "stays": none if best is None else stays,
        "others": [{"rule": rule, "times": many} for rule, many in others],
        "none": none,
        "among": {"rules": len(contest.places), "of": contest.of, "all": contest.all},
    }


def _contest(
    prepared: Prepared, listing: RuleColumns, question: Question, limits: Limits | None, most: int | None
) -> _Contest:
    problem = prepared.problem
    allowed = np.flatnonzero(listing.full_domain & _kept(listing, limits))
    wide, exact = spread(problem), adds_up(problem)
    most = most or (MOST if exact else MOST_AGAIN)
    possible = _on_frontier(listing, allowed) if wide is None else _possible(listing, question, allowed, wide)
    nearest = _nearest(listing, question, possible)[:most]
    everything = wide is not None and len(nearest) == len(possible)
    return _Contest(listing, question, np.sort(nearest), len(allowed), everything)


def _kept(listing: RuleColumns, limits: Limits | None) -> Flags:
    if limits is None:
        return listing.within_limits
    kept: Flags = ~np.any([*listing.breaking(limits).values(), np.zeros(len(listing), dtype=np.bool_)], axis=0)
    return kept


def _on_frontier(listing: RuleColumns, allowed: Places) -> Places:
    return allowed[frontier(listing.risks[allowed], listing.utilities[allowed])]


def _possible(listing: RuleColumns, question: Question, allowed: Places, wide: float) -> Places:
    """The rules that some draw could make the best, when no risk is multiplied or divided by more."""
    possible: Flags = _could_win(listing, question, allowed, wide)
    return allowed[possible]


def _could_win(listing: RuleColumns, question: Question, allowed: Places, wide: float) -> Flags:
    risks, utilities = listing.risks[allowed], listing.utilities[allowed]
    least, most, bound = risks / wide, risks * wide, question.bound
    if question.kind == "least_utility":
        enough = shortfalls(_rules(listing, allowed), question) == 0 if len(allowed) else np.zeros(0, dtype=np.bool_)
        within: Flags = least <= SLACK * most[enough].min(initial=np.inf)
        return enough & within
    if question.kind == "most_risk":
        surely = utilities[most * SLACK <= bound].max(initial=-np.inf)
        useful: Flags = (least <= SLACK * bound) & (utilities >= surely - SMALL * abs(surely))
        return useful
    gains = bound * utilities
    slack = SMALL * np.abs(gains).max(initial=0.0)
    found: Flags = least - gains <= (most * SLACK - gains).min(initial=np.inf) + slack
    return found


def _rules(listing: RuleColumns, places: Places) -> Rules:
    return Rules([listing.ids[place] for place in places], listing.risks[places], listing.utilities[places])


def _nearest(listing: RuleColumns, question: Question, places: Places) -> Places:
    """The same rules, those first that come nearest to being the best by the weights as they are."""
    if not len(places):
        return places
    short = shortfalls(_rules(listing, places), question)
    risks, utilities = listing.risks[places], listing.utilities[places]
    worth = {"least_utility": risks, "most_risk": -utilities, "trade_off": risks - question.bound * utilities}
    return places[np.lexsort((-utilities, risks, worth[question.kind], short))]
