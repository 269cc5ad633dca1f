"""JSON whose keys keep their order: PostgreSQL's usual kind sorts them, and the order of columns is the officer's."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class OrderedJSONField(models.JSONField):
    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if connection.vendor != "postgresql" or value is None:
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return super().from_db_value(value, expression, connection) if isinstance(value, str) else value
