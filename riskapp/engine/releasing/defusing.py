"""Cells that a spreadsheet would take for a formula, made harmless by an apostrophe, and made as they were again.

A spreadsheet computes what begins with = + - or @, and some look behind a tab, a line's end or NUL for that. A cell
pasted from another dialect may begin anew after a semicolon, a tab or a line's end inside the text. Each such beginning
gets one apostrophe more than it has; a plain number such as -5 is no formula and stays. Because apostrophes that stand
there already are counted, what was done can be undone without knowing the text.
"""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.decimals import NUMBER
from riskapp.core.table.value_list import TEXT, Flags, Texts, flags

BEGINS = "=+\\-@\t\r\n\0＝＋－＠"
DANGER = rf"(?:^|[;\t\r\n])[ ]*'*[{BEGINS}]"
MORE = re.compile(rf"(?:^|(?<=[;\t\r\n]))([ ]*'*)(?=[{BEGINS}])")
LESS = re.compile(rf"(?:^|(?<=[;\t\r\n]))([ ]*'*)'(?=[{BEGINS}])")


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
    return _changed(cells, dangerous(cells), MORE, r"\1'")


def fused(cells: Texts) -> Texts:
    """The cells as they were before `defused`.

    >>> from riskapp.core.table.value_list import texts
    >>> fused(texts(["'=1+1", "-5", "''=x", "a;'@b", "it's", None])).to_pylist()
    ['=1+1', '-5', "'=x", 'a;@b', "it's", None]
    """
    return _changed(cells, flags(pc.match_substring_regex(cells, DANGER)), LESS, r"\1")


def _changed(cells: Texts, which: Flags, pattern: re.Pattern[str], by: str) -> Texts:
    """Such cells are rare, so one by one."""
    if not np.any(which):
        return cells
    chosen = pa.array(which)
    fresh = [pattern.sub(by, cell) for cell in cells.filter(chosen).to_pylist()]
    return pc.replace_with_mask(cells, chosen, pa.array(fresh, TEXT))
