"""What was tried on the file: attacks, and analyses before and after."""

from collections.abc import Iterator, Mapping
from typing import Any

from riskapp.engine.releasing.report.elements import Html, facts, heading, listed, paragraph, section, table
from riskapp.engine.releasing.report.words import figure, share, so_many

Evidence = Mapping[str, Any]
UNMOVED = {"at_most": 0.0}


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
    """What analysts find in the release, and roughly how far that lies from what the data say."""
    told = evidence.get("analyses", [])
    return section(
        "Analyses before and after",
        paragraph(COARSE if told else "", "note"),
        *(Html(heading(one["name"]) + _analysis(one) + paragraph(one.get("read"))) for one in told),
    )


COARSE = (
    "How far an answer is moved is told roughly, and not at all where few rows are hidden or coarsened: beside the "
    "file, an exact answer from the data would give away what is hidden. Moves of a mean are parts of the standard "
    "deviation in the data, those of a coefficient parts of the larger of both."
)


def _analysis(told: Mapping[str, Any]) -> Html:
    if "not_done" in told:
        return paragraph(f"Not told: {told['not_done']}")
    if told["kind"] == "counts":
        by = " and ".join(told["columns"])
        return paragraph(f"Counted by {by}: {_elsewhere(told['change'])} elsewhere in the release.")
    if told["kind"] == "mean":
        return facts({f"Mean of {told['of']}": _mean(told)})
    found, moved = (told["after"] or {}).get("coefficients", {}), told["change"] or {}
    rows = [(name, _computed(value), _roughly(moved.get(name))) for name, value in found.items()]
    empty = "" if rows else paragraph(f"{told['of']}: cannot be computed from the release.")
    return Html(table([f"{told['of']} explained by", "In the release", "Moved by"], rows, (1, 2)) + empty)


def _elsewhere(change: Mapping[str, float]) -> str:
    """
    >>> _elsewhere({"at_most": 0.0}), _elsewhere({"at_most": 0.05})
    ('no record stands', 'at most 5 % of the records stand')
    """
    return "no record stands" if change == UNMOVED else f"{_roughly(change)} of the records stand"


def _mean(told: Mapping[str, Any]) -> str:
    if told["after"] is None:
        return "cannot be computed from the release"
    if told["change"] == UNMOVED:
        return f"{figure(told['after'])} in the release, as in the data"
    found, groups = f"{figure(told['after'])} in the release, moved by {_roughly(told['change'])}", told.get("groups")
    if not isinstance(groups, Mapping) or not groups["largest_change"]:
        return found
    within = f"{groups['compared']} of the {groups['number']} groups of {told['columns'][0]} that the release shows"
    return f"{found}; within {within} by {_roughly(groups['largest_change'])}"


def _computed(value: Any) -> str:
    return "cannot be computed" if value is None else figure(value)


def _roughly(change: Mapping[str, float] | None) -> str:
    """
    >>> _roughly({"at_most": 0.05}), _roughly({"above": 0.5}), _roughly({"at_most": 0.0}), _roughly(None)
    ('at most 5 %', 'more than 50 %', 'nothing', 'what cannot be told')
    """
    if change is None:
        return "what cannot be told"
    if "above" in change:
        return f"more than {share(change['above'])}"
    return f"at most {share(change['at_most'])}" if change["at_most"] else "nothing"
