"""What is different in a new file, told so that somebody knows what to do."""

from typing import Any

from riskapp.engine.shaping.drift import drift
from tests.engine.adversaries.coded_tables import Columns, tables

REGIONS = {"rows": [["Bari", "South", "*"], ["Rome", "South", "*"]], "header": None}


def facts(earlier: list[dict[str, Any]], new: Columns) -> dict[str, dict[str, Any]]:
    with tables(new) as [table]:
        columns = [{"type": {"kind": "text"}, "missing": {"count": 0}, "suggestions": []} for _ in new]
        return {fact["column"]: fact for fact in drift(earlier, {"columns": columns}, table)}


def said(column: str, **more: Any) -> dict[str, Any]:
    return {"column": column, "role": "generalised", "type": "text", "hierarchy": None, **more}


def test_a_column_whose_new_name_means_the_same_is_proposed_for_it() -> None:
    found = facts([said("sex"), said("town")], {"gender": ["f", "m"], "phone": ["1", "2"], "town": ["a", "b"]})
    assert found["sex"]["perhaps"] == ["gender"]
    assert "If it was renamed, say so" in found["sex"]["do"]
    assert {name for name, fact in found.items() if fact["kind"] == "new"} == {"gender", "phone"}


def test_values_without_a_place_are_counted() -> None:
    town = [said("town", hierarchy=REGIONS)]
    one, two = (facts(town, {"town": ["Rome", "Oslo", "Oslo", *more]})["town"] for more in ([], ["Lima"]))
    assert one["what"] == "1\u00a0value in 2\u00a0records has no place in the hierarchy."
    assert two["what"] == "2\u00a0values in 3\u00a0records have no place in the hierarchy."
    assert one["stops"]


def test_what_to_do_follows_from_how_the_values_differ() -> None:
    born = facts([said("born", hierarchy={"dates": ["year"]})], {"born": ["10.05.1975", "11.05.1975"]})["born"]
    assert "Build the hierarchy anew if the values are written in another way now" in born["do"]
    pay = {"intervals": {"from": 0, "widths": [5], "unit": 1}}
    assert "Begin the intervals lower" in facts([said("pay", hierarchy=pay)], {"pay": ["-5", "7", "8"]})["pay"]["do"]
    town = facts([said("town", hierarchy=REGIONS)], {"town": ["Rome", "Bari", "Oslo"]})["town"]
    assert town["do"] == "Give each a home in the hierarchy, or mend the values in the file."
