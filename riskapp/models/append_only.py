"""Triggers by which the database itself refuses to change or remove a row of the audit trail."""

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "riskapp_auditevent"
WORDS = "the audit trail is append-only"

SQLITE = [
    f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    # INSERT OR REPLACE deletes without firing a delete trigger unless recursive triggers are on.
    f"CREATE TRIGGER audit_no_replace BEFORE INSERT ON {TABLE} "
    f"WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE number = NEW.number OR previous = NEW.previous OR seal = NEW.seal) "
    f"BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
]
POSTGRESQL = [
    f"CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{WORDS}'; END $$",
    f"CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
    f"CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
]


def refuse_changes(connection: BaseDatabaseWrapper) -> None:
    statements = {"sqlite": SQLITE, "postgresql": POSTGRESQL}[connection.vendor]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
