"""Why a run failed, in the words of the pages: where in the set-up the trouble is, and the ways out of it.

A fault names the key of the assessment file that is to be mended. Programs want the key; people want the page.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from riskapp import selectors
from riskapp.bridge.holding import LINKAGE
from riskapp.models import Attacker, Attribute, Project, Run
from riskapp.web.forms.search import METHODS
from riskapp.web.templatetags.words import count

OTHER_MATCH = "Match the column at another level, match it by likeness, or leave it out."
STEPS = {
    "dataset": ("Attributes", "attributes"),
    "sensitivity": ("Harm", "harm"),
    "search": ("Run", "runs"),
    "risk": ("Run", "runs"),
    "utility": ("Run", "runs"),
}
WAYS = re.compile(rf"\b(?:{'|'.join(sorted(METHODS, key=len, reverse=True))})\b")
SETTINGS = {
    "sensitivity.unidentified": "the harm to somebody who is not found",
    "risk.uncovered: zero": "records that fit nobody taken as never found,",
}
"""Settings that a sentence about a search names, as the Harm and Run pages call them."""


@dataclass(frozen=True)
class Way:
    """A way out: words, and where they lead if they lead anywhere."""

    words: str
    url: str = ""


@dataclass(frozen=True)
class Told:
    """What is wrong, and the ways out."""

    title: str
    words: str = ""
    ways: list[Way] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """Where in the set-up a key is: its name, its page, whose table it is about, and where that is read again."""

    name: str
    url: str
    holder: str = ""
    file: str = ""


def told(run: Run, project: Project, title: str) -> Told:
    """The fault of a run that failed."""
    fault = run.fault or {}
    key, message = str(fault.get("key", "")), str(fault.get("message", ""))
    place = _place(key, run, project) if key else None
    if fault.get("code") == "outside" and fault.get("facts"):
        return _homeless(fault["facts"], place, project)
    words = " ".join(part for part in (message.removeprefix(f"{key}: "), fault.get("advice", "")) if part)
    if key == "search.methods" or "The search " in words:
        words = _of_a_search(words)
    if place is None:
        return Told(title, words)
    if fault.get("code") == "other-missing" and place.file:
        return Told(title, words, [Way(f"Read the file of {place.name} again", place.file)])
    return Told(title, words, [Way(f"Mend it here: {place.name}", place.url)])


def _of_a_search(words: str) -> str:
    """A sentence about a way to search, with its names and those of settings as the pages have them."""
    for setting, name in SETTINGS.items():
        words = words.replace(setting, name)
    return WAYS.sub(lambda found: METHODS[found[0]][0], words)


def _homeless(facts: dict[str, Any], place: Place | None, project: Project) -> Told:
    """Values without a place: in the dataset they stop everything, in another table they would match nobody."""
    holder = place.holder if place else ""
    attribute = Attribute.objects.filter(setup_id=project.pk, column=facts["attribute"]).first()
    studio = reverse("hierarchy", args=[project.pk, attribute.pk]) if attribute else ""
    whose = f"its column {facts['column']}" if holder else f"the column {facts['column']}"
    title = f"{_some(facts)} of {whose} {_have(facts)} no place in the hierarchy of {facts['attribute']}"
    if place is None or not holder:
        return Told(title, f"{_they(facts)} in {_rows(facts, 'record')}.", [Way(f"Give {_them(facts)}", studio)])
    home = Way(f"Give {_them(facts)} in the hierarchy", f"{studio}#gap-{holder}" if studio else "")
    where = f"{_they(facts)} in {_rows(facts, 'entry')} of {place.name}"
    words = f"{where} and would match nobody, so nothing is counted yet."
    return Told(title, words, [home, Way(OTHER_MATCH, place.url)])


def _some(facts: dict[str, Any]) -> str:
    return f"{count(facts['values'])} of the {count(facts['distinct'])} value{'' if facts['distinct'] == 1 else 's'}"


def _have(facts: dict[str, Any]) -> str:
    return "has" if facts["values"] == 1 else "have"


def _they(facts: dict[str, Any]) -> str:
    return "It stands" if facts["values"] == 1 else "They stand"


def _them(facts: dict[str, Any]) -> str:
    return "it a home" if facts["values"] == 1 else "them homes"


def _rows(facts: dict[str, Any], what: str) -> str:
    if facts["rows"] is None:
        return "some rows"
    many = {"record": "records", "entry": "entries"}[what]
    return f"{count(facts['rows'])} {what if facts['rows'] == 1 else many}"


# From a key to its page


def _place(key: str, run: Run, project: Project) -> Place | None:
    section, _, below = key.partition(".")
    if section == "attributes":
        return _of_attribute(below, project)
    if section == "dictionaries":
        return _of_attacker(below.partition(".")[0], run, project)
    if section == LINKAGE:
        return Place("the linkage data", reverse("linkage", args=[project.pk]), LINKAGE)
    if section in STEPS:
        name, page = STEPS[section]
        return Place(name, reverse(page, args=[project.pk]))
    return None


def _of_attribute(below: str, project: Project) -> Place | None:
    """The longest name wins: a column may be called like the beginning of another."""
    columns = Attribute.objects.filter(setup_id=project.pk)
    fitting = [one for one in columns if f"{below}.".startswith(f"{' '.join(one.column.split())}.")]
    if not fitting:
        return None
    one = max(fitting, key=lambda attribute: len(attribute.column))
    if "weight" in below[len(one.column) :]:
        return Place("Harm", reverse("harm", args=[project.pk]))
    return Place(f"the hierarchy of {one.column}", reverse("hierarchy", args=[project.pk, one.pk]))


def _of_attacker(number: str, run: Run, project: Project) -> Place | None:
    """Attackers are numbered in what was frozen, and may have been moved or removed since."""
    frozen = selectors.frozen_for(run)
    if frozen is None or not number.isdecimal():
        return None
    name = frozen["dictionaries"][int(number)]["name"]
    attacker = Attacker.objects.filter(setup_id=project.pk, name=name).first()
    if attacker is None:
        return Place(f"the attacker “{name}”", reverse("attackers", args=[project.pk]))
    file = reverse("upload", args=[project.pk, attacker.upload_id]) + "#differently" if attacker.upload_id else ""
    return Place(f"“{name}”", reverse("attacker", args=[project.pk, attacker.pk]), str(attacker.pk), file)
