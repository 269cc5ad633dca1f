"""Linkage data: rows without names that an attacker may join to released records before looking people up."""

from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.table.dictionary import Known


@dataclass(frozen=True, eq=False)
class LinkageTable:
    """Rows that know some attributes and add others.

    Parameters
    ----------
    known : the attributes the rows know, in the order of the dataset's
    added : for every row the sum of the weights of the added columns that it fills

    Raises
    ------
    ValueError
        If the columns are not of one length, or a column is matched by likeness.
    """

    known: tuple[Known, ...]
    added: Numbers

    def __post_init__(self) -> None:
        if any(len(known.codes) != len(self.added) or known.alike is not None for known in self.known):
            raise ValueError("Linkage data are matched exactly, and all their columns have one length.")
        if (np.isnan(self.added) | (self.added < 0)).any():
            raise ValueError("Weights are not below 0.")

    def __len__(self) -> int:
        return len(self.added)
