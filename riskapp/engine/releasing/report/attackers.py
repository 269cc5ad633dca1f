"""What attackers are taken to know, and which limits hold, in an officer's words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from riskapp.engine.releasing.report.words import figure, in_a_row, share

LIMITS = {
    "largest_chance": ("Largest chance for one person to be named", "at most"),
    "smallest_group": ("People in the smallest group", "at least"),
    "inference": ("How much surer somebody becomes of a sensitive value", "at most"),
}

NOTHING_LIMITED = "Nothing was limited: no limit was set, neither by a release class nor for the project."


def knowledge(parameters: Mapping[str, Any]) -> dict[str, str]:
    """What each attacker is taken to hold and to know, by its name.

    >>> knowledge({"attributes": {"sex": {}, "ill": {"role": "keep"}}, "dictionaries": ["self"]})
    {'self': 'the data themselves: sex and ill of everybody in them'}
    >>> given = {"name": "register", "file": "r.csv", "match": {"born": "birthdate@year"}}
    >>> knowledge({"attributes": {}, "dictionaries": [given]})
    {'register': 'r.csv, with birthdate (only its year)'}
    """
    columns = list(parameters.get("attributes", {}))
    return dict(_known(one, columns) for one in parameters.get("dictionaries", ["self"]))


def _known(told: Any, columns: Sequence[str]) -> tuple[str, str]:
    if not isinstance(told, Mapping):
        return str(told), _itself(columns)
    name = str(told.get("name", told.get("file", "self")))
    if "file" not in told:
        return name, _itself(told.get("knows", columns))
    match = told.get("match") or {}
    matched = match.values() if isinstance(match, Mapping) else match
    return name, f"{told['file']}, with {in_a_row([_level(str(one)) for one in matched], 'and')}"


def _itself(columns: Sequence[str]) -> str:
    return f"the data themselves: {in_a_row(list(columns), 'and')} of everybody in them"


def _level(matched: str) -> str:
    column, _, level = matched.partition("@")
    return f"{column} (only its {level})" if level else column


def unknown(parameters: Mapping[str, Any]) -> list[str]:
    """The columns that are released and that no attacker was taken to know."""
    columns = list(parameters.get("attributes", {}))
    known: set[str] = set()
    for told in parameters.get("dictionaries", ["self"]):
        if not isinstance(told, Mapping):
            known |= set(columns)
        elif "file" in told:
            match = told.get("match") or {}
            known |= {str(one).partition("@")[0] for one in (match.values() if isinstance(match, Mapping) else match)}
        else:
            known |= set(told.get("knows", columns))
    return [name for name in columns if name not in known]


def limit_rows(limits: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each limit with what was measured from the file."""
    again = [one.get("by_replay") for one in figures["people"].values()]
    everybody = [*figures["people"].values(), *(one for one in again if one)]
    found = {
        "largest_chance": max((float(one["largest_chance"]) for one in everybody), default=None),
        "smallest_group": figures["smallest_group"],
        "inference": max((float(one["worst"]) for one in figures["inference"].values()), default=None),
    }
    for name, limit in limits.items():
        if limit is None:
            continue
        if name == "share_above":
            words = f"People whose chance is above {figure(limit['chance'])}"
            counted = [float(one["share_above"]) for one in everybody if one.get("share_above") is not None]
            yield words, f"at most {share(limit['share'])}", share(max(counted)) if counted else "–"
        elif name in LIMITS:
            words, sign = LIMITS[name]
            yield words, f"{sign} {figure(limit)}", figure(found[name])
