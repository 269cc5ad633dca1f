"""What a person says to the differences of a file: which missing column is called what now, which new one is used."""

from typing import Any

from riskapp.services.drifting import Drift
from riskapp.web.pages import Request

SUGGESTED = "suggested"


def asked(request: Request, drift: Drift) -> dict[str, Any]:
    """The missing and the new columns, each with what is chosen for it: as it came, else what is likeliest.

    Fields are numbered, since names of columns may hold any sign.
    """
    sent = request.POST if "sure" in request.POST else None
    likely = _likely(drift)
    missing = [
        (fact, sent.get(f"missing-{place}", "") if sent else likely.get(fact["column"], ""))
        for place, fact in enumerate(drift.missing)
    ]
    new = [(fact, bool(sent and sent.get(f"new-{place}") == SUGGESTED)) for place, fact in enumerate(drift.new)]
    return {"missing": missing, "new": new}


def _likely(drift: Drift) -> dict[str, str]:
    """For each missing column the place of the new one that it is likeliest called; no new one is taken twice."""
    places = {fact["column"]: str(place) for place, fact in enumerate(drift.new)}
    found: dict[str, str] = {}
    for fact in drift.missing:
        free = [places[name] for name in fact["perhaps"] if places[name] not in found.values()]
        if free:
            found[fact["column"]] = free[0]
    return found


def likely_renamed(drift: Drift) -> dict[str, str]:
    """What the missing columns are likeliest called now."""
    return {column: drift.new[int(place)]["column"] for column, place in _likely(drift).items()}


def renamed(request: Request, drift: Drift) -> dict[str, str]:
    """The new names of missing columns."""
    new = {str(place): fact["column"] for place, fact in enumerate(drift.new)}
    chosen = {fact["column"]: request.POST.get(f"missing-{place}", "") for place, fact in enumerate(drift.missing)}
    return {column: new[place] for column, place in chosen.items() if place in new}


def as_suggested(request: Request, drift: Drift) -> set[str]:
    """The new columns that are to take the suggested part."""
    return {fact["column"] for place, fact in enumerate(drift.new) if request.POST.get(f"new-{place}", "") == SUGGESTED}
