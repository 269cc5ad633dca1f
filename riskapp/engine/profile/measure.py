"""Measuring a whole table: column by column, then pairs, then what may be known about a person taken together."""

from collections.abc import Sequence

from riskapp.engine.coded import CodedTable
from riskapp.engine.profile.columns import Measured, measured
from riskapp.engine.profile.counting import count
from riskapp.engine.profile.figures import ColumnProfile, Looked, Part, People, Profile, Together
from riskapp.engine.profile.look import look
from riskapp.engine.profile.pairs import alone_together, measure_pairs
from riskapp.engine.profile.people import best_first, people
from riskapp.engine.profile.progress import TOTAL, Progress
from riskapp.engine.profile.source import Source
from riskapp.engine.profile.suggest import suggestions
from riskapp.engine.profile.suggest.facts import CERTAIN, Facts
from riskapp.engine.profile.value_types import type_of
from riskapp.engine.profile.words import many, number
from riskapp.engine.reporting import Report, silent

COLUMNS_END, PAIRS_END = 600, 950
# What an outsider may know of a person without being told: alone harmless, together a finger pointing.
KNOWN_TO_OTHERS = {"birth_date", "date", "age", "sex", "postcode", "place", "trait"}
KNOWN_MOST = 20


def profile(table: CodedTable, *, report: Report = silent) -> Profile:
    """The profile of a table. `report(done, total, words)` is called about every tenth of a second of work.

    The caller may raise `Stopped` from it; nothing is left behind.
    """
    progress = Progress(report)
    with Source(table, progress.tick) as source:
        columns, figures, who = _columns(table, source, progress)
        pairs = measure_pairs(source, figures, progress, COLUMNS_END, PAIRS_END)
        progress.at(PAIRS_END, TOTAL, 0, 1, "Combining what may be known about a person")
        together = _together(source, columns, figures, progress)
    progress.finish()
    notes = _notes(columns, pairs.not_measured, pairs.all)
    return Profile(table.rows, tuple(columns), pairs, together, best_first(who), notes)


def _columns(
    table: CodedTable, source: Source, progress: Progress
) -> tuple[list[ColumnProfile], list[Measured], list[People]]:
    columns, figures, who = [], [], []
    for column, name in enumerate(table.names):
        progress.at(0, COLUMNS_END, column, len(table.names), f"Looking at column {column + 1} of {len(table.names)}")
        facts = measure_column(table, source, column, name, progress)
        told = _told(facts, column)
        columns.append(told)
        figures.append(facts.measured)
        who += [found for found in [people(facts, [each.kind for each in told.suggestions], column)] if found]
    return columns, figures, who


def measure_column(table: CodedTable, source: Source, column: int, name: str, progress: Progress) -> Facts:
    """The figures, the type and the values to look at of one column."""
    counts = count(source.codes(column), table.distinct[column] + 1, progress.tick)
    values = look(table, column, counts, progress.tick)
    return Facts(name, measured(counts, progress.tick), type_of(values), values)


def _told(facts: Facts, column: int) -> ColumnProfile:
    it = facts.measured
    return ColumnProfile(
        position=column,
        name=facts.name,
        missing=Part.of(it.missing, it.rows),
        distinct=it.distinct,
        alone=Part.of(it.alone, it.rows),
        type=facts.type,
        looked_at=Looked(len(facts.look.values), facts.look.all),
        suggestions=suggestions(facts),
    )


def _together(
    source: Source, columns: Sequence[ColumnProfile], figures: Sequence[Measured], progress: Progress
) -> Together | None:
    known = [column.position for column in columns if _known_to_others(column)]
    chosen = sorted(sorted(known, key=lambda column: -figures[column].bits)[:KNOWN_MOST])
    if len(chosen) < 2:
        return None
    alone = alone_together(source, chosen, figures, progress.tick)
    return Together(tuple(chosen), len(known) - len(chosen), Part.of(alone, figures[0].rows))


def _known_to_others(column: ColumnProfile) -> bool:
    kinds = {suggestion.kind for suggestion in column.suggestions}
    pointing = ("identifier", CERTAIN) in {(each.kind, each.confidence) for each in column.suggestions}
    return bool(kinds & KNOWN_TO_OTHERS) and not pointing


def _notes(columns: Sequence[ColumnProfile], not_measured: int, pairs: int) -> tuple[str, ...]:
    """What the profile does not rest on, in sentences."""
    sampled = [column for column in columns if not column.looked_at.all]
    notes = [
        f"Column {column.name}: type and suggestions were found from {number(column.looked_at.values)} of its "
        f"{many(column.distinct, 'different value', 'different values')}; all counts of rows are exact."
        for column in sampled
    ]
    if not_measured:
        notes.append(
            f"{number(not_measured)} of {many(pairs, 'pair', 'pairs')} of columns were not measured; "
            "those that tell most were."
        )
    return tuple(notes)
