"""Analyses that a proposal names: which columns they can be about, and whether they can be done."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from riskapp.bridge.uploads import coded_table
from riskapp.core.bad_setting import BadSetting
from riskapp.engine.coded import CodedTable
from riskapp.engine.releasing.analyses import MOST, Analysis
from riskapp.engine.releasing.numbers import say_numbers
from riskapp.models import FrozenAssessment, Run, Upload, UploadState

HAVE_NUMBERS = ("intervals", "dates")


class Columns(NamedTuple):
    """The released columns, and those among them that are numbers or dates."""

    every: list[str]
    numbers: list[str]


def can_be_analysed(run: Run) -> Columns:
    """What the analyses of a run's rules can be about."""
    document = FrozenAssessment.objects.get(pk=run.parameters["assessment"]).document
    attributes = document["assessment"]["attributes"]
    table = _dataset(document)
    return Columns(list(attributes), [name for name, told in attributes.items() if _numeric(name, told, table)])


def check_analyses(run: Run, wanted: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what cannot be done.

    Raises
    ------
    BadSetting
        If there are too many, two have one name, or one is about columns that do not go with it.
    """
    if len(wanted) > MOST:
        raise BadSetting("analyses", f"Name at most {MOST} analyses.")
    names = [one["name"] for one in wanted]
    if len(set(names)) < len(names):
        raise BadSetting("analyses", "Two analyses have the same name. Give each its own.")
    columns = can_be_analysed(run) if wanted else Columns([], [])
    for one in wanted:
        _check(Analysis.of_told(one), columns)


def _check(analysis: Analysis, columns: Columns) -> None:
    key = f"analyses.{analysis.name}"
    named = [*analysis.columns, *([analysis.of] if analysis.of else [])]
    for name in named:
        if name not in columns.every:
            raise BadSetting(key, f"Column {name} is not released. Name one that is.")
    if len(set(named)) < len(named):
        raise BadSetting(key, "A column cannot stand on both sides, or twice.")
    if analysis.kind == "mean" and len(analysis.columns) > 1:
        raise BadSetting(key, "A mean is taken in all, or by one column. Name one.")
    for name in named if analysis.kind == "regression" else filter(None, [analysis.of]):
        if name not in columns.numbers:
            raise BadSetting(key, f"The values of {name} are neither numbers nor dates. Name another column.")


def _dataset(document: Mapping[str, Any]) -> CodedTable | None:
    about = document["tables"][document["assessment"]["dataset"]["file"]]
    upload = Upload.objects.filter(pk=about["upload"], state=UploadState.READY).first()
    return coded_table(upload) if upload else None


def _numeric(name: str, told: Mapping[str, Any], table: CodedTable | None) -> bool:
    """Whether every value of a column says a number or a date, by its hierarchy or by the values themselves."""
    if _any_of(HAVE_NUMBERS, told.get("hierarchy") or {}):
        return True
    if table is None or name not in table.names:
        return False
    return say_numbers(table.values(table.names.index(name)).drop_null())


def _any_of(names: Iterable[str], told: Mapping[str, Any]) -> bool:
    return any(name in told for name in names)
