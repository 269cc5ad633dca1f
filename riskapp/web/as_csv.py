"""Tables for spreadsheets: streamed line by line, with cells that would be taken for formulas defused."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any, cast

from django.http import HttpResponse, StreamingHttpResponse

from riskapp.engine import formulas


class _Echo:
    def write(self, line: str) -> str:
        return line


def lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    return (writer.writerow([defused(cell) for cell in row]) for row in rows)


def defused(cell: Any) -> Any:
    """A cell with an apostrophe wherever a spreadsheet, of whatever country, would see a formula begin.

    >>> defused("=1+1"), defused(" @sum"), defused("a;=1"), defused("plain"), defused(-5)
    ("'=1+1", " '@sum", "a;'=1", 'plain', -5)
    """
    return formulas.defused(cell) if isinstance(cell, str) else cell


def response(rows: Iterable[Iterable[Any]], name: str) -> HttpResponse:
    """The rows as a file of that name."""
    streamed = StreamingHttpResponse(lines(rows), content_type="text/csv; charset=utf-8")
    streamed["Content-Disposition"] = f'attachment; filename="{name}"'
    return cast(HttpResponse, streamed)
