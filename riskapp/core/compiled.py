"""How hot loops are compiled: once for each kind of argument, outside Python's lock, and kept on disk.

What was compiled lies beside the modules, or where NUMBA_CACHE_DIR says. Where neither can be written it is compiled
anew in every process.
"""

import os
from pathlib import Path

import numba as nb

KEPT = os.access(nb.config.CACHE_DIR or Path(__file__).parent, os.W_OK)  # type: ignore[attr-defined]

compiled = nb.njit(cache=KEPT, nogil=True)
compiled_without_nan = nb.njit(cache=KEPT, nogil=True, fastmath={"nnan", "nsz"})
"""Where no number is missing: the least of many is then found several at a time."""
compiled_in_any_order = nb.njit(cache=KEPT, nogil=True, fastmath={"reassoc", "nsz"})
"""Sums may be taken in any order, so that several are taken at once."""
