"""What a person says to the differences of a file: which missing column is called what now, which new one is used."""

from riskapp.services.drifting import Drift
from riskapp.web.pages import Request


def renamed(request: Request, drift: Drift) -> dict[str, str]:
    """The new names of missing columns; fields are numbered, since names of columns may hold any sign."""
    new = {str(place): fact["column"] for place, fact in enumerate(drift.new)}
    chosen = {fact["column"]: request.POST.get(f"missing-{place}", "") for place, fact in enumerate(drift.missing)}
    return {column: new[place] for column, place in chosen.items() if place in new}


def as_suggested(request: Request, drift: Drift) -> set[str]:
    """The new columns that are to take the suggested part."""
    return {
        fact["column"] for place, fact in enumerate(drift.new) if request.POST.get(f"new-{place}", "") == "suggested"
    }
