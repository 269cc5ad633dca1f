"""Published tables with known k, l and t, and the attack of linking a release with a list of names."""

import math
from fractions import Fraction
from pathlib import Path

import pytest

from tests.oracle import anonymity, diversity, groups, information, peers
from tests.oracle.consistency import consistent
from tests.oracle.inference import record_inferences
from tests.oracle.people import counts
from tests.oracle.problem import Problem
from tests.oracle.release import from_labels, full_domain
from tests.oracle.tables import problem

SWEENEY = """
    race,birth,gender,zip,problem
    Black,1965,m,0214*,short breath
    Black,1965,m,0214*,chest pain
    Black,1965,f,0213*,hypertension
    Black,1965,f,0213*,hypertension
    Black,1964,f,0213*,obesity
    Black,1964,f,0213*,chest pain
    White,1964,m,0213*,chest pain
    White,1964,m,0213*,obesity
    White,1964,m,0213*,short breath
    White,1967,m,0213*,chest pain
    White,1967,m,0213*,chest pain
    """
PATIENTS = """
    zip,age,disease
    476**,2*,Heart Disease
    476**,2*,Heart Disease
    476**,2*,Heart Disease
    4790*,>=40,Flu
    4790*,>=40,Heart Disease
    4790*,>=40,Cancer
    476**,3*,Heart Disease
    476**,3*,Cancer
    476**,3*,Cancer
    """
VANHOEF_ONE = """
    zip,age,disease
    130**,<30,AIDS
    130**,<30,Heart
    130**,<30,Viral
    130**,<30,Viral
    1485*,>=40,Cancer
    1485*,>=40,Heart
    1485*,>=40,Viral
    1485*,>=40,Viral
    130**,3*,Cancer
    130**,3*,Cancer
    130**,3*,Cancer
    130**,3*,Cancer
    """
VANHOEF_TWO = """
    zip,age,disease
    1305*,<=40,Heart
    1305*,<=40,Viral
    1305*,<=40,Cancer
    1305*,<=40,Cancer
    1485*,>40,Cancer
    1485*,>40,Heart
    1485*,>40,Viral
    1485*,>40,Viral
    1306*,<=40,Heart
    1306*,<=40,Viral
    1306*,<=40,Cancer
    1306*,<=40,Cancer
    """
ROOT8 = math.exp(1.5 * math.log(2))


def anonymous(folder: Path, text: str, sensitive: str) -> Problem:
    header = text.split()[0].split(",")
    attributes = {name: {"role": "keep", "sensitive": True} if name == sensitive else {} for name in header}
    return problem(folder, {"dataset.csv": text}, attributes=attributes)


#  table, sensitive column, k, distinct l, exp entropy (where known), distance to the table
TABLES = [
    (SWEENEY, "problem", [2, 2, 2, 3, 2], [2, 1, 2, 3, 1], None, [4 / 11, 9 / 11, 4 / 11, 10 / 33, 6 / 11]),
    (PATIENTS, "disease", [3, 3, 3], [1, 3, 2], [1, 3, 1.8899], [4 / 9, 2 / 9, 3 / 9]),
    (VANHOEF_ONE, "disease", [4, 4, 4], [3, 3, 1], [ROOT8, ROOT8, 1], [5 / 12, 1 / 4, 7 / 12]),
    (VANHOEF_TWO, "disease", [4, 4, 4], [3, 3, 3], [ROOT8] * 3, [1 / 12, 1 / 6, 1 / 12]),
]


@pytest.mark.parametrize(("text", "sensitive", "sizes", "distinct", "entropy", "distances"), TABLES)
def test_the_k_l_and_t_of_published_tables(
    tmp_path: Path,
    text: str,
    sensitive: str,
    sizes: list[int],
    distinct: list[int],
    entropy: list[float] | None,
    distances: list[float],
) -> None:
    table = anonymous(tmp_path, text, sensitive)
    rows = full_domain(table, (0,) * len(table.generalised()))
    assert list(groups.sizes(table, rows).values()) == sizes
    assert groups.smallest_group(table, rows) == min(sizes)
    found = diversity.group_counts(table, rows, sensitive)
    everybody = groups.value_counts(table, range(len(rows)), sensitive)
    assert [anonymity.distinct_l(group) for group in found] == distinct
    assert [anonymity.categorical_distance(group, everybody) for group in found] == pytest.approx(distances)
    assert diversity.largest_t(table, rows, table.attributes[sensitive]) == pytest.approx(max(distances))
    assert diversity.smallest_l(table, rows, sensitive)["distinct"] == min(distinct)
    if entropy:
        assert [anonymity.entropy_l(group) for group in found] == pytest.approx(entropy, abs=5e-5)


ORIGINALS = """
    race,birth,gender,zip
    Black,1965,m,02141
    Black,1965,m,02141
    Black,1965,f,02138
    Black,1965,f,02138
    Black,1964,f,02138
    Black,1964,f,02138
    White,1964,m,02138
    White,1964,m,02139
    White,1964,m,02139
    White,1967,m,02139
    White,1967,m,02138
    """
NAMED = """
    name,birth,gender,zip,race
    Andre,1964,m,02135,White
    Beth,1964,f,55410,Black
    Carol,1964,f,90210,White
    Dan,1967,m,02174,White
    Ellen,1968,f,02237,White
    """


def test_of_five_named_people_only_andre_may_be_in_the_released_table(tmp_path: Path) -> None:
    names = {"name": "named", "file": "named.csv", "identity": "name"}
    match = {column: column for column in ("birth", "gender", "zip", "race")}
    table = problem(
        tmp_path,
        {"dataset.csv": ORIGINALS, "named.csv": NAMED},
        attributes={"race": {}, "birth": {}, "gender": {}, "zip": {"hierarchy": {"mask": 5}}},
        dictionaries=[{**names, "match": match}],
    )
    released = [line.strip().split(",")[:4] for line in SWEENEY.strip().splitlines()[1:]]
    rows = from_labels(table, released)
    found = {
        entry.person: [
            place
            for place, row in enumerate(rows, start=1)
            if consistent(table.attributes, entry.known, entry.fuzzy, row.cells)
        ]
        for entry in table.dictionaries[0].entries
    }
    nobody: dict[str, list[int]] = {f"person {name}": [] for name in ("Beth", "Carol", "Dan", "Ellen")}
    assert found == {"person Andre": [7, 8, 9], **nobody}


MICRODATA = """
    name,zip,age,sex,disease
    Alice,47677,29,F,Ovarian Cancer
    Betty,47602,22,F,Ovarian Cancer
    Charles,47678,27,M,Prostate Cancer
    David,47905,43,M,Flu
    Emily,47909,52,F,Heart Disease
    Fred,47906,47,M,Heart Disease
    """
VOTERS = """
    name,zip,age,sex
    Alice,47677,29,F
    Bob,47983,65,M
    Carol,47677,22,F
    Dan,47532,23,M
    Ellen,46789,43,F
    """


@pytest.fixture
def microdata(tmp_path: Path) -> Problem:
    match = {column: column for column in ("zip", "age", "sex")}
    voters = {"name": "voters", "file": "voters.csv", "match": match, "identity": "name"}
    ages = {"2*": ["29", "22", "27", "23"], "[43,52]": ["43", "52", "47"], "6*": ["65"]}
    return problem(
        tmp_path,
        {"dataset.csv": MICRODATA, "voters.csv": VOTERS},
        dataset={"file": "dataset.csv", "identifier": "name"},
        attributes={
            "zip": {"hierarchy": {"mask": 5}},
            "age": {"hierarchy": {"groups": ages}},
            "sex": {},
            "disease": {"role": "keep", "sensitive": True},
        },
        dictionaries=[voters],
    )


def test_linking_with_the_voters_names_exactly_alice(microdata: Problem) -> None:
    rows = full_domain(microdata, (0, 0, 0))
    found = counts(microdata, microdata.dictionaries[0], rows)
    assert {record.person: count for record, count in zip(microdata.records, found, strict=True) if count} == {
        "person Alice": 1
    }


def test_the_generalised_microdata_are_three_anonymous(microdata: Problem) -> None:
    young, old = ["476**", "2*", "*"], ["4790*", "[43,52]", "*"]
    diseases = [record.values["disease"] or "" for record in microdata.records]
    cells = zip([young] * 3 + [old] * 3, diseases, strict=True)
    rows = from_labels(microdata, [[*group, disease] for group, disease in cells])
    assert groups.smallest_group(microdata, rows) == 3
    found = diversity.smallest_l(microdata, rows, "disease")
    assert found == {"distinct": 2, "probabilistic": 1.5, "entropy": pytest.approx(1.8899, abs=5e-5)}


def test_the_peers_risks_of_the_unchanged_and_of_the_generalised_table(microdata: Problem) -> None:
    unchanged, coarse = full_domain(microdata, (0, 0, 0)), full_domain(microdata, (3, 1, 1))
    assert peers.prosecutor(microdata, unchanged, 0.5) == {"largest": 1, "average": 1, "share_above": 1}
    assert peers.sample_uniques(microdata, unchanged) == 6
    third = pytest.approx(1 / 3)
    assert peers.prosecutor(microdata, coarse, 0.5) == {"largest": third, "average": third, "share_above": 0}
    assert peers.prosecutor(microdata, coarse, 1 / 3)["share_above"] == 0
    assert peers.marketer(microdata, coarse) == third
    assert peers.sample_uniques(microdata, coarse) == 0
    # young people in 47*** are Alice, Carol and Dan; nobody of the voters is between 43 and 52 there
    microdata.settings.uncovered = "zero"
    voters = microdata.dictionaries[0]
    assert peers.journalist(microdata, voters, coarse, 0.3) == {
        "largest": third,
        "average": pytest.approx(1 / 6),
        "share_above": 0.5,
    }
    assert peers.marketer(microdata, coarse, voters) == pytest.approx(1 / 6)


FLU = {"Flu": 3, "Acne": 2, "Shingles": 1}
HIV = {"HIV": 8, "pneumonia": 1, "bronchitis": 1}


def test_the_diversity_of_flu_acne_and_shingles() -> None:
    assert anonymity.entropy(FLU) == pytest.approx(1.0114, abs=5e-5)
    assert anonymity.entropy_l(FLU) == pytest.approx(2.7495, abs=5e-5)
    assert anonymity.probabilistic_l(FLU) == 2
    assert [anonymity.recursive_bound(FLU, least) for least in (2, 3)] == [1, 3]
    assert [anonymity.recursive(FLU, factor, 3) for factor in (3, 3.01)] == [False, True]
    assert anonymity.categorical_distance(FLU, {value: 5 * count for value, count in FLU.items()}) == 0


def test_eight_of_ten_with_one_disease_are_hardly_diverse() -> None:
    assert anonymity.distinct_l(HIV) == 3
    assert anonymity.probabilistic_l(HIV) == 1.25
    assert anonymity.entropy_l(HIV) == pytest.approx(1.8946, abs=5e-5)
    assert anonymity.recursive_bound(HIV, 2) == 4
    assert anonymity.recursive_bound(HIV, 4) == math.inf


@pytest.mark.parametrize(("positive", "negative", "distance"), [(25, 25, 0.49), (49, 1, 0.97), (1, 49, 0.01)])
def test_a_skewed_group_is_far_from_a_table_with_one_per_cent(positive: int, negative: int, distance: float) -> None:
    table = {"positive": 1, "negative": 99}
    group = {"positive": positive, "negative": negative}
    assert anonymity.categorical_distance(group, table) == pytest.approx(distance)


@pytest.mark.parametrize(
    ("salaries", "distance"),
    [([20, 30, 40], Fraction(3, 8)), ([50, 100, 70], Fraction(1, 6)), ([60, 80, 90], Fraction(17, 72))],
)
def test_similar_salaries_are_far_from_the_table_along_their_order(salaries: list[int], distance: Fraction) -> None:
    order = [20, 30, 40, 50, 60, 70, 80, 90, 100]
    table = dict.fromkeys(order, 1)
    assert anonymity.ordered_distance(dict.fromkeys(salaries, 1), table, order) == pytest.approx(float(distance))


VISITS = """
    patient,sex,illness
    Ann,f,flu
    Ann,f,flu
    Ann,f,flu
    Bea,f,gout
    Cid,m,
    """


def test_a_person_counts_once_for_each_value_in_shares_and_missing_is_one_more_value(tmp_path: Path) -> None:
    illness = {"role": "keep", "sensitive": True, "order": ["flu", "gout"]}
    table = problem(
        tmp_path,
        {"dataset.csv": VISITS},
        dataset={"file": "dataset.csv", "identifier": "patient"},
        attributes={"sex": {}, "illness": illness},
    )
    rows = full_domain(table, (0,))
    assert diversity.group_counts(table, rows, "illness") == [{"flu": 1, "gout": 1}, {None: 1}]
    # each woman 1/2 in her group and 1/3 in the table; the man's missing value 1 and 1/3
    assert record_inferences(table, rows, "illness") == pytest.approx([1 / 6] * 4 + [2 / 3])
    # along flu, gout, missing: the women are off by 1/6 and 1/3, the man by 1/3 and 2/3
    assert diversity.largest_t(table, rows, table.attributes["illness"]) == pytest.approx((1 / 3 + 2 / 3) / 2)


LOSSY = "zip,sex\n101,f\n102,f\n112,m\n112,m\n"


def test_what_a_table_has_lost_by_four_measures(tmp_path: Path) -> None:
    table = problem(tmp_path, {"dataset.csv": LOSSY}, attributes={"zip": {"hierarchy": {"mask": 3}}, "sex": {}})
    rows = full_domain(table, (1, 0))
    # 10* hides 101 among two records; 11* hides nothing; sex is shown
    assert information.non_uniform_entropy(table, rows) == pytest.approx(2.0)
    assert information.average_class_size(table, rows) == 2.0
    assert information.discernibility(table, rows) == 8
    # zip: two records at (2 − 1)/(3 − 1), two at nought
    assert information.arx_loss(table, rows) == pytest.approx((1.25 * 1.0) ** 0.5 - 1)
    hidden = from_labels(table, [["*", "*"], *([row.shown for row in rows][1:])])
    assert information.discernibility(table, hidden) == 4 + 1 + 4
    assert information.arx_loss(table, hidden) == pytest.approx((1.375 * 1.25) ** 0.5 - 1)
