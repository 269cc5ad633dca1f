"""The spelling of leaves: when two texts are one value. For most hierarchies only when they are the same text."""

from collections.abc import Callable

from riskapp.core.table.value_list import Texts

Spelling = Callable[[Texts], Texts]


def as_written(values: Texts) -> Texts:
    """Every text is a value of its own."""
    return values
