"""The frontier of a run: the verdict, the plane of risk and utility, and all rules as a file."""

import gzip
from typing import Any, cast
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.bridge import documents, outcomes, rules_csv, ruling
from riskapp.core.errors import Hidden
from riskapp.models import Outcome, Project, Run
from riskapp.services import notices
from riskapp.services import rules as asking
from riskapp.web import rule_words, verdict_words
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.risk_words import RiskWords


@require_safe
@in_project("see_runs")
def show(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    run = selectors.assess_run(project, run_id)
    outcome = outcome_of(run)
    if outcome is None:
        return redirect("run", project.pk, run.pk)
    notices.seen_run(request.user, run)
    context = frame(request, project, "frontier") | {"run": run, "outcome": outcome}
    try:
        context |= _context(project, outcome)
    except outcomes.Lost as trouble:
        return render(request, "runs/frontier-lost.html", context | {"trouble": trouble}, status=409)
    return render(request, "runs/frontier.html", context)


def outcome_of(run: Run) -> Outcome | None:
    """What a run has come to; None while it has not."""
    outcome: Outcome | None = getattr(run, "outcome", None)
    if outcome is not None:
        outcome.run = run
    return outcome


def _context(project: Project, outcome: Outcome) -> dict[str, Any]:
    told, key = outcome.summary, [project.pk, outcome.run_id]
    address = reverse("rule", args=key)
    rules = outcomes.rules(outcome, {told["best"], *filter(None, told["cheapest"].values())})
    verdict = verdict_of(project, outcome, told["best"], rules)
    return {
        "verdict": verdict,
        "best": rules[told["best"]],
        "best_words": rule_words.sentence(rules[told["best"]], told["words"]),
        "best_is": rule_words.chosen_as(rules[told["best"]], told),
        "stale": told["classes"] != documents.class_limits(),
        "plane_url": reverse("frontier-plane", args=key),
        "csv_url": reverse("frontier-rules", args=key),
        "rule_url": f"{address}?rule=__rule__",
        "compare_url": reverse("compare", args=key),
        "propose_url": reverse("propose", args=key),
        "start": start(outcome),
        "risk_words": RiskWords.of(asking.risk_of(outcome)),
        "query": urlencode({"rule": told["best"]}),
        **beside(outcome, rules[told["best"]]),
        **nearest(outcome),
    }


def nearest(outcome: Outcome) -> dict[str, Any]:
    """The rule that comes nearest to what was asked for and cannot be met, where there is one."""
    name = (outcome.summary["optimum"] or {}).get("nearest")
    rules = outcomes.rules(outcome, {name}) if name else {}
    found = [rule | {"words": rule_words.short(rule, outcome.summary["words"])} for rule in rules.values()]
    return {"nearest": found[0] if found else None}


def beside(outcome: Outcome, rule: dict[str, Any]) -> dict[str, Any]:
    """What is known about a rule together with the releases that others hold; nothing where nobody holds any."""
    asked = asking.together(outcome, rule)
    return {"together": asked.known() if asked.asked["earlier"] else None}


def verdict_of(project: Project, outcome: Outcome, rule: str, rules: dict[str, Any]) -> verdict_words.Verdict:
    """The verdict on a rule; people are counted where its details are known."""
    found = ruling.verdict(outcome, rule, asking.detail(outcome, rule).known().figures)
    setup = selectors.setup_of(project)
    never = asking.never(outcome, rules[rule])
    return verdict_words.told(found, rule, setup.release_class, outcome.summary["words"], rules, never)


def start(outcome: Outcome) -> dict[str, float | None]:
    """Where the sliders stand at first: at the limits, and at what the run was asked."""
    search = asking.asked_of(outcome)
    return {
        "least_share": asking.least_share(outcome),
        "most_risk": search.get("most_risk"),
        "most_chance": outcome.summary["limits"].get("largest_chance"),
        "most_found": None,
    }


@require_safe
@in_project("see_runs")
def plane(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """Every rule as the page's script draws it, packed for browsers that say they can unpack."""
    packed = outcomes.plane(_there(project, run_id))
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(gzip.decompress(packed), content_type="application/json")
    answer = HttpResponse(packed, content_type="application/json", headers={"Content-Encoding": "gzip"})
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


@require_safe
@in_project("see_runs")
def rules(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """All rules with all their digits, a line each."""
    lines = rules_csv.as_csv(_there(project, run_id))
    name = f'attachment; filename="rules-{str(run_id)[:8]}.csv"'
    sent = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": name})
    return cast(HttpResponse, sent)


def _there(project: Project, run_id: UUID) -> Outcome:
    outcome = outcome_of(selectors.assess_run(project, run_id))
    if outcome is None:
        raise Hidden
    return outcome
