"""How much memory there is, so that work that needs more is refused before it begins."""

import resource
from pathlib import Path

from riskapp.core.errors import RiskappError

MEMINFO = Path("/proc/meminfo")
LIMIT, USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


class TooMuch(RiskappError):
    """It would need more memory than there is."""


def free() -> int | None:
    """Bytes that can be used without swapping, of the machine or of the container, whichever has less; None: unknown.

    >>> (free() or 1) > 0
    True
    """
    known = [of_machine(_text(MEMINFO)), of_container(_text(LIMIT), _text(USED))]
    return min((number for number in known if number is not None), default=None)


def of_machine(meminfo: str) -> int | None:
    """What the system says is available.

    >>> of_machine("MemTotal:  10 kB\\nMemAvailable:  7 kB\\n")
    7168
    """
    for line in meminfo.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def of_container(limit: str, used: str) -> int | None:
    """What a container may still use, where it has a limit.

    >>> of_container("1000\\n", "400\\n"), of_container("max\\n", "400\\n"), of_container("", "")
    (600, None, None)
    """
    return max(0, int(limit) - int(used)) if limit.strip().isdecimal() and used.strip().isdecimal() else None


def held() -> int:
    """The most bytes that this process has held so far.

    >>> held() > 10**6
    True
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def check(needed: int, key: str, available: int | None = None) -> None:
    """Raise `TooMuch` if so many bytes are not free.

    >>> check(3 * 2**30, "dataset.file", available=2**30)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riskapp.engine.memory.TooMuch: dataset.file: this needs about 3.0 GB of memory, and 1.0 GB are free. Use ...
    """
    there = free() if available is None else available
    if there is not None and needed > there:
        told = f"this needs about {needed / 2**30:.1f} GB of memory, and {there / 2**30:.1f} GB are free"
        raise TooMuch(f"{key}: {told}. Use a machine with more, or leave attributes or records out.")


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
