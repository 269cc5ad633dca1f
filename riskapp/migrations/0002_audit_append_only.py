from typing import Any

from django.db import migrations

from riskapp.models.append_only import refuse_changes


def install(apps: Any, schema_editor: Any) -> None:
    refuse_changes(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("riskapp", "0001_initial")]
    operations = [migrations.RunPython(install)]
