"""A hierarchy as a tree: opened by an audited click, changed step by step, values given homes."""

import json
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from riskapp import selectors
from riskapp.bridge import trees
from riskapp.core.bad_setting import BadSetting
from riskapp.models import Project
from riskapp.services import hierarchies
from riskapp.web import studio as studios
from riskapp.web.pages import Request, in_project
from riskapp.web.studio import OWN, Place, Studio
from riskapp.web.views.hierarchies import holder_of, page

DONE = {
    "group": "Grouped.",
    "move": "Moved.",
    "split": "Ungrouped: what was in it stands by itself.",
    "rename": "Renamed.",
    "add_level": "Level added.",
    "name_level": "Level renamed.",
    "remove_level": "Level removed.",
}


@require_POST
@in_project("see_values")
def open_tree(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """What the page has now, written out value by value and opened for editing: an audited look."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.shown is None:
        return page(request, project, studio)
    try:
        rebuilt = studio.rebuilt(hierarchies.written_out(studio.attribute, studio.spec, by=request.actor))
    except BadSetting as trouble:
        studio.refused = trouble.message
        return page(request, project, studio)
    rebuilt.opened = None
    return page(request, project, rebuilt)


@require_POST
@in_project("see_values")
def edit(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """One step of editing, or another view of the tree. What cannot be done changes nothing and says why."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    step = _step(request.POST.get("step", ""))
    if studio.kind == OWN and studio.draft and not studio.trouble and step.get("do") in DONE:
        studio = _done(studio, step)
    return page(request, project, studio)


def _step(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _done(studio: Studio, step: dict[str, Any]) -> Studio:
    try:
        done = studio.rebuilt(trees.edited(studio.spec, step), DONE[step["do"]])
    except BadSetting as trouble:
        studio.refused = trouble.message
        return studio
    if done.opened is not None:
        done.opened = _still_open(done.opened, step)
    return done


def _still_open(opened: list[Place], step: dict[str, Any]) -> list[Place]:
    """The groups that stay open: a new one is shown with what is in it, and levels that move take theirs along."""
    do, level = step["do"], int(step.get("level", 0))
    if do == "group":
        return [*opened, (level + 1, str(step["name"]).strip())]
    if do == "rename":
        new = (level, str(step["name"]).strip())
        return [new if place == (level, step["labels"][0]) else place for place in opened]
    if do == "add_level":
        return [(at + (at >= level), label) for at, label in opened]
    if do == "remove_level":
        return [(at - (at > level), label) for at, label in opened if at != level]
    return opened


@require_POST
@in_project("see_values")
def give_homes(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """Give values without a place a home: one of them, or all at once."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.shown is None:
        return page(request, project, studio)
    attribute, actor, way = studio.attribute, request.actor, request.POST.get("all")
    of = holder_of(request, studio)
    try:
        if way:
            housed = hierarchies.house_all(attribute, studio.spec, likeliest=way == "likeliest", by=actor, of=of)
        else:
            homes = _homes(request.POST.get("house", ""))
            housed = hierarchies.house(attribute, studio.spec, homes, by=actor, of=of)
        rebuilt = studio.rebuilt(housed.rows, "Each has its home now." if way else "It has its home now.")
    except BadSetting as trouble:
        studio.refused = trouble.message
        return page(request, project, studio)
    return page(request, project, rebuilt, uncovered=housed.left, of=of)


def _homes(text: str) -> dict[str, str | None]:
    """One value and its home, as a button of the list says it; no home means that it stands by itself."""
    told = _step(text)
    return {str(told["value"]): told.get("home")} if "value" in told else {}
