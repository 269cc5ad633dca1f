"""Warnings about earlier releases: whom they single out together with this one, and which cannot be compared."""

from collections.abc import Iterator

from riskapp.engine.releasing.report.words import figure, so_many
from riskapp.engine.releasing.warnings.warned import Circumstances, Warned, people_are, that_of


def intersecting(given: Circumstances) -> Iterator[Warned]:
    together = given.intersection
    if not together:
        return
    if together["newly_singled_out"]:
        many = together["newly_singled_out"]
        about = f"Together with earlier releases {people_are(many)} singled out, though no release alone does it."
        yield Warned("intersection", "", many, about, "Release the same columns as before, or coarser ones.")
    for column, told in together["sensitive"].items():
        if told["newly_exposed"]:
            many = told["newly_exposed"]
            about = f"Together with earlier releases the {column} of {that_of(many)} known for certain."
            yield Warned("intersection", column, many, about, f"Leave {column} out, or form the same groups as before.")


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


def not_compared(given: Circumstances) -> Iterator[Warned]:
    if given.not_compared:
        many = so_many(given.not_compared, "earlier release")
        about = f"{many} cannot be held against this one: no column, or nothing that was kept, tells who is in both."
        do = "Find out by hand who has both. Keep one identifier, or the same columns, in all releases of a project."
        yield Warned("not-compared", "", given.not_compared, about, do)
