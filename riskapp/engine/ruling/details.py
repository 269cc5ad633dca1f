"""Every figure behind a rule's page: levels, losses, people, groups, detail. No value of the data is among them."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.risk import over_records
from riskapp.core.search.candidate import level_shares
from riskapp.core.table import peers
from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.inference import weighted
from riskapp.core.table.limits import L_KINDS, Limits
from riskapp.core.table.problem import Sensitive
from riskapp.core.table.requirements import reached
from riskapp.core.table.utility import LOSSES
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.plain_json import in_words
from riskapp.engine.reporting import Report, silent
from riskapp.engine.result import figures
from riskapp.engine.ruling.distribution import distribution, worst_records
from riskapp.engine.ruling.exposure import people_above
from riskapp.engine.ruling.ruling import Named, Ruling, checked, ruling
from riskapp.engine.ruling.shapes import shape
from riskapp.engine.ruling.subgroups import worst_subgroups

EVERYTHING = Limits(l=dict.fromkeys(L_KINDS, 0.0), t=1.0)
"""Limits that ask for every kind of l and for t, so that all are worked out."""


def details(
    prepared: Prepared,
    rule: Named,
    *,
    limits: Limits | None = None,
    only: Collection[str] = (),
    progress: Report | None = None,
    stop: Stop | None = None,
) -> dict[str, Any]:
    """All about one rule, as JSON can hold it.

    Parameters
    ----------
    prepared : the assessment
    rule : by its name, or at hand
    limits : whose largest chance people are counted above; those of the assessment where they are not given
    only : the parts that are asked for; all where none is named
    progress, stop : as `evaluate` takes them

    Raises
    ------
    BadSetting
        If there is no such rule.
    Stopped
        If `stop` said so.
    """
    found, check = ruling(prepared, rule, progress, stop), checked(stop)
    chance = _chance(limits or prepared.problem.limits)
    told: dict[str, Any] = {"rule": found.found.id, "family": found.found.family}
    parts: dict[str, Callable[[], Any]] = {
        "figures": lambda: figures(found.found.evaluation),
        "attributes": lambda: _attributes(found),
        "attackers": lambda: _attackers(found, chance),
        "worst": lambda: worst_records(found),
        "groups": lambda: _groups(found, chance),
        "subgroups": lambda: [one.without_value() for one in worst_subgroups(found)],
    }
    parts = {name: part for name, part in parts.items() if name in (only or parts)}
    for done, (name, part) in enumerate(parts.items()):
        (progress or silent)(done, len(parts), "Measuring the rule")
        check()
        told[name] = part()
    (progress or silent)(len(parts), len(parts), "Measuring the rule")
    words: dict[str, Any] = in_words(told)
    return words


def _chance(limits: Limits) -> float | None:
    """Above which chance somebody is too exposed."""
    if limits.largest_chance is None and limits.share_above is not None:
        return limits.share_above.chance
    return limits.largest_chance


def _attributes(found: Ruling) -> list[dict[str, Any]]:
    """For each attribute the levels that occur, with their names, shapes and shares of the records, and its utility."""
    shares = level_shares(found.released, found.problem.names)
    utility = _utility(found)
    return [
        {
            "name": name,
            "kept": weighed.kept,
            "height": weighed.height,
            "level": _only(shares[name]),
            "levels": _levels(found, place, shares[name]),
            "utility": utility.get(name),
        }
        for place, (name, weighed) in enumerate(zip(found.problem.names, found.problem.columns, strict=True))
    ]


def _only(shares: list[float]) -> int | None:
    """The level that all records have, if there is one."""
    there = [level for level, share in enumerate(shares) if share]
    return there[0] if len(there) == 1 else None


def _levels(found: Ruling, place: int, shares: list[float]) -> list[dict[str, Any]]:
    name, hierarchy = found.problem.names[place], found.problem.hierarchies[place]
    attribute = found.prepared.assessment.attributes[name]
    return [
        {
            "level": level,
            "name": hierarchy.names[level],
            "share": share,
            "shape": shape(attribute, hierarchy, level),
        }
        for level, share in enumerate(shares)
        if share
    ]


def _utility(found: Ruling) -> dict[str, dict[str, float]]:
    """For each attribute that has a hierarchy the mean utility of its cells, and its share of the unchanged ones'."""
    utility, own = found.problem.utility, found.released.only(found.problem.generalised)
    told = {}
    for place, table in enumerate(utility.tables):
        mean = float(own.looked_up(place, table).mean())
        unchanged, nothing = float(utility.means[place][0]), float(table[-1, -1])
        share = _share(mean, unchanged, nothing, loss=utility.measure in LOSSES)
        told[found.problem.names[found.problem.generalised[place]]] = {"mean": mean, "share": share}
    return told


def _share(mean: float, unchanged: float, nothing: float, *, loss: bool) -> float:
    if loss:
        return 1.0 - mean / nothing if nothing else 1.0
    return mean / unchanged if unchanged else 1.0


def _attackers(found: Ruling, chance: float | None) -> dict[str, Any]:
    """For each dictionary the risk, the people figures and the losses, by definition and by replay."""
    return {one.name: _attacker(found, one.name, one.everybody, chance) for one in found.problem.dictionaries}


def _attacker(found: Ruling, name: str, everybody: int, chance: float | None) -> dict[str, Any]:
    problem, attacks = found.problem, found.attacks
    losses = {how: None if attack is None else attack.losses[name] for how, attack in attacks.items()}
    shown = found.defined.people[name][~found.released.suppressed]
    return {
        "everybody": everybody,
        "risk": {how: None if some is None else _risk(found, some) for how, some in losses.items()},
        "people": _people(found, name),
        "above_limit": people_above(found, name, chance),
        "losses": {how: None if some is None else distribution(some) for how, some in losses.items()},
        "journalist": _chances(peers.journalist(shown, _threshold(chance), uncovered=problem.loss.uncovered), chance),
    }


def _risk(found: Ruling, losses: Numbers) -> float:
    return over_records(losses, found.problem.risk.over_records, found.problem.risk.weights)


def _people(found: Ruling, name: str) -> dict[str, Any]:
    listed = figures(found.found.evaluation)["people"][name]
    return {"definition": {key: listed[key] for key in listed if key != "by_replay"}, "replay": listed["by_replay"]}


def _groups(found: Ruling, chance: float | None) -> dict[str, Any]:
    """What the groups of people who look alike come to, and what they betray about sensitive columns."""
    groups = grouped(found.problem, found.released)
    return {
        "number": len(groups),
        "k": groups.smallest,
        "sample_uniques": peers.sample_uniques(groups),
        "prosecutor": _chances(peers.prosecutor(groups, _threshold(chance)), chance),
        "marketer": peers.marketer(groups),
        "sensitive": {column.name: _sensitive(found, groups, column) for column in found.problem.sensitive},
    }


def _sensitive(found: Ruling, groups: Groups, column: Sensitive) -> dict[str, Any] | None:
    """The l and t of the worst group, and what is learnt by how much it hurts; None when there is no group."""
    if not len(groups):
        return None
    worst = reached(EVERYTHING, value_counts(groups, column.codes), table_counts(groups, column.codes), column.ordered)
    weights = found.problem.columns[found.problem.names.index(column.name)].at(0)
    learnt = weighted(groups, column.codes, weights)._asdict()
    return {"l": {kind: getattr(worst, kind) for kind in L_KINDS}, "t": worst.t, "learnt": learnt}


def _threshold(chance: float | None) -> float:
    return np.inf if chance is None else chance


def _chances(found: peers.Chances, chance: float | None) -> Mapping[str, float | None]:
    """The share above a limit is told where there is one."""
    return {**found._asdict(), "share_above": None if chance is None else found.share_above}
