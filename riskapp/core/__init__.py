"""The mathematics of tables: risk and utility of disclosure rules.

What scripts and notebooks need stands here; `docs/tutorial/core.md` shows it at work. Each name is fetched from its
module when it is first asked for, so that importing one small part of the core does not load all of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riskapp.core.bad_setting import BadSetting
    from riskapp.core.choosing import CannotBeMet, FullDomain, NodeRule, full_domain
    from riskapp.core.evaluation import Evaluation, People
    from riskapp.core.loss import Loss
    from riskapp.core.measure import Measuring
    from riskapp.core.risk import Risk
    from riskapp.core.search.full_domain import evaluate
    from riskapp.core.table.build_dates import from_dates
    from riskapp.core.table.build_file import from_text
    from riskapp.core.table.build_groups import from_groups
    from riskapp.core.table.build_intervals import from_intervals
    from riskapp.core.table.build_masks import from_masks
    from riskapp.core.table.codes import CodedColumn, CodedRecords
    from riskapp.core.table.dictionary import Dictionary
    from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy
    from riskapp.core.table.hierarchy import Hierarchy
    from riskapp.core.table.lattice import Lattice
    from riskapp.core.table.limits import Limits
    from riskapp.core.table.plain_problem import problem
    from riskapp.core.table.plain_register import Register
    from riskapp.core.table.problem import Problem
    from riskapp.core.table.released import Released
    from riskapp.core.table.sensitivity import Sensitivity
    from riskapp.core.table.utility import Utility
    from riskapp.core.table.weights import Weights

_HOMES = {
    "bad_setting": ("BadSetting",),
    "choosing": ("CannotBeMet", "FullDomain", "NodeRule", "full_domain"),
    "evaluation": ("Evaluation", "People"),
    "loss": ("Loss",),
    "measure": ("Measuring",),
    "risk": ("Risk",),
    "search.full_domain": ("evaluate",),
    "table.build_dates": ("from_dates",),
    "table.build_file": ("from_text",),
    "table.build_groups": ("from_groups",),
    "table.build_intervals": ("from_intervals",),
    "table.build_masks": ("from_masks",),
    "table.codes": ("CodedColumn", "CodedRecords"),
    "table.dictionary": ("Dictionary",),
    "table.faults": ("BadHierarchy", "OutsideHierarchy"),
    "table.hierarchy": ("Hierarchy",),
    "table.lattice": ("Lattice",),
    "table.limits": ("Limits",),
    "table.plain_problem": ("problem",),
    "table.plain_register": ("Register",),
    "table.problem": ("Problem",),
    "table.released": ("Released",),
    "table.sensitivity": ("Sensitivity",),
    "table.utility": ("Utility",),
    "table.weights": ("Weights",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BadHierarchy",
    "BadSetting",
    "CannotBeMet",
    "CodedColumn",
    "CodedRecords",
    "Dictionary",
    "Evaluation",
    "FullDomain",
    "Hierarchy",
    "Lattice",
    "Limits",
    "Loss",
    "Measuring",
    "NodeRule",
    "OutsideHierarchy",
    "People",
    "Problem",
    "Register",
    "Released",
    "Risk",
    "Sensitivity",
    "Utility",
    "Weights",
    "evaluate",
    "from_dates",
    "from_groups",
    "from_intervals",
    "from_masks",
    "from_text",
    "full_domain",
    "problem",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
