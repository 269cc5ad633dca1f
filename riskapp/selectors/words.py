"""Searching for words in the rows of the database, whatever their capitals."""

from functools import reduce
from operator import or_

from django.db.models import Q


def holds(field: str, words: str) -> Q:
    """The field has the words in it. Of letters beyond ASCII, SQLite does not know which are the same."""
    spellings = {words} if words.isascii() else {words, words.lower(), words.upper(), words.title()}
    return reduce(or_, (Q(**{f"{field}__icontains": one}) for one in sorted(spellings)))
