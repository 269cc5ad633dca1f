"""What a rule does, in the words of the people who decide on it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from riskapp.web.templatetags.words import count

Listed = Mapping[str, Any]
"""A rule as RESULT.json lists it."""
Words = Mapping[str, Sequence[str]]
"""For each attribute a phrase for every level."""

FAMILIES = {
    "full-domain": "whole-table rule",
    "regional": "rule by region",
    "per-record": "record by record",
    "exact": "record by record, the best possible",
    "k-anonymity": "k-anonymity",
    "random-k": "random k-anonymity",
    "mondrian": "Mondrian",
}
METHODS = {"btda": "BTDA", "aruba": "ARUBA", "milp": "integer programming", "branch-and-bound": "branch and bound"}


def sentence(rule: Listed, words: Words) -> str:
    """The rule in one sentence.

    >>> words = {"town": ["as it is", "by county", "withheld"], "born": ["as it is", "by year", "withheld"]}
    >>> sentence({"family": "full-domain", "node": {"town": 1, "born": 0}, "id": "full-domain:1.0"}, words)
    'Town by county; born as it is.'
    >>> sentence({"family": "mondrian", "node": None, "id": "mondrian:5", "search": {"parts": 10}}, words)
    'Cut into 10 parts with at least 5 people in each, every part with its own levels.'
    """
    parts = [part for part in (_alike(rule, words), _besides(rule)) if part]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _alike(rule: Listed, words: Words) -> str:
    """What is done to each column, where it is the same for everybody."""
    return "" if rule["node"] is None else columns_in_words(rule["node"], words)


def columns_in_words(levels: Mapping[str, int], words: Words) -> str:
    """What is done to each column; those with the same phrase together.

    >>> columns_in_words({"town": 0, "born": 0}, {"town": ["as it is", "withheld"], "born": ["as it is", "withheld"]})
    'town and born as they are'
    """
    groups: dict[str, list[str]] = {}
    for name, level in levels.items():
        groups.setdefault(words[name][level], []).append(name)
    last = [phrase for phrase in ("as it is", "withheld") if phrase in groups]
    order = [phrase for phrase in groups if phrase not in last] + last
    return "; ".join(f"{listed(groups[phrase])} {_for(phrase, len(groups[phrase]))}" for phrase in order)


def _for(phrase: str, many: int) -> str:
    return phrase.replace("as it is", "as they are").replace("by its", "by their") if many > 1 else phrase


def listed(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> listed(["town"]), listed(["town", "born", "work"])
    ('town', 'town, born and work')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _besides(rule: Listed) -> str:
    family, _, rest = rule["id"].partition(":")
    search = rule.get("search", {})
    withheld = _withheld(rule.get("suppressed", 0))
    if family in ("k-anonymity", "random-k"):
        drawn = ", drawn at random" if family == "random-k" else ""
        return f"everybody among at least {rest.partition(':')[0]} who look alike{drawn}{withheld}"
    if family == "mondrian":
        return f"cut into {search['parts']} parts with at least {rest} people in each, every part with its own levels"
    if family == "regional":
        return _regions(search)
    if family == "per-record":
        return f"every record has its own levels, chosen by {METHODS.get(rest, rest)}{withheld}"
    return "every record has its own levels, the best possible" if family == "exact" else ""


def _withheld(rows: int) -> str:
    return f", {count(rows)} row{'' if rows == 1 else 's'} withheld" if rows else ""


def _regions(search: Mapping[str, Any]) -> str:
    patterns = search.get("patterns", [])
    by = sorted({name for pattern in patterns for name in pattern["where"]})
    if len(patterns) < 2 or not by:
        return "one region, with the same levels for everybody"
    return f"{len(patterns)} regions by {listed(by)}, each with its own levels"


def short(rule: Listed, words: Words) -> str:
    """The rule without the columns that stay as they are, for a list.

    >>> words = {"town": ["as it is", "by county", "withheld"], "born": ["as it is", "by year", "withheld"]}
    >>> short({"family": "full-domain", "node": {"town": 1, "born": 0}, "id": "full-domain:1.0"}, words)
    'Town by county'
    """
    node = rule["node"]
    changed = {name: level for name, level in (node or {}).items() if level}
    parts = [columns_in_words(changed, words) if changed else "everything as it is" if node else "", _besides(rule)]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}"


# The two tags


def number_tag(rule: Listed) -> dict[str, str]:
    """How the figures were got: the tag, and what it means."""
    how, _, gap = str(rule["number"]).partition(", ")
    meanings = {
        "exact": "Counted, not estimated: every record against every entry. No rounding but the last digits.",
        "estimated": "Estimated from a sample; the error is told with it.",
        "heuristic": "The rule's own figures are counted. That no better rule of its kind exists is not proved: "
        f"{gap or 'the gap is unknown'}.",
    }
    return {"label": str(rule["number"]), "meaning": meanings.get(how, "")}


def holding_tags(rule: Listed, conditions: Sequence[str]) -> list[dict[str, str]]:
    """What the figures hold against; a reason to trust them only under a condition is a tag of its own."""
    tags = [
        {"label": name, "meaning": f"Against somebody who holds exactly what “{name}” was said to hold, and no more."}
        for name in rule["holds_against"]
        if name != "replay"
    ]
    if "replay" in rule["holds_against"]:
        tags.append({"label": "replay", "meaning": "Also if they know this rule and run it on everybody they know of."})
    if reasons := [*rule["conditions"], *conditions]:
        tags.append({"label": "conditional", "meaning": " ".join(reasons)})
    return tags
