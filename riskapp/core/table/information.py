"""What a released table has lost, measured on the table: less is better.

Average class size and discernibility look at the groups, the others at the cells.
"""

import numpy as np

from riskapp.core.table.anonymity import Groups
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.released import Floats, Released
from riskapp.core.table.utility import cell_utilities


def non_uniform_entropy(released: Released) -> float:
    """Bits it takes to name the original values again, given how common they are.

    It is the sum over records and attributes of −log₂(records with the original value / records under the released
    one). A value that was missing takes none, and it is under no released value.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 2, 1], dtype=np.int32))])
    >>> [non_uniform_entropy(Released.at(records, (level,))) for level in (0, 1, 2)]
    [0.0, 2.0, 6.0]
    """
    times = released.records.times
    bits = 0.0
    for place, column in enumerate(released.records.columns):
        bits += float(released.looked_up(place, _bits(column, times)) @ times)
    return bits


def _bits(column: CodedColumn, times: Counts) -> Floats:
    """For each level and leaf code log₂ of (records in the group / records with the leaf); 0 for what is not there."""
    ancestors = column.hierarchy.ancestors
    own = np.bincount(column.codes, weights=times, minlength=ancestors.shape[1])
    under = np.stack([np.bincount(codes, weights=own)[codes] for codes in ancestors])
    there = np.broadcast_to(own > 0, under.shape)
    ratios: Floats = np.divide(under, own, out=np.ones_like(under), where=there)
    return np.log2(ratios, out=ratios)


def average_class_size(groups: Groups) -> float:
    """Released rows for each group; 0 when every row is suppressed.

    >>> from riskapp.core.table.keys import Keys
    >>> average_class_size(Groups.of(Keys((np.array([3, 3, 1, 1, 3, 2]),), 4)))
    2.0
    """
    return float(groups.rows.sum() / len(groups)) if len(groups) else 0.0


def discernibility(groups: Groups) -> int:
    """For each row the number of rows that look like it, and for a suppressed row the number of all rows.

    >>> from riskapp.core.table.keys import Keys
    >>> discernibility(Groups.of(Keys((np.array([3, 3, 1]),), 4)))
    5
    >>> discernibility(Groups.of(Keys((np.array([3, 3, 1]),), 4), suppressed=np.array([False, False, True])))
    7
    """
    everybody = int(groups.times.sum())
    return int(groups.rows @ groups.rows) + (everybody - int(groups.rows.sum())) * everybody


def column_losses(released: Released) -> Floats:
    """LM_j for each attribute: the mean over records of (n − 1)/(m − 1), 0 when m = 1; a suppressed one counts 1."""
    times = released.records.times
    tables = [-cell_utilities(hierarchy, "lm") for hierarchy in released.hierarchies]
    each = [released.looked_up(place, table) for place, table in enumerate(tables)]
    losses = [np.where(released.suppressed, 1.0, cells) @ times / times.sum() for cells in each]
    return np.array(losses, dtype=np.float64)


def arx_loss(released: Released) -> float:
    """ARX's loss, for comparison: (∏_j (1 + LM_j))^(1/attributes) − 1.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1], dtype=np.int32))])
    >>> [arx_loss(Released.at(records, (level,))) for level in (0, 1, 2)]
    [0.0, 0.25, 1.0]
    """
    losses = column_losses(released)
    return float(np.prod(1.0 + losses) ** (1.0 / len(losses)) - 1.0)
