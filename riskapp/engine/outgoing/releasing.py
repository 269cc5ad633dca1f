"""From a rule to the file and its manifest: written, read back, measured again, and only then given its name."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.measure import measure
from riskapp.core.search.candidate import Candidate
from riskapp.engine.answers import Measured
from riskapp.engine.atomic import replaced
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing.as_csv import write_csv
from riskapp.engine.outgoing.as_parquet import write_parquet
from riskapp.engine.outgoing.manifest import manifest
from riskapp.engine.outgoing.origin import Origin
from riskapp.engine.outgoing.reading_back import shows
from riskapp.engine.outgoing.shown import Order, Shown, shuffled
from riskapp.engine.result import Result, figures

TOLERANCE = 1e-9
ENDINGS: Mapping[str, Callable[[Shown, Path], None]] = {".csv": write_csv, ".parquet": write_parquet}


class ReleaseDiffers(Exception):
    """The file that was written is not the table that was assessed, so it does not leave."""


def release(result: Result, found: Candidate, to: Path, origin: Origin) -> None:
    """Write the released table of a rule and its manifest, or neither.

    Parameters
    ----------
    result : the assessment
    found : the rule, with its table
    to : the file, ending in .csv or .parquet
    origin : where the release comes from

    Raises
    ------
    BadSetting
        If the file's ending is neither, or the table cannot be told in it.
    ReleaseDiffers
        If the file does not hold the table, or the table does not have the figures of the rule.
    """
    ending, problem, rule = checked_ending(to), result.problem, result.rule(Measured.of(found))
    shown = Shown(found.released, problem.names, _order(len(problem), origin))
    with replaced(manifest_path(to)) as about, replaced(to) as fresh:
        ENDINGS[ending](shown, fresh)
        _check(fresh, ending, shown, result, found)
        about.write_text(manifest(problem, found, rule, shown, origin, output=sha256(fresh)), encoding="utf-8")


def _order(rows: int, origin: Origin) -> Order:
    return np.arange(rows) if origin.keep_order else shuffled(rows, origin.seed)


def _check(file: Path, ending: str, shown: Shown, result: Result, found: Candidate) -> None:
    """Read the file back and measure the table again, by the way that serves tables of any origin."""
    if not shows(file, ending, shown):
        raise ReleaseDiffers("The file does not hold the table that was assessed.")
    if not alike(figures(measure(result.problem, shown.released, found.rule)), figures(found.evaluation)):
        raise ReleaseDiffers("The figures of the table are not those of the rule.")


def checked_ending(to: Path) -> str:
    """What the file's name ends in.

    Raises
    ------
    BadSetting
        If that is no format of a release.
    """
    ending = to.suffix.lower()
    if ending not in ENDINGS:
        raise BadSetting("--to", "Name a file that ends in .csv or .parquet.")
    return ending


def manifest_path(to: Path) -> Path:
    """Where the manifest of a release lies.

    >>> manifest_path(Path("out/release.csv")).name
    'release.csv.manifest.json'
    """
    return to.with_name(f"{to.name}.manifest.json")


def alike(one: Any, other: Any) -> bool:
    """Whether two sets of figures are equal up to rounding.

    >>> alike({"risk": [0.1 + 0.2, None]}, {"risk": [0.3, None]}), alike({"risk": 1.0}, {"risk": 1.1})
    (True, False)
    """
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(one == other)
