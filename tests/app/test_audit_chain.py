"""The audit trail notices whatever somebody with a database client does to it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from riskapp.models import Actor, AuditEvent, User
from riskapp.services import audit
from tests.conftest import trigger_names

ME = Actor(None, "127.0.0.1", "tester")
pytestmark = pytest.mark.django_db(transaction=True)


def events(count: int) -> list[AuditEvent]:
    for number in range(count):
        with audit.writing():
            audit.record("tried", by=ME, turn=number)
    return list(AuditEvent.objects.all())


def tamper(sql: str, *parameters: Any) -> None:
    """What somebody can do who owns the database: first away with the triggers."""
    with connection.cursor() as cursor:
        for name in trigger_names(connection):
            cursor.execute(
                f"DROP TRIGGER {name}" + (f" ON {'riskapp_auditevent'}" if connection.vendor == "postgresql" else "")
            )
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS audit_refuse")
        cursor.execute(sql, parameters)


@pytest.fixture(autouse=True)
def _triggers_come_back() -> Any:
    yield
    if not trigger_names(connection):
        from riskapp.models.append_only import refuse_changes

        refuse_changes(connection)


def test_an_untouched_chain_is_whole() -> None:
    events(5)
    assert audit.verify() == audit.Verdict(5)


def test_an_empty_chain_is_whole() -> None:
    assert audit.verify().whole


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE riskapp_auditevent SET action = 'nothing' WHERE number = 1",
        "DELETE FROM riskapp_auditevent WHERE number = 1",
        "DELETE FROM riskapp_auditevent",
    ],
)
def test_the_database_itself_refuses_to_change_or_remove(statement: str) -> None:
    events(2)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert audit.verify() == audit.Verdict(2)


def test_the_database_itself_refuses_to_replace_or_truncate() -> None:
    events(2)
    statement = (
        "TRUNCATE riskapp_auditevent"
        if connection.vendor == "postgresql"
        else "INSERT OR REPLACE INTO riskapp_auditevent SELECT * FROM riskapp_auditevent WHERE number = 1"
    )
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert audit.verify() == audit.Verdict(2)


def test_a_changed_row_is_found() -> None:
    events(5)
    tamper("UPDATE riskapp_auditevent SET actor = 'somebody else' WHERE number = 3")
    assert audit.verify().broken_at == 3


@pytest.mark.parametrize("field", ["at", "address", "action", "subject_id", "details", "previous", "seal", "actor_id"])
def test_every_field_is_sealed(field: str) -> None:
    events(3)
    event = AuditEvent.objects.get(number=2)
    value = {"at": "2020-01-01 00:00:00+00:00", "details": '{"turn": 9}', "actor_id": "0" * 32}.get(field, "f" * 20)
    assert getattr(event, field) != value
    tamper(f"UPDATE riskapp_auditevent SET {field} = %s WHERE number = 2", value)
    assert audit.verify().broken_at == 2


def test_a_removed_row_is_found() -> None:
    events(5)
    tamper("DELETE FROM riskapp_auditevent WHERE number = 3")
    verdict = audit.verify()
    assert verdict.broken_at == 3
    assert "missing" in verdict.reason


def test_a_removed_first_row_is_found() -> None:
    events(3)
    tamper("DELETE FROM riskapp_auditevent WHERE number = 1")
    assert audit.verify().broken_at == 1


def test_a_removed_row_is_found_though_the_others_are_renumbered() -> None:
    events(3)
    tamper("DELETE FROM riskapp_auditevent WHERE number = 2")
    tamper("UPDATE riskapp_auditevent SET number = 2 WHERE number = 3")
    assert audit.verify().broken_at == 2


def test_an_inserted_row_is_found() -> None:
    rows = events(3)
    last = rows[-1]
    forged = AuditEvent(number=4, at=last.at, actor="intruder", action="approved", previous=last.seal, seal="a" * 64)
    forged.save(force_insert=True)
    verdict = audit.verify()
    assert verdict.broken_at == 4
    assert "not written by this application" in verdict.reason


def test_a_cut_off_tail_is_found() -> None:
    events(5)
    tamper("DELETE FROM riskapp_auditevent WHERE number >= 4")
    verdict = audit.verify()
    assert verdict.broken_at == 4
    assert "cut off" in verdict.reason


def test_a_chain_emptied_altogether_is_found() -> None:
    events(2)
    tamper("DELETE FROM riskapp_auditevent")
    assert audit.verify().broken_at == 1


def test_a_chain_recomputed_with_another_key_is_found(settings: Any) -> None:
    events(3)
    recompute(settings, "another key")
    verdict = audit.verify()
    assert verdict.broken_at == 1


def test_a_chain_recomputed_with_the_stolen_key_is_found_by_its_head(settings: Any) -> None:
    events(3)
    recompute(settings, settings.AUDIT_KEY)
    verdict = audit.verify()
    assert verdict.broken_at == 3
    assert "written anew" in verdict.reason


def recompute(settings: Any, key: str) -> None:
    """Rewrite the whole chain, each row properly sealed with a key."""
    rows = list(AuditEvent.objects.order_by("number"))
    tamper("DELETE FROM riskapp_auditevent")
    own, settings.AUDIT_KEY = settings.AUDIT_KEY, key
    seal = "0" * 64
    for row in rows:
        row.action, row.previous = "nothing happened", seal
        row.seal = seal = row.computed_seal()
        row.save(force_insert=True)
    settings.AUDIT_KEY = own


def test_a_forged_head_is_found() -> None:
    events(3)
    head = Path(settings.AUDIT_HEAD)
    stored = json.loads(head.read_text())
    head.write_text(json.dumps(stored | {"number": 2}))
    assert not audit.verify().whole


@pytest.mark.parametrize("text", ["", "not json", "[]", '{"number": 3}'])
def test_a_damaged_head_is_found(text: str) -> None:
    events(3)
    Path(settings.AUDIT_HEAD).write_text(text)
    assert not audit.verify().whole


def test_a_missing_head_is_found() -> None:
    events(3)
    Path(settings.AUDIT_HEAD).unlink()
    assert not audit.verify().whole


def test_a_head_that_lags_after_a_crash_is_no_break() -> None:
    rows = events(2)
    with audit.writing():
        audit.record("last words", by=ME)
        head = Path(settings.AUDIT_HEAD).read_text()
    Path(settings.AUDIT_HEAD).write_text(head)
    assert len(rows) == 2
    assert audit.verify() == audit.Verdict(3, beyond_head=1)


def test_a_cut_off_tail_is_found_though_the_chain_has_grown_again() -> None:
    events(10)
    tamper("DELETE FROM riskapp_auditevent WHERE number > 7")
    events(5)
    verdict = audit.verify()
    assert verdict.broken_at == 10
    assert "written anew" in verdict.reason


def test_a_damaged_head_stops_nobody_and_is_not_mended_by_going_on() -> None:
    events(2)
    Path(settings.AUDIT_HEAD).write_text("damaged")
    events(2)
    assert not audit.verify().whole
    assert Path(settings.AUDIT_HEAD).read_text() == "damaged"


def test_a_missing_head_is_not_made_anew_by_going_on() -> None:
    events(2)
    Path(settings.AUDIT_HEAD).unlink()
    events(2)
    assert not audit.verify().whole


def test_a_head_that_cannot_be_written_stops_nobody_and_is_told() -> None:
    events(2)
    head = Path(settings.AUDIT_HEAD)
    aside = head.parent.rename(head.parent.with_name("aside"))
    head.parent.write_text("a file where the folder was")
    events(3)
    head.parent.unlink()
    aside.rename(head.parent)
    assert audit.verify() == audit.Verdict(5, beyond_head=3)


def test_a_lost_head_can_be_renewed_and_that_stands_in_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    events(3)
    Path(settings.AUDIT_HEAD).unlink()
    call_command("verify_audit", renew_head=True)
    assert audit.verify() == audit.Verdict(4)
    assert AuditEvent.objects.get(number=4).action == "audit head renewed"


def test_a_head_is_not_renewed_over_a_broken_chain() -> None:
    events(3)
    tamper("UPDATE riskapp_auditevent SET action = 'x' WHERE number = 2")
    with pytest.raises(CommandError, match="event 2"):
        call_command("verify_audit", renew_head=True)


def test_the_head_never_goes_back() -> None:
    rows = events(3)
    audit.advance_head(rows[0].number, rows[0].seal)
    assert audit.read_head() == audit.Head(3, rows[2].seal)


def test_a_rolled_back_change_leaves_no_event_and_no_gap() -> None:
    events(1)
    with pytest.raises(ZeroDivisionError), audit.writing():
        audit.record("tried", by=ME)
        raise ZeroDivisionError
    events(1)
    assert audit.verify() == audit.Verdict(2)


def test_several_events_at_once_are_one_piece_of_the_chain_and_the_head_moves_to_their_end() -> None:
    events(2)
    with audit.writing():
        audit.record_each("tried", by=ME, on=[User(email=f"{name}@example.org") for name in "abc"], turn=3)
        audit.record_each("tried", by=ME, on=[])
    assert audit.verify() == audit.Verdict(5)
    last = AuditEvent.objects.get(number=5)
    assert (last.subject_kind, last.details) == ("user", {"turn": 3})
    assert audit.read_head() == audit.Head(5, last.seal)


def test_an_event_outside_a_transaction_is_a_bug() -> None:
    with pytest.raises(RuntimeError):
        audit.record("tried", by=ME)


def test_writers_at_the_same_time_make_one_chain() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def write(turn: int) -> None:
        with audit.writing():
            audit.record("tried", by=ME, turn=turn)
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    assert audit.verify() == audit.Verdict(40)


def test_the_command_says_whole_or_where_it_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    events(3)
    call_command("verify_audit")
    assert "whole" in capsys.readouterr().out
    tamper("UPDATE riskapp_auditevent SET action = 'x' WHERE number = 2")
    with pytest.raises(CommandError, match="event 2"):
        call_command("verify_audit")


def test_the_page_says_whole_or_where_it_breaks(client: Any, person: Callable[..., Any]) -> None:
    client.force_login(person("root", is_administrator=True))
    events(3)
    assert "is whole" in client.post("/audit/verify/").content.decode()
    tamper("UPDATE riskapp_auditevent SET action = 'x' WHERE number = 2")
    page = client.post("/audit/verify/").content.decode()
    assert "breaks at event 2" in page
