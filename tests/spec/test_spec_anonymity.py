"""The worked examples of anonymity and utility, as small tables."""

import math

import numpy as np
import pytest

from riskapp.core.table.anonymity import Groups, ValueCounts, table_counts, value_counts
from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_file import from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.closeness import categorical, ordered
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.diversity import distinct, entropy, is_recursive, probabilistic, recursive_bound
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.inference import inferences
from riskapp.core.table.keys import Keys, folded
from riskapp.core.table.peers import journalist, prosecutor, sample_uniques
from riskapp.core.table.released import Released
from riskapp.core.table.utility import Utility
from riskapp.core.table.value_list import ValueList

SWEENEY = """
Black 1965 m 0214* short-breath
Black 1965 m 0214* chest-pain
Black 1965 f 0213* hypertension
Black 1965 f 0213* hypertension
Black 1964 f 0213* obesity
Black 1964 f 0213* chest-pain
White 1964 m 0213* chest-pain
White 1964 m 0213* obesity
White 1964 m 0213* short-breath
White 1967 m 0213* chest-pain
White 1967 m 0213* chest-pain
"""

PATIENTS = """
476** 2*   heart
476** 2*   heart
476** 2*   heart
4790* >=40 flu
4790* >=40 heart
4790* >=40 cancer
476** 3*   heart
476** 3*   cancer
476** 3*   cancer
"""

LINKING = """
47677 29 F ovarian-cancer
47602 22 F ovarian-cancer
47678 27 M prostate-cancer
47905 43 M flu
47909 52 F heart
47906 47 M heart
"""

VOTERS = """
47677 29 F
47983 65 M
47677 22 F
47532 23 M
46789 43 F
"""

LINKING_GENERALISED = """
476** 2*      * ovarian-cancer
476** 2*      * ovarian-cancer
476** 2*      * prostate-cancer
4790* [43,52] * flu
4790* [43,52] * heart
4790* [43,52] * heart
"""

INPATIENTS = """
130** <30  AIDS
130** <30  heart
130** <30  viral
130** <30  viral
1485* >=40 cancer
1485* >=40 heart
1485* >=40 viral
1485* >=40 viral
130** 3*   cancer
130** 3*   cancer
130** 3*   cancer
130** 3*   cancer
"""

INPATIENTS_DIVERSE = """
1305* <=40 heart
1305* <=40 viral
1305* <=40 cancer
1305* <=40 cancer
1485* >40  cancer
1485* >40  heart
1485* >40  viral
1485* >40  viral
1306* <=40 heart
1306* <=40 viral
1306* <=40 cancer
1306* <=40 cancer
"""


def numbered(column: list[str]) -> Codes:
    """Codes from 1 in the order in which values first occur."""
    places = {value: place for place, value in enumerate(dict.fromkeys(column), start=1)}
    return np.array([places[value] for value in column], dtype=np.int32)


def read(text: str) -> tuple[Groups, Codes]:
    """The groups of a table for the eye, in the order in which they first occur, and its last column."""
    rows = [line.split() for line in text.strip().splitlines()]
    shown = numbered([" ".join(row[:-1]) for row in rows])
    return Groups.of(folded([[shown]], [len(rows) + 1])), numbered([row[-1] for row in rows])


def one_group(*people: int) -> ValueCounts:
    """A group in which so many people have each value."""
    values = np.repeat(np.arange(1, len(people) + 1, dtype=np.int32), people)
    return value_counts(Groups.of(Keys((np.zeros(len(values), dtype=np.int64),), 1)), values)


def distances(text: str) -> list[float]:
    groups, values = read(text)
    return [float(far) for far in categorical(value_counts(groups, values), table_counts(groups, values))]


# Sweeney's table


def test_sweeneys_table_is_2_anonymous() -> None:
    groups, _ = read(SWEENEY)
    assert (groups.smallest, groups.people.tolist()) == (2, [2, 2, 2, 3, 2])


def test_two_of_sweeneys_groups_have_one_problem_only() -> None:
    assert distinct(value_counts(*read(SWEENEY))).tolist() == [2, 1, 2, 3, 1]


def test_sweeneys_groups_are_far_from_the_table() -> None:
    assert distances(SWEENEY) == pytest.approx([0.3636, 0.8182, 0.3636, 0.303, 0.5455], abs=5e-5)


def test_the_prosecutor_finds_five_of_sweeneys_eleven() -> None:
    groups, _ = read(SWEENEY)
    assert prosecutor(groups, 0.4) == pytest.approx((1 / 2, 5 / 11, 8 / 11))
    assert sample_uniques(groups) == 0


# Linking


def test_before_generalisation_everybody_is_unique_and_the_register_names_alice() -> None:
    groups, _ = read(LINKING)
    assert (groups.smallest, sample_uniques(groups)) == (1, 6)
    voters = VOTERS.split("\n")
    found = [voters.count(line.rsplit(" ", 1)[0]) for line in LINKING.strip().splitlines()]
    assert found == [1, 0, 0, 0, 0, 0]
    assert journalist(np.array(found), 0.5, uncovered="zero") == pytest.approx((1.0, 1 / 6, 1 / 6))


def test_generalised_the_linking_table_is_3_anonymous_with_less_than_two_diseases() -> None:
    groups, diseases = read(LINKING_GENERALISED)
    counts = value_counts(groups, diseases)
    assert groups.smallest == 3
    assert entropy(counts) == pytest.approx([1.8899, 1.8899], abs=5e-5)
    assert probabilistic(counts).tolist() == [1.5, 1.5]


# Patients


def test_three_patients_alike_and_all_with_a_heart_disease() -> None:
    groups, diseases = read(PATIENTS)
    counts = value_counts(groups, diseases)
    assert groups.smallest == 3
    assert distinct(counts).tolist() == [1, 3, 2]
    assert entropy(counts) == pytest.approx([1, 3, 1.8899], abs=5e-5)
    assert distances(PATIENTS) == pytest.approx([0.4444, 0.2222, 0.3333], abs=5e-5)


def test_who_knows_that_bob_is_in_his_twenties_knows_his_disease() -> None:
    groups, diseases = read(PATIENTS)
    # Five of nine have it, three of three in the group: certainty, 4/9 more than anybody knew.
    assert value_counts(groups, diseases).shares[0] == 1.0
    assert inferences(groups, diseases)[:3] == pytest.approx([4 / 9] * 3)


# Inpatients


def test_four_inpatients_alike_and_one_group_all_with_cancer() -> None:
    groups, conditions = read(INPATIENTS)
    assert groups.smallest == 4
    assert entropy(value_counts(groups, conditions)) == pytest.approx([2 * math.sqrt(2), 2 * math.sqrt(2), 1])
    assert distances(INPATIENTS) == pytest.approx([5 / 12, 1 / 4, 7 / 12])


def test_grouped_otherwise_the_inpatients_are_3_diverse() -> None:
    groups, conditions = read(INPATIENTS_DIVERSE)
    counts = value_counts(groups, conditions)
    assert (groups.smallest, distinct(counts).min()) == (4, 3)
    assert entropy(counts) == pytest.approx([2 * math.sqrt(2)] * 3)
    assert distances(INPATIENTS_DIVERSE) == pytest.approx([1 / 12, 1 / 6, 1 / 12])


# Single groups


def test_flu_acne_and_shingles() -> None:
    counts = one_group(3, 2, 1)
    assert np.log(entropy(counts)) == pytest.approx([1.0114], abs=5e-5)
    assert entropy(counts) == pytest.approx([2.7495], abs=5e-5)
    assert probabilistic(counts).tolist() == [2]
    assert (recursive_bound(counts, 2).tolist(), recursive_bound(counts, 3).tolist()) == ([1], [3])
    assert (is_recursive(counts, 1, 2), is_recursive(counts, 1.01, 2)) == (False, True)
    assert (is_recursive(counts, 3, 3), is_recursive(counts, 3.01, 3)) == (False, True)


def test_groups_that_all_equal_the_table_have_t_0() -> None:
    assert distances("a flu\na acne\nb acne\nb flu") == [0.0, 0.0]


def test_eight_of_ten_with_hiv_are_three_values_and_hardly_two() -> None:
    counts = one_group(8, 1, 1)
    assert (distinct(counts).tolist(), probabilistic(counts).tolist()) == ([3], [1.25])
    assert entropy(counts) == pytest.approx([1.8946], abs=5e-5)
    assert recursive_bound(counts, 2).tolist() == [4]


@pytest.mark.parametrize(("positive", "negative", "far"), [(25, 25, 0.49), (49, 1, 0.97), (1, 49, 0.01)])
def test_a_group_may_be_diverse_and_far_from_a_rare_disease(positive: int, negative: int, far: float) -> None:
    assert categorical(one_group(positive, negative), one_group(1, 99)) == pytest.approx([far])


def test_similar_salaries_are_far_along_the_order() -> None:
    salaries = [20, 30, 40, 50, 100, 70, 60, 80, 90]
    groups = Groups.of(Keys((np.repeat(np.arange(3), 3),), 3))
    places = np.array([sorted(salaries).index(salary) + 1 for salary in salaries], dtype=np.int32)
    found = ordered(value_counts(groups, places), table_counts(groups, places), 9)
    assert found == pytest.approx([0.375, 0.1667, 0.2361], abs=5e-5)


# The two records of the case study


def case_study() -> CodedRecords:
    city = from_text("city", "West Lafayette;Tippecanoe;Indiana;Midwest")
    race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    born = from_dates("birthdate", [ValueList.of(["1975-05-10"])])
    salary = from_intervals("salary", [ValueList.of(["52"])], start=0, widths=[5, 20, 80])
    values = ["West Lafayette", "White", "1975-05-10", "52"]
    pairs = zip((city, race, born, salary), values, strict=True)
    return CodedRecords.of([CodedColumn(one, one.coded([value])) for one, value in pairs])


def test_the_case_study_has_utilities_13_and_7() -> None:
    records = case_study()
    utility = Utility(records)
    assert (records.lattice.heights, records.lattice.size) == ((4, 2, 3, 4), 300)
    # West Lafayette, *, May 1975, and an interval of salaries 80 wide.
    assert (utility.at((0, 0, 0, 0)), utility.at((0, 2, 1, 3))) == (13, 7)
    assert utility.each(Released.each(records, np.array([[0, 2, 1, 3]]))).tolist() == [7]
    assert utility.share(7) == 7 / 13


def test_a_month_and_an_interval_have_the_leaves_of_the_thesis() -> None:
    inverse = Utility(case_study(), "inverse-leaves")
    assert inverse.at((0, 2, 1, 3)) == pytest.approx(1 + 1 / 3 + 1 / 31 + 1 / 80)
