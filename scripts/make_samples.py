"""Make the sample files: an invented insurer's members, and a register an attacker could hold.

Every person, town and address is made up by this script from the lists below; the same seed gives the same files.
Run it from the project's folder: python scripts/make_samples.py
"""

import csv
import random
from datetime import date, timedelta
from pathlib import Path

FOLDER = Path("riskapp/samples")
MEMBERS, OTHERS = 4_000, 8_000
WOMEN = "Alba Berta Clea Dora Edda Fenja Greta Hanne Iria Jelka Kaja Lene Mira Nela Orla Petra Runa Silke Tilda Ute"
MEN = "Arno Bela Carl Dirk Emil Falk Gero Hugo Ivo Jaro Karl Lars Malo Nils Olaf Pelle Rolf Sven Till Udo"
FIRST = {"female": WOMEN.split(), "male": MEN.split()}
LAST = (
    "Abendrot Birkholz Cordes Dornbach Eschen Fuhrmann Grau Hollander Immer Jansen Kolb Lindt Moorfeld Niehaus Osten "
    "Pfahl Quast Rehm Sander Tannert Uhl Vossberg Wacker Yvens Zander Ahorn Brehm Claus Delling Engel"
).split()
TOWNS = {
    "Aldersee": ("Northmark", "41"), "Birkenau am Moor": ("Northmark", "42"), "Cronfeld": ("Northmark", "43"),
    "Dunkirchen": ("Eastland", "51"), "Eibenstadt": ("Eastland", "52"), "Farnhausen": ("Eastland", "53"),
    "Grünwerder": ("Southmark", "61"), "Hohenlinde": ("Southmark", "62"), "Isenbruck": ("Southmark", "63"),
    "Jorkshaven": ("Westmark", "71"), "Kaltenbach": ("Westmark", "72"), "Lorchdorf": ("Westmark", "73"),
}  # fmt: skip
SIZES = [30, 8, 5, 18, 9, 3, 14, 4, 2, 12, 6, 1]
WORK = "nurse teacher farmer clerk driver engineer cook carpenter baker electrician pensioner student".split()
ILLNESS = ["none", "asthma", "diabetes", "depression", "hypertension", "HIV", "migraine"]
ILLNESS_SHARE = [58, 9, 8, 7, 13, 0.5, 4.5]
NOTES = [
    "asked to be called in the evening before the next appointment",
    "moved recently and wants letters sent to the new address",
    "complained about the last invoice and was promised an answer",
    "prefers to write: {mail}",
    "please ring {phone} about the reimbursement",
]


def person(number: int, chance: random.Random) -> dict[str, object]:
    sex = chance.choice(["female", "male"])
    first, last = chance.choice(FIRST[sex]), chance.choice(LAST)
    town = chance.choices(list(TOWNS), SIZES)[0]
    born = date(1931, 1, 1) + timedelta(days=int(chance.triangular(0, 27_000, 15_000)))
    return {
        "member_id": f"M{100_000 + number}",
        "name": f"{first} {last}",
        "email": f"{first}.{last}{number}@example.org".lower(),
        "birthdate": born.isoformat(),
        "sex": sex,
        "postcode": f"{TOWNS[town][1]}{chance.randrange(5):03d}",
        "town": town,
        "occupation": chance.choice(WORK) if chance.random() > 0.03 else "",
        "income": max(0, int(chance.gauss(38_000, 14_000)) // 100 * 100),
        "diagnosis": chance.choices(ILLNESS, ILLNESS_SHARE)[0],
        "note": note(number, f"{first}.{last}@example.org".lower(), chance),
    }


def coarser(entry: dict[str, object]) -> dict[str, object]:
    """What a register knows of somebody: the year of birth, not the day."""
    return entry | {"region": TOWNS[str(entry["town"])][0], "born": str(entry["birthdate"])[:4]}


def note(number: int, mail: str, chance: random.Random) -> str:
    if chance.random() > 0.2:
        return ""
    return chance.choice(NOTES).format(mail=mail, phone=f"+49 30 5550{number % 1000:03d}")


def write(name: str, columns: list[str], rows: list[dict[str, object]]) -> None:
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    chance = random.Random(2026)
    people = [person(number, chance) for number in range(MEMBERS + OTHERS)]
    write("members.csv", [name for name in people[0] if name != "name"], people[:MEMBERS])
    register = [
        entry | {"region": TOWNS[str(entry["town"])][0], "born": str(entry["birthdate"])[:4]} for entry in people
    ]
    register = [entry for entry in register if chance.random() < 0.95]
    chance.shuffle(register)
    write("register.csv", ["name", "sex", "born", "town", "region", "occupation"], register)


if __name__ == "__main__":
    main()
