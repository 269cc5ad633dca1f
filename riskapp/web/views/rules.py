"""One rule: what it does, whom it exposes, what it keeps; and several rules side by side."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from riskapp import policies, selectors
from riskapp.bridge import outcomes, ruling
from riskapp.core.errors import Hidden, RiskappError
from riskapp.engine.standing import standing
from riskapp.models import Outcome, Project
from riskapp.services import rules as asking
from riskapp.web import comparing, rule_words
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.risk_words import RiskWords
from riskapp.web.views.frontier import beside, outcome_of, verdict_of


def asked_for(request: Request, project: Project, run_id: UUID) -> tuple[Outcome, dict[str, Any]]:
    """The outcome of the run, and the rule that the address names."""
    outcome = outcome_of(selectors.assess_run(project, run_id))
    if outcome is None:
        raise Hidden
    name = request.GET.get("rule", "")
    rules = outcomes.rules(outcome, [name])
    if name not in rules:
        raise Hidden
    return outcome, rules[name]


def about(request: Request, project: Project, outcome: Outcome, rule: dict[str, Any]) -> dict[str, Any]:
    """What every part of a rule's page knows."""
    words = outcome.summary["words"]
    return frame(request, project, "frontier") | {
        "run": outcome.run,
        "outcome": outcome,
        "rule": rule,
        "query": urlencode({"rule": rule["id"]}),
        "words": words,
        "sentence": rule_words.sentence(rule, words),
        "limits": standing(rule, outcome.summary["limits"]),
        "risk_words": RiskWords.of(asking.risk_of(outcome)),
        "family": rule_words.FAMILIES.get(rule["family"], rule["family"]),
        "worst_attacker": worst_attacker(rule),
    }


def worst_attacker(rule: dict[str, Any]) -> str:
    """The attacker with the largest risk under a rule; of equal ones the one who is expected to find the most.

    >>> people = {"neighbour": {"expected_found": 2.0}, "register": {"expected_found": 3.0}}
    >>> worst_attacker({"risk_by_dictionary": {"neighbour": 0.5, "register": 0.25}, "people": people})
    'neighbour'
    >>> worst_attacker({"risk_by_dictionary": {"neighbour": "inf", "register": "inf"}, "people": people})
    'register'
    """
    found: dict[str, float] = {name: float(own["expected_found"]) for name, own in rule["people"].items()}
    return max(found, key=lambda name: (float(rule["risk_by_dictionary"][name]), found[name]))


@require_safe
@in_project("see_runs")
def show(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """A rule's page; beside the frontier the few figures that matter."""
    outcome, rule = asked_for(request, project, run_id)
    told = outcome.summary
    context = about(request, project, outcome, rule) | {
        "number_tag": rule_words.number_tag(rule),
        "holding_tags": rule_words.holding_tags(rule, told["conditions"]),
        "best_is": rule_words.chosen_as(rule, told) if rule["id"] == told["best"] else "",
        **beside(outcome, rule),
    }
    if request.htmx:
        return render(request, "rules/_panel.html", context)
    detailed = asking.detail(outcome, rule["id"])
    ends = outcomes.rules(outcome, [ruling.unchanged(outcome), *filter(None, told["cheapest"].values())])
    context |= {
        "verdict": verdict_of(project, outcome, rule["id"], ends | {rule["id"]: rule}),
        "harm": _harm(rule, ends[ruling.unchanged(outcome)]),
        "neighbours": _neighbours(outcome, rule),
        "found": detailed.known(),
        "at_once": detailed.asks_itself(),
        "stable": asking.stability(outcome, rule).known(),
    }
    return render(request, "rules/show.html", context)


def _harm(rule: dict[str, Any], unchanged: dict[str, Any]) -> float | None:
    """The risk that counts, with that of the unchanged table as 100; None where that is nothing or infinite."""
    before, after = (max(float(one["risk"]), float(one["risk_replay"] or 0)) for one in (unchanged, rule))
    return 100 * after / before if 0 < before < float("inf") else None


def _neighbours(outcome: Outcome, rule: dict[str, Any]) -> dict[str, Any]:
    found, words = ruling.neighbours(outcome, rule), outcome.summary["words"]
    others = [*found["finer"], *found["coarser"]]
    stepwise = any("attribute" in one for one in others)
    listed = {} if stepwise else outcomes.rules(outcome, [one["rule"] for one in others])
    for one in others:
        step = f"{one['attribute']} {words[one['attribute']][one['to']]}" if stepwise else ""
        one["words"] = step or rule_words.short(listed[one["rule"]], words)
        one["query"] = urlencode({"rule": one["rule"]})
    return {"stepwise": stepwise, "ways": {way: found[way] for way in ("finer", "coarser")}}


# What a worker finds out: asked for by posting, then looked for until it is there


def _answered(
    kind: str, name: str, question: Callable[[Outcome, dict[str, Any]], asking.Question]
) -> Callable[..., HttpResponse]:
    """The part of a rule's page that knows the answer by a name."""
    template = f"rules/_{kind}.html"

    @require_http_methods(["GET", "HEAD", "POST"])
    @in_project("see_runs")
    def view(request: Request, project: Project, run_id: UUID) -> HttpResponse:
        outcome, rule = asked_for(request, project, run_id)
        asked = question(outcome, rule)
        context = about(request, project, outcome, rule)
        if request.method == "POST":
            (asked.cancel if "cancel" in request.POST else asked.ask)(by=request.actor)
            if not request.htmx:
                return redirect(f"{reverse('rule', args=[project.pk, run_id])}?{context['query']}")
        return render(request, template, context | {name: asked.known()})

    return view


detail = _answered("detail", "found", lambda outcome, rule: asking.detail(outcome, rule["id"]))
stability = _answered("stability", "stable", asking.stability)
together = _answered("together", "together", asking.together)


@require_http_methods(["GET", "HEAD", "POST"])
@in_project("see_runs")
def attacker(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """How many entries of an attacker's table may be the person of one record."""
    if request.method == "POST":
        policies.check("run", request.user, project)
    outcome, rule = asked_for(request, project, run_id)
    record, name = record_and_attacker(request, outcome)
    asked = asking.attacker(outcome, rule["id"], record, name)
    if request.method == "POST":
        asked.ask(by=request.actor)
    context = about(request, project, outcome, rule) | {"record": record, "attacker": name, "found": asked.known()}
    context["asked"] = urlencode({"rule": rule["id"], "record": record, "attacker": name})
    return render(request, "rules/_attacker.html" if request.htmx else "rules/attacker.html", context)


def record_and_attacker(request: Request, outcome: Outcome) -> tuple[int, str]:
    """Which record, by its number, and which attacker."""
    given = request.POST if request.method == "POST" else request.GET
    record, name = given.get("record", "").strip(), given.get("attacker", "")
    if not (record.isascii() and record.isdecimal()) or not 0 < len(record) < 12:
        raise RiskappError("Give the number of a record: 1 for the first row below the header.")
    if name not in outcome.summary["about"]["dictionaries"]:
        raise RiskappError("Choose one of the attackers of this run.")
    return int(record), name


@require_safe
@in_project("see_runs")
def compare(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """Up to four rules side by side."""
    outcome = outcome_of(selectors.assess_run(project, run_id))
    if outcome is None:
        raise Hidden
    wanted = list(dict.fromkeys(request.GET.getlist("rule")))
    known = outcomes.rules(outcome, wanted[: comparing.MOST])
    context = frame(request, project, "frontier") | {
        "run": outcome.run,
        "outcome": outcome,
        "rules": comparing.heads(known.values(), outcome.summary["words"]),
        "rows": comparing.rows(list(known.values()), outcome.summary),
        "left_out": len(wanted) - len(known),
        "most": comparing.MOST,
    }
    return render(request, "rules/compare.html", context)
