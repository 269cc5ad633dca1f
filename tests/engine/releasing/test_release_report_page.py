"""The report as a page: what comes from outside is escaped, what is not known is left out, plots mark the choice."""

import re
from typing import Any

import pytest

from riskapp.engine.releasing.report import report
from riskapp.engine.releasing.report.plots import frontier_plot, loss_plot

PEOPLE = {"expected_found": 2.5, "singled_out": 1, "uncovered": 0, "largest_chance": 1.0, "gain": 2.0}
FIGURES: dict[str, Any] = {
    "risk": 0.1,
    "risk_replay": "inf",
    "risk_by_dictionary": {"self": 0.1},
    "utility": 3.0,
    "utility_share": 0.6,
    "smallest_group": 4,
    "suppressed": 0,
    "people": {"self": {**PEOPLE, "by_replay": {**PEOPLE, "expected_found": 3.5}}},
    "inference": {"illness": {"mean": 0.1, "worst": 0.5}},
}
LEAST: dict[str, Any] = {
    "title": "A release",
    "dataset": {"records": 10, "people": 9},
    "rule": {"id": "full-domain:1", "family": "full-domain", "number": "exact", "holds_against": ["self"]},
    "figures": FIGURES,
}
TAGS = {
    *"html head meta title style body header h1 h2 h3 p section footer".split(),
    *"dl dt dd table thead tbody tr th td ul li code pre".split(),
}
SAID = ["recipient", "purpose", "reason", "class", "legal_basis", "dpia", "expires"]
NASTY = "<script>alert('x')</script>\"&"


def nastily(value: Any) -> Any:
    """The same evidence with something nasty in every text."""
    if isinstance(value, dict):
        return {key: nastily(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [nastily(inner) for inner in value]
    return NASTY if isinstance(value, str) and value != "inf" else value


def everything() -> dict[str, Any]:
    more = {
        "project": "P",
        "made": "soon",
        "release": dict.fromkeys([*SAID, "exception", "proposed_by"], "x"),
        "columns": [{"column": "town", "text": "as it was"}],
        "answers": dict.fromkeys(["singling_out", "linkability", "inference"], "x"),
        "assumptions": ["one"],
        "dictionaries": [{"name": "self", "everybody": 9, "source": "x", "made": "x", "sha256": "x"}],
        "limits": {"limits": {"largest_chance": 0.2, "share_above": {"chance": 0.1, "share": 0.01}}, "broken": ["x"]},
        "warnings": [{"about": "x", "do": "x", "answer": "x"}],
        "approvals": [{"by": "x", "at": "x", "reason": "x", "decision": "x"}],
        "advice": [{"by": "x", "advice": "x", "followed": False, "why": "x"}],
        "manifest": {"bound": {"output": "x"}, "binding": "x", "digest": "x", "seed": 1, "order": "x"},
        "software": {"riskapp": "x"},
        "parameters": {"dataset": {"file": "x"}},
        "analyses": [
            {
                **{"name": "x", "kind": "mean", "of": "age", "columns": [], "after": 1.0, "read": "x"},
                "change": {"at_most": 0.2},
            },
            {"name": "x", "kind": "counts", "of": None, "columns": ["age"], "change": {"above": 0.5}},
            {
                **{"name": "x", "kind": "regression", "of": "age", "columns": ["town"], "read": None},
                **{"after": {"coefficients": {"town": 1.0}}, "change": {"town": {"at_most": 0.05}}},
            },
        ],
    }
    return {**LEAST, **more}


def test_nothing_from_outside_becomes_part_of_the_page() -> None:
    given = everything()
    nasty = nastily({key: value for key, value in given.items() if key not in ("figures", "analyses")})
    named = {part: {NASTY: next(iter(FIGURES[part].values()))} for part in ("people", "inference")}
    nasty["figures"] = {**FIGURES, **named}
    nasty["analyses"] = [{**one, "name": NASTY, "of": NASTY} for one in given["analyses"]]
    page = report(nasty)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 30
    tags = {tag.lower() for tag in re.findall(r"<\s*([a-z0-9]+)", page, re.IGNORECASE)}
    assert tags <= TAGS


def test_what_is_not_known_is_left_out() -> None:
    page = report(LEAST)
    assert {"What, for whom and why", "Three questions"} <= set(re.findall(r"<h2>(.*?)</h2>", page))
    assert "Warnings" not in page
    assert "Recipient" not in page
    assert "None" not in page


def test_everything_asked_for_is_told() -> None:
    page = report(everything())
    told = set(re.findall(r"<h2>(.*?)</h2>", page))
    assert {
        "What attackers are taken to know",
        "Warnings and answers",
        "Approvals and advice",
        "Proof",
        "Parameters",
    } <= told
    assert "∞ by replay" in page
    assert "conditional" in page


@pytest.mark.parametrize(("forced", "told"), [(7, True), (10, False)])
def test_right_guesses_of_one_assignment_among_several_are_said_to_be_so(forced: int, told: bool) -> None:
    one = {"assigned": 10, "forced": forced, "right": {"assigned": 8, "forced": forced}}
    tried = {"without_release": 1, "consistency": None, "replay": None, "one_to_one": one}
    page = report({**LEAST, "attack": {"dictionaries": {"self": tried}, "sensitive": {}}})
    assert ("3 rows could also be given somebody else" in page) is told
    assert ("one of several assignments" in page) is told


def test_limits_are_told_with_what_was_measured_and_a_broken_one_with_its_exception() -> None:
    page = report({**LEAST, "limits": {"limits": {"largest_chance": 0.2, "smallest_group": 3}, "broken": []}})
    assert "<td class=number>at most 0.2</td><td class=number>1</td>" in page
    assert "<td class=number>at least 3</td><td class=number>4</td>" in page
    assert "Every limit is kept." in page
    worse = report(everything())
    assert "Every limit is kept." not in worse
    assert "Exception, signed by x: x" in worse


@pytest.mark.parametrize("limits", [{}, {"largest_chance": None, "inference": None}])
def test_no_limits_are_not_kept_limits(limits: dict[str, Any]) -> None:
    page = report({**LEAST, "limits": {"limits": limits, "broken": []}})
    assert page.count("Nothing was limited: no limit was set") == 2
    assert "is kept" not in page.replace("of what the data said is kept", "")
    signed = {"limits": {"limits": limits, "broken": ["no limit is set"]}, "release": everything()["release"]}
    page = report({**LEAST, **signed})
    assert page.count("Nothing was limited: no limit was set") == 2
    assert "x signed an exception for that." in page
    assert "Not kept" not in page
    assert "not kept" not in page


def test_what_attackers_are_taken_to_know_is_told_and_what_nobody_knows() -> None:
    knows = {"name": "neighbour", "self": True, "knows": ["town"]}
    given = {"attributes": {"town": {}, "ill": {}}, "dictionaries": [knows]}
    page = report({**LEAST, "parameters": given, "dictionaries": [{"name": "neighbour", "everybody": 9}]})
    assert "the data themselves: town of everybody in them" in page
    assert "Nobody was taken to know ill beforehand." in page


def test_the_worse_of_definition_and_replay_answers_linkability() -> None:
    assert "name 3.5 people correctly" in report(LEAST)


def test_the_same_evidence_gives_the_same_page() -> None:
    assert report(everything()) == report(everything())


POINTS = [
    {"id": f"r{place}", "risk": risk, "utility_share": 1 - place / 4, "on_frontier": place % 2 == 0}
    for place, risk in enumerate((1.0, 0.1, 0.01, 0.001, 0.0))
]


def test_the_chosen_rule_is_marked_where_it_lies_and_the_frontier_drawn() -> None:
    drawn = frontier_plot(POINTS, "r1")
    assert drawn.count("chosen</text>") == 1
    assert drawn.count("<circle") == 3 + 1 + 2
    places = [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="2.4" fill="#1f', drawn)]
    assert places == sorted(places, key=lambda place: place[0])
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)
    first, second, third = places
    line = [tuple(map(float, at.split(","))) for at in re.search(r'polyline points="([^"]*)"', drawn)[1].split()]
    assert line == [first, (second[0], first[1]), second, (third[0], second[1]), third]


@pytest.mark.parametrize("points", [[], [{"id": "a", "risk": "inf", "utility_share": 1.0, "on_frontier": True}]])
def test_nothing_is_drawn_of_nothing(points: list[dict[str, Any]]) -> None:
    assert frontier_plot(points, "a") == ""


def test_bars_are_as_high_as_their_counts() -> None:
    drawn = loss_plot({"bins": [(0.1, 1.0, 4), (1.0, 10.0, 2), (10.0, 100.0, 0)], "zero": 0, "infinite": 0})
    heights = [float(height) for height in re.findall(r'<rect [^>]*height="([\d.]+)"', drawn)]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.2)
    assert loss_plot({"bins": [], "zero": 3, "infinite": 0}) == ""


def test_the_report_begins_with_the_decision_in_short() -> None:
    page = report(everything())
    assert page.index("In short") < page.index("What, for whom and why")
    assert "Approved by x on x." in page
    assert "1 limit of its release class is not kept, by an exception that x signed." in page
    assert "The strongest attacker, self, would be expected to name 3.5 of 9 people correctly (38.9 %); 1 would" in page
    assert "60 % of what the data said is kept." in page
    assert "One, with its answer below." in page
    kept = {"limits": {"limits": {"largest_chance": 0.2}, "broken": []}, "warnings": []}
    assert "Every limit of its release class is kept." in report({**LEAST, **kept})
    assert "<dt>Warnings</dt><dd>None.</dd>" in report({**LEAST, **kept})
    assert "<dt>Decision</dt>" not in report(LEAST)


def test_answers_are_told_with_who_gave_them_and_when() -> None:
    answered = {"about": "x", "do": "x", "answer": "Known.", "answered_by": "Stella", "answered_at": "2026-11-18"}
    page = report({**LEAST, "warnings": [answered]})
    assert "<td>Known.<p class=note>Stella, 2026-11-18</p></td>" in page


def test_a_page_may_break_between_answers_and_not_within_a_short_table_of_figures() -> None:
    page = report(everything())
    assert '<table class="even"><thead><tr><th>Warning</th>' in page
    assert '<table class="short"><thead><tr><th>Limit</th>' in page


def test_the_parameters_follow_the_proof_on_its_page_and_leave_none_nearly_empty() -> None:
    assert "break-before: page" not in report(everything())


def test_numbers_above_a_thousand_are_told_without_a_power() -> None:
    analysis = {"name": "x", "kind": "mean", "of": "income", "columns": [], "after": 37987.6, "change": None}
    assert "37\u202f988 in the release" in report({**LEAST, "analyses": [analysis]})


def test_analyses_are_told_by_what_the_release_says_and_roughly_how_far_it_moves_it() -> None:
    page = report(everything())
    assert "1 in the release, moved by at most 20 %" in page
    assert "more than 50 % of the records stand elsewhere in the release." in page
    assert "<td>town</td><td class=number>1</td><td class=number>at most 5 %</td>" in page
    grouped = {"name": "x", "kind": "mean", "of": "age", "columns": ["town"], "after": 1.0, "change": {"at_most": 0.2}}
    grouped |= {"groups": {"number": 4, "compared": 3, "largest_change": {"above": 0.5}}}
    told = report({**LEAST, "analyses": [grouped, {**grouped, "after": None, "change": None}]})
    assert "moved by at most 20 %; within 3 of the 4 groups of town that the release shows by more than 50 %" in told
    assert "cannot be computed from the release" in told
    same = report({**LEAST, "analyses": [{**grouped, "change": {"at_most": 0.0}}]})
    assert "<dd>1 in the release, as in the data</dd>" in same
