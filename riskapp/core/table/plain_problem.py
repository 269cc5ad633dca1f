"""A problem from plain lists in one call, for scripts and notebooks.

Everything that is not said is as the assessment file has it when a key is left out. The call covers what is asked for
most; whoever needs more, such as personal weights, pairs or linkage data, builds a `Problem` from its parts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import Loss
from riskapp.core.risk import Risk
from riskapp.core.table.build import build
from riskapp.core.table.build_file import from_text
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.limits import Limits
from riskapp.core.table.plain import MISSING, Cells, PlainColumn
from riskapp.core.table.plain_register import Held, PlainTable, Register, check_names, people
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights

Described: TypeAlias = Hierarchy | Mapping[str, Any] | str
"""A hierarchy; or its description, such as `{"mask": 5}`; or the text of its file, one row per leaf."""
Attackers: TypeAlias = Mapping[str, Register | PlainTable | list[str]]


@dataclass(frozen=True, eq=False)
class _Read:
    """The table and what attackers hold, read; the hierarchies grow over all values that occur in them."""

    columns: Mapping[str, PlainColumn]
    described: Mapping[str, Described]
    attackers: Mapping[str, Held | list[str]]
    persons: Codes | None

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        return {name: self._hierarchy(name) for name in self.columns}

    def _hierarchy(self, name: str) -> Hierarchy:
        wanted = self.described.get(name)
        if isinstance(wanted, Hierarchy):
            return wanted
        if isinstance(wanted, str):
            return from_text(name, wanted)
        if isinstance(wanted, Mapping) and "file" in wanted:
            raise BadSetting(f"hierarchies.{name}", "No file is read here. Give the text of the file instead.")
        held = [one for one in self.attackers.values() if isinstance(one, Held)]
        lists = [self.columns[name].listed(), *(some for one in held for some in one.lists(name))]
        return build(name, wanted, lists, text_of=str)

    @cached_property
    def coded(self) -> dict[str, CodedColumn]:
        return {name: column.coded(self.hierarchies[name]) for name, column in self.columns.items()}

    @property
    def dictionaries(self) -> tuple[Dictionary, ...]:
        return tuple(self._dictionary(name, held) for name, held in self.attackers.items())

    def _dictionary(self, name: str, held: Held | list[str]) -> Dictionary:
        if isinstance(held, Held):
            return held.dictionary(self.hierarchies)
        knows = [place for place, attribute in enumerate(self.columns) if attribute in held]
        return Dictionary.itself(name, list(self.coded.values()), knows, people=self.persons)


def problem(
    table: PlainTable,
    *,
    hierarchies: Mapping[str, Described] | None = None,
    weights: Mapping[str, float] | None = None,
    fall: str = "step",
    family: str = "linear",
    dictionaries: Attackers | None = None,
    keep: Collection[str] = (),
    sensitive: Collection[str] = (),
    identifier: Cells | None = None,
    utility: str = "depth",
    loss: Loss | None = None,
    risk: Risk | None = None,
    limits: Limits | None = None,
    missing: Sequence[str] = MISSING,
) -> Problem:
    """What rules are measured by, from lists.

    Parameters
    ----------
    table : the columns to be released, in the order of the release
    hierarchies : of the columns that have one; the others have `*` above every value
    weights, fall, family : of the sensitivity: what a value weighs, 1 where nothing is said; `step` or `harmonic`;
        `linear` or `multiplicative`
    dictionaries : by their names what attackers hold: a register or its columns; or a list of names of columns, which
        somebody knows about everybody in the dataset. Where it is not given, somebody knows all that are not kept
    keep : columns that are released as they are
    sensitive : columns for which inference is measured
    identifier : who every record is about; where it is not given, every record is about somebody else
    utility : how it is measured: depth, inverse-leaves, log-leaves, xiao-tao or lm
    loss, risk, limits : how losses and the risk are worked out, and what a rule must keep
    missing : the texts that mean missing; so does None

    Raises
    ------
    BadSetting
        If a name or a setting is impossible.
    BadHierarchy, OutsideHierarchy
        If a hierarchy is impossible or does not cover a value.

    Examples
    --------
    >>> race = {"groups": {"European": ["White"], "Asian": ["Chinese", "Japanese"]}}
    >>> asked = problem({"race": ["White", "Chinese", "Japanese"], "sex": ["f", "f", "m"]}, hierarchies={"race": race})
    >>> asked.lattice.heights, asked.sensitivity.at((1, 1))
    ((2, 1), array([1., 1., 1.]))
    >>> problem({"sex": ["f", "m"]}, weights={"gender": 2})
    Traceback (most recent call last):
    riskapp.core.bad_setting.BadSetting: weights: There is no column "gender". Known are sex.
    """
    names = list(table)
    for key, given in {"hierarchies": hierarchies, "weights": weights, "keep": keep, "sensitive": sensitive}.items():
        check_names(key, list(given or ()), names)
    attackers = {"self": [name for name in names if name not in keep]} if dictionaries is None else dictionaries
    read = _Read(
        columns={name: PlainColumn.of(name, table[name], missing) for name in names},
        described=hierarchies or {},
        attackers={name: _held(name, given, names, missing) for name, given in attackers.items()},
        persons=people(identifier, missing),
    )
    weighed = [
        _weighed(column, (weights or {}).get(name, 1.0), fall, name in keep) for name, column in read.coded.items()
    ]
    held = read.dictionaries
    return Problem(
        sensitivity=Sensitivity(tuple(weighed), family=family),
        dictionaries=held,
        utility=Utility(CodedRecords.of([one.column for one in weighed if not one.kept]), utility),
        loss=loss or Loss(),
        risk=replace(risk or Risk(), priors={dictionary.name: dictionary.prior for dictionary in held}),
        people=read.persons,
        sensitive=tuple(Sensitive(name, read.coded[name].codes) for name in names if name in sensitive),
        limits=limits or Limits(),
    )


def _held(
    name: str, given: Register | PlainTable | list[str], names: Sequence[str], missing: Sequence[str]
) -> Held | list[str]:
    if isinstance(given, list):
        check_names(f"dictionaries.{name}", given, names)
        return given
    return Held.of(name, given if isinstance(given, Register) else Register(given), names, missing)


def _weighed(column: CodedColumn, weight: float, fall: str, kept: bool) -> Weighed:
    return Weighed(column, Weights.of(column.hierarchy, weight, fall=fall), kept=kept)
