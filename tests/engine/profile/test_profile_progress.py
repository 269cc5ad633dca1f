"""Progress of a profile: told from the first moment to the last, and a way to stop."""

import pytest

from riskapp.core.errors import Stopped
from riskapp.engine.profile import profile, progress
from tests.engine.profile import slow_profile as slow

COLUMNS = {f"c{at}": slow.drawn(["a", "b", "c"], seed=at) for at in range(6)}


def test_progress_rises_to_its_end_and_says_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0)
    reports: list[tuple[int, int, str]] = []
    with slow.table_of(COLUMNS) as table:
        profile(table, report=lambda *report: reports.append(report))
    done = [report[0] for report in reports]
    assert done == sorted(done)
    assert reports[-1] == (1000, 1000, "Profile ready")
    words = {report[2] for report in reports}
    assert {"Looking at column 3 of 6", "Comparing pair 15 of 15"} <= words


@pytest.mark.parametrize("after", [0, 3, 30, 80])
def test_a_caller_can_stop_the_work_at_any_report(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0)
    left = [after]

    def report(done: int, total: int, words: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    with slow.table_of(COLUMNS) as table, pytest.raises(Stopped):
        profile(table, report=report)


def test_reports_come_no_oftener_than_anybody_can_read() -> None:
    reports: list[int] = []
    with slow.table_of({"c": ["a", "b"]}) as table:
        profile(table, report=lambda done, total, words: reports.append(done))
    assert len(reports) <= 4
