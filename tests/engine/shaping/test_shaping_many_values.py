"""A column with hundreds of thousands of different values: each step of the studio answers, or says what to do."""

import time
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping import hierarchies, preview
from riskapp.engine.shaping.fitting import Column, commonest

MANY = 300_000
SECONDS = 2.0
"""Of the processor; about eight times what it takes."""
START = datetime(2020, 1, 1)


def column(values: list[str]) -> Column:
    return Column("c", pa.array(values, pa.large_string()), np.ones(len(values), np.int64), len(values))


@pytest.fixture(scope="module")
def codes() -> Column:
    return column([f"P{number:06d}" for number in range(MANY)])


@pytest.fixture(scope="module")
def times() -> Column:
    return column([f"{START + timedelta(minutes=number):%Y-%m-%d %H:%M}" for number in range(MANY)])


@pytest.mark.parametrize("kind", ["none", "mask"])
def test_rules_are_proposed_and_previewed_in_a_moment(codes: Column, kind: str) -> None:
    start = time.process_time()
    told = preview.of_column(codes, hierarchies.of_column(codes, kind)[0])
    assert time.process_time() - start < SECONDS
    assert told.levels[0].groups == MANY


@pytest.mark.parametrize(
    ("kind", "words"), [("prefixes", "Hide signs"), ("countries", "countries"), ("ordered", "put in order")]
)
def test_what_would_be_written_out_value_by_value_is_refused_in_a_moment(codes: Column, kind: str, words: str) -> None:
    start = time.process_time()
    with pytest.raises(BadSetting, match=words):
        hierarchies.of_column(codes, kind)
    assert time.process_time() - start < SECONDS


def test_too_many_times_are_not_written_out(times: Column) -> None:
    start = time.process_time()
    with pytest.raises(BadSetting, match="without their times"):
        hierarchies.of_column(times, "dates")
    assert time.process_time() - start < SECONDS


def test_days_by_the_hundred_thousand_need_no_rows() -> None:
    days = [str(np.datetime64("1700-01-01") + number) for number in range(110_000)]
    start = time.process_time()
    for values in (days, [*days, "unknown"]):
        assert hierarchies.of_column(column(values), "dates")[0] == {"dates": ["month", "year"]}
    assert time.process_time() - start < SECONDS


def test_at_a_glance_there_are_the_commonest_values_in_their_order() -> None:
    whole = Column("c", pa.array(list("abcde"), pa.large_string()), np.array([1, 9, 2, 9, 3]), 30)
    part = commonest(whole, 3)
    assert (part.values.to_pylist(), part.records.tolist(), part.rows) == (["b", "d", "e"], [9, 9, 3], 21)
    assert commonest(whole, 5) is whole
