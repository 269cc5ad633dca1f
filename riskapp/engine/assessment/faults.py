"""What the mathematics and the reading refuse, told by the key in the assessment that is to be mended."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy


class Homeless(BadSetting):
    """Values of a column that have no place in a hierarchy; `facts` are its counts, for whoever tells it otherwise."""

    code = "outside"

    def __init__(self, key: str, message: str, facts: dict[str, Any]) -> None:
        super().__init__(key, message)
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.key, self.message, self.facts)


class OtherMissing(BadSetting):
    """A table that was read with other words for missing than the dataset."""

    code = "other-missing"


@contextmanager
def told_by(key: str) -> Iterator[None]:
    """Whatever is wrong with a hierarchy, a column or a file inside is raised as `BadSetting` of this key.

    >>> with told_by("attributes.city.hierarchy"):
    ...     raise BadHierarchy("city", "Give a list.", key="dates")
    Traceback (most recent call last):
    riskapp.core.bad_setting.BadSetting: attributes.city.hierarchy.dates: The hierarchy of "city", dates: Give a list.
    """
    try:
        yield
    except BadHierarchy as error:
        raise BadSetting(f"{key}.{error.key}" if error.key else key, _line(str(error))) from None
    except OutsideHierarchy as error:
        raise Homeless(key, f"{_line(str(error))} Mend these values, or the hierarchy.", _facts(error)) from None
    except Unreadable as error:
        raise BadSetting(key, f"{_line(error.message)} Mend the file, or name another.") from None


def _facts(error: OutsideHierarchy) -> dict[str, Any]:
    return {
        "attribute": error.attribute,
        "column": error.column,
        "level": error.level,
        "values": len(error.positions),
        "distinct": error.distinct,
        "rows": error.rows,
    }


def _line(message: str) -> str:
    return " ".join(message.split())
