"""Assessments that come into a project: a file, or a zip with one and the small files that it names."""

import json
import zipfile
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import BinaryIO

from riskapp.bridge.as_json import amount, as_mapping, with_numbers
from riskapp.bridge.documents import Mapped
from riskapp.core.errors import RiskappError
from riskapp.engine.assessment.read import read
from riskapp.engine.assessment.tree import parsed

ASSESSMENTS = ("assessment.json", "assessment.yaml", "assessment.yml")
ABOUT = "files.json"
LARGEST_TEXT = 64 << 20


class Unfit(RiskappError):
    """A file that is no assessment; the message says why and what to do."""


@dataclass(frozen=True)
class Bundle:
    """An assessment that came in: the file as a mapping, the small files by name, and the hashes of the tables."""

    assessment: Mapped
    files: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)

    def attackers(self) -> list[str]:
        """The attackers by name."""
        listed = self.assessment.get("dictionaries", ["self"])
        return [str(one.get("name", one.get("file", "self"))) if isinstance(one, dict) else one for one in listed]

    def named(self) -> dict[str, str]:
        """The small files that it names, by the key that names them."""
        return _named(self.assessment)

    def tables(self) -> dict[str, str]:
        """The tables that it names, each with what it is for."""
        told = self.assessment
        found = {told["dataset"]["file"]: "the dataset"}
        if leave_out := told["dataset"].get("leave_out"):
            found.setdefault(leave_out, "people to leave out")
        for place, one in enumerate(told.get("dictionaries", [])):
            if isinstance(one, dict) and "file" in one:
                found.setdefault(one["file"], f"the attacker {one.get('name', place + 1)}")
        for column, about in told["attributes"].items():
            own = (about or {}).get("personal_weight")
            if isinstance(own, dict):
                found.setdefault(own["file"], f"people's own weights of {column}")
        if linkage := told.get("linkage"):
            found.setdefault(linkage["file"], "linkage data")
        return found


def opened(name: str, file: BinaryIO) -> Bundle:
    """An assessment file, or a zip with one, found possible as far as that can be said without its tables.

    Raises
    ------
    Unfit, Unreadable, BadSetting
        If it is no assessment, or a small file that it names is missing; a key that is unknown or impossible is named
        by its path.
    """
    return _bundle(_texts(name, file))


def given(assessment: Mapped, files: Mapping[str, str]) -> Bundle:
    """The same of an assessment that came as a mapping, with the small files that it names."""
    misplaced = [name for name in files if not _is_small(PurePosixPath(name))]
    if misplaced:
        raise Unfit("The small files of an assessment are CSV files in a folder, such as hierarchies/born.csv.")
    return _bundle({**files, ASSESSMENTS[0]: json.dumps(assessment)})


def _bundle(texts: Mapping[str, str]) -> Bundle:
    files = {file: text for file, text in texts.items() if file not in (*ASSESSMENTS, ABOUT)}
    bundle = Bundle(_told(texts), files, _hashes(texts.get(ABOUT)))
    for key, file in bundle.named().items():
        if file not in files:
            raise Unfit(
                f"{key}: {file} did not come with the assessment. Put both into a zip file, with {file} where the "
                "assessment says it is, and import that."
            )
    return bundle


def _told(texts: Mapping[str, str]) -> Mapped:
    """The assessment among the texts, read and found possible."""
    main = next((known for known in ASSESSMENTS if known in texts), None)
    if main is None:
        raise Unfit(
            "There is no assessment.json or assessment.yaml in the zip file. Choose one that has it at its top."
        )
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = Path(folder) / main
        path.write_text(texts[main], encoding="utf-8", newline="")
        read(path)
        return with_numbers(as_mapping(parsed(path)))


def _named(told: Mapped) -> dict[str, str]:
    found = {}
    for column, about in told["attributes"].items():
        hierarchy, weights = ((about or {}).get(key) or {} for key in ("hierarchy", "weights"))
        if "file" in hierarchy:
            found[f"attributes.{column}.hierarchy.file"] = hierarchy["file"]
        if set(weights) == {"file"} and isinstance(amount(weights["file"]), str):
            found[f"attributes.{column}.weights.file"] = weights["file"]
    return found


def _texts(name: str, file: BinaryIO) -> dict[str, str]:
    """The texts by their names; of a zip only what can be a small file of an assessment."""
    ending = PurePosixPath(name).suffix.lower()
    if ending in (".json", ".yaml", ".yml"):
        content = file.read(LARGEST_TEXT + 1)
        return {f"assessment{ending}": _decoded(content)}
    if ending != ".zip":
        raise Unfit("Choose an assessment file (.json, .yaml) or the zip file that riskapp exports.")
    try:
        with zipfile.ZipFile(file) as packed:
            mains = dict(_small_files(packed, {*ASSESSMENTS, ABOUT}))
            beside = set(_named(_told(mains)).values())
            folders = {entry.filename for entry in packed.infolist() if _is_small(PurePosixPath(entry.filename))}
            return mains | dict(_small_files(packed, beside | folders))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise Unfit("The zip file is damaged or protected by a password. Export it again.") from None


def _small_files(packed: zipfile.ZipFile, wanted: Set[str]) -> Iterator[tuple[str, str]]:
    """Those of the files that are wanted; tables are not, and are left alone."""
    left = LARGEST_TEXT
    for entry in packed.infolist():
        if entry.filename not in wanted or entry.is_dir():
            continue
        with packed.open(entry) as inner:
            content = inner.read(left + 1)
        left -= len(content)
        if left < 0:
            raise Unfit("What the assessment names is larger than 64 MB. Make it smaller.")
        yield entry.filename, _decoded(content)


def _is_small(name: PurePosixPath) -> bool:
    return len(name.parts) > 1 and name.suffix.lower() == ".csv"


def _decoded(content: bytes) -> str:
    if len(content) > LARGEST_TEXT:
        raise Unfit("The file is larger than 64 MB: that is no assessment.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit("A file of the assessment is not UTF-8. Save it as UTF-8.") from None


def _hashes(text: str | None) -> dict[str, str]:
    """What files.json says; one that is damaged says nothing, for tables are found by their names too."""
    try:
        files = json.loads(text or "{}").get("files", {})
        return {str(name): str(about["sha256"]) for name, about in files.items()}
    except (ValueError, AttributeError, TypeError, KeyError):
        return {}
