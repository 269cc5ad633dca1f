"""Warnings about a rule: what may go wrong although its figures are within the limits, and what to do about it."""

from riskapp.engine.releasing.warnings.every import warnings
from riskapp.engine.releasing.warnings.warned import Circumstances

__all__ = ["Circumstances", "warnings"]
