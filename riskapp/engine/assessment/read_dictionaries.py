"""The keys `dictionaries` and `linkage`: which tables attackers may hold, and which columns match which attributes."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import PurePath

from riskapp.engine.assessment.given import Given
from riskapp.engine.assessment.settings import AttributeKey, DictionaryKey, FileKey, LinkageKey, Match, SelfKey
from riskapp.engine.assessment.tree import Plain
from riskapp.engine.reading import ENDINGS, PACKED

RESERVED = ("worst", "bayes")
SELF = "self"

Attributes = Mapping[str, AttributeKey]


def read_dictionaries(given: Given, attributes: Attributes) -> tuple[DictionaryKey, ...]:
    """The dictionaries; the dataset itself where none are given.

    Raises
    ------
    BadSetting
        If the list is empty, two have one name, all priors are 0, or one is described in an impossible way.
    """
    listed = [Given("dictionaries.0", Plain(SELF))] if given.nothing else given.items()
    found = tuple(_dictionary(item, attributes) for item in listed)
    if not found:
        raise given.wrong("The list is empty. Name at least one dictionary, such as self.")
    _check_names(found, listed)
    if not any(dictionary.prior for dictionary in found):
        raise given.wrong("All priors are 0. Give at least one dictionary a prior above 0.")
    return found


def _check_names(found: tuple[DictionaryKey, ...], listed: list[Given]) -> None:
    names: set[str] = set()
    for dictionary, item in zip(found, listed, strict=True):
        named = Given(f"{item.path}.name", item.tree)
        if dictionary.name in RESERVED:
            raise named.wrong("This name has a meaning in risk.over_dictionaries. Choose another.")
        if dictionary.name in names:
            raise named.wrong("Another dictionary has this name. Give each a name of its own.")
        names.add(dictionary.name)


def _dictionary(given: Given, attributes: Attributes) -> DictionaryKey:
    if not isinstance(given.tree, dict):
        given.choice(SELF)
        return _itself(Given(given.path, {}), attributes)
    return _itself(given, attributes) if SELF in given.tree else _from_file(given, attributes)


def _itself(given: Given, attributes: Attributes) -> SelfKey:
    keys = given.keys(SELF, "name", "knows", "prior")
    if SELF in keys and not keys[SELF].flag():
        raise keys[SELF].wrong("Say true, or name a file instead.")
    default = tuple(name for name, attribute in attributes.items() if not attribute.kept)
    return SelfKey(
        key=given.path,
        name=keys["name"].name() if "name" in keys else SELF,
        knows=keys["knows"].distinct(lambda item: item.choice(*attributes)) if "knows" in keys else default,
        prior=keys["prior"].amount(finite=True) if "prior" in keys else 1.0,
    )


def _from_file(given: Given, attributes: Attributes) -> FileKey:
    keys = given.keys("name", "file", "match", "identity", "count", "prior", "fuzzy", needed=("file", "match"))
    if "identity" in keys and "count" in keys:
        raise keys["count"].wrong("Entries say who they are or for how many they stand. Leave out identity or count.")
    match = _match(keys["match"], attributes)
    return FileKey(
        key=given.path,
        name=keys["name"].name() if "name" in keys else bare(keys["file"].name()),
        file=keys["file"].name(),
        match=match,
        identity=keys["identity"].name() if "identity" in keys else None,
        count=keys["count"].name() if "count" in keys else None,
        prior=keys["prior"].amount(finite=True) if "prior" in keys else 1.0,
        fuzzy=_fuzzy(keys["fuzzy"], match, attributes) if "fuzzy" in keys else {},
    )


def bare(file: str) -> str:
    """The name of a file without its endings.

    >>> bare("tables/register.csv.gz"), bare("register.2024.csv")
    ('register', 'register.2024')
    """
    name = PurePath(file)
    if name.suffix.lower()[1:] in PACKED and PurePath(name.stem).suffix.lower()[1:] in ENDINGS:
        name = PurePath(name.stem)
    return name.stem


def _match(given: Given, attributes: Attributes) -> tuple[Match, ...]:
    """Which attribute, at which level, each column holds; every attribute at most once."""
    found: list[Match] = []
    for column, inner in given.entries().items():
        attribute, level = target(inner, attributes)
        if attribute in {match.attribute for match in found}:
            raise inner.wrong("Another column matches this attribute. Leave one of them out.")
        found.append(Match(column, attribute, level))
    if not found:
        raise given.wrong("Nothing is matched. Name at least one column and the attribute it holds.")
    return tuple(found)


def target(given: Given, attributes: Attributes) -> tuple[str, str]:
    """The attribute and the level in `attribute` or `attribute@level`; level 0 where none is given."""
    text = given.name()
    name, _, level = (text, "@", "0") if text in attributes else text.rpartition("@")
    if name not in attributes:
        raise given.wrong(f"There is no such attribute. Known are {', '.join(attributes)}.")
    if not level:
        raise given.wrong("The level is missing after @. Name it, or leave out the @.")
    return name, level


def _fuzzy(given: Given, match: tuple[Match, ...], attributes: Attributes) -> dict[str, str]:
    found = {}
    for column, inner in given.keys(*(one.column for one in match)).items():
        attribute = attributes[next(one.attribute for one in match if one.column == column)]
        if {"dates", "intervals"} & set(attribute.hierarchy or ()):
            raise inner.wrong("Dates and intervals are not matched by likeness. Leave this out.")
        found[column] = inner.written_number()
        if not 0 <= Decimal(found[column]) <= 1:
            raise inner.wrong("Give a number from 0 to 1.")
    return found


def read_linkage(given: Given, attributes: Attributes) -> LinkageKey | None:
    """The linkage data, if there are any."""
    if given.nothing:
        return None
    keys = given.keys("file", "match", "adds", needed=("file", "match"))
    adds = keys["adds"].entries() if "adds" in keys else {}
    return LinkageKey(
        file=keys["file"].name(),
        match=_match(keys["match"], attributes),
        adds={column: inner.amount() for column, inner in adds.items()},
    )
