"""The hierarchy studio: what is being built for a column, as the form says it."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from django.http import QueryDict

from riskapp.bridge import holding, shaping, trees
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import RiskappError
from riskapp.models import Attribute
from riskapp.web import drafts
from riskapp.web.forms.hierarchies import KINDS, StudioForm

OWN = "own"
FEW = 200
"""So many branches of a group are shown at first."""
Place = tuple[int, str]
CHOSEN = ("dates", "countries", "prefixes")
"""The kinds that are chosen among proposals."""
MERGED = (2, 3, 5, 4)


@dataclass
class Studio:
    """A hierarchy in the making: its kind and parameters, and what is wrong with them if anything is."""

    attribute: Attribute
    column: Any
    kind: str
    form: StudioForm
    spec: Any = None
    draft: str = ""
    ordering: list[str] | None = None
    choices: list[str] = field(default_factory=list)
    trouble: str = ""
    seen: int = 0
    told: str = ""
    refused: str = ""
    homeless: str = ""
    conflict: dict[str, Any] | None = None
    opened: list[Place] | None = None
    sought: str = ""
    most: int = FEW

    @property
    def saved_kind(self) -> str:
        return "" if self.attribute.hierarchy is None else kind_of(self.attribute.hierarchy)

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """The kinds to choose from; own groups only where there are any."""
        own = bool(self.draft) or self.kind == OWN or self.saved_kind == OWN
        return [(kind, words) for kind, words in KINDS.items() if kind != OWN or own]

    @property
    def suggested(self) -> str:
        return str(self.attribute.suggestion.get("kind") or "")

    @property
    def changed(self) -> bool:
        return bool(self.trouble) or self.spec != self.attribute.hierarchy

    @cached_property
    def shown(self) -> shaping.Shown | None:
        """The preview; None where nothing can be told yet."""
        if self.trouble:
            return None
        try:
            return shaping.shown(self.column, self.spec)
        except BadSetting as trouble:
            self.trouble = trouble.message
            return None

    @cached_property
    def gaps(self) -> list[holding.Gap]:
        """The attackers' columns with values that have no place in it."""
        return holding.gaps(self.attribute, self.spec) if self.shown else []

    @cached_property
    def tree(self) -> trees.Grown | None:
        """The tree, once somebody has opened it."""
        if self.kind != OWN or not self.draft or self.spec is None:
            return None
        return trees.grown(self.attribute, self.spec, self.opened, self.sought, self.most)

    @property
    def own_order(self) -> bool:
        """Whether the values stand in an order that is not the column's yet."""
        if self.kind != "ordered" or self.ordering is None:
            return False
        saved = shaping.arranged(self.column, self.attribute.order or ())
        return shaping.whole_order(self.column) != shaping.whole_order(saved)

    @property
    def unplaced(self) -> int:
        """How many values have no place in an order that somebody gave."""
        return shaping.without_place(self.column) if self.column.order else 0

    @property
    def choice(self) -> int:
        value = self.form["choice"].value()
        return int(value) if str(value or "").isdecimal() else 0

    def arranged(self, order: list[str]) -> "Studio":
        """The same studio with the values in another order."""
        column = shaping.arranged(self.column, order)
        by = self.form["by"].value() or MERGED[0]
        form, spec = StudioForm(initial={"by": by}, kind="ordered"), shaping.merged(column, int(by))
        return replace(self, column=column, kind="ordered", form=form, spec=spec, ordering=order, trouble="")

    def rebuilt(self, rows: dict[str, Any], told: str = "") -> "Studio":
        """The same studio with other rows to edit."""
        draft, form = drafts.packed(rows), StudioForm(kind=OWN)
        return replace(self, kind=OWN, form=form, spec=rows, draft=draft, choices=[], trouble="", refused="", told=told)

    def ruled(self, spec: Any, told: str = "") -> "Studio":
        """The same studio with another rule.

        Raises
        ------
        BadSetting
            If its values are too many to be written out, as a rule of intervals needs where they have a decimal comma.
        """
        kind = kind_of(spec)
        known = _proposed(self.column, kind)
        given = {"choice": known.index(spec) if spec in known else 0} | StudioForm.shown(spec)
        form, choices = StudioForm(initial=given, kind=kind), _choices(self.column, kind)
        ready = shaping.ready(self.column, spec)
        return replace(self, kind=kind, form=form, spec=ready, draft="", choices=choices, trouble="", told=told)


def kind_of(spec: Any) -> str:
    """The kind of a spec by its form; written-out rows are own groups."""
    if spec is None:
        return "none"
    return next((kind for kind in ("dates", "intervals", "mask") if kind in spec), OWN)


def opening(attribute: Attribute) -> Studio:
    """The studio as it opens: with what is saved."""
    column, spec = shaping.column_of(attribute), attribute.hierarchy
    kind, given = _recognised(column, attribute)
    form = StudioForm(initial=given, kind=kind)
    return Studio(attribute, column, kind, form, spec, choices=_choices(column, kind), seen=attribute.version)


def _recognised(column: Any, attribute: Attribute) -> tuple[str, dict[str, Any]]:
    """The kind of what is saved, and its parameters: rows may be what a builder proposes."""
    spec, kind = attribute.hierarchy, kind_of(attribute.hierarchy)
    likely = attribute.suggestion.get("kind")
    if kind == OWN and (likely == "ordered" or attribute.order):
        by = next((by for by in MERGED if _merged(column, by) == spec), None)
        return ("ordered", {"by": by}) if by else (OWN, {})
    if (kind == OWN and likely in CHOSEN) or kind == "dates":
        known = _proposed(column, likely if kind == OWN else kind)
        if spec in known:
            return (likely if kind == OWN else kind), {"choice": known.index(spec)}
    return kind, StudioForm.shown(spec)


_OFFERED: WeakKeyDictionary[Any, dict[str, list[Any]]] = WeakKeyDictionary()


def _offered(column: Any, kind: str) -> list[Any]:
    """The proposals of a kind, found once for as long as the column is looked at."""
    known = _OFFERED.setdefault(column, {})
    if kind not in known:
        known[kind] = list(shaping.proposed(column, kind))
    return known[kind]


def _proposed(column: Any, kind: str) -> list[Any]:
    try:
        return _offered(column, kind)
    except BadSetting:
        return []


def _merged(column: Any, by: int) -> Any:
    try:
        return shaping.merged(column, by)
    except BadSetting:
        return None


def _choices(column: Any, kind: str) -> list[str]:
    """The proposals of a kind in words."""
    if kind in CHOSEN:
        return [shaping.shape_words(spec) for spec in _proposed(column, kind)]
    if kind == "intervals":
        return [", ".join(map(str, spec["intervals"]["widths"])) for spec in _proposed(column, kind)]
    return []


def asked(attribute: Attribute, data: QueryDict) -> Studio:
    """The studio as the form says it."""
    column, kind, draft = shaping.column_of(attribute), data.get("kind", ""), data.get("draft", "")
    studio = Studio(attribute, column, kind, StudioForm(kind=kind), draft=draft, seen=_number(data.get("seen"), 0))
    studio.opened, studio.sought = _places(data.get("opened", "")), data.get("sought", "")
    studio.most = _number(data.get("most"), FEW)
    try:
        if kind == "ordered" and "ordering" in data:
            _arrange(studio, data)
        if kind not in KINDS:
            studio.trouble = "Choose how the values become coarser."
        elif kind == OWN:
            studio.spec = drafts.unpacked(draft) if draft else attribute.hierarchy
        elif kind != data.get("was") or "use" in data:
            _begin(studio, data.get("use", "0"))
        else:
            _follow(studio, data)
    except RiskappError as trouble:
        studio.trouble = getattr(trouble, "message", str(trouble))
    studio.choices = _choices(column, kind)
    return studio


def _arrange(studio: Studio, data: QueryDict) -> None:
    """The values in the order that the form has, one of them moved if it says so."""
    order = _texts(data.get("ordering", ""))
    place, _, way = data.get("shift", "").partition(":")
    at = _number(place, -1)
    to = at + (1 if way == "down" else -1)
    if 0 <= at < len(order) and 0 <= to < len(order):
        order[at], order[to] = order[to], order[at]
    studio.ordering = order
    studio.column = shaping.arranged(studio.column, order)


def _texts(text: str) -> list[str]:
    """Different texts that a form carries."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
        raise drafts.LostDraft("The order of the values did not come whole. Go back, and try once more.")
    return list(dict.fromkeys(found))


def _number(word: str | None, otherwise: int) -> int:
    return int(word) if word and word.isdecimal() and len(word) < 9 else otherwise


def _places(text: str) -> list[Place] | None:
    """The groups that are open in the tree; None where nobody has opened or closed any yet."""
    try:
        return [(int(level), str(label)) for level, label in json.loads(text)]
    except (ValueError, TypeError):
        return None


def _begin(studio: Studio, use: str) -> None:
    """A kind that was just chosen begins with what is proposed for the column."""
    known = _offered(studio.column, studio.kind)
    place = int(use) if use.isdecimal() and int(use) < len(known) else 0
    studio.spec = shaping.ready(studio.column, known[place])
    given = {"by": MERGED[place]} if studio.kind == "ordered" else StudioForm.shown(known[place])
    studio.form = StudioForm(initial={"choice": place} | given, kind=studio.kind)


def _follow(studio: Studio, data: QueryDict) -> None:
    """A kind with the parameters that the form has."""
    studio.form = StudioForm(data, kind=studio.kind)
    if not studio.form.is_valid():
        studio.trouble = "Fill in what is marked."
    elif studio.kind == "ordered":
        studio.spec = shaping.merged(studio.column, studio.form.cleaned_data["by"])
    elif studio.kind in CHOSEN:
        known = _offered(studio.column, studio.kind)
        studio.spec = known[min(studio.form.cleaned_data["choice"] or 0, len(known) - 1)]
    elif studio.kind != "none":
        studio.spec = shaping.ready(studio.column, studio.form.rule())
