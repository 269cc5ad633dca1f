"""What the report says about the rule, its figures and what they rest on; a section without evidence is left out."""

from collections.abc import Iterator, Mapping
from typing import Any

from riskapp.engine.releasing.report.attackers import NOTHING_LIMITED, knowledge, limit_rows, unknown
from riskapp.engine.releasing.report.elements import (
    Html,
    code,
    facts,
    heading,
    listed,
    paragraph,
    plot,
    safe,
    section,
    table,
)
from riskapp.engine.releasing.report.plots import frontier_plot, loss_plot
from riskapp.engine.releasing.report.words import (
    FAMILIES,
    day,
    figure,
    holds_tag,
    in_a_row,
    number_tag,
    share,
    three_answers,
)
from riskapp.engine.standing import nothing_limited

Evidence = Mapping[str, Any]
ATTACKER = ("Attacker", "Expected found", "Singled out", "Not in it", "Largest chance", "Gained")


def what(evidence: Evidence) -> Html:
    """What is released, for whom and why."""
    release, dataset, rule = evidence.get("release", {}), evidence["dataset"], evidence["rule"]
    return section(
        "What, for whom and why",
        facts(
            {
                "Data": f"{figure(dataset['records'])} records of {figure(dataset['people'])} people{_up_to(release)}",
                "Recipient": release.get("recipient"),
                "Purpose": release.get("purpose"),
                "Why this rule": release.get("reason"),
                "Release class": release.get("class"),
                "Legal basis": release.get("legal_basis"),
                "Impact assessment": release.get("dpia"),
                "Download until": release.get("expires") and day(release["expires"]),
                "Proposed by": release.get("proposed_by"),
                "Rule": Html(f"{safe(_family(rule['family']))} ({code(rule['id'])})"),
            }
        ),
        table(["Column", "Released as"], [(one["column"], one["text"]) for one in evidence.get("columns", [])]),
    )


def _up_to(release: Evidence) -> str:
    last = release.get("data_until")
    return f", up to {day(last)}" if last else ""


def _family(name: str) -> str:
    words = FAMILIES.get(name, name)
    return f"{words[:1].upper()}{words[1:]}"


def limits(evidence: Evidence) -> Html:
    """The limits of the release class, whether they are kept, and the exception if not."""
    told, release = evidence.get("limits") or {}, evidence.get("release", {})
    broken = [] if nothing_limited(told.get("limits", {})) else told["broken"]
    exception = release.get("exception")
    signed = f"Exception, signed by {release.get('proposed_by', 'the proposer')}: {exception}" if exception else ""
    return section(
        "The limits of its release class",
        table(["Limit", "Allowed", "Measured"], limit_rows(told.get("limits") or {}, evidence["figures"]), (1, 2)),
        paragraph(_kept(told)),
        paragraph("Not kept:" if broken else ""),
        listed(broken),
        paragraph(signed, "answer"),
    )


def _kept(told: Evidence) -> str:
    if not told:
        return ""
    if nothing_limited(told["limits"]):
        return NOTHING_LIMITED
    return "" if told["broken"] else "Every limit is kept."


LEGEND = (
    "Expected found: how many people the attacker would be expected to name correctly. Singled out: people whom "
    "exactly one person of the dictionary fits. Not in it: people whom nobody in the dictionary fits. Largest chance: "
    "to be named correctly, for the person most exposed. Gained: found beyond what guessing gives without the release."
)
RISK = (
    "Risk is the chance to be named times the harm of what the row then shows, in the weights of the parameters, put "
    "together over records and dictionaries as they say; 0 would be none. Detail kept is 100 % for the data as they "
    "were and 0 % for nothing at all."
)
LEARNT = (
    "Learnt: how much surer of the true value somebody becomes who finds the group, from 0 to 1. l: the fewest "
    "different values in a group. t: how far a group's shares lie from the whole table's, from 0 to 1."
)


def figures(evidence: Evidence) -> Html:
    """People first, then risk and utility, groups and what they betray."""
    told, people = evidence["figures"], evidence["dataset"]["people"]
    rows = [row for name, one in told["people"].items() for row in _attacker(name, one, people)]
    return section(
        "Figures, measured from the file",
        paragraph("Each attacker holds one dictionary; the second line is for one who knows the rule and replays it."),
        table(ATTACKER, rows, range(1, len(ATTACKER))),
        paragraph(LEGEND, "note"),
        facts(
            {
                "Risk": f"{figure(told['risk'])} by definition, {figure(told['risk_replay'])} by replay",
                "Detail kept": f"{share(told['utility_share'])} (utility {figure(told['utility'])})",
                "Smallest group": f"{figure(told['smallest_group'])} {_people(told['smallest_group'])}",
                "Suppressed records": figure(told["suppressed"]),
            }
        ),
        table(
            ["Dictionary", "Risk"],
            [(name, figure(risk)) for name, risk in told["risk_by_dictionary"].items()],
            (1,),
        ),
        paragraph(RISK, "note"),
        table(
            ["Sensitive column", "Learnt on average", "For the worst off", "Least l", "Largest t"],
            [_inferred(name, one, evidence) for name, one in told["inference"].items()],
            (1, 2, 3, 4),
        ),
        paragraph(LEARNT if told["inference"] else "", "note"),
    )


def _people(number: int | None) -> str:
    return "person" if number == 1 else "people"


def _attacker(name: str, told: Mapping[str, Any], people: int) -> Iterator[tuple[str, ...]]:
    for words, one in ((name, told), ("… who replays the rule", told.get("by_replay"))):
        if one is not None:
            found = f"{figure(one['expected_found'])} of {figure(people)}"
            counts = (figure(one["singled_out"]), figure(one["uncovered"]))
            yield words, found, *counts, figure(one["largest_chance"]), figure(one["gain"])


def _inferred(name: str, told: Mapping[str, Any], evidence: Evidence) -> tuple[str, ...]:
    groups = (evidence.get("groups") or {}).get("sensitive", {}).get(name) or {}
    least = groups.get("l", {}).get("distinct")
    return name, figure(told["mean"]), figure(told["worst"]), figure(least), figure(groups.get("t"))


def three_questions(evidence: Evidence) -> Html:
    """Singling out, linkability, inference."""
    computed = three_answers(evidence["figures"], evidence["dataset"]["people"])
    answers = evidence.get("answers", {})
    titles = {"singling_out": "Singling out", "linkability": "Linkability", "inference": "Inference"}
    return section(
        "Three questions",
        *(
            Html(heading(title) + paragraph(computed[name]) + paragraph(answers.get(name), "answer"))
            for name, title in titles.items()
        ),
    )


def plots(evidence: Evidence) -> Html:
    """The frontier with the choice marked, and the losses."""
    drawn = frontier_plot(evidence.get("frontier", []), evidence["rule"]["id"])
    others = any(not one["on_frontier"] for one in evidence.get("frontier", []))
    caption = (
        f"{'Rules that were measured, in blue those' if others else 'The rules'} that no other rule beats in both risk "
        "and detail. Further left is safer, higher says more; each step of the scale is ten times the risk. A risk of "
        "0 is drawn at the left edge."
    )
    losses = [
        plot(loss_plot(one), f"Chance times harm of each record, against {name}. {_apart(one)}", "small")
        for name, one in evidence.get("losses", {}).items()
        if one
    ]
    return section("Risk and detail", plot(drawn, caption), *losses)


def _apart(told: Mapping[str, Any]) -> str:
    nothing = f"{figure(told['zero'])} of {figure(told['records'])} records are at 0"
    if not told["zero"]:
        nothing = f"None of the {figure(told['records'])} records is at 0"
    unbound = f", {figure(told['infinite'])} have no bound" if told["infinite"] else ""
    middle, worst = (figure(told["quantiles"][share]) for share in ("0.5", "1.0"))
    return f"{nothing}{unbound}; half of them at {middle} or below, the worst at {worst}."


def trust(evidence: Evidence) -> Html:
    """The two tags and the assumptions."""
    rule = evidence["rule"]
    conditions = [*rule.get("conditions", []), *evidence.get("assumptions", [])]
    return section(
        "What the figures rest on",
        paragraph(number_tag(rule.get("number", "exact"))),
        paragraph(holds_tag(rule.get("holds_against", []), conditions)),
        listed(conditions),
        paragraph("No useful release is without risk. A figure holds against the attackers measured, and no others."),
    )


def dictionaries(evidence: Evidence) -> Html:
    """What attackers were taken to hold and to know."""
    told = evidence.get("dictionaries", [])
    known = knowledge(evidence.get("parameters") or {})
    without = unknown(evidence.get("parameters") or {})
    nobody = f"Nobody was taken to know {in_a_row(without, 'or')} beforehand." if without and told else ""
    return section(
        "What attackers are taken to know",
        table(
            ["Dictionary", "What it is", "People in it", "Where from"],
            [(one["name"], known.get(one["name"]), figure(one.get("everybody")), _origin(one)) for one in told],
            (2,),
        ),
        paragraph(nobody),
        facts({f"SHA-256 of {one['name']}": _hash(one.get("sha256")) for one in told}),
    )


def _origin(told: Mapping[str, Any]) -> str:
    return "; ".join(str(told[key]) for key in ("source", "licence", "made") if told.get(key))


def _hash(value: Any) -> Any:
    return code(value) if value else "the data themselves"
