"""Which labels a value is like, against the oracle's fractions one pair at a time."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table import alike as module
from riskapp.core.table import jaro
from riskapp.core.table.alike import alike
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat
from riskapp.core.table.value_list import ValueList, texts
from tests.oracle.jaro import jaro as oracle

WORDS = (
    st.text(alphabet="abcñ漢", max_size=12) | st.text(max_size=6) | st.text(alphabet="ab", min_size=60, max_size=140)
)
LISTS = st.lists(WORDS, unique=True, max_size=12)
THRESHOLDS = st.sampled_from(["0", "0.5", "0.6", "2e-1", "0.7", "0.8", "0.9", "0.75", "1", "0.99999"])


def slow(labels: list[str], values: list[str], least: Fraction) -> list[list[int]]:
    return [[code for code, label in enumerate(labels, 1) if oracle(value, label) >= least] for value in values]


def fast(labels: list[str], values: list[str], threshold: float | str) -> list[list[int]]:
    found = alike(flat("name", [ValueList.of(labels)]), 0, texts([None, *values]), threshold)
    assert found.values == len(values)
    return [found.codes[start:end].tolist() for start, end in zip(found.starts[1:], found.starts[2:], strict=False)]


@settings(deadline=None, max_examples=80)
@given(LISTS, LISTS, THRESHOLDS)
def test_a_value_is_like_the_labels_the_oracle_says(labels: list[str], values: list[str], threshold: str) -> None:
    listed = flat("name", [ValueList.of(labels)]).labels[0][1:].to_pylist()
    assert fast(labels, values, threshold) == slow(listed, values, Fraction(threshold))
    assert fast(labels, values, float(threshold)) == slow(listed, values, Fraction(threshold))


@settings(deadline=None, max_examples=150)
@given(WORDS, WORDS)
def test_the_exact_similarity_is_the_oracle_s_and_no_more_than_the_lengths_allow(one: str, other: str) -> None:
    assert jaro.similarity(one, other) == oracle(one, other) <= jaro.largest(len(one), len(other))
    assert jaro.largest(len(one), len(one)) == 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(alphabet="abc", max_size=7), unique=True, min_size=2, max_size=14), st.data())
def test_the_threshold_itself_is_enough_and_a_hair_above_it_is_too_much(words: list[str], data: st.DataObject) -> None:
    """At a similarity that occurs: rounding may decide nothing."""
    listed = flat("name", [ValueList.of(words)]).labels[0][1:].to_pylist()
    pair = oracle(data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words)))
    below, above = pair.numerator * 10**15 // pair.denominator, -(-pair.numerator * 10**15 // pair.denominator)
    for least in (below, above):
        threshold = f"{least // 10**15}.{least % 10**15:015d}"
        assert fast(words, words, threshold) == slow(listed, words, Fraction(threshold))


def test_blocks_cut_small_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"{left}{middle}{right}" for left in "abc" for middle in ("", "an", "nan") for right in "xyz"]
    whole = fast(words, words, "0.8")
    monkeypatch.setattr(module, "AT_ONCE", 7)
    assert fast(words, words, "0.8") == whole
    assert sum(map(len, whole)) > len(words)


def test_a_coarser_level_has_its_own_labels() -> None:
    race = from_groups("race", {"Asian": ["Chinese", "Japanese"], "European": ["White"]})
    found = alike(race, 1, texts([None, "Asien", "Chinese", "Europaean"]), 0.8)
    assert [race.labels[1][int(code)].as_py() for code in found.codes] == ["Asian", "European"]
    assert found.starts.tolist() == [0, 0, 1, 1, 2]


def test_a_threshold_beyond_one_and_missing_values_in_the_middle_are_refused() -> None:
    name = flat("name", [ValueList.of(["a"])])
    with pytest.raises(ValueError, match="from 0 to 1"):
        alike(name, 0, texts([None, "a"]), 1.01)
    with pytest.raises(ValueError, match="first value is missing"):
        alike(name, 0, texts(["a", None]), 0.8)
    with pytest.raises(ValueError, match="first value is missing"):
        alike(name, 0, texts([None, "a", None]), 0.8)
