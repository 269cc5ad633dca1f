"""Columns of other tables that hold an attribute: those of attackers, and of the linkage data.

Their values need a place in the attribute's hierarchy too, unless they are matched by likeness.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from riskapp.bridge.uploads import coded_table
from riskapp.core.errors import RiskappError
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping.fitting import Spec, build, lists_its_leaves
from riskapp.models import Attribute, Upload, UploadState

LINKAGE = "linkage"


@dataclass(frozen=True)
class Holder:
    """A column that holds an attribute at a level: whose it is (an attacker's number, or the linkage data)."""

    key: str
    name: str
    upload: Upload
    column: str
    level: str

    def opened(self) -> tuple[CodedTable, int]:
        table = coded_table(self.upload)
        return table, table.names.index(self.column)


@dataclass(frozen=True)
class Gap:
    """How many of a holder's values a hierarchy has no place for."""

    holder: Holder
    values: int
    distinct: int


def gaps(attribute: Attribute, spec: Spec) -> list[Gap]:
    """The columns of other tables with values that a hierarchy has no place for; where a rule makes it, none."""
    if not lists_its_leaves(spec):
        return []
    hierarchy = build(attribute.column, spec)
    found = []
    for holder in holders(attribute):
        table, place = holder.opened()
        values = table.values(place)[1:]
        try:
            outside = int((hierarchy.found_at(holder.level, values) < 0).sum())
        except RiskappError:  # no such level: the page of the attacker tells it
            continue
        found.append(Gap(holder, outside, len(values)))
    return [gap for gap in found if gap.values]


def holder(attribute: Attribute, key: str) -> Holder | None:
    return next((one for one in holders(attribute) if one.key == key), None)


def holders(attribute: Attribute) -> Iterator[Holder]:
    """Every column that holds the attribute exactly, in tables that are there."""
    setup = attribute.setup
    for one in setup.attackers.select_related("upload"):
        exact = {column: to for column, to in one.match.items() if column not in one.fuzzy}
        yield from _matched(attribute, str(one.pk), one.name, one.upload, exact)
    if setup.linkage:
        upload = Upload.objects.filter(pk=UUID(setup.linkage["upload"]), project_id=setup.project_id).first()
        yield from _matched(attribute, LINKAGE, "linkage data", upload, setup.linkage["match"])


def _matched(
    attribute: Attribute, key: str, name: str, upload: Upload | None, match: dict[str, str]
) -> Iterator[Holder]:
    if upload is None or upload.state != UploadState.READY:
        return
    for column, to in match.items():
        level = _level(to, attribute.column)
        if level is not None and column in coded_table(upload).names:
            yield Holder(key, name, upload, column, level)


def _level(to: str, attribute: str) -> str | None:
    """The level in `attribute` or `attribute@level`; None if it is about another attribute."""
    if to == attribute:
        return "0"
    name, _, level = to.rpartition("@")
    return level if name == attribute else None
