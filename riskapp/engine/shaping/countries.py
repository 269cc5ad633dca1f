"""Countries: by name or ISO 3166 code, in the regions and continents of the United Nations."""

import csv
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.hierarchy import TOP
from riskapp.engine.shaping.fitting import Column

FILE = Path(__file__).with_name("countries.csv")
SPELLINGS = 10
"""No column has more different spellings of a name than this."""


@dataclass(frozen=True)
class Country:
    """A country of ISO 3166, and where it is."""

    alpha2: str
    alpha3: str
    name: str
    region: str
    continent: str
    also: tuple[str, ...]


@cache
def countries() -> tuple[Country, ...]:
    """All countries of ISO 3166."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple(
            Country(**{**row, "also": tuple(filter(None, row["also"].split("|")))})  # type: ignore[arg-type]
            for row in rows
        )


def country(text: str) -> Country | None:
    """The country that a name or a code means.

    >>> country("deu").name, country("Cote d’Ivoire").alpha2, country("Atlantis")
    ('Germany', 'CI', None)
    """
    return _by_name().get(_plain(text))


@cache
def _by_name() -> dict[str, Country]:
    return {_plain(name): each for each in countries() for name in (*each.also, each.name, each.alpha3, each.alpha2)}


def _plain(text: str) -> str:
    """A name without case, accents, signs and the word `the`."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    words = "".join(sign if sign.isalnum() else " " for sign in bare.replace("&", " and ")).split()
    return " ".join(word for word in words if word != "the")


def specs(column: Column) -> list[dict[str, Any]]:
    """Rows country → region → continent; where a country is written in two ways, its name comes first.

    Raises
    ------
    BadSetting
        If fewer than half of the values mean a country.
    """
    few = len(column.values) <= SPELLINGS * len(_by_name())
    met = {value: found for value in (column.values.to_pylist() if few else []) if (found := country(value))}
    if not met or 2 * len(met) < len(column.values):
        told = "Fewer than half of the values are names or codes of countries. Choose another kind of hierarchy."
        raise BadSetting(column.key, told)
    twice = len(set(met.values())) < len(met)
    rows = [[value, *([it.name] if twice else []), it.region, it.continent, TOP] for value, it in met.items()]
    header = ["written", "country"] if twice else ["country"]
    return [{"rows": rows, "header": [*header, "region", "continent"]}]
