"""Where a release comes from: the assessment as it was given, and the hashes of all files that decided it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from riskapp.engine.assess import Prepared
from riskapp.engine.assessment.settings import FileKey
from riskapp.engine.assessment.tree import Tree, parsed
from riskapp.engine.hashes import sha256
from riskapp.engine.sources import sources


@dataclass(frozen=True)
class Origin:
    """Where a release comes from.

    Parameters
    ----------
    parameters : the assessment as it was given
    sha256 : of the assessment, the dataset, the dictionaries and the other files
    seed : of the assessment
    keep_order : whether the rows stay in the dataset's order and are not shuffled by the seed
    versions : of the software
    """

    parameters: Any
    sha256: Mapping[str, Any]
    seed: int = 0
    keep_order: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)


def origin(prepared: Prepared, *, keep_order: bool = False, versions: Mapping[str, str] | None = None) -> Origin:
    """The origin of a release from a prepared assessment."""
    return Origin(
        parameters=as_given(parsed(prepared.path)),
        sha256=hashes(prepared),
        seed=prepared.assessment.search.seed,
        keep_order=keep_order,
        versions=versions or {},
    )


def hashes(prepared: Prepared) -> dict[str, Any]:
    """The hashes of the assessment's file and of those it names: dictionaries by their names, others by their keys."""
    found = {key: sha256(path) for key, path in sources(prepared.assessment).items()}
    files = [one for one in prepared.assessment.dictionaries if isinstance(one, FileKey)]
    return {
        "assessment": sha256(prepared.path),
        "dataset": found.pop("dataset.file"),
        "dictionaries": {one.name: found.pop(f"{one.key}.file") for one in files},
        "others": found,
    }


def as_given(tree: Tree) -> Any:
    """The assessment as JSON: a word without quotes is a number or a yes where JSON would write it in the same way.

    >>> from riskapp.engine.assessment.tree import Plain
    >>> as_given({"weight": Plain("0.5"), "header": Plain("true"), "leaf": Plain("1.50"), "zip": "04"})
    {'weight': 0.5, 'header': True, 'leaf': '1.50', 'zip': '04'}
    """
    if isinstance(tree, dict):
        return {key: as_given(inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [as_given(inner) for inner in tree]
    return tree if isinstance(tree, str) else _meant(tree.text)


def _meant(word: str) -> Any:
    try:
        value = json.loads(word, parse_constant=str)
    except ValueError:
        return word
    plain = not isinstance(value, str | list | dict) and json.dumps(value) == word
    return value if plain else word
