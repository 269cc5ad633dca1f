"""Warnings about earlier releases: whom they single out together with this one, and which cannot be compared."""

from collections.abc import Iterator, Mapping

from riskapp.engine.releasing.attack.lining_up import Doubt
from riskapp.engine.releasing.report.words import figure, so_many
from riskapp.engine.releasing.warnings.warned import Circumstances, Warned, people_are, that_of


def intersecting(given: Circumstances) -> Iterator[Warned]:
    together = given.intersection
    if not together:
        return
    if together["newly_singled_out"]:
        many = together["newly_singled_out"]
        already = given.without_it["newly_singled_out"] if given.without_it else 0
        about = (
            f"Together with earlier releases {people_are(many)} singled out, though no release alone does it."
            f"{_already(already)}"
        )
        yield Warned("intersection", "", many, about, "Release the same columns as before, or coarser ones.")
    for column, told in together["sensitive"].items():
        if told["newly_exposed"]:
            many = told["newly_exposed"]
            before = given.without_it["sensitive"].get(column, {}) if given.without_it else {}
            about = (
                f"Together with earlier releases the {column} of {that_of(many)} known for certain."
                f"{_already(before.get('newly_exposed', 0))}"
            )
            yield Warned("intersection", column, many, about, f"Leave {column} out, or form the same groups as before.")


def _already(many: int) -> str:
    """What the earlier releases say together by themselves: this one is not to blame for that."""
    return f" By the earlier releases alone it is {figure(many)} already." if many else ""


def by_columns(given: Circumstances) -> Iterator[Warned]:
    told = given.by_columns
    if not told:
        return
    columns = ", ".join(sorted({column for one in told["releases"] for column in one["columns"]}))
    many = so_many(len(told["releases"]), "earlier release")
    how = f"By the columns shared with {many} ({columns})"
    if told["newly_singled_out"]:
        people = so_many(told["newly_singled_out"], "person", "people")
        sure = f", {figure(told['in_any_case'])} whatever their group there" if told["in_any_case"] else ""
        about = f"{how}, {people} of this one would be singled out if they are in it too{sure}. Who is is not known."
        do = "Find out who is in both. Release the same columns as before, or coarser ones."
        yield Warned("intersection", "shared columns", told["newly_singled_out"], about, do)
    for column, number in told["sensitive"].items():
        if number:
            people = so_many(number, "person", "people")
            about = f"{how}, the {column} of {people} would be known for certain if they are in it too."
            do = f"Find out who is in both. Leave {column} out, or form the same groups as before."
            yield Warned("intersection", f"{column}, shared columns", number, about, do)


IN_DOUBT = {
    Doubt.NOBODY_IN_BOTH: "nobody has the same identifier in both, so it was compared by the columns that both have",
    Doubt.OTHER_VALUES: (
        "who has the same identifier in both has other values there, so it was compared by the columns that both have"
    ),
    Doubt.ROWS_COUNTED: (
        "its identifier or this one's only counts rows, so that the same number may be somebody else; it was compared "
        "by it for want of columns that could tell"
    ),
}
UNHELD = {
    Doubt.NOTHING_KEPT: "nothing was kept of who is in it",
    Doubt.OTHER_KEY: "its people were noted with another secret key of the server",
    Doubt.OTHER_WAY: "no identifier and no column is in both",
    Doubt.NOBODY_IN_BOTH: "nobody has the same identifier in both, and no column is in both",
    Doubt.OTHER_VALUES: "who has the same identifier in both has other values there",
    Doubt.TOO_LARGE: "there are too many groups to compare",
}


def in_doubt(given: Circumstances) -> Iterator[Warned]:
    """Where an intersection that found nobody would say nothing, as the identifiers may not be the same people's."""
    if many := sum(given.doubts.values()):
        about = f"It is not known who is in this one and in {_earlier(many)}: {_because(given.doubts, IN_DOUBT)}."
        do = "Find out who is in both. Keep one identifier for a person in all releases, and not the number of a row."
        yield Warned("identifiers-in-doubt", "", many, about, do)


def not_compared(given: Circumstances) -> Iterator[Warned]:
    if many := sum(given.unheld.values()):
        about = f"{_earlier(many)} cannot be held against this one: {_because(given.unheld, UNHELD)}."
        do = "Find out by hand who has both. Keep one identifier, or the same columns, in all releases of a project."
        yield Warned("not-compared", "", many, about, do)


def _earlier(many: int) -> str:
    return so_many(many, "earlier release")


def _because(why: Mapping[Doubt, int], words: Mapping[Doubt, str]) -> str:
    """The reasons; each with how many it is of, where there are several."""
    told = [(number, words[one]) for one, number in why.items()]
    return told[0][1] if len(told) == 1 else "; ".join(f"of {number}, {one}" for number, one in told)
