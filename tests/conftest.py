"""What all tests share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.commands import flush
from django.db.backends.base.operations import BaseDatabaseOperations
from whitenoise.middleware import WhiteNoiseMiddleware

from riskapp.engine import foreseeing
from riskapp.models import append_only


@pytest.fixture(scope="session", autouse=True)
def _static_files() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once(_static_files: None) -> Iterator[None]:
    """Every client of the tests has middleware of its own, which would look at all static files again."""
    plain = WhiteNoiseMiddleware.update_files_dictionary
    found: dict[tuple[str, str], dict[str, Any]] = {}

    def update_files_dictionary(self: WhiteNoiseMiddleware, root: str, prefix: str) -> None:
        if (root, prefix) not in found:
            plain(self, root, prefix)
            found[root, prefix] = dict(self.files)
        self.files.update(found[root, prefix])

    WhiteNoiseMiddleware.update_files_dictionary = update_files_dictionary
    yield
    WhiteNoiseMiddleware.update_files_dictionary = plain


@pytest.fixture(scope="session", autouse=True)
def _short_moments() -> None:
    """How busy the machine is, is really tried, but for a moment only: hundreds of tests make a plan for a run."""
    foreseeing.MOMENT = 0.02


@pytest.fixture(scope="session", autouse=True)
def _flush_may_pass() -> Iterator[None]:
    """Tests empty the database between them, which the audit trail refuses; production has no such way through."""
    plain = BaseDatabaseOperations.execute_sql_flush

    def execute_sql_flush(self: BaseDatabaseOperations, sql_list: list[str]) -> Any:
        if self.connection.vendor == "postgresql":
            return delete_all(self.connection)
        with self.connection.cursor() as cursor:
            for name in trigger_names(self.connection):
                cursor.execute(f"DROP TRIGGER {name}")
        plain(self, sql_list)
        append_only.refuse_changes(self.connection)

    BaseDatabaseOperations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = plain  # type: ignore[method-assign]


def delete_all(connection: Any) -> None:
    """Empty every table of PostgreSQL, past its triggers and keys: a hundred times as fast as TRUNCATE."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    deletions = "".join(f'DELETE FROM "{table}";' for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SET session_replication_role = replica; {deletions} RESET session_replication_role")


@pytest.fixture(scope="session", autouse=True)
def _nothing_made_after_flush() -> Iterator[None]:
    """Django would list permissions and kinds of rows anew after every test; the product asks for neither."""
    plain = flush.emit_post_migrate_signal
    flush.emit_post_migrate_signal = lambda *_: None
    yield
    flush.emit_post_migrate_signal = plain


def trigger_names(connection: Any) -> list[str]:
    if connection.vendor == "sqlite":
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
    else:
        query = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(query, [append_only.TABLE])
        return [name for (name,) in cursor.fetchall()]
