"""Searching and sorting lists: what is asked stands in the address, and the server does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpRequest

LONGEST = 100
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Listing:
    """What a list shows: the words searched for, the chosen order, and the orders there are by their labels."""

    words: str
    sort: str
    sorts: Mapping[str, str]

    @property
    def query(self) -> str:
        """The part of an address that keeps it, for the next page."""
        kept = {"q": self.words, "sort": self.sort if self.sort != next(iter(self.sorts)) else ""}
        told = urlencode({key: value for key, value in kept.items() if value})
        return f"{told}&" if told else ""


# For each order its label and the fields it goes by; the first is the usual one.
Orders = Mapping[str, tuple[str, tuple[Any, ...]]]


def listed(request: HttpRequest, rows: QuerySet[Row], field: str, orders: Orders) -> tuple[QuerySet[Row], Listing]:
    """The rows whose field holds the words that are searched for, in the order that is asked for."""
    words = request.GET.get("q", "").strip()[:LONGEST]
    asked = request.GET.get("sort", "")
    sort = asked if asked in orders else next(iter(orders))
    found = rows.filter(**{f"{field}__icontains": words}) if words else rows
    told = Listing(words, sort, {key: label for key, (label, _) in orders.items()})
    return found.order_by(*orders[sort][1]), told
