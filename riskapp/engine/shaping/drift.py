"""Drift: how a new file differs from the one that a set-up was made for, and what to do about each difference."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz.distance import Jaro

from riskapp.core.errors import RiskappError
from riskapp.core.table.value_list import TEXT, flags
from riskapp.engine.adversaries.names import Likeness, likeness
from riskapp.engine.coded import CodedTable
from riskapp.engine.profile.value_types import EMPTY
from riskapp.engine.profile.words import many
from riskapp.engine.shaping.fitting import Column, column_at, fitted
from riskapp.engine.shaping.suggest import DROPPED, GENERALISED, IDENTIFIER

ALIKE = 0.85
"""Names of columns at least so alike may mean the same column."""

Fact = dict[str, Any]
Earlier = Mapping[str, Any]


def drift(earlier: Sequence[Earlier], profile: Mapping[str, Any], table: CodedTable) -> list[Fact]:
    """What is different in a new file, the things that stop a run first.

    Parameters
    ----------
    earlier : the columns of the set-up, each with `column`, `role`, `type` (the profile's kind of type, or None),
        `hierarchy` (a spec) and perhaps `order` (the values in order)
    profile : the new file's profile, as JSON
    table : the new file

    Returns
    -------
    facts that JSON can hold, without any value of the table: `kind` (missing, new, type, identifier, uncovered, order,
    broken), `column`, `stops` (whether no run is possible before it is mended), `what` and `do`, and counts where they
    say something
    """
    position = {name: place for place, name in enumerate(table.names)}
    known = {each["column"] for each in earlier}
    new = [name for name in table.names if name not in known]
    facts = [_missing(each, new) for each in earlier if each["column"] not in position]
    for each in earlier:
        if each["column"] in position:
            place = position[each["column"]]
            facts += _changed(each, profile["columns"][place], table, place)
    facts += [_new(name, profile["columns"][position[name]]) for name in new]
    return sorted(facts, key=lambda fact: not fact["stops"])


def _fact(kind: str, column: str, what: str, do: str, *, stops: bool, **more: Any) -> Fact:
    return {"kind": kind, "column": column, "stops": stops, "what": what, "do": do, **more}


def _missing(each: Earlier, new: Sequence[str]) -> Fact:
    perhaps = [name for name in new if same_name(each["column"], name)]
    stops = each["role"] != DROPPED
    if perhaps:
        do = "If it was renamed, say so, and it is treated as before. Otherwise drop it from the set-up."
    else:
        do = "Add it to the file, or drop it from the set-up." if stops else "It was dropped before: nothing to do."
    what = "The file has no such column any more."
    return _fact("missing", each["column"], what, do, stops=stops, perhaps=perhaps)


def same_name(one: str, other: str) -> bool:
    """Whether two names may mean the same column.

    >>> same_name("birthDate", "Birth date"), same_name("sex", "gender"), same_name("sex", "income")
    (True, True, False)
    """
    spelt_so = Jaro.similarity(one.casefold(), other.casefold()) >= ALIKE
    return spelt_so or likeness(one, other) >= Likeness.MEANS_THE_SAME


def _new(name: str, profile: Mapping[str, Any]) -> Fact:
    titles = [each["title"] for each in profile["suggestions"]]
    what = "The column is new."
    do = "It is dropped until somebody gives it another part. Look at the suggestion for it."
    return _fact("new", name, what, do, stops=False, suggestions=titles)


def _changed(each: Earlier, profile: Mapping[str, Any], table: CodedTable, place: int) -> list[Fact]:
    """How a column that is still there differs."""
    facts = [*_type(each, profile), *_identifier(each, profile)]
    shaped = each["role"] == GENERALISED and each.get("hierarchy") is not None
    if shaped or each.get("order"):
        column = column_at(table, place)
        facts += [*(_uncovered(each, column) if shaped else []), *_order(each, column)]
    return facts


def _type(each: Earlier, profile: Mapping[str, Any]) -> list[Fact]:
    was, now = each.get("type"), profile["type"]["kind"]
    if was is None or was == now or each["role"] == DROPPED:
        return []
    what = "No cell of the column is filled any more." if now == EMPTY else f"It held {was}, and now holds {now}."
    do = "Look whether the file was written in another way, and whether the hierarchy still suits it."
    return [_fact("type", each["column"], what, do, stops=False, was=was, now=now)]


def _identifier(each: Earlier, profile: Mapping[str, Any]) -> list[Fact]:
    missing = profile["missing"]["count"]
    if each["role"] != IDENTIFIER or not missing:
        return []
    what = f"{many(missing, 'row does', 'rows do')} not say whom it is about."
    do = "Each such row counts as one more person. Fill the cells, or take the rows out, if that is wrong."
    return [_fact("identifier", each["column"], what, do, stops=False, records=missing)]


def _uncovered(each: Earlier, column: Column) -> list[Fact]:
    try:
        fit = fitted(column, each["hierarchy"])
    except RiskappError as error:
        return [_fact("broken", column.name, str(error), "Mend the hierarchy of the set-up.", stops=True)]
    outside = ~fit.covered
    values, records = int(outside.sum()), int(column.records[outside].sum())
    if not values:
        return []
    what = f"{_without_place(values, records)} in the hierarchy."
    do = f"{_way_out(each['hierarchy'], column, values)}, or mend the values in the file."
    return [_fact("uncovered", column.name, what, do, stops=True, values=values, records=records)]


def _way_out(spec: Mapping[str, Any], column: Column, outside: int) -> str:
    """What to do about values without a place: homes for a few, another hierarchy where they are written otherwise."""
    if "intervals" in spec and outside < len(column.values):
        return "Begin the intervals lower if smaller numbers came, give each a home"
    if 2 * outside > len(column.values):
        return "Build the hierarchy anew if the values are written in another way now, give each a home"
    return "Give each a home in the hierarchy"


def _order(each: Earlier, column: Column) -> list[Fact]:
    if not each.get("order"):
        return []
    outside = ~flags(pc.is_in(column.values, value_set=pa.array(each["order"], TEXT)))
    values, records = int(outside.sum()), int(column.records[outside].sum())
    if not values:
        return []
    what = f"{_without_place(values, records)} in the order."
    return [_fact("order", column.name, what, "Put them into the order.", stops=True, values=values, records=records)]


def _without_place(values: int, records: int) -> str:
    have = "has" if values == 1 else "have"
    return f"{many(values, 'value', 'values')} in {many(records, 'record', 'records')} {have} no place"
