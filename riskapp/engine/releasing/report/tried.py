"""What was tried on the file: attacks, and analyses before and after."""

from collections.abc import Iterator, Mapping
from typing import Any

from riskapp.engine.releasing.report.elements import Html, facts, heading, listed, paragraph, section, table
from riskapp.engine.releasing.report.words import figure, share, so_many

Evidence = Mapping[str, Any]


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
        listed(_drawn(told["dictionaries"])),
        listed(_betrayed(name, one) for name, one in told["sensitive"].items()),
        _together(told.get("intersection")),
        _by_columns(told.get("by_columns")),
    )


def _not_done(dictionaries: Mapping[str, Any]) -> Iterator[str]:
    for name, told in dictionaries.items():
        if "not_done" in told["one_to_one"]:
            yield f"{name}, one to one: {told['one_to_one']['not_done']}"


def _drawn(dictionaries: Mapping[str, Any]) -> Iterator[str]:
    """Where rows could be assigned otherwise, the right guesses are those of one assignment among several."""
    for name, told in dictionaries.items():
        one = told["one_to_one"]
        free = one.get("assigned", 0) - one.get("forced", 0)
        if free and one["right"] is not None:
            yield (
                f"{name}, each row its own person: {figure(free)} rows could also be given somebody else. This is one "
                "of several assignments that give as many rows a person; where they are equally likely the seed of the "
                "assessment drew lots, and another draw has a few more or fewer right."
            )


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
    people, groups = so_many(told["people"], "person", "people"), so_many(told["homogeneous_groups"], "group")
    found = f"{name}: known for certain of {people} in {groups}"
    more = [
        f"of {so_many(one['known'], 'person', 'people')} by somebody who can rule out {one['ruled_out']} of the values"
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


def _by_columns(told: Mapping[str, Any] | None) -> Html:
    if not told:
        return Html("")
    columns = ", ".join(sorted({column for one in told["releases"] for column in one["columns"]}))
    return paragraph(
        f"Earlier releases with another way to tell people apart: {len(told['releases'])}, compared pair by pair by "
        f"the columns that both have ({columns}). Who is in both is not known. Of the {figure(told['shared'])} people "
        f"of this release who could be, {figure(told['singled_out'])} would be singled out if they are, "
        f"{figure(told['newly_singled_out'])} of them by no release alone and {figure(told['in_any_case'])} whatever "
        "their group there. It holds against somebody who knows in which groups a person is, and not against three "
        "releases put together."
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


def _mean(told: Mapping[str, Any]) -> str:
    found, groups = f"{_computed(told['before'])} before, {_computed(told['after'])} after", told.get("groups")
    if not isinstance(groups, Mapping):
        return found
    return (
        f"{found}; within the {groups['number']} groups of {told['columns'][0]} that the release shows it moves by at "
        f"most {figure(groups['largest_change'])}"
    )


def _computed(value: Any) -> str:
    return "cannot be computed" if value is None else figure(value)


def _analysis(told: Mapping[str, Any]) -> Html:
    if "not_done" in told:
        return paragraph(told["not_done"])
    if told["kind"] == "counts":
        by = " and ".join(told["columns"])
        return paragraph(f"Counted by {by}: {share(told['elsewhere'])} of the records stand elsewhere in the release.")
    if told["kind"] == "mean":
        return facts({f"Mean of {told['of']}": _mean(told)})
    ways = {how: (told[how] or {}).get("coefficients", {}) for how in ("before", "after")}
    names = ways["before"] or ways["after"]
    rows = [(name, _computed(ways["before"].get(name)), _computed(ways["after"].get(name))) for name in names]
    return table([f"{told['of']} explained by", "Before", "After"], rows, (1, 2))
