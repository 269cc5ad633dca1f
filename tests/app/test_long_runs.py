"""Long runs leave a place for short ones, and the one that has waited longest comes next."""

import threading
from collections.abc import Callable

import pytest

from riskapp.models import Actor, Project, Run, RunState
from riskapp.services import runs, workers
from riskapp.services.works import LONG, WORKS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs that were seen through, with one place for long ones."""
    taken: list[str] = []
    monkeypatch.setattr(workers, "_see_through", taken.append)
    monkeypatch.setattr(workers, "long_places", threading.BoundedSemaphore(1))
    return taken


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    monkeypatch.setattr(runs, "send", lambda run: told.append(str(run.pk)))
    return told


@pytest.fixture
def ask(project: Project, by: Actor) -> Callable[[str], str]:
    def started(kind: str) -> str:
        key = str(Run.objects.count())
        return str(runs.start(kind, by=by, project=project, parameters={}, key=key).pk)

    return started


def test_every_long_kind_is_a_kind_and_reading_is_not_long() -> None:
    assert WORKS.keys() > LONG
    assert "read" not in LONG


def test_a_long_run_without_a_place_stays_queued_and_short_ones_go_on(
    seen: list[str], sent: list[str], ask: Callable[[str], str]
) -> None:
    search, upload = ask("assess"), ask("read")
    with workers.long_places:
        workers.carry_out(search)
        workers.carry_out(upload)
    assert seen == [upload]
    assert Run.objects.get(pk=search).state == RunState.QUEUED
    workers.carry_out(search)
    assert seen == [upload, search]


def test_who_has_waited_longest_is_sent_when_a_long_run_has_ended_and_a_failed_one_frees_its_place(
    seen: list[str], sent: list[str], ask: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, short, third = ask("build"), ask("assess"), ask("read"), ask("warn")
    Run.objects.filter(pk=first).update(state=RunState.SUCCEEDED)
    sent.clear()
    workers.carry_out(short)
    assert sent == []
    workers.carry_out(third)
    assert (seen, sent) == ([short, third], [second])

    def dies(run_id: str) -> None:
        raise RuntimeError

    monkeypatch.setattr(workers, "_see_through", dies)
    with pytest.raises(RuntimeError):
        workers.carry_out(second)
    assert workers.long_places.acquire(blocking=False), "its place is free again"


def test_a_worker_that_is_being_stopped_sends_nothing(
    seen: list[str], sent: list[str], ask: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = ask("assess"), ask("build")
    sent.clear()
    stopping = threading.Event()
    stopping.set()
    monkeypatch.setattr(workers, "stopping", stopping)
    workers.carry_out(first)
    assert sent == []
