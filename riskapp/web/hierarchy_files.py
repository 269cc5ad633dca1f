"""Several hierarchy files on their way to their columns, as the form says it: nothing of them is kept elsewhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from riskapp.bridge import hierarchy_files
from riskapp.bridge.hierarchy_files import Fit, Match, Why
from riskapp.core.errors import RiskappError
from riskapp.models import Attribute, Setup
from riskapp.web import drafts
from riskapp.web.forms.hierarchies import MOST_TOGETHER, TOO_MUCH, TextFile

TWICE = "Another file is for this column too. Choose another column for one of them, or leave it out."


@dataclass
class Given:
    """One of the files: the column that it is for if any, and what it would do there or why it cannot.

    `unread` says why it has no text at all, `why` why its name alone led to no column. The form carries all of this as
    `draft`, and in `shown` the column that the page has told about.
    """

    draft: str
    name: str
    text: str
    unread: str
    why: str
    attribute: Attribute | None = None
    shown: str = ""
    trouble: str = ""
    fit: Fit | None = None

    @property
    def choice(self) -> str:
        """The column as it is seen now, with its version; nothing where the file is left out."""
        return f"{self.attribute.pk}:{self.attribute.version}" if self.attribute else ""

    @property
    def chosen_anew(self) -> bool:
        """Whether another column was chosen than the page has told about."""
        return self.shown.partition(":")[0] != self.choice.partition(":")[0]

    @property
    def seen(self) -> int:
        version = self.shown.partition(":")[2]
        return int(version) if version.isdecimal() and len(version) < 9 else -1

    @property
    def homeless(self) -> bool:
        return bool(self.fit and self.fit.covered < self.fit.values)

    @property
    def same(self) -> bool:
        return bool(self.fit and self.attribute and self.fit.rows == self.attribute.hierarchy)


@dataclass
class Files:
    """All of them, and the columns to choose from."""

    files: list[Given]
    columns: list[Attribute]
    overtaken: bool = False
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    refused: str = ""
    chosen_anew: bool = False

    @property
    def ready(self) -> list[Given]:
        return [one for one in self.files if one.fit]

    @property
    def homeless(self) -> list[str]:
        """The columns that would have values without a place."""
        return [one.attribute.column for one in self.ready if one.attribute and one.homeless]


def arrived(setup: Setup, files: Sequence[TextFile]) -> Files:
    """Files that have just been sent, each with the column that it is named after."""
    columns = _released(setup)
    by_name = {one.column: one for one in columns.values()}
    given, room = [], drafts.ROOM
    for file, match in zip(files, hierarchy_files.named_after(setup, [one.name for one in files]), strict=True):
        one = _packed(file, _words(match))
        if len(one.draft) > room:
            one = _packed(TextFile(file.name, trouble=TOO_MUCH), "")
        room -= len(one.draft)
        one.attribute = by_name.get(match.column or "")
        given.append(one)
    return _fitted(given, columns)


def _packed(file: TextFile, why: str) -> Given:
    told = (file.name, file.text, file.trouble, why)
    return Given(drafts.packed_texts(*told), *told)


def asked(setup: Setup, data: QueryDict) -> Files:
    """The files that the form carries, each with the column that was chosen for it."""
    columns = _released(setup)
    return _fitted(list(_carried(data, columns)), columns)


def _carried(data: QueryDict, columns: dict[str, Attribute]) -> Iterator[Given]:
    place, signs = 0, 0
    while f"file-{place}" in data:
        draft = data.get(f"file-{place}", "")
        name, text, unread, why = drafts.unpacked_texts(draft, 4)
        signs += len(text)
        if signs > MOST_TOGETHER:
            raise drafts.LostDraft("What came is larger than what was sent. Go back, and try once more.")
        chosen = columns.get(data.get(f"column-{place}", ""))
        yield Given(draft, name, text, unread, why, chosen, data.get(f"shown-{place}", ""))
        place += 1


def _released(setup: Setup) -> dict[str, Attribute]:
    columns = setup.attributes.select_related("setup__project", "setup__dataset").defer("setup__dataset__profile")
    return {str(one.pk): one for one in columns if one.released}


def _fitted(files: list[Given], columns: dict[str, Attribute]) -> Files:
    """The files with what each would do to its column; two for one column do nothing."""
    for one in files:
        if one.unread:
            one.attribute, one.trouble = None, one.unread
    times = Counter(one.attribute.pk for one in files if one.attribute)
    for one in files:
        if one.attribute:
            _fit(one, one.attribute, times[one.attribute.pk])
    return Files(files, list(columns.values()))


def _fit(one: Given, attribute: Attribute, times: int) -> None:
    if times > 1:
        one.trouble = TWICE
        return
    try:
        one.fit = hierarchy_files.fit(attribute, one.text)
    except RiskappError as trouble:
        one.trouble = getattr(trouble, "message", str(trouble))


def _words(match: Match) -> str:
    """Why a file has no column yet, as it is told on the page."""
    names = " and ".join(f"“{name}”" for name in match.among)
    return {
        None: "",
        Why.NOTHING: "No released column is called like it.",
        Why.COLUMNS: f"It could be for {names}.",
        Why.FILES: f"Another file is called like {names} too.",
        Why.TAKEN: f"The name of another file is closer to {names}.",
        Why.WITHHELD: f"The column {names} is not released. Release it first, or choose another.",
    }[match.why]
