"""Assessments carried out of a project and into one: a zip with the assessment file and the small files it names."""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from uuid import UUID

from riskapp import storage
from riskapp.bridge.assessing import Document, still_there, write
from riskapp.bridge.documents import Mapped, fingerprint
from riskapp.core.errors import RiskappError
from riskapp.engine import plain_parquet
from riskapp.engine.assessment.given import INFINITE, number_in
from riskapp.engine.assessment.read import read
from riskapp.engine.assessment.tree import Plain, Tree, parsed
from riskapp.engine.coded import CodedTable

FORMAT = 1
ASSESSMENTS = ("assessment.json", "assessment.yaml", "assessment.yml")
ABOUT = "files.json"
LARGEST_TEXT = 64 << 20
README = """An assessment of riskapp.

assessment.json   what was assessed and how; the keys are explained in docs/reference/assessment.md
files.json        every table that it names: the name it was uploaded under and the SHA-256 of the upload.
                  Where as_uploaded is false it was read by choices made by hand, and is named as it was read
hierarchies/      the hierarchies that were drawn by hand

Put the tables beside assessment.json under the names in files.json, then

    python manage.py assess assessment.json

computes the same figures. Importing this file into a project of riskapp makes the same set-up there.
"""


class Unfit(RiskappError):
    """A file that is no assessment; the message says why and what to do."""


# Out


def pack(document: Document, project: UUID, file: BinaryIO, *, data: bool) -> None:
    """Write a frozen assessment as a zip; with the tables themselves where that is asked for."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("README.txt", README)
        into.writestr(ASSESSMENTS[0], json.dumps(document["assessment"], indent=1, ensure_ascii=False) + "\n")
        into.writestr(ABOUT, json.dumps(_about(document), indent=1, ensure_ascii=False) + "\n")
        for name, content in document["files"].items():
            into.writestr(name, content)
        if data:
            _pack_tables(document, project, into)


def _about(document: Document) -> Mapped:
    named = {**document["tables"], **document["lists"]}
    files = {
        name: {"sha256": about["sha256"], "uploaded_as": about["name"], "as_uploaded": _as_uploaded(name, about)}
        for name, about in named.items()
    }
    return {"format": FORMAT, "assessment": fingerprint(document), "files": files}


def _as_uploaded(name: str, about: Mapping[str, Any]) -> bool:
    """Whether the assessment names the file that was uploaded, and not the table that was read from it by hand."""
    return name.endswith(about["name"])


def _pack_tables(document: Document, project: UUID, into: zipfile.ZipFile) -> None:
    """Each table as it was uploaded; one that was read by choices made by hand as it was read."""
    for name, about in {**document["tables"], **document["lists"]}.items():
        upload = still_there(about, project)
        if _as_uploaded(name, about):
            into.write(storage.place(project, upload.sha256), name, zipfile.ZIP_STORED)
        else:
            with TemporaryDirectory(prefix="riskapp-") as folder:
                path = Path(folder) / "table.parquet"
                plain_parquet.write(CodedTable.open(storage.table_place(project, UUID(about["table"]))), path)
                into.write(path, name, zipfile.ZIP_STORED)


def lay_out(document: Document, project: UUID, folder: Path) -> Path:
    """Put a frozen assessment and every table that it names into a folder; where the assessment is."""
    path = write(document, project, folder)
    for name, about in document["tables"].items():
        upload = still_there(about, project)
        if _as_uploaded(name, about):
            (folder / name).symlink_to(storage.place(project, upload.sha256))
        else:
            plain_parquet.write(CodedTable.open(storage.table_place(project, UUID(about["table"]))), folder / name)
    return path


# In


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
        If it is no assessment; a key that is unknown or impossible is named by its path.
    """
    return _bundle(_texts(name, file))


def given(assessment: Mapped, files: Mapping[str, str]) -> Bundle:
    """The same of an assessment that came as a mapping, with the small files that it names."""
    misplaced = [name for name in files if not _is_small(PurePosixPath(name))]
    if misplaced:
        raise Unfit("The small files of an assessment are CSV files in a folder, such as hierarchies/born.csv.")
    return _bundle({**files, ASSESSMENTS[0]: json.dumps(assessment)})


def _bundle(texts: Mapping[str, str]) -> Bundle:
    main = next((known for known in ASSESSMENTS if known in texts), None)
    if main is None:
        raise Unfit(
            "There is no assessment.json or assessment.yaml in the zip file. Choose one that has it at its top."
        )
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = Path(folder) / main
        path.write_text(texts[main], encoding="utf-8", newline="")
        read(path)
        told = as_mapping(parsed(path))
    files = {file: text for file, text in texts.items() if file not in (*ASSESSMENTS, ABOUT)}
    return Bundle(_numbers_in(told), files, _hashes(texts.get(ABOUT)))


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
            return dict(_small_files(packed))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise Unfit("The zip file is damaged or protected by a password. Export it again.") from None


def _small_files(packed: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The assessment, the hashes, and what lies in folders; tables lie at the top and are left alone."""
    left = LARGEST_TEXT
    for entry in packed.infolist():
        name = PurePosixPath(entry.filename)
        wanted = entry.filename in (*ASSESSMENTS, ABOUT) or _is_small(name)
        if not wanted or entry.is_dir():
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


def as_mapping(tree: Tree) -> Any:
    """What stands in an assessment file as JSON has it: words that are numbers or yes and no become such.

    A number that would not be written in the same way again, as 1.50 or 010, stays a text.
    """
    if isinstance(tree, dict):
        return {key: as_mapping(inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [as_mapping(inner) for inner in tree]
    return _word(tree.text) if isinstance(tree, Plain) else tree


def _word(text: str) -> Any:
    if text in ("true", "false", "null"):
        return json.loads(text)
    if INFINITE.fullmatch(text):
        return "inf"
    try:
        number = json.loads(text)
    except ValueError:
        return text
    return number if isinstance(number, int | float) and json.dumps(number) == text else text


# Places where only numbers can stand, and pages reckon with them


def _numbers_in(told: Mapped) -> Mapped:
    found = dict(told)
    for section in ("search", "utility"):
        if section in found:
            found[section] = _each(found[section], amount)
    sensitivity = dict(found.get("sensitivity") or {})
    for key, inner in sensitivity.items():
        if key == "pairs":
            sensitivity[key] = [{**pair, "weight": amount(pair["weight"])} for pair in inner]
        elif key in ("person_total", "unidentified"):
            sensitivity[key] = _each(inner, amount)
    return found | ({"sensitivity": sensitivity} if sensitivity else {})


def _each(told: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(told, dict):
        return {key: _each(inner, change) for key, inner in told.items()}
    if isinstance(told, list):
        return [_each(inner, change) for inner in told]
    return change(told)


def amount(told: Any) -> Any:
    """A number that was written as a text; anything else as it is.

    >>> amount("1.50"), amount(".inf"), amount(3), amount("full-domain")
    (1.5, 'inf', 3, 'full-domain')
    """
    number = number_in(told) if isinstance(told, str) else None
    if number is None:
        return told
    return "inf" if number == float("inf") else int(number) if number.is_integer() else number
