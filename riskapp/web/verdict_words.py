"""The verdict on a rule in a sentence: to whom it may go, what forbids it elsewhere, and the cheapest repair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riskapp.engine.standing import Listed, replayed
from riskapp.models import ReleaseKind
from riskapp.web.rule_words import Words, columns_in_words, listed, short
from riskapp.web.templatetags.rules import chance_words, figure_words
from riskapp.web.templatetags.words import count, share

WHERE = {
    ReleaseKind.PUBLIC: "to the public",
    ReleaseKind.CONTRACT: "under contract",
    ReleaseKind.SAFE: "in a safe setting",
}
"""The release classes, the most open first."""
NO_REPAIR = (
    "No rule of this run keeps these limits. Consider further kinds of rules, give columns coarser levels, or drop one."
)
NO_END = (
    "No rule of this run keeps these limits at a finite risk. "
    "Give what weighs “never” levels up to *, drop it, or weigh it with a number."
)
NOT_REPLAYED = "What somebody finds who knows this rule and replays it could not be counted: it may be more."
NOTHING_SHOWN = "To show more, consider further kinds of rules, give columns levels in between, or drop one."
NOT_COUNTED = "what somebody finds who knows this rule and replays it could not be counted"
"""Why a limit of chances counts as broken."""
ORDER = ("largest_chance", "share_above", "smallest_group", "inference")
"""The limits, people first."""


@dataclass(frozen=True)
class Verdict:
    """The sentence: `title` and `words`; `kind` is its colour; `repair` the rule that mends it, where there is one."""

    kind: str
    title: str
    words: str
    repair: str = ""


def told(
    found: Mapping[str, Any],
    rule: str,
    wanted: str,
    words: Words,
    rules: Mapping[str, Listed],
    never: Sequence[str] = (),
) -> Verdict:
    """The verdict in words.

    Parameters
    ----------
    rule : the name of the rule that it is about
    found : for each release class whether its limits are kept, as the bridge tells it
    wanted : the class of the project, or ""
    words : for each attribute a phrase for every level
    rules : that one and the rules that repair, by their names
    never : the columns that weigh “never” and that the rule shows
    """
    if any(one["endless"] for one in found.values()):
        return _endless(found, wanted, words, rules, never)
    kept = [kind for kind in WHERE if found[kind]["holds"]]
    broken = [kind for kind in WHERE if not found[kind]["holds"]]
    empty = bool(kept) and rules[rule]["utility_share"] <= 0
    title = f"May leave {WHERE[kept[0]]}" if kept else "May not leave under the limits of any release class"
    title += ", with everything withheld that has levels." if empty else "."
    told = [NOTHING_SHOWN] if empty else []
    told += [f"Not {WHERE[kind]}: {_reasons(found[kind])}." for kind in _worth_telling(broken, kept)]
    more = [NOT_REPLAYED] if kept and not replayed(rules[rule]) else []
    mended = _to_mend(broken, kept, wanted)
    if mended is None:
        return Verdict("", title, " ".join([*told, *more]))
    repair = found[mended]["repair"]
    sentence = _repair(repair, words, rules) if repair else NO_REPAIR
    colour = "bad" if not kept or wanted in broken else ""
    return Verdict(colour, title, " ".join([*told, sentence, *more]), repair["rule"] if repair else "")


def _endless(
    found: Mapping[str, Any], wanted: str, words: Words, rules: Mapping[str, Listed], never: Sequence[str]
) -> Verdict:
    """Nobody may have what must never be learnt while anybody could be found, whatever the limits say."""
    which = f"{listed(never)} {'weighs' if len(never) == 1 else 'weigh'}" if never else "something here weighs"
    told = f"The risk is infinite: {which} “never”, and is shown of people who could be found."
    mended = _to_mend(list(WHERE), [], wanted)
    repair = found[mended]["repair"] if mended else None
    sentence = _repair(repair, words, rules) if repair else NO_END
    return Verdict("bad", "May not leave.", f"{told} {sentence}", repair["rule"] if repair else "")


def _worth_telling(broken: list[ReleaseKind], kept: list[ReleaseKind]) -> list[ReleaseKind]:
    """Where no class will do, the strictest need not be told beside the least strict."""
    return broken if kept else broken[-1:]


def _to_mend(broken: list[ReleaseKind], kept: list[ReleaseKind], wanted: str) -> ReleaseKind | None:
    """The project's own class if it is broken; else the next more open one; where nothing will do, the least strict."""
    if wanted in broken:
        return ReleaseKind(wanted)
    return broken[-1] if broken else None


def _reasons(found: Mapping[str, Any]) -> str:
    """What a class forbids.

    >>> one = {"limit": "largest_chance", "value": 0.5, "limit_value": 0.09, "people": 21}
    >>> _reasons({"broken": [one], "unmeasured": [], "unreplayed": []})
    '21 people would be too exposed'
    """
    told = [_reason(one) for one in sorted(found["broken"], key=lambda one: ORDER.index(one["limit"]))]
    if found["unreplayed"]:
        told.append(NOT_COUNTED)
    if found["unmeasured"]:
        told.append("some of its limits were not measured in this run")
    return ", and ".join(dict.fromkeys(told))


def _reason(one: Mapping[str, Any]) -> str:
    limit, value = one["limit"], one["value"]
    if limit == "smallest_group":
        return f"the smallest group is {_people(value)}, the limit {count(one['limit_value'])}"
    if limit == "inference":
        return f"a sensitive value could be guessed too well ({figure_words(value)}, limit {one['limit_value']:g})"
    if one["people"]:
        return f"{_people(one['people'])} would be too exposed"
    if limit == "share_above":
        return "too many people would be too exposed"
    return f"somebody could be found with a chance of {chance_words(value)}"


def _people(number: int) -> str:
    return f"{count(number)} {'person' if number == 1 else 'people'}"


def _repair(repair: Mapping[str, Any], words: Words, rules: Mapping[str, Listed]) -> str:
    changes = repair["changes"]
    if changes:
        done = columns_in_words({name: to for name, (_, to) in changes.items()}, words)
    else:
        done = short(rules[repair["rule"]], words)
        done = f"{done[:1].lower()}{done[1:]}"
    lost = float(repair["utility_lost_share"])
    cost = f"costs {share(lost)} of the detail" if lost > 0 else "costs no detail"
    return f"Cheapest repair: {done}, {cost}."
