"""What a run would cost, of exactly the rules and methods that are ticked, and what of it cannot be foreseen."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riskapp.web.forms.search import FAMILIES, LOOKED_FOR, METHODS, SearchForm

WHOLE_TABLE = "full-domain"
FAMILY_TIMES = {WHOLE_TABLE: 1, "per-record": 4, "k-anonymity": 8, "random-k": 15, "mondrian": 1}
"""How many times as long as all full-domain rules a family took at most, on tables of 20 000 to 100 000 records."""
FOR_EACH_K = ("k-anonymity", "random-k", "mondrian")
ENDS_IN_TIME = ("branch-and-bound", "milp")
"""Methods that end when the seconds are over that were allowed."""
LOOKING = 1.5
"""How many times the seconds a search takes that looks for the best among too many rules, with all it lists."""

Forecast = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A kind of rule or a method that is ticked: its seconds at least and at most; no most where nobody can say."""

    words: str
    least: float = 0.0
    most: float | None = None


@dataclass(frozen=True)
class Cost:
    """What a run would cost.

    Attributes
    ----------
    parts : what is ticked, one after the other
    bytes : the memory of whole-table rules, where they are ticked and it is foreseen
    alone : whether nothing else is ticked, so that this is all
    """

    parts: list[Part]
    bytes: int | None = None
    alone: bool = False

    @property
    def foreseen(self) -> list[Part]:
        return [part for part in self.parts if part.most is not None]

    @property
    def unforeseen(self) -> list[str]:
        return [part.words for part in self.parts if part.most is None]

    @property
    def total(self) -> dict[str, float]:
        """The time of all that is foreseen, as forecasts tell it."""
        least, most = (sum(part.least for part in self.foreseen), sum(part.most or 0.0 for part in self.foreseen))
        return {"seconds": least, "at_most": most}


def at_most(forecast: Forecast) -> dict[str, float]:
    """The seconds that families take at most: rules by region as they were tried, the others from full-domain rules.

    >>> at_most({"seconds": 4, "at_most": 6, "regional": 100})["per-record"]
    24
    """
    if forecast.get("seconds") is None:
        return {}
    most = forecast.get("at_most") or forecast["seconds"]
    times = {family: factor * most for family, factor in FAMILY_TIMES.items()}
    regional = {} if forecast.get("regional") is None else {"regional": forecast["regional"]}
    return {WHOLE_TABLE: times[WHOLE_TABLE], **regional, **times}


def cost(forecast: Forecast, form: SearchForm) -> Cost:
    """What a form asks for, whether it was sent or not and whatever it lacks still."""
    rules = [rule for rule in form["rules"].value() or [] if rule in FAMILIES]
    parts = [part for rule in rules for part in _parts(rule, forecast, form)]
    return Cost(parts, forecast.get("bytes") if WHOLE_TABLE in rules else None, rules == [WHOLE_TABLE])


def _parts(rule: str, forecast: Forecast, form: SearchForm) -> Iterator[Part]:
    words, most = FAMILIES[rule][0], at_most(forecast).get(rule)
    seconds, asked = _number(form["seconds"].value()), form["question"].value() or ""
    if rule == WHOLE_TABLE and most is None:
        looked_for = seconds is not None and asked in LOOKED_FOR
        yield Part(words, seconds or 0.0, LOOKING * seconds) if seconds and looked_for else Part(words)
    elif rule == WHOLE_TABLE:
        yield Part(words, forecast["seconds"], most)
    elif rule == "per-record" and asked:
        yield from _by_methods(most, seconds, form["methods"].value() or [])
    elif rule == "regional" and str(form["splits"].value() or "").strip():
        yield Part(f"{words}, of columns that are named")
    else:
        many = len(re.findall(r"\d+", str(form["k"].value() or ""))) if rule in FOR_EACH_K else 1
        yield Part(words, most=None if most is None else most * max(1, many))


def _by_methods(most: float | None, seconds: float | None, methods: Sequence[str]) -> Iterator[Part]:
    """Searches record by record; beside any of them the best possible is drawn, as beside the exhaustive one."""
    by = [method for method in methods if method in METHODS]
    yield Part(FAMILIES["per-record"][0] + (", exhaustive" if "exhaustive" in by else ""), most=most)
    for method in by:
        if method != "exhaustive":
            words = f"{FAMILIES['per-record'][0]}, {METHODS[method][0]}"
            yield Part(words, most=seconds if method in ENDS_IN_TIME else None)


def _number(value: object) -> float | None:
    try:
        found = float(str(value))
    except ValueError:
        return None
    return found if 0 < found < float("inf") else None
