"""The plane as one JSON document of at most a million bytes, and its index, both written at the end of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from riskapp.core.frontier import undominated
from riskapp.engine.plain_json import text
from riskapp.engine.plane import index
from riskapp.engine.plane.density import density
from riskapp.engine.plane.figures import MEASURES, Figures, Rules
from riskapp.engine.plane.listing import Listing
from riskapp.engine.plane.packing import bits, packed
from riskapp.engine.plane.thinning import thinned
from riskapp.engine.rule_ids import FULL_DOMAIN, full_domain_id

FORMAT = 1
MOST_POINTS = 60_000
"""Beyond so many rules it is drawn how many lie where."""
MOST_BYTES = 1_000_000
MOST_LISTED = 2_000
"""Of the rules on the frontier that are equal to another, no more are listed beyond this."""
SIZES = {"risk": 4, "share": 3, "chance": 3, "found": 3, "group": 3}


@dataclass(frozen=True)
class Setting:
    """What the page is told besides the rules.

    Parameters
    ----------
    words : for each attribute with a level to choose a phrase for every level
    limits : that `within_limits` is about, as the assessment file names them
    classes : for each release class its limits, named in the same way
    """

    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    classes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def write(result: BinaryIO, plane: BinaryIO, offsets: BinaryIO, setting: Setting) -> dict[str, Any]:
    """Write the plane and the index of a RESULT.json, which is read once; what it says besides the rules is returned.

    Raises
    ------
    ValueError
        If this is no RESULT.json.
    """
    listing = Listing(result)
    rules = Rules.of(listing, setting.limits)
    index.write(offsets, listing.offsets, names(rules))
    plane.write(document(rules, listing.about, setting).encode())
    return listing.about


def names(rules: Rules) -> index.Names:
    """The names of the rules, for the index."""
    others = {other.id: number for number, other in rules.others.items()}
    if rules.whole:
        return index.Names(rules.first, rules.heights, others)
    ends = {full_domain_id(rules.levels(number) or ()): number for number in rules.ends}
    return index.Names(rules.first, None, {**ends, **others})


def document(rules: Rules, about: Mapping[str, Any], setting: Setting) -> str:
    """The JSON of the plane: every rule, unless there are too many of them; it never has more than a million bytes."""
    told = _told(rules, about, setting)
    if len(rules) <= MOST_POINTS:
        whole = text({**told, "columns": _columns(rules)})
        if len(whole.encode()) <= MOST_BYTES:
            return whole
    within = rules.flags("within")
    cells = {measure: density(rules[measure], rules["share"], within) for measure in MEASURES}
    return text(_fitting({**told, "density": cells}))


def _fitting(told: dict[str, Any]) -> dict[str, Any]:
    """With as many of the listed rules as there is room for; `left_out` says how many there are besides."""
    rows = told["listed"]
    bare = {**told, "listed": [], "left_out": len(rows)}
    needed = {*told["ends"], *(row[0] for row in rows if _name(row) in (told["optimum"] or {}).values())}
    room = MOST_BYTES - len(text(bare).encode())
    kept = thinned(rows, room, needed=needed, share=_place("share"), frontier=_place("frontier"))
    return {**told, "listed": kept, "left_out": len(rows) - len(kept)} if len(kept) < len(rows) else told


def _told(rules: Rules, about: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
    families = list(dict.fromkeys([FULL_DOMAIN, *(other.family for other in rules.others.values())]))
    return {
        "format": FORMAT,
        "rules": len(rules),
        "people": about["dataset"]["people"],
        "attributes": [
            {"name": name, "levels": list(setting.words.get(name) or map(str, range(height + 1)))}
            for name, height in zip(rules.attributes, rules.heights, strict=True)
        ],
        "nodes": {"first": rules.first, "heights": rules.heights, "whole": rules.whole},
        "families": families,
        "listed": [_row(rules, number, families) for number in listed(rules)],
        "ends": rules.ends,
        "on_frontier": len(about["frontier"]),
        "exact": _exact(rules, about),
        "optimum": about["optimum"],
        "limits": setting.limits,
        "classes": setting.classes,
    }


def listed(rules: Rules) -> list[int]:
    """The rules that are told in full: those on the frontier, those that no rule within the limits beats by any
    measure, and all that are not full-domain."""
    chosen = rules.flags("frontier")
    for measure in MEASURES:
        allowed = np.flatnonzero(rules.flags("within"))
        chosen[allowed[undominated(rules[measure][allowed], rules["share"][allowed])]] = True
    if np.count_nonzero(chosen) > MOST_LISTED:
        chosen &= _first_of_equals(rules)
    chosen[[*rules.ends, *rules.others]] = True
    places: list[int] = np.flatnonzero(chosen).tolist()
    return places


def on_frontier(told: Mapping[str, Any]) -> list[tuple[float, str]]:
    """The listed rules on the frontier of a plane that was read back: their utilities, in order, and their names."""
    rows = (row for row in told["listed"] if row[_place("frontier")])
    return sorted((float(row[_place("utility")]), _name(row)) for row in rows)


def _place(figure: str) -> int:
    """Where a row that tells a rule has a figure."""
    return len(("number", "name", "family", "levels")) + Figures._fields.index(figure)


def _name(row: Sequence[Any]) -> str:
    return str(row[1] or full_domain_id(row[3]))


def _first_of_equals(rules: Rules) -> np.ndarray[Any, np.dtype[np.bool_]]:
    kept = np.zeros(len(rules), dtype=np.bool_)
    _, firsts = np.unique(rules.columns, axis=0, return_index=True)
    kept[firsts] = True
    return kept


def _row(rules: Rules, number: int, families: Sequence[str]) -> list[Any]:
    """Number, name (null where it follows from the levels), family, levels, figures, both flags as 0 or 1, and more."""
    other = rules.others.get(number)
    name, family = (other.id, families.index(other.family)) if other else (None, 0)
    *numbers, within, frontier = rules.columns[number].tolist()
    row = [number, name, family, rules.levels(number), *numbers, int(within), int(frontier)]
    return [*row, *other.besides()] if other else row


def _columns(rules: Rules) -> dict[str, Any]:
    """The figures of the lattice; of its ends alone, there is nothing that is not listed."""
    if not rules.whole:
        return {}
    found: dict[str, Any] = {name: packed(rules[name][rules.lattice], size) for name, size in SIZES.items()}
    return {**found, "within": bits(rules.flags("within")[rules.lattice])}


def _exact(rules: Rules, about: Mapping[str, Any]) -> dict[str, Any] | None:
    """The exact frontier by definition, its utilities as shares: a share is a straight function of the utility."""
    points = about["exact_frontier"]
    if not points:
        return None
    most, least = (dict(zip(Figures._fields, rules.columns[end], strict=True)) for end in rules.ends)
    slope = (most["share"] - least["share"]) / ((most["utility"] - least["utility"]) or 1.0)
    shares = [least["share"] + slope * (float(point["utility"]) - least["utility"]) for point in points]
    return {"risk": [_short(point["risk"]) for point in points], "share": list(map(_short, shares))}


def _short(number: float | str) -> float:
    """Six digits.

    >>> _short(0.12345678), _short("inf")
    (0.123457, inf)
    """
    return float(f"{float(number):.6g}")
