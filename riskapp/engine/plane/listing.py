"""RESULT.json, read line by line: where each rule begins, and what stands before and after the rules."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

BEGIN, END = b' "rules": [\n', b" ],\n"


@dataclass
class Listing:
    """The rules of RESULT.json, one after the other.

    Parameters
    ----------
    file : RESULT.json, at its beginning

    Attributes
    ----------
    offsets : where each rule's line begins, and at last where the rules end
    about : everything but the rules; complete when all rules have been read
    """

    file: BinaryIO
    offsets: list[int] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Every rule.

        Raises
        ------
        ValueError
            If this is no RESULT.json.
        """
        before = self._until(BEGIN)
        place = self.file.tell()
        for line in self.file:
            self.offsets.append(place)
            if line == END:
                break
            place += len(line)
            yield rule_of(line)
        else:
            raise ValueError("The rules do not end: this is no whole RESULT.json.")
        self.about = json.loads(before + self.file.read())

    def _until(self, wanted: bytes) -> bytes:
        lines: list[bytes] = []
        for line in iter(self.file.readline, b""):
            if line == wanted:
                return b"".join(lines)
            lines.append(line)
        raise ValueError("There are no rules: this is no RESULT.json.")


def rule_of(line: bytes) -> dict[str, Any]:
    """One rule from its line.

    >>> rule_of(b'  {"id": "mondrian:5"},' + bytes([10]))
    {'id': 'mondrian:5'}
    """
    rule: dict[str, Any] = json.loads(line.rstrip().removesuffix(b","))
    return rule
