"""The index of RESULT.json: where the line of rule number i begins, and which number a name has.

The file is the number of rules, the offsets of their lines and of their end, each in eight bytes, and then JSON with
the numbers of the names. The rules of a whole lattice are not named one by one: their numbers follow from their levels.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import Any, BinaryIO

from riskapp.core.table.lattice import Lattice
from riskapp.engine.plane.listing import rule_of
from riskapp.engine.rule_ids import FULL_DOMAIN, full_domain_id

NUMBER = Struct("<Q")


@dataclass(frozen=True)
class Names:
    """Which number each rule's name has.

    Parameters
    ----------
    first : the number of the first rule of the lattice
    heights : of the lattice, where all its rules are listed one after the other; else None
    others : the numbers of all other names
    """

    first: int = 0
    heights: tuple[int, ...] | None = None
    others: Mapping[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int | None:
        """The number of a rule; None if there is no such rule.

        >>> names = Names(heights=(1, 2), others={"mondrian:5": 6})
        >>> names.number("full-domain:1.1"), names.number("mondrian:5"), names.number("full-domain:2.0")
        (4, 6, None)
        """
        family, _, levels = name.partition(":")
        if self.heights is None or family != FULL_DOMAIN:
            return self.others.get(name)
        node = tuple(int(word) for word in levels.split(".") if word.isascii() and word.isdecimal())
        lattice = Lattice(self.heights)
        return self.first + lattice.number(node) if node in lattice and full_domain_id(node) == name else None


def write(file: BinaryIO, offsets: Sequence[int], names: Names) -> None:
    """Write the index."""
    file.write(NUMBER.pack(len(offsets) - 1))
    file.writelines(map(NUMBER.pack, offsets))
    about = {"first": names.first, "heights": names.heights, "others": names.others}
    file.write(json.dumps(about, ensure_ascii=False).encode())


@dataclass(frozen=True)
class Index:
    """An index that has been written, with the RESULT.json it belongs to.

    Parameters
    ----------
    index, result : the two files, open
    """

    index: BinaryIO
    result: BinaryIO

    def __len__(self) -> int:
        return self._numbers(0, 1)[0]

    def names(self) -> Names:
        """The numbers of the names."""
        self.index.seek(NUMBER.size * (len(self) + 2))
        about: dict[str, Any] = json.loads(self.index.read())
        heights = about["heights"]
        return Names(about["first"], None if heights is None else tuple(heights), about["others"])

    def line(self, number: int) -> bytes:
        """The line of rule number i, as it stands in RESULT.json.

        Raises
        ------
        IndexError
            If there is no such rule.
        """
        if not 0 <= number < len(self):
            raise IndexError("There is no rule with this number.")
        begin, end = self._numbers(1 + number, 2)
        self.result.seek(begin)
        return self.result.read(end - begin)

    def rule(self, name: str) -> dict[str, Any] | None:
        """The rule of this name as RESULT.json lists it; None if there is none."""
        number = self.names().number(name)
        return None if number is None else rule_of(self.line(number))

    def _numbers(self, place: int, many: int) -> list[int]:
        self.index.seek(NUMBER.size * place)
        block = self.index.read(NUMBER.size * many)
        return [number for (number,) in NUMBER.iter_unpack(block)]
