"""What a rule does, in the words of the people who decide on it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from riskapp.engine.standing import Listed, Standing, standing
from riskapp.web.templatetags.runs import METHODS
from riskapp.web.templatetags.words import count, to_digits

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


AS_IT_IS, WITHHELD = "as it is", "withheld"
MOST_NAMED = 2
"""Of so many withheld columns the names are told; beyond that, how many they are."""


def sentence(rule: Listed, words: Words) -> str:
    """The rule in one sentence: first what is shown, and how.

    >>> words = {"town": ["as it is", "by county", "withheld"], "born": ["as it is", "by year", "withheld"]}
    >>> sentence({"family": "full-domain", "node": {"town": 1, "born": 0}, "id": "full-domain:1.0"}, words)
    'Born as it is; town by county.'
    >>> sentence({"family": "mondrian", "node": None, "id": "mondrian:5", "search": {"parts": 10}}, words)
    'Cut into 10 parts with at least 5 people in each, every part with its own levels.'
    >>> withheld = {"family": "per-record", "node": None, "id": "per-record:exhaustive", "suppressed": 1}
    >>> sentence(withheld, words)
    'Every record has its own levels, chosen by exhaustive search, 1 row withheld.'
    """
    return f"{short(rule, words)}."


def short(rule: Listed, words: Words) -> str:
    """The same for a list, without the full stop. `static/js/frontier/words.js` says the same."""
    node = rule["node"]
    parts = [shown_in_words(node, words) if node else "", _besides(rule, words)]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}"


def shown_in_words(levels: Mapping[str, int], words: Words, everything: str = "everything") -> str:
    """What is done to all columns: first those that are shown as they are, last those of which nothing is shown.

    >>> words = {name: ["as it is", "by its first sign", "withheld"] for name in ("town", "born", "work", "sex")}
    >>> shown_in_words({"town": 1, "born": 0, "work": 0, "sex": 0}, words)
    'everything as it is but town by its first sign'
    >>> shown_in_words({"town": 2, "born": 2, "work": 2, "sex": 0}, words)
    'sex as it is; the other 3 withheld'
    """
    groups = _groups(levels, words)
    same, hidden = groups.get(AS_IT_IS, []), groups.get(WITHHELD, [])
    if len(same) > 1 and 2 * len(same) > len(levels):
        changed = {name: level for name, level in levels.items() if name not in same}
        return f"{everything} as it is" + (f" but {columns_in_words(changed, words)}" if changed else "")
    if len(hidden) <= MOST_NAMED:
        return columns_in_words(levels, words)
    if len(hidden) == len(levels):
        return (
            f"all {len(hidden)} columns with levels withheld" if everything == "everything" else "the others withheld"
        )
    shown = {name: level for name, level in levels.items() if name not in hidden}
    return f"{columns_in_words(shown, words)}; the other {len(hidden)} withheld"


def columns_in_words(levels: Mapping[str, int], words: Words) -> str:
    """What is done to some columns, each by its name; those with the same phrase together.

    >>> columns_in_words({"town": 0, "born": 0}, {"town": ["as it is", "withheld"], "born": ["as it is", "withheld"]})
    'town and born as they are'
    """
    groups = _groups(levels, words)
    ends = (AS_IT_IS, WITHHELD)
    order = sorted(groups, key=lambda phrase: 2 * (phrase == WITHHELD) + (phrase not in ends))
    return "; ".join(f"{listed(groups[phrase])} {_for(phrase, len(groups[phrase]))}" for phrase in order)


def _groups(levels: Mapping[str, int], words: Words) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, level in levels.items():
        groups.setdefault(words[name][level], []).append(name)
    return groups


def _for(phrase: str, many: int) -> str:
    return phrase.replace("as it is", "as they are").replace("by its", "by their") if many > 1 else phrase


def listed(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> listed(["town"]), listed(["town", "born", "work"])
    ('town', 'town, born and work')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _besides(rule: Listed, words: Words) -> str:
    family, _, rest = rule["id"].partition(":")
    search = rule.get("search", {})
    withheld = _withheld(rule.get("suppressed", 0))
    if family == "k-anonymity":
        return f"everybody among at least {rest.partition(':')[0]} who look alike{withheld}"
    if family == "random-k":
        least, _, number = rest.partition(":")
        return f"everybody among at least {least} who look alike, drawn at random{_numbered(number)}{withheld}"
    if family == "mondrian":
        parts = count(search["parts"])
        return f"cut into {parts} parts with at least {rest} people in each, every part with its own levels{withheld}"
    if family == "regional":
        return _regions(rule, words)
    if family == "per-record":
        return f"every record has its own levels, chosen by {METHODS.get(rest, rest)}{withheld}"
    return f"every record has its own levels, the best possible{_numbered(rest)}" if family == "exact" else ""


def _withheld(rows: int) -> str:
    return f", {count(rows)} row{'' if rows == 1 else 's'} withheld" if rows else ""


def _numbered(number: str) -> str:
    """What tells rules of one search apart that are otherwise said in the same words.

    >>> _numbered("0"), _numbered("")
    (', no. 1', '')
    """
    return f", no. {int(number) + 1}" if number.isdecimal() else ""


def _regions(rule: Listed, words: Words) -> str:
    """How many regions there are, by what, and between which levels they differ.

    >>> words = {"town": ["as it is", "by county", "withheld"], "sex": ["as it is", "withheld"]}
    >>> north, south = {"town": 0, "sex": 1}, {"town": 1, "sex": 1}
    >>> patterns = [{"where": {"town": "N"}, "node": north}, {"where": {"town": "S"}, "node": south}]
    >>> _regions({"id": "regional:town@1:1", "node": None, "search": {"patterns": patterns}}, words)
    '2 regions by town, no. 2: town as it is in some, by county in others; sex withheld'
    """
    patterns = rule.get("search", {}).get("patterns", [])
    by = sorted({name for pattern in patterns for name in pattern["where"]})
    if rule["node"] or not by:
        return f"the same levels in every region, {_which(rule['id'])}"
    levels = {name: {pattern["node"][name] for pattern in patterns} for name in patterns[0]["node"]}
    differing = [
        f"{name} {words[name][min(found)]} in some, {words[name][max(found)]} in others"
        for name, found in levels.items()
        if len(found) > 1
    ]
    shared = {name: min(found) for name, found in levels.items() if len(found) == 1}
    parts = [*differing, *([shown_in_words(shared, words, "everything else")] if shared else [])]
    return f"{len(patterns)} regions by {listed(by)}, {_which(rule['id'])}: {'; '.join(parts)}"


def _which(name: str) -> str:
    """By the rule's name: which of a family's rules by region it is.

    >>> _which("regional:auto:8"), _which("regional:auto:8:0"), _which("regional:town@1,sex@0:4")
    ('the best', 'no. 1', 'no. 5')
    """
    _, _, number = name.partition(":")[2].removeprefix("auto:").partition(":")
    return f"no. {int(number) + 1}" if number else "the best"


CHOSEN = {
    Standing.FREE: "the most detail, since no limits are set",
    Standing.KEPT: "the most detail within the limits",
    Standing.BROKEN: "the table as it is, since no rule keeps the limits",
}


def chosen_as(rule: Listed, summary: Mapping[str, Any]) -> str:
    """What makes a run's best rule the best.

    >>> chosen_as({"id": "full-domain:0", "within_limits": False}, {"optimum": None, "limits": {"smallest_group": 5}})
    'the table as it is, since no rule keeps the limits'
    """
    if (summary["optimum"] or {}).get("rule") == rule["id"]:
        return "the answer to the run’s question"
    return CHOSEN[standing(rule, summary["limits"])]


# The two tags


def about(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence of a proposal, and what a page says of the rule it is about."""
    listed = evidence["listed"]
    return {
        "evidence": evidence,
        "sentence": sentence(listed, evidence["words"]),
        "number_tag": number_tag(listed),
        "holding_tags": holding_tags(listed, evidence["conditions"]),
    }


def number_tag(rule: Listed) -> dict[str, str]:
    """How the figures were got: the tag, and what it means."""
    how, _, gap = str(rule["number"]).partition(", ")
    meanings = {
        "exact": "Counted, not estimated: every record against every entry. No rounding but the last digits.",
        "estimated": "Estimated from a sample; the error is told with it.",
        "heuristic": "The rule's own figures are counted. That no better rule of its kind exists is not proved: "
        f"{gap or 'the gap is unknown'}.",
    }
    return {"label": str(rule["number"]), "meaning": f"{meanings.get(how, '')}{_within_limits(rule)}"}


def _within_limits(rule: Listed) -> str:
    """How good a rule chosen record by record could be that keeps the limits, where this one does not."""
    told = rule.get("search", {}).get("at_best_within_limits")
    if not told:
        return ""
    ((name, bound),) = told.items()
    what = {"least_risk": "no less risk than", "most_utility": "no more utility than"}
    return (
        " It breaks a limit that could only be looked at afterwards. A rule chosen record by record that keeps all "
        f"limits has {what.get(name, 'a trade-off no better than')} {to_digits(float(bound), 3):g}."
    )


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
