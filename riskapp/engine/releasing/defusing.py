"""Cells of a release that a spreadsheet would take for a formula, made harmless, and made as they were again.

A plain number such as -5 is no formula and stays.
"""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.decimals import NUMBER
from riskapp.core.table.value_list import TEXT, Flags, Texts, flags
from riskapp.engine import formulas
from riskapp.engine.formulas import DANGER


def dangerous(cells: Texts) -> Flags:
    """Which cells a spreadsheet might compute.

    >>> from riskapp.core.table.value_list import texts
    >>> dangerous(texts(["=1+1", "-5", "a;@b", "a-b", None])).tolist()
    [True, False, True, False, False]
    """
    number = flags(pc.match_substring_regex(cells, NUMBER))
    return flags(pc.match_substring_regex(cells, DANGER)) & ~number


def defused(cells: Texts) -> Texts:
    """The cells with every dangerous beginning made harmless.

    >>> from riskapp.core.table.value_list import texts
    >>> defused(texts(["=1+1", "-5", "'=x", "a;@b", None])).to_pylist()
    ["'=1+1", '-5', "''=x", "a;'@b", None]
    """
    return _changed(cells, dangerous(cells), formulas.defused)


def fused(cells: Texts) -> Texts:
    """The cells as they were before `defused`.

    >>> from riskapp.core.table.value_list import texts
    >>> fused(texts(["'=1+1", "-5", "''=x", "a;'@b", "it's", None])).to_pylist()
    ['=1+1', '-5', "'=x", 'a;@b', "it's", None]
    """
    return _changed(cells, flags(pc.match_substring_regex(cells, DANGER)), formulas.fused)


def _changed(cells: Texts, which: Flags, change: Callable[[str], str]) -> Texts:
    """Such cells are rare, so one by one."""
    if not np.any(which):
        return cells
    chosen = pa.array(which)
    fresh = [change(cell) for cell in cells.filter(chosen).to_pylist()]
    return pc.replace_with_mask(cells, chosen, pa.array(fresh, TEXT))
