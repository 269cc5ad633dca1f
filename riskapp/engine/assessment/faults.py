"""What the mathematics and the reading refuse, told by the key in the assessment that is to be mended."""

from collections.abc import Iterator
from contextlib import contextmanager

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy


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
        raise BadSetting(key, f"{_line(str(error))} Mend these values, or the hierarchy.") from None
    except Unreadable as error:
        raise BadSetting(key, f"{_line(error.message)} Mend the file, or name another.") from None


def _line(message: str) -> str:
    return " ".join(message.split())
