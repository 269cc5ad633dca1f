"""Draw the synthetic customers and the register they stand in, and write them beside this file.

Nobody in these tables exists. The register is drawn first, person after person; the customers are some of its people.
Everything comes from one seed through `random.Random.random`, whose numbers are the same in every version of Python, so
the files come out the same to the byte.

Run in the folder of the code:

    python examples/customers/make.py
"""

import csv
import sys
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import TypeVar

T = TypeVar("T")

SEED = 4
PEOPLE = 300
CUSTOMERS = 120
HERE = Path(__file__).parent

# Town, county, region, and how many people live there compared with the other towns.
TOWNS = (
    ("Ashford", "Downs", "South", 30),
    ("Brook", "Downs", "South", 12),
    ("Cove", "Coast", "South", 4),
    ("Elm", "Levels", "East", 20),
    ("Fenwick", "Broads", "East", 3),
)
# The decade of birth, the years it is put to, and how many were born in it compared with the others.
BORN = (
    ("1950s", "1950-1969", 8),
    ("1960s", "1950-1969", 15),
    ("1970s", "1970-1989", 20),
)
# Work, the sector it is in, and how many do it compared with the other work.
WORK = (
    ("nurse", "care", 14),
    ("doctor", "care", 3),
    ("seller", "trade", 20),
    ("lawyer", "office", 2),
)
COLUMNS = {"town": TOWNS, "born": BORN, "work": WORK}


def drawn(chance: Random, values: Sequence[T], weights: Iterable[int]) -> T:
    """One of the values, each as likely as its weight says."""
    sums = list(accumulate(weights))
    point = chance.random() * sums[-1]
    return next(value for value, upto in zip(values, sums, strict=True) if point < upto)


def person(chance: Random, number: int) -> dict[str, str]:
    """Somebody in the register: every column by itself."""
    cells = {name: str(drawn(chance, rows, (row[-1] for row in rows))[0]) for name, rows in COLUMNS.items()}
    return {"person": f"P{number:04}", **cells}


def tables() -> dict[str, list[dict[str, str]]]:
    """The rows of both files; customers in the order of the register."""
    chance = Random(SEED)  # noqa: S311 - nothing is kept secret by it
    register = [person(chance, number) for number in range(PEOPLE)]
    ticket = {row["person"]: chance.random() for row in register}
    chosen = {row["person"] for row in sorted(register, key=lambda row: ticket[row["person"]])[:CUSTOMERS]}
    customers = [row for row in register if row["person"] in chosen]
    return {"register.csv": register, "customers.csv": customers}


def write(folder: Path) -> None:
    """Both tables, and a hierarchy for each column."""
    for name, rows in tables().items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    (folder / "hierarchies").mkdir(exist_ok=True)
    for name, leaves in COLUMNS.items():
        lines = [";".join((*map(str, row[:-1]), "*")) + "\n" for row in leaves]
        (folder / "hierarchies" / f"{name}.csv").write_bytes("".join(lines).encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
