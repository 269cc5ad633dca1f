"""The report of a release: one page that needs nothing else, from plain values."""

from riskapp.engine.releasing.report.page import report

__all__ = ["report"]
