"""The report as one self-contained HTML file that prints well on A4."""

from collections.abc import Mapping
from html import escape
from typing import Any

from riskapp.engine.releasing.report import decided, sections, tried
from riskapp.engine.releasing.report.in_short import in_short
from riskapp.engine.releasing.report.words import day

SECTIONS = (
    in_short,
    *(sections.what, sections.limits, sections.figures, sections.three_questions, sections.plots, sections.trust),
    sections.dictionaries,
    *(tried.attack, tried.analyses),
    *(decided.warned, decided.decisions, decided.proof, decided.parameters),
)
STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 10.5pt/1.5 system-ui, "Segoe UI", sans-serif; color: #1d2733; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1.25rem; }
header { border-bottom: 2px solid #1f5fa8; padding-bottom: .6rem; margin-bottom: 1.4rem; }
h1 { font-size: 19pt; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 13pt; margin: 1.8rem 0 .5rem; break-after: avoid; }
h3 { font-size: 10.5pt; margin: .9rem 0 .2rem; break-after: avoid; }
p { margin: .3rem 0 .6rem; } header p { margin: 0; color: #5b6b7c; }
.note { color: #5b6b7c; font-size: 9pt; line-height: 1.4; }
.answer { border-left: 3px solid #c3cfdb; padding-left: .7rem; }
dl { display: grid; grid-template-columns: minmax(8rem, 11rem) 1fr; gap: .15rem 1rem; margin: .4rem 0 .9rem; }
dt { color: #5b6b7c; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: 9.5pt; }
th { text-align: left; color: #5b6b7c; font-weight: 600; border-bottom: 1px solid #9fb0c1; }
th, td { padding: .28rem .7rem .28rem 0; vertical-align: top; }
td { border-bottom: 1px solid #e3e8ed; overflow-wrap: break-word; } .even { table-layout: fixed; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; } .number + :not(.number) { padding-left: 1rem; }
code, pre { font: 8.5pt/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { background: #f4f6f8; padding: .7rem .9rem; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: .6rem 0 1rem; break-inside: avoid; } svg { width: 100%; height: auto; display: block; }
figcaption { color: #5b6b7c; font-size: 9pt; }
tr, dl, .answer, .short { break-inside: avoid; } h2 + *, h3 + *, p + table { break-before: avoid; }
h2 + p:has(+ table) { break-after: avoid; } figure.small svg { width: 70%; }
td .note { margin: .2rem 0 0; }
thead { display: table-header-group; }
footer { margin-top: 2rem; color: #5b6b7c; font-size: 9pt; border-top: 1px solid #e3e8ed; padding-top: .5rem; }
@page { size: A4; margin: 17mm 16mm 18mm;
  @bottom-right { content: counter(page) " of " counter(pages); font: 8.5pt system-ui, sans-serif; color: #5b6b7c; } }
@media screen and (max-width: 36rem) { body { margin: 1rem auto; padding: 0 .75rem; } dl { grid-template-columns: 1fr; }
  dd { margin-bottom: .4rem; } table { font-size: 8.5pt; } th, td { padding-right: .4rem; overflow-wrap: anywhere; }
  .number { white-space: normal; } }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } pre { columns: 2; column-gap: 2rem; } }
"""


def report(evidence: Mapping[str, Any]) -> str:
    """The report of a release.

    Parameters
    ----------
    evidence : plain values. `title`, `dataset` (records, people), `rule` (id, family, number, holds_against,
        conditions) and `figures` must be there. All else is optional: `project`, `made`, `release`, `columns`,
        `answers`, `frontier`, `losses`, `groups`, `assumptions`, `dictionaries`, `attack`, `analyses`, `warnings`,
        `approvals`, `advice`, `manifest`, `software`, `parameters`.

    Returns
    -------
    str
        The same evidence gives the same text.
    """
    title, project, made = evidence["title"], evidence.get("project"), evidence.get("made")
    about = " · ".join(str(one) for one in (project, made and day(made)) if one)
    body = "".join(one(evidence) for one in SECTIONS)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(str(title))}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>{escape(str(title))}</h1><p>{escape(about)}</p></header>{body}"
        "<footer>Made by riskapp. No record of anybody stands on this page.</footer></body></html>\n"
    )
