"""What the name of a column says: the meanings of the lexicon that are met in it."""

import re
import unicodedata
from functools import cache

from riskapp.engine.profile.suggest.lexicon import LEXICON

# These count only as the whole name of a column.
WHOLE_NAME_ONLY = {"bare_name"}


def meanings(name: str) -> frozenset[str]:
    """The meanings met in a column's name.

    >>> sorted(meanings("Date of birth")), sorted(meanings("stage")), sorted(meanings("customerID"))
    (['birth_date', 'date'], [], ['identifier', 'person'])
    """
    words = plain(name)
    return frozenset(meaning for meaning in LEXICON if _met(meaning, words))


def is_called(name: str, meaning: str) -> bool:
    """Whether a column's name says this and nothing else.

    >>> is_called("Patient", "person"), is_called("patient_age", "person")
    (True, False)
    """
    return _pattern(meaning).fullmatch(plain(name)) is not None


def plain(name: str) -> str:
    """A name as words in lower case without accents, joined by `_`.

    >>> plain("Prénom (usuel)"), plain("birthDate"), plain("Straße 2"), plain("IDNumber")
    ('prenom_usuel', 'birth_date', 'strasse', 'id_number')
    """
    parted = re.sub(r"(?<=[^\W\d_])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", "_", name)
    german = parted.casefold().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"})
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", german) if not unicodedata.combining(sign))
    return "_".join(re.findall(r"[^\W\d_]+", bare))


def _met(meaning: str, words: str) -> bool:
    pattern = _pattern(meaning)
    if meaning in WHOLE_NAME_ONLY:
        return pattern.fullmatch(words) is not None
    return pattern.search(words) is not None


@cache
def _pattern(meaning: str) -> re.Pattern[str]:
    phrases = {phrase for line in LEXICON[meaning].values() for phrase in line.split()}
    joined = "|".join(sorted((_phrase(phrase) for phrase in phrases), key=len, reverse=True))
    return re.compile(rf"(?:(?<=_)|^)(?:{joined})(?=_|$)")


def _phrase(phrase: str) -> str:
    """A phrase as a pattern: its words apart or written as one, a star for letters."""
    return re.escape(phrase).replace("_", "_?").replace(r"\*", "[a-z]*")
