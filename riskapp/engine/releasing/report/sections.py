"""What the report says about the rule, its figures and what they rest on; a section without evidence is left out."""

from collections.abc import Iterator, Mapping
from typing import Any

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
    number_tag,
    share,
    three_answers,
)

Evidence = Mapping[str, Any]
ATTACKER = ("Attacker", "Expected found", "Singled out", "Not in it", "Largest chance", "Gained")


def what(evidence: Evidence) -> Html:
    """What is released, for whom and why."""
    release, dataset, rule = evidence.get("release", {}), evidence["dataset"], evidence["rule"]
    return section(
        "What, for whom and why",
        facts(
            {
                "Data": f"{figure(dataset['records'])} records of {figure(dataset['people'])} people",
                "Recipient": release.get("recipient"),
                "Purpose": release.get("purpose"),
                "Reason": release.get("reason"),
                "Release class": release.get("class"),
                "Limits it breaks": "; ".join(release.get("broken") or []) or None,
                "Exception": _signed(release),
                "Legal basis": release.get("legal_basis"),
                "Impact assessment": release.get("dpia"),
                "Expires": release.get("expires") and day(release["expires"]),
                "Rule": Html(f"{code(rule['id'])}: {safe(FAMILIES.get(rule['family'], rule['family']))}"),
            }
        ),
        table(["Column", "Released as"], [(one["column"], one["text"]) for one in evidence.get("columns", [])]),
    )


def _signed(release: Mapping[str, Any]) -> str | None:
    """The exception from the limits with whose it is."""
    said = release.get("exception")
    return f"{said} (signed by {release.get('proposed_by')})" if said else None


def figures(evidence: Evidence) -> Html:
    """People first, then risk and utility, groups and what they betray."""
    told, people = evidence["figures"], evidence["dataset"]["people"]
    rows = [row for name, one in told["people"].items() for row in _attacker(name, one, people)]
    return section(
        "Figures, measured from the file",
        paragraph("Each attacker holds one dictionary; the second line is for one who knows the rule and replays it."),
        table(ATTACKER, rows, range(1, len(ATTACKER))),
        facts(
            {
                "Risk": f"{figure(told['risk'])} by definition, {figure(told['risk_replay'])} by replay",
                "Detail kept": f"{share(told['utility_share'])} (utility {figure(told['utility'])})",
                "Smallest group": f"{figure(told['smallest_group'])} people",
                "Suppressed records": figure(told["suppressed"]),
            }
        ),
        table(
            ["Dictionary", "Risk"],
            [(name, figure(risk)) for name, risk in told["risk_by_dictionary"].items()],
            (1,),
        ),
        table(
            ["Sensitive column", "Learnt on average", "By the worst off", "Least l", "Largest t"],
            [_inferred(name, one, evidence) for name, one in told["inference"].items()],
            (1, 2, 3, 4),
        ),
    )


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
    caption = (
        "Every rule that was measured: lower is safer, further right says more. Blue: no other rule beats it in both. "
        "A risk of 0 is drawn at the bottom."
    )
    losses = [
        plot(loss_plot(one), f"What records lose against an attacker with {name}. {_apart(one)}")
        for name, one in evidence.get("losses", {}).items()
        if one
    ]
    return section("Risk and detail", plot(drawn, caption), *losses)


def _apart(told: Mapping[str, Any]) -> str:
    nothing = f"{figure(told['zero'])} of {figure(told['records'])} records lose nothing"
    return f"{nothing}, {figure(told['infinite'])} lose without bound." if told["infinite"] else f"{nothing}."


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
    """What attackers were taken to hold."""
    return section(
        "Dictionaries",
        table(
            ["Name", "People in it", "Source", "Made"],
            [
                (one["name"], figure(one.get("everybody")), one.get("source"), one.get("made"))
                for one in evidence.get("dictionaries", [])
            ],
            (1,),
        ),
        facts({one["name"]: _hash(one.get("sha256")) for one in evidence.get("dictionaries", [])}),
    )


def _hash(value: Any) -> Any:
    return code(value) if value else "the data themselves"
