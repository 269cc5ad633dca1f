"""The theses' worked examples of hierarchies and lattices, and the format's own labels, as small tables."""

import pytest

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_file import from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.build_masks import flat, from_masks
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.lattice import Lattice
from riskapp.core.table.value_list import ValueList

CITY = """
West Lafayette ; Greater Lafayette ; Tippecanoe ; Indiana  ; Midwest
Lafayette      ; Greater Lafayette ; Tippecanoe ; Indiana  ; Midwest
Dayton         ; Dayton            ; Tippecanoe ; Indiana  ; Midwest
Chicago        ; Chicago           ; Cook       ; Illinois ; Midwest
"""


def table(text: str) -> str:
    """A table for the eye as the text of a file."""
    return "\n".join(";".join(cell.strip() for cell in line.split(";")) for line in text.strip().splitlines())


def chain(hierarchy: Hierarchy, value: str) -> list[str]:
    """What a value becomes, level by level."""
    code = hierarchy.coded([value])
    return [hierarchy.shown(level, codes[code])[0].as_py() for level, codes in enumerate(hierarchy.ancestors)]


def leaves_under(hierarchy: Hierarchy, level: int, label: str) -> int:
    return int(hierarchy.leaf_counts[level][hierarchy.codes_at(level, [label])[0]])


# The hierarchy of cities


def test_lafayette_becomes_the_midwest() -> None:
    city = from_text("city", table(CITY))
    assert chain(city, "Lafayette") == ["Lafayette", "Greater Lafayette", "Tippecanoe", "Indiana", "Midwest", "*"]


def test_greater_lafayette_is_four_steps_below_the_top() -> None:
    city = from_text("city", table(CITY))
    assert city.depth(1) == 4


def test_two_cities_make_greater_lafayette() -> None:
    city = from_text("city", table(CITY))
    inside = city.parents[0] == city.codes_at(1, ["Greater Lafayette"])[0]
    assert [label.as_py() for label, yes in zip(city.labels[0], inside, strict=True) if yes] == [
        "West Lafayette",
        "Lafayette",
    ]


@pytest.mark.parametrize(
    ("level", "label", "cities"),
    [
        (1, "Greater Lafayette", 2),
        (1, "Dayton", 1),
        (2, "Tippecanoe", 3),
        (3, "Indiana", 3),
        (3, "Illinois", 1),
        (4, "Midwest", 4),
        (5, "*", 4),
    ],
)
def test_a_harmonic_weight_is_divided_by_the_cities_inside(level: int, label: str, cities: int) -> None:
    """w(parent) = 1 / Σ 1/w(child): with the same weight w for every city, w / n(v)."""
    city, weight = from_text("city", table(CITY)), 0.3
    assert leaves_under(city, level, label) == cities
    assert 1 / sum(1 / weight for _ in range(cities)) == pytest.approx(weight / leaves_under(city, level, label))


# The case study's two records: heights 4, 2, 3, 4


def case_study() -> list[Hierarchy]:
    return [
        from_text("city", "West Lafayette;Tippecanoe;Indiana;Midwest\n"),
        from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"], "African": ["Black"]}),
        from_dates("birthdate", [ValueList.of(["1975-05-10"])]),
        from_intervals("salary", [ValueList.of(["52"])], [5, 20, 80], start=20),
    ]


def test_the_case_study_has_300_rules() -> None:
    heights = tuple(hierarchy.height for hierarchy in case_study())
    assert heights == (4, 2, 3, 4)
    assert Lattice(heights).size == 300


@pytest.mark.parametrize(
    ("released", "node", "leaves", "depth"),
    [
        (["West Lafayette", "White", "1975-05-10", "52"], (0, 0, 0, 0), [1, 1, 1, 1], 13),
        (["West Lafayette", "*", "1975-05", "[20,100)"], (0, 2, 1, 3), [1, 4, 31, 80], 7),
    ],
)
def test_the_two_records_show_hide_and_keep_what_they_should(
    released: list[str], node: tuple[int, ...], leaves: list[int], depth: int
) -> None:
    columns = list(zip(case_study(), ["West Lafayette", "White", "1975-05-10", "52"], node, strict=True))
    assert [chain(hierarchy, value)[level] for hierarchy, value, level in columns] == released
    under = [leaves_under(h, level, label) for (h, _, level), label in zip(columns, released, strict=True)]
    assert under == leaves
    assert sum(hierarchy.depth(level) for hierarchy, _, level in columns) == depth


# The small lattice: city × race

PLACES = from_text("city", "Dayton;Tippecanoe;Indiana;*\n")
RACES = from_groups("race", {"Asian": ["Chinese"]})
SMALL = Lattice((RACES.height, PLACES.height))


def named(node: tuple[int, ...]) -> str:
    return f"{chain(RACES, 'Chinese')[node[0]]},{chain(PLACES, 'Dayton')[node[1]]}"


def node_of(name: str) -> tuple[int, ...]:
    return next(node for node in SMALL if named(node) == name)


def test_the_small_lattice_has_twelve_nodes() -> None:
    assert SMALL.size == len({named(node) for node in SMALL}) == 12


def test_chinese_tippecanoe_generalises_in_two_ways_and_specialises_in_one() -> None:
    node = node_of("Chinese,Tippecanoe")
    assert [named(other) for other in SMALL.generalisations(node)] == ["Asian,Tippecanoe", "Chinese,Indiana"]
    assert [named(other) for other in SMALL.specialisations(node)] == ["Chinese,Dayton"]


def test_chinese_tippecanoe_is_on_the_border_and_asian_indiana_inside() -> None:
    assert SMALL.on_border(node_of("Chinese,Tippecanoe"))
    assert not SMALL.on_border(node_of("Asian,Indiana"))


# The labels of the format


@pytest.mark.parametrize(
    ("hierarchy", "labels"),
    [
        (from_dates("born", [ValueList.of(["1975-05-10"])]), "1975-05-10 → 1975-05 → 1975 → *"),
        (from_intervals("income", [ValueList.of(["52"])], [5, 20]), "52 → [50,55) → [40,60) → *"),
        (from_masks("zip", [ValueList.of(["47906"])], 5), "47906 → 4790* → 479** → 47*** → 4**** → *"),
        (from_masks("zip", [ValueList.of(["47906"])], 5, end="left"), "47906 → *7906 → **906 → ***06 → ****6 → *"),
        (flat("sex", [ValueList.of(["F"])]), "F → *"),
    ],
    ids=lambda part: part.attribute if isinstance(part, Hierarchy) else None,
)
def test_every_level_shows_its_label(hierarchy: Hierarchy, labels: str) -> None:
    assert " → ".join(chain(hierarchy, labels.split(" → ")[0])) == labels


@pytest.mark.parametrize(
    ("kind", "hierarchy", "leaves"),
    [
        ("the leaves listed", from_groups("race", {"Asian": ["Chinese", "Japanese"], "African": ["Black"]}), 3),
        ("distinct values in dataset and dictionary", flat("sex", [ValueList.of(["F"]), ValueList.of(["F", "M"])]), 2),
        ("distinct leaves, not masks", from_masks("zip", [ValueList.of(["11", "12"]), ValueList.of(["2*"], 1)], 2), 2),
        ("all days of a year", from_dates("born", [ValueList.of(["1975-05-10"])]), 365),
        (
            "and of a leap year a dictionary has",
            from_dates("born", [ValueList.of(["1975-05-10"]), ValueList.of(["1976-02"], "month")]),
            731,
        ),
        ("units up to the first end above every value", from_intervals("income", [ValueList.of(["80"])], [5, 80]), 160),
        ("units, not whole numbers", from_intervals("share", [ValueList.of(["0.2"])], ["0.5"], unit="0.1"), 5),
    ],
    ids=lambda part: part if isinstance(part, str) else None,
)
def test_the_domain_is(kind: str, hierarchy: Hierarchy, leaves: int) -> None:
    assert hierarchy.leaves == leaves, kind
