"""The truth: which entries of a dictionary are about the person of a record, where the dictionary carries that.

The dataset as its own dictionary always does. A file does where its identity and the dataset's identifier are the same
names or numbers.
"""

from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from riskapp.core.table.keys import Places
from riskapp.core.table.matching import ranges
from riskapp.engine.assess import Prepared
from riskapp.engine.assessment.records import Records
from riskapp.engine.assessment.settings import FileKey
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Column, Known, Tables


class Truth(NamedTuple):
    """Pairs of a record and an entry that are about one person, in the order of the records."""

    records: Places
    entries: Places


def truths(prepared: Prepared, known: Known = NOTHING_KNOWN) -> dict[str, Truth | None]:
    """For each dictionary its truth; None where it carries none: no identity, or nobody in both.

    Parameters
    ----------
    prepared : the assessment
    known : files that were read before, as `prepare` takes them
    """
    assessment = prepared.assessment
    own = np.arange(len(prepared.problem))
    found: dict[str, Truth | None] = {}
    with Tables.of(assessment.folder, assessment.dataset.missing, known=known) as tables:
        records = Records.of(assessment.dataset, tables)
        for given in assessment.dictionaries:
            if not isinstance(given, FileKey):
                found[given.name] = Truth(own, own)
            elif given.identity is None or records.identifier is None:
                found[given.name] = None
            else:
                table = tables.open(f"{given.key}.file", given.file, may_be_empty=True)
                found[given.name] = _joined(records.identifier, table.column(given.identity, f"{given.key}.identity"))
    return found


def _joined(people: Column, entries: Column) -> Truth | None:
    """The pairs of rows that hold the same name, missing ones apart."""
    same = pc.fill_null(pc.index_in(people.values, value_set=entries.values), 0).to_numpy()
    wanted = np.where(people.codes > 0, same[people.codes], 0)
    order = np.argsort(entries.codes, kind="stable")
    starts = np.searchsorted(entries.codes[order], np.arange(len(entries.values) + 1))
    many = np.where(wanted > 0, np.diff(starts)[wanted], 0)
    if not many.any():
        return None
    return Truth(np.repeat(np.arange(len(wanted)), many), order[ranges(starts[wanted], many)])
