"""What attackers are taken to know, and which limits hold, in an officer's words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from riskapp.engine.assessment.read_dictionaries import bare
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
    {'self': 'the data themselves: sex of everybody in them'}
    >>> given = {"file": "register.csv", "match": {"born": "birthdate@year", "mail": "e@mail"}}
    >>> knowledge({"attributes": {"birthdate": {}, "e@mail": {}}, "dictionaries": [given]})
    {'register': 'register.csv, with birthdate (only its year) and e@mail'}
    """
    return dict(_known(one, parameters) for one in parameters.get("dictionaries", ["self"]))


def _generalised(parameters: Mapping[str, Any]) -> list[str]:
    """The columns that the data themselves know where nothing else is said: those that are not kept as they are."""
    attributes = parameters.get("attributes", {})
    return [name for name, told in attributes.items() if (told or {}).get("role") != "keep"]


def _known(told: Any, parameters: Mapping[str, Any]) -> tuple[str, str]:
    if not isinstance(told, Mapping):
        return str(told), _itself(_generalised(parameters))
    if "file" not in told:
        return str(told.get("name", "self")), _itself(told.get("knows", _generalised(parameters)))
    matched = [_in_words(*one) for one in _matched(told, parameters)]
    return str(told.get("name", bare(str(told["file"])))), f"{told['file']}, with {in_a_row(matched, 'and')}"


def _itself(columns: Sequence[str]) -> str:
    return f"the data themselves: {in_a_row(list(columns), 'and')} of everybody in them"


def _matched(told: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The attributes that a table holds, each with its level."""
    attributes = parameters.get("attributes", {})
    every = [str(one) for one in (told.get("match") or {}).values()]
    parted = [(one, "@", "0") if one in attributes else one.rpartition("@") for one in every]
    return [(name, level) for name, _, level in parted]


def _in_words(attribute: str, level: str) -> str:
    """
    >>> _in_words("town", "0"), _in_words("town", "2"), _in_words("born", "year")
    ('town', 'town (only at level 2)', 'born (only its year)')
    """
    if level == "0":
        return attribute
    return f"{attribute} (only {f'at level {level}' if level.isdecimal() else f'its {level}'})"


def unknown(parameters: Mapping[str, Any]) -> list[str]:
    """The columns that are released and that no attacker was taken to know.

    >>> unknown({"attributes": {"sex": {}, "ill": {"role": "keep"}}})
    ['ill']
    """
    columns, generalised = list(parameters.get("attributes", {})), _generalised(parameters)
    known: set[str] = set()
    for told in parameters.get("dictionaries", ["self"]):
        if not isinstance(told, Mapping):
            known |= set(generalised)
        elif "file" in told:
            known |= {name for name, _ in _matched(told, parameters)}
        else:
            known |= set(told.get("knows", generalised))
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
