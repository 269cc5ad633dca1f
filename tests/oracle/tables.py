"""Small tables written inside a test."""

from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.oracle.building import build
from tests.oracle.problem import Problem


def save(folder: Path, files: dict[str, str]) -> Path:
    """Write each text, without its common indent, to the file it is named after."""
    for name, text in files.items():
        (folder / name).write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return folder


def problem(folder: Path, files: dict[str, str], **spec: Any) -> Problem:
    """The problem of an assessment whose files are given as texts; its dataset is `dataset.csv`."""
    return build({"dataset": {"file": "dataset.csv"}, **spec}, save(folder, files))
