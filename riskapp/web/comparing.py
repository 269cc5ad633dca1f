"""Rules side by side: a row for each column of the table and each figure, with what differs marked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.http import urlencode

from riskapp.engine.standing import Listed, standing
from riskapp.web import rule_words
from riskapp.web.rule_words import Words
from riskapp.web.templatetags.words import share

NOT_DONE = "not done"
MOST = 4
"""So many fit beside one another."""
MOST_NAMED = 4
"""So many regions with the same level are named; beyond that, how many they are."""


@dataclass(frozen=True)
class Cell:
    """What one rule has in a row: the value, how to write it, and whether it is the best of a row that differs."""

    value: Any
    way: str
    best: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the comparison; `differs` marks it, `part` begins a new part of the table."""

    name: str
    cells: list[Cell]
    differs: bool
    part: str = ""


def heads(rules: Iterable[Listed], words: Words) -> list[dict[str, Any]]:
    """The rules' names, as the columns are headed."""
    return [
        {
            "words": rule_words.short(rule, words),
            "family": rule_words.FAMILIES.get(rule["family"], rule["family"]),
            "query": urlencode({"rule": rule["id"]}),
        }
        for rule in rules
    ]


def rows(rules: Sequence[Listed], told: dict[str, Any]) -> list[Row]:
    """Every row, people first."""
    if not rules:
        return []
    attackers, words = told["about"]["dictionaries"], told["words"]
    found = [row for name in attackers for row in _people(rules, name)]
    found += [
        row_of("risk by definition", rules, lambda rule: rule["risk"], "figure", least=True, part="Harm"),
        row_of("risk by replay", rules, lambda rule: rule["risk_replay"], "figure", least=True, unknown=NOT_DONE),
        *(_inference(rules, name) for name in rules[0]["inference"]),
        row_of("smallest group", rules, lambda rule: rule["smallest_group"], "count", least=False, part="Groups"),
        row_of("rows withheld", rules, lambda rule: rule["suppressed"], "count", least=True),
        row_of("detail kept", rules, lambda rule: rule["utility_share"], "share", least=False, part="Detail"),
        row_of("utility", rules, lambda rule: rule["utility"], "figure", least=False),
        *(column(rules, name, words[name], place) for place, name in enumerate(words)),
        row_of("limits", rules, lambda rule: standing(rule, told["limits"]), "text", part="Standing"),
        row_of("how the number was got", rules, lambda rule: rule["number"], "text"),
        row_of("holds against", rules, lambda rule: ", ".join(rule["holds_against"]), "text"),
    ]
    return found


def _people(rules: Sequence[Listed], name: str) -> list[Row]:
    def figure(key: str, how: str | None = None) -> Callable[[Listed], Any]:
        return lambda rule: rule["people"][name].get(key) if how is None else (rule["people"][name][how] or {}).get(key)

    def replayed(key: str, way: str) -> Row:
        found = figure(key, "by_replay")
        return row_of("… if they replay the rule", rules, found, way, least=True, unknown=NOT_DONE)

    return [
        row_of("expected found", rules, figure("expected_found"), "figure", least=True, part=f"People, against {name}"),
        replayed("expected_found", "figure"),
        row_of("singled out", rules, figure("singled_out"), "count", least=True),
        replayed("singled_out", "count"),
        row_of("largest chance", rules, figure("largest_chance"), "chance", least=True),
        replayed("largest_chance", "chance"),
    ]


def _inference(rules: Sequence[Listed], name: str) -> Row:
    return row_of(f"worst guess of {name}", rules, lambda rule: rule["inference"][name]["worst"], "figure", least=True)


def column(rules: Sequence[Listed], name: str, levels: Sequence[str], place: int) -> Row:
    """What is done to a column: its level, or the shares of its levels, by rules by region also where."""
    row = row_of(name, rules, lambda rule: shown(rule, name), "text", part="Columns" if place == 0 else "")
    return replace(row, cells=[replace(cell, value=_in_words(cell.value, levels)) for cell in row.cells])


Shown = dict[int, tuple[float, tuple[str, ...]]]
"""For each level of a column that occurs the share of the records that get it, and the regions whose records do."""


def shown(rule: Listed, name: str) -> Shown:
    """What a rule shows of a column.

    >>> north, south = {"where": {"town": "N"}, "node": {"sex": 0}}, {"where": {"town": "S"}, "node": {"sex": 1}}
    >>> search = {"level_shares": {"sex": [0.75, 0.25]}, "patterns": [north, south]}
    >>> shown({"node": None, "search": search}, "sex")
    {0: (0.75, ('town: N',)), 1: (0.25, ('town: S',))}
    """
    if rule["node"]:
        return {rule["node"][name]: (1.0, ())}
    found = {level: part for level, part in enumerate(rule["search"]["level_shares"][name]) if part}
    if len(found) == 1:
        return dict.fromkeys(found, (1.0, ()))
    regions = [(one["node"][name], _region(one["where"])) for one in rule["search"].get("patterns", [])]
    return {level: (part, tuple(words for at, words in regions if at == level)) for level, part in found.items()}


def _region(where: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in where.items()) or "everybody else"


def _in_words(found: Shown, levels: Sequence[str]) -> str:
    """
    >>> _in_words({0: (0.75, ("town: N",)), 1: (0.25, ("town: S", "town: W"))}, ["as it is", "withheld"])
    'as it is 75\xa0% (town: N); withheld 25\xa0% (town: S | town: W)'
    """
    if len(found) == 1:
        return levels[next(iter(found))]
    return "; ".join(f"{levels[level]} {share(part)}{_where(regions)}" for level, (part, regions) in found.items())


def _where(regions: Sequence[str]) -> str:
    if len(regions) > MOST_NAMED:
        return f" ({len(regions)} regions)"
    return f" ({' | '.join(regions)})" if regions else ""


def row_of(
    name: str,
    compared: Sequence[Any],
    value: Callable[[Any], Any],
    way: str,
    *,
    least: bool | None = None,
    part: str = "",
    unknown: str = "",
) -> Row:
    """A line about one figure of all that are compared; of those that differ the best is marked, if one is better.

    >>> row_of("found", [3, None, 2], lambda found: found, "count", least=True, unknown="not done").cells[1:]
    [Cell(value='not done', way='text', best=False), Cell(value=2, way='count', best=False)]
    """
    values = [value(one) for one in compared]
    differs = len(set(map(str, values))) > 1
    best = _best(values, least) if differs else None
    cells = [
        Cell(unknown, "text") if one is None and unknown else Cell(one, way, best is not None and one == best)
        for one in values
    ]
    return Row(name, cells, differs, part)


def _best(values: Sequence[Any], least: bool | None) -> Any:
    """The best of some figures; None where one of them is not known, or there is nothing better or worse about them."""
    if least is None or None in values:
        return None
    return (min if least else max)(values, key=float)
