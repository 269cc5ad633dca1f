"""Tables about people who do not exist, in the shapes that officers bring: a census, a case study, dirty values."""

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

CITIES = {"Aldersee": 12, "Brack": 7, "Cronfeld": 5, "Dunkirchen": 3, "Eibenstadt": 2, "Farnhausen": 1}
ETHNICITIES = {"Alder": 70, "Birch": 18, "Cedar": 9, "Dogwood": 3}


def written(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(header)
        table.writerows(rows)
    return path


def one_of(draw: random.Random, weighed: dict[str, int]) -> str:
    return draw.choices(list(weighed), list(weighed.values()))[0]


def census(path: Path, many: int = 3000) -> Path:
    """Nine columns as a census extract has them, in which people's answers hang together as they do in life."""
    draw = random.Random(5)
    header = "age,sex,marital_status,education,workclass,occupation,country,hours_per_week,salary".split(",")
    return written(path, header, (_census_row(draw) for _ in range(many)))


def _census_row(draw: random.Random) -> list[object]:
    age = min(90, 17 + int(draw.gammavariate(3.2, 9)))
    alone = age < 24 or draw.random() < 0.25
    marital = "Never married" if alone else one_of(draw, {"Married": 12, "Divorced": 4, "Separated": 1, "Widowed": 1})
    school = one_of(draw, {"9th grade": 2, "High school": 10, "Some college": 7, "Bachelors": 5, "Masters": 2})
    learnt = school in ("Bachelors", "Masters")
    work = one_of(draw, {"Private": 14, "Self-employed": 3, "State": 2, "Local": 2})
    jobs = {"Professional": 6, "Executive": 5, "Sales": 2} if learnt else {"Craft": 5, "Service": 4, "Transport": 2}
    land = one_of(draw, {"United States": 45, "Mexico": 3, "Germany": 1, "India": 1, "Canada": 1})
    rich = age > 28 and learnt and draw.random() < 0.5
    hours = draw.choice([20, 35, 40, 40, 40, 45, 50])
    return [age, draw.choice(["Female", "Male"]), marital, school, work, one_of(draw, jobs), land, hours,
            ">50K" if rich else "<=50K"]  # fmt: skip


def case_study(folder: Path, many: int = 800) -> tuple[Path, Path]:
    """Customers with city, ethnicity, day of birth and income, and a register that knows the first three of many.

    A tenth of the register's cities are misspelt.
    """
    draw = random.Random(9)
    people = [
        (one_of(draw, CITIES), one_of(draw, ETHNICITIES), 1930 + int(draw.triangular(0, 75, 45))) for _ in range(5000)
    ]
    table = written(
        folder / "customers.csv",
        ["customer", "city", "ethnicity", "birthdate", "income"],
        [[f"C{place:05}", city, kin, f"{born}-{1 + place % 12:02}-{1 + place % 28:02}", 1000 * draw.randint(12, 90)]
         for place, (city, kin, born) in enumerate(people[:many])],
    )  # fmt: skip
    register = written(
        folder / "voters.csv",
        ["name", "city", "year_of_birth", "ethnicity"],
        [
            [f"Name {place}", slipped(city, draw) if draw.random() < 0.1 else city, born, kin]
            for place, (city, kin, born) in enumerate(people)
        ],
    )
    return table, register


def slipped(word: str, draw: random.Random) -> str:
    """The word with a sign left out or doubled."""
    place = draw.randrange(1, len(word))
    return word[:place] + draw.choice(["", 2 * word[place]]) + word[place + 1 :]


def dirty(path: Path, many: int = 600) -> Path:
    """What comes out of old systems: N for not applicable, codes of two kinds, stray spaces, days that never were."""
    draw = random.Random(3)
    days = ["1980-02-03", "1975-05-04", "1990-07-06", "1975-02-30", "0000-00-00", "N"]
    towns = ["Aldersee", " Aldersee", "ALDERSEE", "Brack", "Brack ", "Cron", "?"]
    rows = [
        [draw.choice(towns), draw.choice(days), draw.choice(["1", "01", "2", "N", "9"]),
         draw.choice(["34", "51", "N", "-1", "999", "67"]), draw.choice(["low", "high", "N"])]
        for _ in range(many)
    ]  # fmt: skip
    return written(path, ["town", "born", "status", "age", "income"], rows)


def small(folder: Path) -> tuple[Path, Path, Path]:
    """A table of two towns with spaces around, a register of strangers, and a hierarchy that forgets a town."""
    table, register, towns = (folder / name for name in ("small.csv", "strangers.csv", "towns.csv"))
    towns_of = ("Aldersee", " Brack", "Cron ")
    lines = [f"{town},{1950 + i},{job}" for i in range(20) for town in towns_of for job in "xy"]
    table.write_text("town,born,job\n" + "\n".join(lines) + "\n")
    register.write_text("town,job\n" + "Elsewhere,x\nNowhere,y\n" * 20)
    towns.write_text("Aldersee;north;*\nBrack;north;*\n")
    return table, register, towns


def parish(folder: Path) -> tuple[Path, Path, Path, Path]:
    """A small table, a register of all its people and more, counts of all kinds of them, and a club's members."""
    towns, jobs = ("Aldersee", "Brack", "Cronfeld"), ("baker", "clerk", "nurse")
    people = [(towns[i % 3], 1950 + i * 7 % 20, jobs[i * 5 % 7 % 3]) for i in range(150)]
    kinds = sorted({(town, job) for town, _, job in people})
    return (
        written(folder / "parish.csv", ["town", "born", "job"], people[:120]),
        written(
            folder / "people.csv", ["name", "town", "born"], [[f"Name {i}", *one[:2]] for i, one in enumerate(people)]
        ),
        written(folder / "counts.csv", ["town", "job", "people"], [[*kind, 10 + i] for i, kind in enumerate(kinds)]),
        written(folder / "club.csv", ["town", "born", "sport"], [[*one[:2], "chess"] for one in people[::3]]),
    )
