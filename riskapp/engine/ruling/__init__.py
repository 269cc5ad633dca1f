"""The numbers behind a rule's page. Only functions whose names begin with `seen_` tell values of people."""

from riskapp.engine.ruling.attacker import attacker_view, seen_entries
from riskapp.engine.ruling.columns import RuleColumns
from riskapp.engine.ruling.details import details
from riskapp.engine.ruling.exposure import exposed
from riskapp.engine.ruling.neighbours import beside, neighbours
from riskapp.engine.ruling.ruling import Named, Ruling, ruling
from riskapp.engine.ruling.samples import seen_record, seen_sample
from riskapp.engine.ruling.stability import stability
from riskapp.engine.ruling.subgroups import seen_subgroups
from riskapp.engine.ruling.verdicts import verdict

__all__ = [
    "Named",
    "RuleColumns",
    "Ruling",
    "attacker_view",
    "beside",
    "details",
    "exposed",
    "neighbours",
    "ruling",
    "seen_entries",
    "seen_record",
    "seen_sample",
    "seen_subgroups",
    "stability",
    "verdict",
]
