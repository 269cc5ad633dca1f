"""The table of roles in the documents is the one in the code."""

import re
from pathlib import Path

from riskapp.models import Role
from riskapp.policies import ABILITIES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "roles.md"
MARKS = {"✓": True, "–": False}


def documented() -> dict[str, dict[str, bool]]:
    text = PAGE.read_text(encoding="utf-8")
    head = re.search(r"^\| Ability \| [^|]+ \| (.+) \|$", text, re.MULTILINE)
    assert head
    roles = head[1].split(" | ")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", text, re.MULTILINE)
    return {
        ability: {role: MARKS[mark] for role, mark in zip(roles, marks.split(" | "), strict=True)}
        for ability, marks in rows
    }


def test_the_table_of_roles_is_the_one_in_the_code() -> None:
    assert documented() == {
        ability: {role.value: role in allowed for role in Role} for ability, allowed in ABILITIES.items()
    }
