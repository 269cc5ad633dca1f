"""Whether the pinned lists still follow from what was asked for, as far as can be told without a network.

Each name in requirements.in is pinned to a version that it allows; what the pinned packages need themselves is pinned
too; nothing is pinned that nobody needs; and both lists pin the same versions. The packages must be installed: what
they need is read from them.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# The lists are for every Python 3.11, the first one included.
OLDEST = {"python_version": "3.11", "python_full_version": "3.11.0"}
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)")


def asked(path: Path) -> list[Requirement]:
    """What a list asks for, with the lists that it includes."""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("-r "):
            found += asked(path.parent / line[3:].strip())
        elif line.strip() and not line.startswith(("-", "#")):
            found.append(Requirement(line))
    return found


def pins(path: Path) -> dict[str, str]:
    lines = (PIN.match(line) for line in path.read_text().splitlines())
    return {canonicalize_name(pin[1]): pin[2] for pin in lines if pin}


def needed(wanted: Iterable[Requirement]) -> dict[str, list[Requirement]]:
    """Everything that the wanted packages need, by name, themselves included."""
    found: dict[str, list[Requirement]] = {}
    waiting, seen = list(wanted), set[str]()
    while waiting:
        requirement = waiting.pop()
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
        if str(requirement) not in seen:
            seen.add(str(requirement))
            waiting += _needs_of(requirement)
    return found


def _needs_of(requirement: Requirement) -> Iterator[Requirement]:
    try:
        needs = distribution(requirement.name).requires or []
    except PackageNotFoundError:
        return
    for need in map(Requirement, needs):
        extras = ["", *requirement.extras]
        if need.marker is None or any(need.marker.evaluate({**OLDEST, "extra": extra}) for extra in extras):
            yield need


def faults(source: Path, pinned: Path) -> list[str]:
    have, need = pins(pinned), needed(asked(source))
    missing = [f"{name} is needed and not pinned" for name in need.keys() - have.keys()]
    surplus = [f"{name} is pinned and not needed" for name in have.keys() - need.keys()]
    wrong = [
        f"{name}=={have[name]} is pinned, but {wish} is needed"
        for name in need.keys() & have.keys()
        for wish in need[name]
        if not wish.specifier.contains(have[name], prereleases=True)
    ]
    return sorted(f"{pinned.name}: {fault}" for fault in {*missing, *surplus, *wrong})


def disagreements() -> list[str]:
    product, developers = pins(ROOT / "requirements.txt"), pins(ROOT / "requirements-dev.txt")
    return [
        f"requirements-dev.txt: {name} is not pinned to {product[name]} as in requirements.txt"
        for name in sorted(product)
        if developers.get(name) != product[name]
    ]


def main() -> None:
    found = [
        *faults(ROOT / "requirements.in", ROOT / "requirements.txt"),
        *faults(ROOT / "requirements-dev.in", ROOT / "requirements-dev.txt"),
        *disagreements(),
    ]
    if found:
        advice = (
            "Compile both again: uv pip compile --no-header --python-version 3.11 requirements.in -o requirements.txt"
        )
        sys.exit("\n".join([*found, advice]))


if __name__ == "__main__":
    main()
