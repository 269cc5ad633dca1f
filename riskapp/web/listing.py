"""Searching and sorting lists: what is asked stands in the address, and the server does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from riskapp import selectors

LONGEST = 100
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Listing:
    """What a list shows: the words searched for, the chosen order, and the orders there are by their labels."""

    words: str
    sort: str
    sorts: Mapping[str, str]

    @property
    def label(self) -> str:
        return self.sorts[self.sort]

    @property
    def query(self) -> str:
        """The part of an address that keeps it, for the next page."""
        kept = {"q": self.words, "sort": self.sort if self.sort != next(iter(self.sorts)) else ""}
        told = urlencode({key: value for key, value in kept.items() if value})
        return f"{told}&" if told else ""


# For each order its label and the fields it goes by; the first is the usual one.
Orders = Mapping[str, tuple[str, tuple[Any, ...]]]


def listed(
    request: HttpRequest, rows: QuerySet[Row], fields: tuple[str, ...], orders: Orders
) -> tuple[QuerySet[Row], Listing]:
    """The rows of which each word that is searched for stands in some field, in the order that is asked for."""
    told = listing(request, orders)
    for word in told.words.split():
        rows = rows.filter(reduce(or_, (selectors.holds(field, word) for field in fields)))
    return rows.order_by(*orders[told.sort][1]), told


def listing(request: HttpRequest, orders: Orders) -> Listing:
    """What is asked of a list that has these orders; an order that there is not is the usual one."""
    # PostgreSQL has no text with a zero byte.
    words, asked = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST], request.GET.get("sort", "")
    labels = {key: label for key, (label, _) in orders.items()}
    return Listing(words, asked if asked in orders else next(iter(orders)), labels)
