"""Rows to core objects and back: the only package that knows both.

What comes back up from here are numbers, names of columns and words. The functions that return records' values are
named `seen_…`, and are called only by services that audit the look.
"""

from riskapp.bridge.adversaries import seen_likeness
from riskapp.bridge.analysing import can_be_analysed, check_analyses
from riskapp.bridge.bound import NotAsApproved, changes, gone, seed_sha256
from riskapp.bridge.dates import dates
from riskapp.bridge.documents import fingerprint
from riskapp.bridge.evidence import evidence
from riskapp.bridge.finding import found
from riskapp.bridge.footprints import FILE as FOOTPRINT
from riskapp.bridge.ordering import meant_in_order, seen_in_order, without_place
from riskapp.bridge.releasing import BuiltRelease, build_release
from riskapp.bridge.suggesting import suggestions
from riskapp.bridge.uploads import (
    ENCODINGS,
    ENDINGS,
    MENDED_BY,
    PACKED,
    ReadUpload,
    check_wishes,
    coded_table,
    read_upload,
    seen_values,
)
from riskapp.engine.releasing.measured import FROZEN

__all__ = [
    "ENCODINGS",
    "ENDINGS",
    "FOOTPRINT",
    "FROZEN",
    "MENDED_BY",
    "PACKED",
    "BuiltRelease",
    "NotAsApproved",
    "ReadUpload",
    "build_release",
    "can_be_analysed",
    "changes",
    "check_analyses",
    "check_wishes",
    "coded_table",
    "dates",
    "evidence",
    "fingerprint",
    "found",
    "gone",
    "meant_in_order",
    "read_upload",
    "seed_sha256",
    "seen_in_order",
    "seen_likeness",
    "seen_values",
    "suggestions",
    "without_place",
]
