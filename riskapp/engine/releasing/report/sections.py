"""The sections of the report, each from its part of the evidence; a section without evidence is left out."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from riskapp.engine.releasing.report.elements import (
    Html,
    block,
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
                "Legal basis": release.get("legal_basis"),
                "Impact assessment": release.get("dpia"),
                "Expires": release.get("expires") and day(release["expires"]),
                "Rule": Html(f"{code(rule['id'])}: {safe(FAMILIES.get(rule['family'], rule['family']))}"),
            }
        ),
        table(["Column", "Released as"], [(one["column"], one["text"]) for one in evidence.get("columns", [])]),
    )


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


def attack(evidence: Evidence) -> Html:
    """The file attacked once."""
    told = evidence.get("attack")
    if not told:
        return Html("")
    rows = [row for name, one in told["dictionaries"].items() for row in _attacks(name, one)]
    return section(
        "The file, attacked once",
        paragraph("Guesses that would be right are counted where a dictionary carries the truth."),
        table(["Attacker", "Attack", "People found", "For certain", "Right guesses"], rows, (2, 3, 4)),
        listed(_not_done(told["dictionaries"])),
        listed(_betrayed(name, one) for name, one in told["sensitive"].items()),
        _together(told.get("intersection")),
    )


def _not_done(dictionaries: Mapping[str, Any]) -> Iterator[str]:
    for name, told in dictionaries.items():
        if "not_done" in told["one_to_one"]:
            yield f"{name}, one to one: {told['one_to_one']['not_done']}"


def _attacks(name: str, told: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    yield name, "guessing, without the release", figure(told["without_release"]), "0", "–"
    for how, words in (("consistency", "who fits the rows"), ("replay", "who fits after replaying the rule")):
        one = told[how]
        if one is None:
            yield name, f"{words}: not done, too many records are possible", "–", "–", "–"
        else:
            right = one["right"]
            yield name, words, figure(one["expected_found"]), figure(one["singled_out"]), _right(right, "expected")
    one = told["one_to_one"]
    if "not_done" not in one:
        given = f"{figure(one['assigned'])} assigned"
        yield name, "each row its own person", given, figure(one["forced"]), _right(one["right"], "assigned")


def _right(right: Mapping[str, Any] | None, name: str) -> str:
    return "not known" if right is None else figure(right[name])


def _betrayed(name: str, told: Mapping[str, Any]) -> str:
    found = (
        f"{name}: known for certain of {figure(told['people'])} people in {figure(told['homogeneous_groups'])} groups"
    )
    more = [
        f"of {figure(one['known'])} people by somebody who can rule out {one['ruled_out']} of the values"
        for one in told["background"]
        if one["ruled_out"]
    ]
    return f"{'; '.join([found, *more])}."


def _together(told: Mapping[str, Any] | None) -> Html:
    if not told:
        return Html("")
    many = len(told["releases"]) - 1
    earlier = "an earlier release" if many == 1 else f"{many} earlier releases"
    return paragraph(
        f"Together with {earlier}, sharing {figure(told['shared'])} people: "
        f"{figure(told['singled_out'])} singled out, {figure(told['newly_singled_out'])} of them by no release alone."
    )


def analyses(evidence: Evidence) -> Html:
    """What analysts would find before and after."""
    return section(
        "Analyses before and after",
        *(
            Html(heading(one["name"]) + _analysis(one) + paragraph(one.get("read")))
            for one in evidence.get("analyses", [])
        ),
    )


def _analysis(told: Mapping[str, Any]) -> Html:
    if "not_done" in told:
        return paragraph(told["not_done"])
    if told["kind"] == "counts":
        by = " and ".join(told["columns"])
        return paragraph(f"Counted by {by}: {share(told['elsewhere'])} of the records stand elsewhere in the release.")
    if told["kind"] == "mean":
        return facts({f"Mean of {told['of']}": f"{figure(told['before'])} before, {figure(told['after'])} after"})
    ways = {how: (told[how] or {}).get("coefficients", {}) for how in ("before", "after")}
    names = ways["before"] or ways["after"]
    rows = [(name, figure(ways["before"].get(name)), figure(ways["after"].get(name))) for name in names]
    return table([f"{told['of']} explained by", "Before", "After"], rows, (1, 2))


def warned(evidence: Evidence) -> Html:
    """Warnings, what to do, and what was answered."""
    rows = [(one["about"], one["do"], one.get("answer")) for one in evidence.get("warnings", [])]
    empty = "" if rows or "warnings" not in evidence else paragraph("There were none.")
    return section("Warnings and answers", table(["Warning", "What to do", "Answer"], rows), empty)


def decisions(evidence: Evidence) -> Html:
    """Approvals and advice."""
    approvals = [
        (one["by"], one.get("decision", "approved"), day(one["at"]), one.get("reason"))
        for one in evidence.get("approvals", [])
    ]
    advice = [
        (one["by"], one["advice"], "followed" if one["followed"] else "not followed", one.get("why"))
        for one in evidence.get("advice", [])
    ]
    return section(
        "Approvals and advice",
        table(["Who", "Decision", "When", "Reason"], approvals),
        table(["Who advised", "Advice", "", "Why"], advice),
    )


def proof(evidence: Evidence) -> Html:
    """Hashes, seeds and versions, and how to check them."""
    manifest = evidence.get("manifest", {})
    bound = manifest.get("bound", {})
    hashes = {
        "Released file": bound.get("output"),
        "Dataset": bound.get("dataset"),
        "Assessment": bound.get("assessment"),
        "Binding of the approval": manifest.get("binding"),
        "Digest of the manifest": manifest.get("digest"),
    }
    return section(
        "Proof",
        facts({name: code(value) for name, value in hashes.items() if value}),
        facts({"Seed": manifest.get("seed"), "Order of rows": manifest.get("order")}),
        facts(evidence.get("software") or {}),
        paragraph("Check a file that you received: manage.py verify_release FILE MANIFEST --digest DIGEST"),
    )


def parameters(evidence: Evidence) -> Html:
    """The assessment as it was given, so that the figures can be computed again."""
    given = evidence.get("parameters")
    return section("Parameters", block(yaml.safe_dump(given, allow_unicode=True, sort_keys=False)) if given else "")


SECTIONS = (
    what,
    figures,
    three_questions,
    plots,
    trust,
    dictionaries,
    attack,
    analyses,
    warned,
    decisions,
    proof,
    parameters,
)
