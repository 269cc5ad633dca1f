"""From settings to a problem: all files read, all columns coded, everything fitted together."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import Loss
from riskapp.core.risk import Risk
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.engine.assessment import attackers as attacking
from riskapp.engine.assessment.attackers import Attackers
from riskapp.engine.assessment.available import refuse_what_does_not_go_together
from riskapp.engine.assessment.domains import Domain
from riskapp.engine.assessment.growing import hierarchy_key
from riskapp.engine.assessment.records import Records
from riskapp.engine.assessment.settings import Assessment, AttributeKey
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Column, Known, Tables
from riskapp.engine.assessment.uses import Use
from riskapp.engine.reading.faults import counted
from riskapp.engine.reporting import Report, silent


@dataclass(frozen=True, eq=False)
class Built:
    """A problem, and what results and releases tell about where it came from.

    Parameters
    ----------
    assessment : the settings
    problem : what rules are measured by; its records are the rows of the file in their order, without those left out
    sha256 : of the dataset's file
    rows : where in the file each record stands, from 0
    left_out : how many rows of the file are no records because their person is left out
    """

    assessment: Assessment
    problem: Problem
    sha256: str
    rows: Counts
    left_out: int

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.problem)

    @property
    def people(self) -> int:
        """The number of people they are about."""
        return self.problem.persons

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of a release, in its order."""
        return self.assessment.names

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchy of every column of a release."""
        return dict(zip(self.names, self.problem.hierarchies, strict=True))

    @property
    def columns(self) -> dict[str, CodedColumn]:
        """The leaf codes of every column of a release."""
        return {weighed.name: weighed.column for weighed in self.problem.columns}


def build(assessment: Assessment, *, report: Report = silent, known: Known = NOTHING_KNOWN) -> Built:
    """The problem that an assessment describes.

    Parameters
    ----------
    assessment : the settings
    report : is told how far the reading of each file is, in bytes; what it raises stops it
    known : files that were read before, by the names that the assessment gives them

    Raises
    ------
    BadSetting
        If a question goes with no family, a file cannot be read, a column is not there, a value is not covered by its
        hierarchy, or a cell is not the number it must be; its `key` is the path of the key to be mended.
    """
    refuse_what_does_not_go_together(assessment.search)
    with Tables.of(assessment.folder, assessment.dataset.missing, report, known) as tables:
        records = Records.of(assessment.dataset, tables)
        problem = _problem(assessment, records, Attackers.of(assessment, tables), tables)
    left_out = records.table.rows - len(records)
    return Built(assessment, problem, records.sha256, records.rows, left_out)


def _problem(assessment: Assessment, records: Records, attackers: Attackers, tables: Tables) -> Problem:
    own = {name: _own(records, attribute) for name, attribute in assessment.attributes.items()}
    domains = {
        name: Domain.of(attribute, [own[name], *attackers.uses(name)], tables)
        for name, attribute in assessment.attributes.items()
    }
    columns = [domains[name].coded(own[name]) for name in domains]
    _check_orders(assessment, own)
    persons = records.people
    priors = {dictionary.name: dictionary.prior for dictionary in assessment.dictionaries}
    risk, harm, linkage = assessment.risk, assessment.sensitivity, assessment.linkage
    held = attackers.linkage
    return Problem(
        sensitivity=_sensitivity(assessment, records, domains, columns, tables),
        dictionaries=attacking.dictionaries(assessment, attackers, domains, columns, persons),
        utility=_utility(assessment, columns),
        loss=Loss(risk.model, risk.uncovered, harm.unidentified),
        risk=Risk(risk.over_records, risk.over_dictionaries, records.weights(assessment.dataset), priors),
        people=persons,
        sensitive=tuple(
            _sensitive(attribute, own[name].column, columns[place])
            for place, (name, attribute) in enumerate(assessment.attributes.items())
            if attribute.sensitive
        ),
        linkage=None if linkage is None or held is None else attacking.linkage(linkage, held, domains),
        limits=assessment.search.limits,
    )


def _own(records: Records, attribute: AttributeKey) -> Use:
    """The dataset's own column of an attribute."""
    return Use(hierarchy_key(attribute), attribute.name, records.column(attribute.name, attribute.key))


def _sensitivity(
    assessment: Assessment,
    records: Records,
    domains: Mapping[str, Domain],
    columns: list[CodedColumn],
    tables: Tables,
) -> Sensitivity:
    harm = assessment.sensitivity
    weighed = tuple(
        Weighed(column, domain.weights(), records.personal(domain.attribute, tables), kept=domain.attribute.kept)
        for column, domain in zip(columns, domains.values(), strict=True)
    )
    return Sensitivity(weighed, harm.pairs, harm.family, harm.person_total)


def _utility(assessment: Assessment, columns: list[CodedColumn]) -> Utility:
    given = assessment.utility
    pairs = list(zip(assessment.attributes.values(), columns, strict=True))
    generalised = [column for attribute, column in pairs if not attribute.kept]
    weights = tuple(given.weights.get(attribute.name, 1.0) for attribute, _ in pairs if not attribute.kept)
    return Utility(CodedRecords.of(generalised), given.measure, given.over_records, weights)


def _check_orders(assessment: Assessment, own: Mapping[str, Use]) -> None:
    for name, attribute in assessment.attributes.items():
        strange = int((_places(attribute, own[name].column)[1:] == 0).sum()) if attribute.order else 0
        if strange:
            told = f"The column has {counted(strange, 'value')} not in the order. List all that occur."
            raise BadSetting(f"{attribute.key}.order", told)


def _places(attribute: AttributeKey, cells: Column) -> Codes:
    """The place of every distinct value in the order, from 1; 0 for missing and for what is not in it."""
    order = pa.array(attribute.order, cells.values.type)
    places = pc.fill_null(pc.index_in(cells.values, value_set=order, skip_nulls=True), -1)
    found: Codes = places.to_numpy().astype(np.int32) + np.int32(1)
    return found


def _sensitive(attribute: AttributeKey, cells: Column, coded: CodedColumn) -> Sensitive:
    """The values of a sensitive column: the leaves' codes, or the places in its order."""
    if attribute.order is None:
        return Sensitive(attribute.name, coded.codes)
    return Sensitive(attribute.name, _places(attribute, cells)[cells.codes], len(attribute.order))
