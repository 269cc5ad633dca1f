"""The reference tells of every kind of suggestion and every type."""

from pathlib import Path

from riskapp.engine.profile import value_types
from riskapp.engine.profile.suggest.facts import CONFIDENCES, TITLES

REFERENCE = Path(__file__).parents[3].joinpath("docs/reference/profile.md").read_text(encoding="utf-8")


def test_every_kind_of_suggestion_is_in_the_reference_with_its_title() -> None:
    assert [kind for kind, title in TITLES.items() if f"| `{kind}` | {title} |" not in REFERENCE] == []


def test_every_type_and_confidence_is_in_the_reference() -> None:
    types = [value_types.WHOLE, value_types.DECIMAL, value_types.DATE, value_types.TIME, value_types.YES_NO]
    told = [*types, value_types.TEXT, value_types.EMPTY, *CONFIDENCES]
    assert [word for word in told if f"*{word}*" not in REFERENCE] == []
