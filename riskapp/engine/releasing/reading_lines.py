"""Three lines that read a released file, in Python, R and Stata."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from riskapp.engine.releasing.columns import CATEGORY, DATE, INTEGER, NUMBER, YES_NO

PYTHON = {CATEGORY: "category", INTEGER: "Int64", NUMBER: "float64", YES_NO: "bool"}
R = {CATEGORY: "factor", INTEGER: "numeric", NUMBER: "numeric", DATE: "Date", YES_NO: "logical"}
NO_DATES = "* describe, codebook and tabulate show the rest"


def lines(file: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """For each language the lines.

    Parameters
    ----------
    file : the name of the file
    columns : name and type of each column, as a built file tells them

    >>> lines("a.parquet", [])["python"][1]
    'table = pd.read_parquet("a.parquet")'
    >>> lines("a.csv", [{"name": "Pay", "type": "number"}])["stata"][0]
    'import delimited using "a.csv", varnames(1) case(preserve) asdouble bindquote(strict) encoding("UTF-8") clear'
    """
    if file.endswith(".parquet"):
        return _of_parquet(file)
    return {"python": _python(file, columns), "r": _r(file, columns), "stata": _stata(file, columns)}


def _of_parquet(file: str) -> dict[str, list[str]]:
    name = _quoted(file)
    return {
        "python": ["import pandas as pd", f"table = pd.read_parquet({name})", "table.info()"],
        "r": ["library(arrow)", f"table <- read_parquet({name})", "str(table)"],
        "stata": ["ssc install pq", f"pq use using {name}, clear", "describe"],
    }


def _python(file: str, columns: Sequence[Mapping[str, Any]]) -> list[str]:
    types = {column["name"]: PYTHON[column["type"]] for column in columns if column["type"] != DATE}
    dates = [column["name"] for column in columns if column["type"] == DATE]
    missing = 'keep_default_na=False, na_values=[""]'
    return [
        "import pandas as pd",
        f"types, dates = {_quoted(types)}, {_quoted(dates)}",
        f"table = pd.read_csv({_quoted(file)}, dtype=types, parse_dates=dates, {missing})",
    ]


def _r(file: str, columns: Sequence[Mapping[str, Any]]) -> list[str]:
    types = ", ".join(f'"{R[column["type"]]}"' for column in columns)
    return [
        f"types <- c({types})",
        f'table <- read.csv({_quoted(file)}, colClasses = types, na.strings = "", check.names = FALSE)',
        "str(table)",
    ]


def _stata(file: str, columns: Sequence[Mapping[str, Any]]) -> list[str]:
    texts = [str(place) for place, column in enumerate(columns, 1) if column["type"] in (CATEGORY, DATE, YES_NO)]
    dates = [place for place, column in enumerate(columns, 1) if column["type"] == DATE]
    # By itself Stata writes names in small letters, and keeps seven digits of a number.
    kept = "case(preserve) asdouble" + (f" stringcols({' '.join(texts)})" if texts else "")
    example = f'* a date: generate double day = daily(v, "YMD"), with v the name of column {dates[0]}' if dates else ""
    return [
        f'import delimited using {_quoted(file)}, varnames(1) {kept} bindquote(strict) encoding("UTF-8") clear',
        example or NO_DATES,
        "describe",
    ]


def _quoted(value: object) -> str:
    """As Python, R and Stata write it."""
    return json.dumps(value, ensure_ascii=False)
