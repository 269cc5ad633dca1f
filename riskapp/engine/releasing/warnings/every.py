"""Warnings about a rule: what may go wrong although its figures are within the limits, and what to do about it.

They hold counts and names of columns and dictionaries, and no value of the data.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from riskapp.engine.cut_from_data import begun_at_data, listed_from_data
from riskapp.engine.releasing.betrayed import betrayed, betrayed_by_absence
from riskapp.engine.releasing.report.words import figure, in_a_row, so_many
from riskapp.engine.releasing.warnings import earlier, groups
from riskapp.engine.releasing.warnings.warned import Circumstances, Warned
from riskapp.engine.ruling import Ruling

TIMES_THE_MEAN = 10.0
"""Where the class limits no chance, a loss of so many times the mean is one to look at."""
FEW = 2
"""Among so many rules nobody can have looked for one that pleases."""


def warnings(found: Ruling, circumstances: Circumstances | None = None) -> list[dict[str, Any]]:
    """Every warning about a rule and its table, the gravest kinds first."""
    given = circumstances or Circumstances()
    every = [
        *earlier.intersecting(given),
        *earlier.by_columns(given),
        *earlier.in_doubt(given),
        *earlier.not_compared(given),
        *groups.homogeneous(found),
        *groups.skewed(found),
        *groups.similar(found),
        *_uncovered(found),
        *_large_losses(found, given.chance_limit),
        *_betrayed(found),
        *_chosen(found, given),
        *_old(given),
        *_listed_from_data(found),
        *_begun_at_data(found),
    ]
    return [asdict(one) for one in every]


def _uncovered(found: Ruling) -> Iterator[Warned]:
    for name, told in found.found.evaluation.people.items():
        if told.uncovered:
            about = f"Nobody in {name} fits {so_many(told.uncovered, 'person', 'people')} of the data."
            do = "Its figures say nothing about them. Find a dictionary that has them, or measure against the data too."
            yield Warned("uncovered", name, told.uncovered, about, do)


def _large_losses(found: Ruling, chance: float | None) -> Iterator[Warned]:
    attacks = [attack for attack in found.attacks.values() if attack is not None]
    losses = np.max([some for attack in attacks for some in attack.losses.values()], axis=0)
    finite = losses[np.isfinite(losses)]
    mean = float(finite.mean()) if len(finite) else 0.0
    bound = found.usual_loss(chance) if chance else TIMES_THE_MEAN * mean
    many = int((losses > bound).sum())
    if many and mean <= bound:
        have = "has" if many == 1 else "have"
        of = "which somebody of average harm has at the limit on the chance" if chance else "ten times the mean"
        about = (
            f"{so_many(many, 'record')} {have} a chance times harm above {bound:.3g} ({of}), though the mean is "
            f"{mean:.3g}."
        )
        do = "Look at the worst records, and repair to a limit on the largest chance."
        yield Warned("large-losses", "", many, about, do)


def _betrayed(found: Ruling) -> Iterator[Warned]:
    for place, name in enumerate(found.problem.names):
        many = betrayed(found.released, place)
        if many:
            about = (
                f"In {name} all values of a group but one are shown elsewhere, which betrays {so_many(many, 'cell')}."
            )
            do = f"Generalise {name} for the whole group or for nobody: take a whole-table rule, or one by region."
            yield Warned("all-but-one", name, many, about, do)
        if lacking := betrayed_by_absence(found.released, place):
            about = (
                f"All values of {name} but one are shown, so that a reader may guess it of suppressed rows; "
                f"{so_many(lacking, 'row')} {'has' if lacking == 1 else 'have'} it."
            )
            do = f"Coarsen {name}, so that what is rare stands in a group with others, or suppress another value too."
            yield Warned("all-but-one", f"{name}, suppressed rows", lacking, about, do)


def _chosen(found: Ruling, given: Circumstances) -> Iterator[Warned]:
    asked_for = given.best == found.found.id
    if given.considered <= FEW or (asked_for and given.runs == 1):
        return
    among = f"{figure(given.considered)}{f' of {given.runs} runs of these data' if given.runs > 1 else ''}"
    if asked_for:
        asked = "the question that it answers was asked after other runs"
    elif given.best:
        asked = "it is not the one that the question asked for"
    else:
        asked = "it answers no question asked before"
    about = f"The rule was chosen among {among} after their figures were seen, and {asked}."
    do = "Say why this one. Ask the question first where you can, and see how it fares when weights are drawn again."
    yield Warned("chosen-after-looking", "", given.considered, about, do)


def _old(given: Circumstances) -> Iterator[Warned]:
    if given.data_until is None:
        return
    for name, made in given.dictionaries_from.items():
        if made < given.data_until:
            days = (given.data_until - made).days
            about = f"{name} is {so_many(days, 'day')} older than the data{_by_upload(given, name)}."
            yield Warned("old-dictionary", name, days, about, "Fetch a newer one: people who came since are not in it.")


def _by_upload(given: Circumstances, name: str) -> str:
    """Which of the two days nobody gave, so that the day of the upload stands for it."""
    if given.data_by_upload and name in given.by_upload:
        return ", by the days on which both were uploaded"
    if given.data_by_upload:
        return ", by the day on which the data were uploaded"
    return ", by the day on which it was uploaded" if name in given.by_upload else ""


def _listed_from_data(found: Ruling) -> Iterator[Warned]:
    names = listed_from_data(found.problem, found.prepared.assessment.attributes)
    if names:
        about = (
            f"{'The hierarchy' if len(names) == 1 else 'Each hierarchy'} of {in_a_row(names, 'and')} lists exactly the "
            "values that occur: it may have been made from the data, and the codebook then tells what is in them."
        )
        do = "Say where the groups come from, or take a list that was there before: official regions, a standard."
        yield Warned("derived-hierarchy", ", ".join(names), len(names), about, do)


def _begun_at_data(found: Ruling) -> Iterator[Warned]:
    for name in begun_at_data(found.problem, found.prepared.assessment.attributes):
        about = f"The intervals of {name} begin at the least value of the data, which the first of them betrays."
        do = f"Let the intervals of {name} begin at a round number, such as a multiple of their width."
        yield Warned("begun-at-data", name, 1, about, do)
