"""What all tests share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db.backends.base.operations import BaseDatabaseOperations

from riskapp.models import append_only


@pytest.fixture(scope="session", autouse=True)
def _static_files() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def _flush_may_pass() -> Iterator[None]:
    """Tests empty the database between them, which the audit trail refuses; production has no such way through."""
    plain = BaseDatabaseOperations.execute_sql_flush

    def execute_sql_flush(self: BaseDatabaseOperations, sql_list: list[str]) -> Any:
        with self.connection.cursor() as cursor:
            for name in trigger_names(self.connection):
                on = f" ON {append_only.TABLE}" if self.connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER {name}{on}")
            if self.connection.vendor == "postgresql":
                cursor.execute("DROP FUNCTION audit_refuse")
        plain(self, sql_list)
        append_only.refuse_changes(self.connection)

    BaseDatabaseOperations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = plain  # type: ignore[method-assign]


def trigger_names(connection: Any) -> list[str]:
    if connection.vendor == "sqlite":
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
    else:
        query = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(query, [append_only.TABLE])
        return [name for (name,) in cursor.fetchall()]
