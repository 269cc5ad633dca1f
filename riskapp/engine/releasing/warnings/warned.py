"""A warning: what was found, in a sentence without any value of the data, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from riskapp.engine.releasing.attack.lining_up import Doubt
from riskapp.engine.releasing.report.words import so_many


@dataclass(frozen=True)
class Circumstances:
    """What warnings need to know besides the rule.

    Attributes
    ----------
    considered : how many rules were measured
    runs : in how many runs of the same data
    best : the rule that the question asked for; None where nothing was asked, or no rule does it
    chance_limit : the largest chance that the release class allows: who loses more than somebody of average harm would
        at this chance loses too much; without it, who loses ten times the mean
    data_until : the last day that the data are about
    dictionaries_from : for each dictionary the day that it is as of
    data_by_upload, by_upload : whether the day of the data, and which dictionaries' day, is only that of the upload
    intersection : what `attack.intersected` found with earlier releases
    without_it : what it found between the earlier ones alone; None where there are not several
    by_columns : what `attack.by_columns` found with earlier releases that tell people apart by something else
    doubts : why identifiers of earlier releases were not taken for people's, or with doubt, and of how many
    unheld : why some earlier releases cannot be held against this one, and how many
    """

    considered: int = 1
    runs: int = 1
    best: str | None = None
    chance_limit: float | None = None
    data_until: date | None = None
    dictionaries_from: Mapping[str, date] = field(default_factory=dict)
    data_by_upload: bool = False
    by_upload: frozenset[str] = frozenset()
    intersection: Mapping[str, Any] | None = None
    without_it: Mapping[str, Any] | None = None
    by_columns: Mapping[str, Any] | None = None
    doubts: Mapping[Doubt, int] = field(default_factory=dict)
    unheld: Mapping[Doubt, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Warned:
    """One warning.

    Attributes
    ----------
    name : what kind it is
    where : the column or dictionary it is about; empty for the whole release
    count : how many people, records or cells
    about : what was found, in a sentence
    do : what to do
    """

    name: str
    where: str
    count: int
    about: str
    do: str


def people_are(number: int) -> str:
    """
    >>> people_are(1), people_are(3)
    ('1 person is', '3 people are')
    """
    return f"{so_many(number, 'person', 'people')} {'is' if number == 1 else 'are'}"


def that_of(number: int) -> str:
    """
    >>> that_of(1), that_of(3)
    ('1 person is', '3 people is')
    """
    return f"{so_many(number, 'person', 'people')} is"
