"""The codebook of a release: every column, every label and what it means, and how to read the file."""

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from riskapp.engine.outgoing.reading_back import first_alike
from riskapp.engine.releasing.bounds import shape_of
from riskapp.engine.releasing.columns import FROM, LABEL, LEVEL, SUPPRESSED, TO, FileColumn, Sheet
from riskapp.engine.releasing.meanings import HIDDEN, MISSING, meaning
from riskapp.engine.releasing.reading_lines import lines
from riskapp.engine.releasing.report.elements import SHORT
from riskapp.engine.releasing.report.words import figure, so_many
from riskapp.engine.shaping.ordered import natural_order

FORMAT = 1
MOST_LABELS = 2_000
"""The page lists so many labels of a column and counts the others; the JSON lists all."""
PARTS = {
    FROM: "Where the value of {} begins that the label stands for.",
    TO: "Where the value of {} ends that the label stands for; {}.",
    LEVEL: "How much {} was generalised: 0 is the value itself.",
    SUPPRESSED: "true where nothing of the record is released.",
}


def codebook(sheet: Sheet, file: str, rule: str) -> dict[str, Any]:
    """What the file says, ready for JSON.

    Parameters
    ----------
    sheet : what the file shows
    file : its name
    rule : the name of the rule
    """
    columns = [
        {"name": one.name, "attribute": one.attribute, "part": one.part, "type": one.kind} for one in sheet.columns
    ]
    return {
        "format": FORMAT,
        "file": file,
        "rule": rule,
        "rows": len(sheet),
        "cells": {"": MISSING, "*": HIDDEN},
        "columns": [_column(sheet, one) for one in sheet.columns],
        "reading": lines(file, columns),
    }


def _column(sheet: Sheet, column: FileColumn) -> dict[str, Any]:
    told = {"name": column.name, "attribute": column.attribute, "part": column.part, "type": column.kind}
    if column.part != LABEL:
        return {**told, "meaning": _part(sheet, column)}
    place = [attribute.name for attribute in sheet.attributes].index(str(column.attribute))
    labels = _in_order(list(_labels(sheet, column, place)))
    said = "The value as it was." if not labels else "A label for each value; those below were generalised."
    return {
        **told,
        "meaning": f"{said}{_defused(column)}",
        "levels": list(sheet.released.hierarchies[place].names),
        "defused": column.defused,
        "labels": labels,
    }


def _defused(column: FileColumn) -> str:
    if not column.defused:
        return ""
    rows = so_many(column.defused, "row")
    return f" In {rows} an apostrophe was put before text that a spreadsheet would take for a formula."


ENDS = {"intervals": "this end is not in it", "dates": "the last day is in it", "mask": "the last code is in it"}


def _part(sheet: Sheet, column: FileColumn) -> str:
    """What a column beside a label says."""
    attribute = next((one for one in sheet.attributes if one.name == column.attribute), None)
    return PARTS[column.part].format(column.attribute, ENDS.get(shape_of(attribute)) if attribute else "")


def _in_order(labels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By their levels, and in each as people would put them."""
    order = {label: place for place, label in enumerate(natural_order([one["label"] for one in labels]))}
    return sorted(labels, key=lambda one: (one["level"], order[one["label"]]))


def _labels(sheet: Sheet, column: FileColumn, place: int) -> Iterator[dict[str, Any]]:
    """The generalised labels that occur, each once with all its rows: several levels may have the same label.

    Its level is the lowest that has it, as the column beside it says; its meaning that of the highest, which holds all.
    """
    hierarchy, attribute = sheet.released.hierarchies[place], sheet.attributes[place]
    sizes = [len(labels) for labels in hierarchy.labels]
    rows = np.zeros(sum(sizes), dtype=np.int64)
    for part in sheet.parts():
        rows += np.bincount(column.numbers(part), minlength=len(rows))
    coarse = sizes[0] + np.flatnonzero(rows[sizes[0] :])
    shown = column.labels.take(coarse)
    different = shown.drop_null().unique()
    alike = np.concatenate([first_alike(some, different) for some in column.labels.parts])
    many = np.bincount(alike[alike >= 0], weights=rows[alike >= 0], minlength=len(different))
    starts, (found, first) = np.cumsum([0, *sizes]), np.unique(alike, return_index=True)
    lowest = np.searchsorted(starts, first[found >= 0], "right") - 1
    highest = dict(zip(first_alike(shown, different).tolist(), coarse.tolist(), strict=True))
    for at, label in enumerate(column.as_text(different).to_pylist()):
        level = int(np.searchsorted(starts, highest[at], "right")) - 1
        told = meaning(attribute, hierarchy, level, highest[at] - int(starts[level]))
        yield {"label": label, "level": int(lowest[at]), "means": told, "rows": int(many[at])}


def codebook_html(book: dict[str, Any]) -> str:
    """The codebook as one page that needs nothing else."""
    rows = "".join(_row(column) for column in book["columns"])
    tables = "".join(_table(column) for column in book["columns"] if column.get("labels"))
    code = "".join(
        f"<h3>{escape(_LANGUAGES[name])}</h3><pre>{escape(chr(10).join(some))}</pre>"
        for name, some in book["reading"].items()
    )
    told = {"file": escape(book["file"]), "rule": escape(book["rule"]), "rows": figure(book["rows"])}
    return _PAGE.format(**told, columns=rows, labels=tables, code=code)


def _row(column: dict[str, Any]) -> str:
    cells = (column["name"], column["type"], column["meaning"])
    return f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"


def _table(column: dict[str, Any]) -> str:
    body = "".join(
        f"<tr><td>{escape(one['label'])}</td><td>{one['level']}</td><td>{escape(one['means'])}</td>"
        f"<td class=number>{figure(one['rows'])}</td></tr>"
        for one in column["labels"][:MOST_LABELS]
    )
    others = len(column["labels"]) - MOST_LABELS
    more = f"<p>{so_many(others, 'more label')}: codebook.json lists all of them.</p>" if others > 0 else ""
    head = "<thead><tr><th>Label</th><th>Level</th><th>Meaning</th><th class=number>Rows</th></tr></thead>"
    short = " class=short" if len(column["labels"]) <= SHORT else ""
    return f"<h3>{escape(column['name'])}</h3><table{short}>{head}<tbody>{body}</tbody></table>{more}"


_LANGUAGES = {"python": "Python", "r": "R", "stata": "Stata"}
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Codebook of {file}</title>
<style>
:root {{ color-scheme: light; }}
body {{ font: 10.5pt/1.5 system-ui, "Segoe UI", sans-serif; color: #1d2733; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1.25rem; }}
h1 {{ font-size: 19pt; line-height: 1.2; overflow-wrap: anywhere; }}
h2 {{ font-size: 13pt; margin: 1.8rem 0 .5rem; }} h3 {{ font-size: 10.5pt; margin: .9rem 0 .2rem; }}
h2, h3 {{ break-after: avoid; }}
table {{ border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; font-size: 9.5pt; }}
th, td {{ text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #d7dde4; vertical-align: top; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
pre {{ background: #f4f6f8; padding: .7rem; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }}
tr, pre, .short {{ break-inside: avoid; }} thead {{ display: table-header-group; }}
@page {{ size: A4; margin: 17mm 16mm 18mm;
  @bottom-right {{ content: counter(page) " of " counter(pages); font: 8.5pt sans-serif; color: #5b6b7c; }} }}
@media print {{ body {{ margin: 0; padding: 0; max-width: none; }} }}
</style></head><body>
<h1>Codebook of {file}</h1>
<p>{rows} rows, released by the rule {rule}. An empty cell is missing in the data; <b>*</b> is hidden and could be any
value.</p>
<h2>Columns</h2>
<table><thead><tr><th>Column</th><th>Type</th><th>Meaning</th></tr></thead><tbody>{columns}</tbody></table>
<h2>Labels</h2>{labels}
<h2>Reading the file</h2>{code}
</body></html>
"""
