"""The files that an assessment names: they decide the result, so a release lists their hashes; they are only read."""

from collections.abc import Iterator
from pathlib import Path

from riskapp.engine.assessment.settings import Assessment, AttributeKey, FileKey, PersonalFile


def sources(assessment: Assessment) -> dict[str, Path]:
    """Every file by the path of the key that names it."""
    dataset = assessment.dataset
    named = {"dataset.file": dataset.file, "dataset.leave_out": dataset.leave_out}
    for attribute in assessment.attributes.values():
        named |= dict(_of_attribute(attribute))
    named |= {f"{key}.file": file for key, file in _of_dictionaries(assessment)}
    named["linkage.file"] = assessment.linkage.file if assessment.linkage else None
    return {key: assessment.folder / file for key, file in named.items() if file is not None}


def _of_attribute(attribute: AttributeKey) -> Iterator[tuple[str, str]]:
    hierarchy = (attribute.hierarchy or {}).get("file")
    if isinstance(hierarchy, str):
        yield f"{attribute.key}.hierarchy.file", hierarchy
    if isinstance(attribute.weights, str):
        yield f"{attribute.key}.weights.file", attribute.weights
    if isinstance(attribute.personal_weight, PersonalFile):
        yield f"{attribute.key}.personal_weight.file", attribute.personal_weight.file


def _of_dictionaries(assessment: Assessment) -> Iterator[tuple[str, str]]:
    for dictionary in assessment.dictionaries:
        if isinstance(dictionary, FileKey):
            yield dictionary.key, dictionary.file
