"""The profile: what an officer sees of an uploaded table without seeing a single value of it.

`profile` measures a coded table and suggests what its columns are. `top_values` is the one function here that gives
values out; it is called behind an audited click only.
"""

from riskapp.engine.profile.figures import (
    ColumnProfile,
    Looked,
    PairFigure,
    Pairs,
    Part,
    People,
    Profile,
    Suggestion,
    Together,
    Type,
)
from riskapp.engine.profile.measure import profile
from riskapp.engine.profile.top import top_values

__all__ = [
    "ColumnProfile",
    "Looked",
    "PairFigure",
    "Pairs",
    "Part",
    "People",
    "Profile",
    "Suggestion",
    "Together",
    "Type",
    "profile",
    "top_values",
]
