"""A problem's records and dictionaries as rows: equal ones once, their values packed into words."""

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers, total
from riskapp.core.rolled.dictionaries import is_itself
from riskapp.core.search.anytime_classes import grouped
from riskapp.core.search.anytime_keys import Layout, Words
from riskapp.core.search.anytime_rows import Held, Rows
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.identification import Identification
from riskapp.core.table.keys import once
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import like_missing


def rows_of(problem: Problem) -> Rows | None:
    """The rows of a problem; None when only the general way of measuring is left."""
    named = problem.people is not None or any(one.identities is not None for one in problem.dictionaries)
    layout = Layout.of(problem.hierarchies)
    if named or layout is None or problem.linkage is not None or like_missing(map(problem.column, problem.grouped)):
        return None
    columns = [column.column.codes for column in problem.columns]
    words, kinds = layout.packed(columns, [0] * len(columns)), _kinds(problem)
    several = bool(kinds.any())
    if several:
        words = np.column_stack([words, kinds])
    weights = np.ones(len(problem)) if problem.record_weights is None else problem.record_weights
    shares = weights / weights.max() / total(weights / weights.max())
    every = grouped(words, np.full(words.shape[1], ~np.uint64(0)), np.ones(len(words), np.int64), shares)[0]
    codes = np.stack([own[every.first] for own in columns], axis=1)
    held = tuple(_held(problem, layout, dictionary, several) for dictionary in problem.dictionaries)
    return Rows(problem, layout, words[every.first], codes, every.first, every.kind, every.times, every.weights, held)


def _held(problem: Problem, layout: Layout, dictionary: Dictionary, kinds: bool) -> Held:
    columns = [problem.column(place) for place in range(len(problem.columns))]
    known = {one.place: one for one in dictionary.known}
    holes = any(not one.codes.all() or not columns[one.place].codes.all() for one in dictionary.known)
    if holes or any(one.alike is not None for one in dictionary.known) or not len(dictionary):
        return Held(dictionary, None, None, Identification(dictionary, columns))
    if is_itself(problem, dictionary):
        return Held(dictionary, None, None, None)
    places = range(len(columns))
    words = layout.packed(
        [known[place].codes if place in known else None for place in places],
        [known[place].level if place in known else 0 for place in places],
    )
    if kinds:
        words = np.column_stack([words, np.zeros(len(words), np.uint64)])
    many = np.ones(len(words), np.int64) if dictionary.times is None else dictionary.times
    own = grouped(words, np.full(words.shape[1], ~np.uint64(0)), many, np.zeros(len(words)))[0]
    return Held(dictionary, words[own.first], own.times, None)


def _kinds(problem: Problem) -> Words:
    """A number for what a record's generalised values do not tell about Φ, or about how missing cells are met."""
    untold: list[npt.NDArray[np.generic]] = []
    for column in problem.columns:
        if column.personal is not None:
            untold.append(np.nan_to_num(column.personal, nan=-1.0))
        elif not all(map(_told, column.column.hierarchy.ancestors, column.weights.levels)):
            untold.append(column.column.codes)
    if problem.sensitivity.totals is not None:
        untold += list(problem.sensitivity.totals)
    kinds = np.zeros(len(problem), np.int64)
    for own in untold:
        _, numbers = np.unique(own, return_inverse=True)
        kinds = once(kinds * (int(numbers.max(initial=0)) + 1) + numbers, 1 << 62).kind.astype(np.int64)
    return kinds.astype(np.uint64)


def _told(groups: Codes, weights: Numbers) -> bool:
    """Whether all leaves of a group weigh the same."""
    first = np.zeros(int(groups.max()) + 1, np.int64)
    first[groups[::-1]] = np.arange(len(groups) - 1, -1, -1)
    return bool((weights == weights[first[groups]]).all())
